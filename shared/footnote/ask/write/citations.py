"""The citations of one answer: quotes that stand in the stored text, numbered from 1.

The stored text of the live version decides, not what the index gave. Pages and boxes come from the
place at which the quote stands there.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from footnote.ask.check.table_labels import labels_at
from footnote.ask.guard.screen import drop_harmful, is_instruction
from footnote.ask.write.quoted_places import (
    boxes,
    doubts_in,
    is_paged,
    pages_of,
    part_at,
    quote_at,
    section_at,
    sentences_at,
    with_unit,
)
from footnote.model import Box, Citation, Document, Page, Passage, WordBox, how_read, labels_of
from footnote.text.quotes import locate

type Documents = Callable[[str, str], Document]
"""(document id, version) → the stored document. Raises NotFoundError."""
type Words = Callable[[str, str, Page], Sequence[WordBox]]
"""(document id, version, page) → the words on it."""
type Place = tuple[int, int]
"""A span of a document's text."""


class StoredQuote(NamedTuple):
    """A quote of passage `n`, as a span of the document's stored text."""

    n: int
    passage: Passage
    document: Document
    start: int
    end: int


class Citations:
    """The citations so far. The same place has one number, however often it is cited."""

    def __init__(self, documents: Documents, words: Words) -> None:
        self._documents = documents
        self._words = words
        self._cited: dict[tuple[str, str, int, int], Citation] = {}
        # the passage of the last sentence, where that made the newest citation and no other
        self._last: int | None = None

    @property
    def all(self) -> tuple[Citation, ...]:
        return tuple(self._cited.values())

    def find(self, n: int, passage: Passage, places: Sequence[Place]) -> list[StoredQuote]:
        """Returns where the stored text has these places of passage `n`; [] if one is missing."""
        found = [quote for place in places if (quote := self._find(n, passage, place))]
        return found if len(found) == len(places) else []

    def cite(self, quotes: Sequence[StoredQuote]) -> tuple[int, ...]:
        """Returns the numbers of the citations for the quotes of one sentence, each once."""
        self._bring_near(quotes[0])
        newest = len(self._cited) + 1
        numbers = [self._cite(quote) for quote in quotes]
        self._last = quotes[0].n if numbers == [newest] else None
        return tuple(dict.fromkeys(numbers))

    def _cite(self, quote: StoredQuote) -> int:
        key = (quote.passage.document_id, quote.passage.version, quote.start, quote.end)
        if key not in self._cited:
            self._cited[key] = self._citation(quote, len(self._cited) + 1)
        return self._cited[key].n

    def _citation(self, quote: StoredQuote, n: int) -> Citation:
        _, passage, document, start, end = quote
        pages = pages_of(document, start, end)
        labels, row = labels_at(document, start, end)
        header = with_unit(labels, document, start, end)
        if drop_harmful((*header, row)) != (*header, row):
            header, row = (), ""
        return Citation(
            n=n,
            document=passage.document,
            document_id=passage.document_id,
            collection=passage.collection,
            version=passage.version,
            pages=tuple(page.number for page in pages),
            labels=labels_of(pages),
            boxes=tuple(self._boxes(quote)),
            section=drop_harmful(section_at(document, start)),
            header=header,
            row=row,
            quote=document.text[start:end],
            start=start,
            end=end,
            read=how_read(pages),
            doubts=doubts_in(pages, start, end),
            verified=True,
        )

    def _bring_near(self, quote: StoredQuote) -> None:
        """Moves the citation of the last sentence to where the same words stand last before this.

        The header of a table may stand on several pages. The one above the rows is meant.
        """
        if self._last != quote.n:
            return
        key, cited = next(reversed(self._cited.items()))
        place, after = None, cited.end
        while after < quote.start and (
            found := locate(cited.quote, quote.document.text, after, quote.start)
        ):
            place, after = found, found[1]
        if place and (*key[:2], *place) not in self._cited:
            del self._cited[key]
            self._cite(quote._replace(start=place[0], end=place[1]))  # by the same number

    def _find(self, n: int, passage: Passage, place: Place) -> StoredQuote | None:
        """Returns where the stored text has what stands at a place of the passage, or None.

        None also when it lies on no page of a paged document, or beside an instruction.
        """
        document = self._documents(passage.document_id, passage.version)
        quote = quote_at(passage, place)
        offset, text = part_at(passage, place)
        span = None
        if quote:  # a line may repeat, so its own place is looked at first
            span = locate(quote, document.text, *place) or locate(
                quote, document.text, offset, offset + len(text)
            )
        if span is None or (is_paged(document) and not pages_of(document, *span)):
            return None
        if any(map(is_instruction, sentences_at(passage, place))):
            return None
        return StoredQuote(n, passage, document, *span)

    def _boxes(self, quote: StoredQuote) -> Iterable[Box]:
        _, passage, document, start, end = quote
        for page in pages_of(document, start, end):
            if page.words_at is None:
                continue
            on_page = self._words(passage.document_id, passage.version, page)
            yield from boxes(
                page.number, [word for word in on_page if word.start < end and start < word.end]
            )
