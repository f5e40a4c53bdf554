"""Checks an answer sentence by sentence against the stored text, and leaves out what fails.

A sentence stays when three things hold. It carries a marker that exists. A cited passage says what
it says. The quote on which it rests stands in the stored text of the live version: pages and boxes
come from that place.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from footnote.ask.check import Difference, Source, Verdict, shares
from footnote.ask.check.segments import Unit
from footnote.ask.check.table_labels import labels_at, tables_in
from footnote.ask.guard.screen import drop_harmful, find_foreign, has_foreign, is_instruction
from footnote.ask.write.claims import Claim
from footnote.ask.write.explain import closest_differences
from footnote.ask.write.quoted_places import (
    boxes,
    cut_to,
    doubts_in,
    is_paged,
    pages_of,
    part_at,
    passage_at,
    quote_at,
    section_at,
    sentences_at,
)
from footnote.errors import NotFoundError
from footnote.model import (
    Box,
    Citation,
    Document,
    Page,
    Passage,
    Sentence,
    WordBox,
    how_read,
    labels_of,
)
from footnote.text.quotes import locate, unmark
from footnote.text.sentences import sentences

FOREIGN = "it has a link, an address or markup that is not in its quote"
NOWHERE = "no passage that it cites says so"
MAX_JUDGED = 2  # passages that a model is shown for one sentence

type Documents = Callable[[str, str], Document]
"""(document id, version) → the stored document. Raises NotFoundError."""
type Words = Callable[[str, str, Page], Sequence[WordBox]]
"""(document id, version, page) → the words on it."""


type Judge = Callable[[str, Passage], bool]
"""(sentence, passage) → whether the passage says the same; asked where rules cannot tell."""


class Refusal(NamedTuple):
    """Why a claim is not shown: a problem with it as a whole, or parts of it that differ.

    `cited`: the passages that it cites, by number.
    """

    claim: Claim
    problem: str = ""
    differences: tuple[Difference, ...] = ()
    cited: Mapping[int, Passage] = MappingProxyType({})


def rules_alone(_sentence: str, _passage: Passage) -> bool:
    """Judges nothing: what the rules cannot tell is not shown."""
    return False


class Checker:
    """Checks the claims of one answer in order; numbers the citations that hold from 1."""

    def __init__(
        self,
        passages: Mapping[int, Passage],
        documents: Documents,
        words: Words,
        judge: Judge = rules_alone,
    ) -> None:
        self._passages = dict(passages)
        self._documents = documents
        self._words = words
        self._judge = judge
        self._sources: dict[int, Source] = {}
        self._citations: dict[tuple[str, str, int, int], Citation] = {}
        # the passage of the sentence before, where that made the newest citation and no other
        self._before: int | None = None

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(self._citations.values())

    def check(self, claim: Claim) -> Sentence | Refusal:
        """Returns the sentence with the numbers of its citations, or why it does not hold."""
        cited = {n: self._passages[n] for n in claim.markers if n in self._passages}
        live = {n: source for n in cited if (source := self._source(n))}
        if problem := self._problem(claim, cited, live):
            return Refusal(claim, problem, cited=cited)
        verdicts = {n: source.check(claim.text) for n, source in live.items()}
        held = self._carriers(claim.text, verdicts, live)
        quotes = [quote_at(cited[n], place) for n, one in held.items() for place in one.places]
        names = [name for n in held for name in (cited[n].document, cited[n].title)]
        if held and has_foreign(claim.text, quotes, names):
            return Refusal(claim, FOREIGN, cited=cited)
        stored = {n: self._all_stored(cited[n], verdict.places) for n, verdict in held.items()}
        in_shares = any(v.holds and not verdicts[n].holds for n, v in held.items())
        if not any(stored.values()) or (in_shares and not all(stored.values())):
            return Refusal(
                claim, NOWHERE, closest_differences(verdicts.values()), {n: cited[n] for n in live}
            )
        held = {n: verdict for n, verdict in held.items() if stored[n]}
        first = next((n, one) for n in held for one in stored[n])
        self._bring_near(*first)
        known = len(self._citations)
        numbers = [self._cite(cited[n], place) for n in held for place in stored[n]]
        self._before = first[0] if numbers == [known + 1] else None
        return Sentence(
            text=claim.text,
            citations=tuple(dict.fromkeys(numbers)),
            checked="exact" if all(v.outcome == "exact" for v in held.values()) else "confirmed",
            judged_by="model" if any(v.outcome == "open" for v in held.values()) else "rules",
            computed=tuple(dict.fromkeys(name for v in held.values() for name in v.computed)),
        )

    def cited_units(self) -> list[tuple[int, Unit]]:
        """Returns the sentences and rows that are cited, each with the number of its citation."""
        return [
            (citation.n, unit)
            for citation in self.citations
            for source in self._sources.values()
            if (source.passage.document_id, source.passage.version)
            == (citation.document_id, citation.version)
            for unit in source.units_at(citation.start, citation.end)
        ]

    def units_at(self, n: int, place: tuple[int, int]) -> list[Unit]:
        """Returns the sentences and rows of passage `n` that overlap a place in its document."""
        source = self._source(n)
        return source.units_at(*place) if source else []

    def open_place(self, like: Passage, start: int, end: int) -> int:
        """Makes a passage of another place of a passage's document; returns its number.

        Raises NotFoundError if the document is gone or closed by now.
        """
        number = max(self._passages, default=0) + 1
        self._passages[number] = passage_at(like, self.document_of(like), start, end)
        return number

    def document_of(self, passage: Passage) -> Document:
        """Returns the stored document of a passage. Raises NotFoundError if it is gone by now."""
        return self._documents(passage.document_id, passage.version)

    def pieces(self, claim: Claim) -> list[Claim]:
        """Cuts the claim into its sentences.

        The markers belong to the last one, which they end; those before it cite nothing. A claim
        that stands verbatim in a passage remains whole.
        """
        cited = [self._passages[n] for n in claim.markers if n in self._passages]
        spans = sentences(claim.text)
        known = (text for passage in cited for _, text in passage.parts())
        if len(spans) < 2 or any(locate(claim.text, text) for text in known):
            return [claim]
        texts = [claim.text[start:end] for start, end in spans]
        return [
            Claim(text, claim.markers if n == len(texts) - 1 else (), claim.new_line and not n)
            for n, text in enumerate(texts)
        ]

    def _source(self, n: int) -> Source | None:
        """Returns the cited passage, read once; None if its document is gone or closed by now."""
        if n not in self._sources:
            passage = self._passages[n]
            try:
                document = self._documents(passage.document_id, passage.version)
            except NotFoundError:
                return None
            tables = tables_in(document, passage.start, passage.end)
            self._sources[n] = Source(passage, tables, document.language)
        return self._sources[n]

    def _problem(
        self, claim: Claim, cited: Mapping[int, Passage], live: Mapping[int, Source]
    ) -> str:
        """Returns what rules a claim out before it is compared, or ""."""
        if not claim.markers:
            return "it cites nothing"
        if not cited:
            return f"there is no passage {claim.markers[0]}"
        if not live:
            return "what it cites is not there any more"
        if is_instruction(claim.text):
            return "it is an instruction, not a statement"
        said = [text for passage in cited.values() for _, text in passage.parts()]
        if find_foreign(claim.text, [*said, *map(unmark, said)]):
            return FOREIGN
        return ""

    def _carriers(
        self, text: str, verdicts: Mapping[int, Verdict], live: Mapping[int, Source]
    ) -> Mapping[int, Verdict]:
        """Returns the verdicts of the passages that carry the sentence, by passage number.

        Each passage carries it by itself, or all together carry it, each its share. Else those
        count in which a model finds it where rules cannot tell. The model is not asked about a
        passage that refutes.
        """
        if held := {n: verdict for n, verdict in verdicts.items() if verdict.holds}:
            return held
        numbers = list(live)
        if shared := shares(text, list(live.values())):
            return {numbers[n]: verdict for n, verdict in shared.items()}
        asked = [n for n, verdict in verdicts.items() if verdict.outcome == "open"][:MAX_JUDGED]
        near = {n: live[n].nearest(text) for n in asked}
        return {
            n: verdicts[n]._replace(places=(place,))
            for n, place in near.items()
            if self._judge(text, cut_to(self._passages[n], place))
        }

    def _cite(self, passage: Passage, stored: tuple[Document, int, int]) -> int:
        """Returns the number of the citation for a place in the stored document of a passage."""
        _, start, end = stored
        key = (passage.document_id, passage.version, start, end)
        if key not in self._citations:
            self._citations[key] = self._citation(passage, stored, len(self._citations) + 1)
        return self._citations[key].n

    def _citation(self, passage: Passage, stored: tuple[Document, int, int], n: int) -> Citation:
        document, start, end = stored
        pages = pages_of(document, start, end)
        header, row = labels_at(document, start, end)
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
            boxes=tuple(self._boxes(passage, document, start, end)),
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

    def _bring_near(self, n: int, stored: tuple[Document, int, int]) -> None:
        """Moves the citation of the sentence before to where the same words stand last before this.

        The header of a table may stand on several pages. The one above the rows is meant.
        """
        if self._before != n:
            return
        document, start, _ = stored
        key, cited = next(reversed(self._citations.items()))
        place, after = None, cited.end
        while after < start and (found := locate(cited.quote, document.text, after, start)):
            place, after = found, found[1]
        if place and (*key[:2], *place) not in self._citations:
            del self._citations[key]
            self._cite(self._passages[n], (document, *place))  # by the same number

    def _all_stored(
        self, passage: Passage, places: Sequence[tuple[int, int]]
    ) -> list[tuple[Document, int, int]]:
        """Returns where the stored text has these places of the passage; [] if one is missing."""
        found = [stored for place in places if (stored := self._stored(passage, place))]
        return found if len(found) == len(places) else []

    def _stored(self, passage: Passage, place: tuple[int, int]) -> tuple[Document, int, int] | None:
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
        return None if any(map(is_instruction, sentences_at(passage, place))) else (document, *span)

    def _boxes(self, passage: Passage, document: Document, start: int, end: int) -> Iterable[Box]:
        for page in pages_of(document, start, end):
            if page.words_at is None:
                continue
            on_page = self._words(passage.document_id, passage.version, page)
            yield from boxes(
                page.number, [word for word in on_page if word.start < end and start < word.end]
            )
