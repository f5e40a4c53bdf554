"""Places of documents: where a question's words stand, and opening what stands around them.

A model that navigates sees an overview of places without their texts, and opens some of them. Each
function works on hits or documents that the caller may read, and asks no store.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from footnote.ask.evidence.passages import passage_of
from footnote.ask.write.quoted_places import pages_of
from footnote.errors import NotFoundError
from footnote.model import Document, Hit, Passage, how_read
from footnote.text.tokens import fitting

MOST_PLACES = 12  # of an overview: a model chooses among few, and each takes 100 tokens
PREVIEW = 240  # characters of a place's best hit
AROUND = 2_000  # characters before and after a passage


def find_places(hits: Iterable[Hit]) -> tuple[Passage, ...]:
    """Returns the places of hits that are best first: a page each or, without pages, a section.

    A place spans its hits, and its text is the beginning of the best of them. Equal hits give equal
    places, so a model that chooses the same numbers again gets the same evidence.
    """
    by_place: defaultdict[tuple[object, ...], list[Passage]] = defaultdict(list)
    for hit in hits:
        passage = passage_of(hit)
        within: tuple[object, ...] = passage.pages[:1] or passage.section
        by_place[passage.document_id, passage.version, *within].append(passage)
    return tuple(map(_join_place, list(by_place.values())[:MOST_PLACES]))


def _join_place(passages: Sequence[Passage]) -> Passage:
    best = passages[0]
    return best.model_copy(
        update={
            "start": min(passage.start for passage in passages),
            "end": max(passage.end for passage in passages),
            "text": best.text[:PREVIEW],
        }
    )


def open_place(place: Passage, document: Document, tokens: int) -> Passage:
    """Returns the page of a place or, without pages, its section, else the text around it.

    Where so many tokens end before the place does, the passage begins at the place.
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
    """Returns the span of the page, section or table in which a passage starts, or of the text
    around it.

    Raises NotFoundError where the passage starts in none.
    """
    if what == "around":
        return max(0, passage.start - AROUND), min(len(document.text), passage.end + AROUND)
    spans: Mapping[str, Sequence[tuple[int, int]]] = {
        "page": [(page.start, page.end) for page in document.pages],
        "section": [(section.start, section.end) for section in document.sections],
        "table": [(table.start, table.end) for table in document.tables],
    }
    containing = [(start, end) for start, end in spans[what] if start <= passage.start < end]
    if not containing:
        raise NotFoundError(f"the passage stands in no {what}", action="Open the text around it.")
    return min(containing, key=lambda span: span[1] - span[0])
