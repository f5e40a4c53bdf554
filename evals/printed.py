"""Pages that a program printed: their text without what the printer set on each of them.

A header that stands on forty pages is one header to a reader, and the number of a page is none of
the document's words. So lines at the edges of pages that differ in their figures alone count once,
and without their figures. Nothing else of a page is left out.
"""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pymupdf

_EDGE = 4  # lines at the top and at the bottom of a page that may be a header or a footer
_FIGURES = re.compile(r"\d+|\b[ivxlc]+\b")
_NUMBER_ALONE = re.compile(
    r"\W*(?:page|seite|страница|p)?\W*\d+\W*(?:(?:of|von|/)\W*\d+\W*)?", re.IGNORECASE
)


def pages_of(file: Path) -> list[str] | None:
    """Returns the text of each page of a PDF, raised signs apart; None where it cannot be read."""
    try:
        with pymupdf.open(file) as pages:  # type: ignore[no-untyped-call]
            return ["\n".join(_lines(page.get_text("dict"))) for page in pages]
    except (RuntimeError, ValueError):
        return None


def _lines(page: dict[str, list[dict[str, list[dict[str, list[dict[str, object]]]]]]]) -> list[str]:
    return [
        "".join(_span(str(span["text"]), int(str(span["flags"]))) for span in line["spans"])
        for block in page["blocks"]
        for line in block.get("lines", [])
    ]


def _span(text: str, flags: int) -> str:
    is_raised_mark = flags & pymupdf.TEXT_FONT_SUPERSCRIPT and not text.strip().isalpha()
    return f" {text} " if is_raised_mark else text


def without_furniture(pages: Sequence[str], *, keep: int) -> str:
    """Leaves out repeated lines at the edges of pages but for the first so many, and numbers."""
    lines = [[line for line in page.splitlines() if line.strip()] for page in pages]
    repeated = Counter(shape for page in lines for shape in {_shape(line) for line in _edges(page)})
    kept: Counter[str] = Counter()
    rest = []
    for page in lines:
        for place, line in enumerate(page):
            shape = _shape(line)
            if not _EDGE <= place < len(page) - _EDGE:
                if _NUMBER_ALONE.fullmatch(line.strip()) and min(place, len(page) - 1 - place) < 2:
                    continue
                if repeated[shape] > 1:
                    kept[shape] += 1
                    if kept[shape] <= keep:
                        rest.append(_FIGURES.sub(" ", line))
                    continue
            rest.append(line)
    return "\n".join(rest)


def _edges(page: Sequence[str]) -> Sequence[str]:
    return page if len(page) <= 2 * _EDGE else [*page[:_EDGE], *page[-_EDGE:]]


def _shape(line: str) -> str:
    return _FIGURES.sub("#", line.casefold().strip())
