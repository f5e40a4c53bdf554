"""What the blocks of ODF are written to: a document, or the cell of a table."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from footnote.ingest.parse.safe_xml import Element


class Target(Protocol):
    """What blocks are written to: a document, or the cell of a table."""

    def paragraph(self, text: str, before: str = ...) -> object: ...
    def heading(self, text: str, level: int) -> None: ...
    def table(self, rows: Iterable[Sequence[str]], header_rows: int = ...) -> None: ...


class Cell:
    """Takes the blocks of a cell as lines."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def paragraph(self, text: str, before: str = "") -> None:  # noqa: ARG002 as in a document
        if text.strip():
            self.lines.append(text)

    def heading(self, text: str, level: int) -> None:  # noqa: ARG002 as in a document
        self.paragraph(text)

    def table(self, rows: Iterable[Sequence[str]], header_rows: int = 1) -> None:  # noqa: ARG002
        self.lines += (" ".join(filter(None, row)) for row in rows)


class Writer(Protocol):
    """What lists and frames write their blocks with."""

    target: Target

    def paragraph(self, paragraph: Element, mark: str = ..., before: str = ...) -> None: ...
    def heading(self, heading: Element, mark: str = ...) -> None: ...
    def block(self, element: Element) -> None: ...
    def write(self, container: Element) -> None: ...
