"""Figures that OCR may have misread: which words are figures, and which of them are doubtful."""

from collections.abc import Mapping, Sequence

from footnote.ingest.parse.pdf.page_items import Word
from footnote.ingest.parse.pdf.page_list import name_pages
from footnote.model import Doubt

# Nine of ten misread figures on bad scans are below it, and an eighth of the right ones. It is the
# least threshold with that property (docs/benchmarks.md#figures-that-ocr-may-have-misread).
UNSURE = 0.89
_SIGNS = frozenset("-+\u2212")


def find_figure(text: str) -> tuple[int, int] | None:
    """Returns the span of the figure in a word; None for a word without one.

    Letters at its ends belong to it, as OCR reads figures as letters. So does a sign before it: in
    "($S,437.3O)" it is "S,437.3O".
    """
    if not any(map(str.isdigit, text)):
        return None
    letters = [i for i, char in enumerate(text) if char.isalnum()]
    start = letters[0]
    return start - (start > 0 and text[start - 1] in _SIGNS), letters[-1] + 1


def find_doubt(word: Word, at: int) -> Doubt | None:
    """Returns the doubt about a word that OCR read. The word begins at `at` in the text."""
    is_unsure = word.confidence is not None and word.confidence < UNSURE
    if not (is_unsure or word.other):
        return None
    span = find_figure(word.text)
    if span is None:
        return None
    start, end = at + span[0], at + span[1]
    if word.other:
        return Doubt(start=start, end=end, reason="differs", other=word.other)
    return Doubt(start=start, end=end, reason="unsure")


def warn(doubts: Mapping[int, Sequence[Doubt]]) -> list[str]:
    """Returns a warning that counts the doubtful figures and names their pages, or nothing."""
    count = sum(map(len, doubts.values()))
    if not count:
        return []
    what, them = ("a figure", "it") if count == 1 else (f"{count:,} figures", "them")
    named = name_pages(sorted(doubts))
    return [f"{named} {what} that OCR may have misread: compare {them} with the page."]
