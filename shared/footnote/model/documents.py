"""A parsed document and its chunks; a picture of a page, and what OCR reads on it."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from pydantic import Field

from footnote.model.identity import Metadata, Value


class Page(Value):
    """A physical page: its span in the text, its size in points, where its word boxes are.

    `words_at` is (offset, length) of the page's member in the words artifact; None: no boxes.
    `label`: the number that is printed on it ("iv"), where the file says one that differs.
    `inside`: the file in this file that it is a page of; `number` then counts the pages of all
    such files, and `label` is the one in its own.
    """

    number: int
    start: int
    end: int
    width: float = 0.0
    height: float = 0.0
    words_at: tuple[int, int] | None = None
    label: str = ""
    inside: str = ""


def labels_of(pages: Sequence[Page]) -> tuple[str, ...]:
    """What readers call the pages ("iv", "terms.pdf, page 3"), if one of them is not its number."""
    if not any(page.label for page in pages):
        return ()
    return tuple(
        f"{page.inside}, page {page.label}" if page.inside else page.label or str(page.number)
        for page in pages
    )


class Section(Value):
    """A heading and everything under it, in document order. Level 1 is the top."""

    title: str
    level: int
    start: int
    end: int


class Table(Value):
    """A table: its span in the text (one line a row, cells joined by " | ") and its cells."""

    start: int
    end: int
    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1


class Document(Value):
    """What `parse` makes of any file. `text` is NFC; every span is inside it."""

    title: str
    media_type: str
    language: str = "en"
    text: str
    pages: tuple[Page, ...] = ()
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    metadata: Metadata = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()


class Picture(Value):
    """A page as a picture: `pixels` are RGB, a byte each, row by row; width and height of the page
    are in points.
    """

    pixels: bytes
    columns: int
    rows: int
    width: float
    height: float


class SeenWord(Value):
    """A word on a picture, in points from the page's top left corner."""

    x0: float
    y0: float
    x1: float
    y1: float
    text: str


class SeenLine(Value):
    """Words that stand in one line, in reading order; `size` of their type in points, about."""

    words: tuple[SeenWord, ...]
    size: float
    upright: bool = True


class Reading(Value):
    """What OCR read on a picture, and what that cost in dollars."""

    lines: tuple[SeenLine, ...] = ()
    usd: float = 0.0


class WordBox(NamedTuple):
    """A word on a page: its corners in points from the page's top left, its span in the text."""

    x0: float
    y0: float
    x1: float
    y1: float
    start: int
    end: int


class Parsed(NamedTuple):
    """A document and, for formats with a layout, the word boxes of its pages by page number."""

    document: Document
    words: Mapping[int, list[WordBox]]


class Chunk(Value):
    """A piece of a document that is indexed as one. `text == document.text[start:end]`.

    `context` is what is indexed and embedded before the text but never shown or cited:
    "[Title > Section]", the header row when the chunk is the later part of a table, and `line`.
    `labels` are of its pages, as `labels_of` has them. `line` is a model's sentence on where the
    chunk stands in its document; "": it had nothing to add or nothing of use; None: it was not
    asked.
    """

    id: str
    ordinal: int
    text: str
    start: int
    end: int
    pages: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    title: str = ""
    context: str = ""
    line: str | None = None
    language: str = "en"

    @property
    def indexed_text(self) -> str:
        return f"{self.context}\n{self.text}" if self.context else self.text
