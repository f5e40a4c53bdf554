"""Checks an answer sentence by sentence against the stored text; what fails is left out.

A sentence stays when it carries a marker that exists, its quote stands in the stored text of the
live version, and the cited passages support it. Pages and boxes come from where the quote stands.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.claims import Claim
from footnote.ask.quotes import locate
from footnote.errors import NotFoundError
from footnote.language import sentences
from footnote.model import Box, Citation, Document, Page, Passage, Sentence, labels_of
from footnote.terms import numbers, terms

SUPPORT = 0.5  # share of a sentence's informative words that the cited passages must have
LONGEST_QUOTE = 3  # sentences


class Word(NamedTuple):
    """A word on a page: its span in the document's text and its rectangle in points."""

    start: int
    end: int
    x0: float
    y0: float
    x1: float
    y1: float


type Documents = Callable[[str, str], Document]
"""(document id, version) → the stored document. Raises NotFoundError."""
type Words = Callable[[str, str, Page], Sequence[Word]]
"""(document id, version, page) → the words on it."""


class Checker:
    """Takes the claims of one answer in order; keeps the citations that hold, numbered from 1."""

    def __init__(self, passages: Mapping[int, Passage], documents: Documents, words: Words) -> None:
        self._passages = passages
        self._documents = documents
        self._words = words
        self._citations: dict[tuple[str, str, int, int], Citation] = {}
        self.removed = 0

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations.values())

    def check(self, claim: Claim) -> Sentence | None:
        """The sentence with the numbers of its citations, or None when it does not hold."""
        cited = [self._passages[n] for n in claim.markers if n in self._passages]
        text = self._last_sentence(claim.text, cited)
        held = [n for n in (self._cite(text, p) for p in cited if supported(text, cited)) if n]
        if not held:
            self.removed += 1
            return None
        return Sentence(text=text, citations=tuple(dict.fromkeys(held)))

    def _last_sentence(self, text: str, cited: Sequence[Passage]) -> str:
        """Markers stand for the sentence they end; those before it have none and are left out."""
        if any(locate(text, passage.text) for passage in cited):
            return text
        spans = sentences(text)
        self.removed += max(0, len(spans) - 1)
        return text[slice(*spans[-1])] if spans else text

    def _cite(self, text: str, passage: Passage) -> int | None:
        """The number of the citation for what supports `text` in the passage; None: unverified."""
        place = self._place(text, passage)
        if place is None:
            return None
        document, start, end = place
        pages = pages_of(document, start, end)
        key = (passage.document_id, passage.version, start, end)
        if key not in self._citations:
            self._citations[key] = Citation(
                n=len(self._citations) + 1,
                document=passage.document,
                document_id=passage.document_id,
                collection=passage.collection,
                version=passage.version,
                pages=tuple(page.number for page in pages),
                labels=labels_of(pages),
                boxes=tuple(self._boxes(passage, document, start, end)),
                section=section_at(document, start),
                quote=document.text[start:end],
                start=start,
                end=end,
                verified=True,
            )
        return self._citations[key].n

    def _place(self, text: str, passage: Passage) -> tuple[Document, int, int] | None:
        """Where the stored text says it: the sentence itself, or the best of the passage."""
        try:
            document = self._documents(passage.document_id, passage.version)
        except NotFoundError:  # deleted while the question was being answered
            return None
        quote = quote_for(text, passage)
        span = locate(quote, document.text, passage.start, passage.end) if quote else None
        if span is None or (is_paged(document) and not pages_of(document, *span)):
            return None
        return document, *span

    def _boxes(self, passage: Passage, document: Document, start: int, end: int) -> Iterable[Box]:
        for page in pages_of(document, start, end):
            if page.words_at is None:
                continue
            on_page = self._words(passage.document_id, passage.version, page)
            yield from boxes(
                page.number, [word for word in on_page if word.start < end and start < word.end]
            )


def supported(text: str, cited: Sequence[Passage]) -> bool:
    """Whether the passages say it: verbatim, or with all its numbers and most of its words."""
    if any(locate(text, passage.text) for passage in cited):
        return True
    context = "\n".join(
        " ".join((passage.document, passage.title, *passage.section, passage.text))
        for passage in cited
    )
    if not numbers(text) <= numbers(context):
        return False
    wanted = set(terms(text))
    return bool(wanted) and len(wanted & set(terms(context))) >= SUPPORT * len(wanted)


def quote_for(text: str, passage: Passage) -> str:
    """The words of the passage that carry `text`: the same ones, or the sentences nearest to it."""
    if span := locate(text, passage.text):
        return passage.text[span[0] : span[1]]
    spans = sentences(passage.text)
    wanted, figures = set(terms(text)), numbers(text)
    best, best_score = "", 0.0
    for first in range(len(spans)):
        for last in range(first, min(first + LONGEST_QUOTE, len(spans))):
            piece = passage.text[spans[first][0] : spans[last][1]]
            has = len(wanted & set(terms(piece))) + len(figures & numbers(piece))
            score = has - 0.75 * (last - first)
            if score > best_score:
                best, best_score = piece, score
    return best


def section_at(document: Document, offset: int) -> tuple[str, ...]:
    """The titles of the sections that a place lies in, outermost first."""
    around = [section for section in document.sections if section.start <= offset < section.end]
    return tuple(section.title for section in sorted(around, key=lambda section: section.level))


def pages_of(document: Document, start: int, end: int) -> list[Page]:
    """The pages that a span of the text lies on."""
    return [page for page in document.pages if page.start < end and start < page.end]


def is_paged(document: Document) -> bool:
    """Whether all of its text is on pages: what surrounds files inside a file is on none."""
    return bool(document.pages) and not document.pages[0].inside


def boxes(page: int, words: Iterable[Word]) -> list[Box]:
    """One rectangle for the words of each line."""
    made: list[Box] = []
    for word in sorted(words, key=lambda word: word.start):
        last = made[-1] if made else None
        if last and _same_line(last, word):
            made[-1] = Box(
                page=page,
                x0=min(last.x0, word.x0),
                y0=min(last.y0, word.y0),
                x1=max(last.x1, word.x1),
                y1=max(last.y1, word.y1),
            )
        else:
            made.append(Box(page=page, x0=word.x0, y0=word.y0, x1=word.x1, y1=word.y1))
    return made


def _same_line(box: Box, word: Word) -> bool:
    """The word's middle is at the height of the line, and it goes on to the right."""
    middle = (word.y0 + word.y1) / 2
    return box.y0 <= middle <= box.y1 and word.x0 >= box.x0
