"""Opens what a passage or a place stands in: its page, section or table, or the text around it.

Pure: it works on a document that the caller may read.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress

from footnote.ask.write.quoted_places import pages_of
from footnote.errors import NotFoundError
from footnote.model import Document, Passage, how_read
from footnote.text.tokens import fitting

AROUND = 2_000  # characters before and after a passage


def open_place(place: Passage, document: Document, tokens: int) -> Passage:
    """Returns the page of a place, from the place on where the tokens do not reach its end.

    Where there are no pages it is the section, or else the text around.
    """
    start, end = span_of("around", place, document)
    for what in ("page", "section"):
        with suppress(NotFoundError):
            start, end = span_of(what, place, document)
            break
    if start + fitting(document.text[start:end], tokens) < min(place.end, end):
        start = place.start
    return open_span(place, document, (start, end), tokens)


def open_span(passage: Passage, document: Document, span: tuple[int, int], tokens: int) -> Passage:
    """Returns a span of a passage's document as a passage, cut after so many tokens."""
    start, end = span
    text = document.text[start:end]
    text = text[: fitting(text, tokens)]
    pages = pages_of(document, start, start + len(text))
    return passage.model_copy(
        update={
            "start": start,
            "end": start + len(text),
            "text": text,
            "pages": tuple(page.number for page in pages),
            "read": how_read(pages),
            "above": None,
            "sentences": (),
        }
    )


def span_of(what: str, passage: Passage, document: Document) -> tuple[int, int]:
    """Returns the span of what a passage stands in. Raises NotFoundError where it is in none."""
    at = passage.start
    if what == "around":
        return max(0, at - AROUND), min(len(document.text), passage.end + AROUND)
    of_kind: Mapping[str, Sequence[tuple[int, int]]] = {
        "page": [(one.start, one.end) for one in document.pages],
        "section": [(one.start, one.end) for one in document.sections],
        "table": [(one.start, one.end) for one in document.tables],
    }
    around = [(start, end) for start, end in of_kind[what] if start <= at < end]
    if not around:
        raise NotFoundError(f"the passage stands in no {what}", action="Open the text around it.")
    return min(around, key=lambda span: span[1] - span[0])
