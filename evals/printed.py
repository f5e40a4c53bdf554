"""Pages that a program printed: their text without what the printer set on each of them.

A header that stands on forty pages is one header to a reader, and the number of a page is none of
the document's words. So lines at the edges of pages that differ in their figures alone, and stand
on a third of the pages, count once and without their figures. A sign before an item of a list is no
word either, also where it is a letter (Word's "o"). Nothing else of a page is left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import pymupdf

_EDGE = 4  # lines at the top and at the bottom of a page that may be a header or a footer
_SHARE = 3  # one page of so many has a header that counts as repeated
_FIGURES = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBER_ALONE = re.compile(
    r"\W*(?:page|seite|страница|p)?\W*\d+\W*(?:(?:of|von|/)\W*\d+\W*)?", re.IGNORECASE
)
_BULLET = "o"


class Line(NamedTuple):
    """A line of a page, and how far down it stands."""

    text: str
    down: float


type Page = Sequence[Line]


def pages_of(file: Path) -> list[Page] | None:
    """Returns the lines of each page of a PDF, raised signs apart; None if it cannot be read."""
    try:
        with pymupdf.open(file) as pages:  # type: ignore[no-untyped-call]
            return [
                [
                    Line("".join(map(_text_of, line["spans"])), line["bbox"][3])
                    for block in page.get_text("dict")["blocks"]
                    for line in block.get("lines", [])
                ]
                for page in pages
            ]
    except (RuntimeError, ValueError):
        return None


def _text_of(span: dict[str, object]) -> str:
    text = str(span["text"])
    is_raised = int(str(span["flags"])) & pymupdf.TEXT_FONT_SUPERSCRIPT
    return f" {text} " if is_raised and not text.strip().isalpha() else text


def text_of(pages: Sequence[Page]) -> str:
    """Returns all text of pages."""
    return "\n".join(line.text for page in pages for line in page)


def without_furniture(pages: Sequence[Page], *, keep: int) -> str:
    """Leaves out repeated lines at the edges of pages but for the first so many, and numbers."""
    edges = [_edges(page) for page in pages]
    repeated = Counter(shape for page in edges for shape in {_shape(line) for line in page})
    fewest = max(2, len(pages) / _SHARE)
    kept: Counter[str] = Counter()
    rest = []
    for page, edge in zip(pages, edges, strict=True):
        for line in page:
            text, shape = line.text.strip(), _shape(line)
            is_number = line in edge and _NUMBER_ALONE.fullmatch(text)
            if not text or text == _BULLET or (is_number and line in (*edge[:2], *edge[-2:])):
                continue
            if line in edge and repeated[shape] >= fewest:
                kept[shape] += 1
                if kept[shape] <= keep:
                    rest.append(_FIGURES.sub(" ", text))
            else:
                rest.append(text)
    return "\n".join(rest)


def _edges(page: Page) -> list[Line]:
    lines = sorted((line for line in page if line.text.strip()), key=lambda line: line.down)
    return lines if len(lines) <= 2 * _EDGE else lines[:_EDGE] + lines[-_EDGE:]


def _shape(line: Line) -> str:
    return _FIGURES.sub("#", line.text.casefold().strip())
