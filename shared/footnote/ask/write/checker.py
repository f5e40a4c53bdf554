"""Checks an answer sentence by sentence against the stored text.

A sentence holds when three things are true. It carries a marker that exists. A cited passage says
what it says. The quote on which it rests stands in the stored text of the live version.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from footnote.ask.check import Difference, Source, Verdict, shares
from footnote.ask.check.segments import Unit
from footnote.ask.guard.screen import find_foreign, has_foreign, is_instruction
from footnote.ask.write.citations import Citations, Documents, Place, StoredQuote, Words
from footnote.ask.write.claims import Claim
from footnote.ask.write.explain import closest_differences
from footnote.ask.write.judge import Judge, no_judge
from footnote.ask.write.quoted_places import quote_at
from footnote.ask.write.referee import Referee
from footnote.ask.write.sources import Named, Sources
from footnote.errors import NotFoundError
from footnote.model import Citation, Document, Passage, Sentence
from footnote.text.quotes import unmark

FOREIGN = "it has a link, an address or markup that is not in its quote"
NOWHERE = "no passage that it cites says so"


class Refusal(NamedTuple):
    """Why a claim does not hold: a problem with it as a whole, or parts of it that differ.

    `cited`: the passages that it cites, by number. `near`: what it may be shown with unconfirmed,
    as nothing contradicts it: the quotes nearest to it.
    """

    claim: Claim
    problem: str = ""
    differences: tuple[Difference, ...] = ()
    cited: Mapping[int, Passage] = MappingProxyType({})
    near: tuple[StoredQuote, ...] = ()

    @property
    def is_of_content(self) -> bool:
        """Whether what it says is wrong or not proved: then something else may be said instead."""
        return bool(self.differences)


class Checker:
    """Checks the claims of one answer in order."""

    def __init__(
        self,
        passages: Mapping[int, Passage],
        documents: Documents,
        words: Words,
        judge: Judge = no_judge,
    ) -> None:
        self.sources = Sources(passages, documents)
        self._referee = Referee(self.sources, judge)
        self._citations = Citations(documents, words)
        self._checked: set[int] = set()  # numbers of citations on which checked sentences rest

    @property
    def citations(self) -> tuple[Citation, ...]:
        return self._citations.all

    @property
    def checked_citations(self) -> tuple[Citation, ...]:
        """The citations of checked sentences: code adds nothing that rests on others."""
        return tuple(citation for citation in self.citations if citation.n in self._checked)

    def check(self, claim: Claim) -> Sentence | Refusal:
        """Returns the sentence with the numbers of its citations, or why it does not hold."""
        cited, live = self._cited(claim)
        if problem := _problem(claim, cited, live):
            return Refusal(claim, problem, cited=cited)
        cited = {n: cited[n] for n in live}  # the writer mends with nothing that is closed by now
        verdicts, held, in_shares = self._compare(claim, live)
        if held:
            return self._hold(claim, cited, held, verdicts, all_needed=in_shares)
        return self._rule(claim, cited, verdicts)

    def holds_by_rules(self, claim: Claim) -> bool:
        """Returns whether rules alone find a claim in what it cites. Cites nothing."""
        cited, live = self._cited(claim)
        return not _problem(claim, cited, live) and bool(self._compare(claim, live)[1])

    def confirm_nothing(self, refusal: Refusal) -> Sentence:
        """Returns the claim of a refusal with the quotes nearest to it, as unconfirmed."""
        numbers = self._citations.cite(refusal.near)
        return Sentence(text=refusal.claim.text, citations=numbers, checked="unconfirmed")

    def cited_units(self) -> list[tuple[int, Unit]]:
        """Returns the sentences and rows that checked sentences cite, each with its number."""
        return [
            (citation.n, unit)
            for citation in self.checked_citations
            for source in self.sources.read()
            if (source.passage.document_id, source.passage.version)
            == (citation.document_id, citation.version)
            for unit in source.units_at(citation.start, citation.end)
        ]

    def units_at(self, n: int, place: Place) -> list[Unit]:
        """Returns the sentences and rows of passage `n` that overlap a place in its document."""
        return self.sources.units_at(n, place)

    def open_place(self, like: Passage, start: int, end: int) -> int:
        """Makes a passage of another place of a passage's document; returns its number."""
        return self.sources.open_place(like, start, end)

    def cite_place(self, like: Passage, start: int, end: int) -> tuple[int, ...]:
        """Cites rows as they stand, for what code works out of them.

        Returns no number where the document is gone by now, or an instruction stands there.
        """
        try:
            number = self.open_place(like, start, end)
            stored = self._citations.find(number, self.sources.passages[number], [(start, end)])
        except NotFoundError:
            return ()
        numbers = self._citations.cite(stored) if stored else ()
        self._checked.update(numbers)
        return numbers

    def document_of(self, passage: Passage) -> Document:
        """Returns the stored document of a passage. Raises NotFoundError if it is gone by now."""
        return self.sources.document_of(passage)

    def _cited(self, claim: Claim) -> tuple[Mapping[int, Passage], Mapping[int, Source]]:
        """Returns the passages that a claim cites, and those of them that are still there."""
        passages = self.sources.passages
        cited = {n: passages[n] for n in claim.markers if n in passages}
        return cited, {n: source for n in cited if (source := self.sources.get(n))}

    def _hold(
        self,
        claim: Claim,
        cited: Mapping[int, Passage],
        held: Mapping[int, Verdict],
        verdicts: Mapping[int, Verdict],
        *,
        all_needed: bool = False,
    ) -> Sentence | Refusal:
        """Returns the sentence, if what carries it is stored and has all of its links and codes.

        `all_needed`: whether each passage that carries it carries only its share.
        """
        quotes = [quote_at(cited[n], place) for n, one in held.items() for place in one.places]
        if _is_foreign(claim.text, quotes, [cited[n] for n in held]):
            return Refusal(claim, FOREIGN, cited=cited)
        stored = {n: self._citations.find(n, cited[n], one.places) for n, one in held.items()}
        found = [quote for quotes in stored.values() for quote in quotes]
        if not found or (all_needed and not all(stored.values())):
            return Refusal(claim, NOWHERE, closest_differences(verdicts.values()), cited)
        numbers = self._citations.cite(found)
        self._checked.update(numbers)
        carrying = [verdict for n, verdict in held.items() if stored[n]]
        return Sentence(
            text=claim.text,
            citations=numbers,
            checked="exact" if all(one.outcome == "exact" for one in carrying) else "confirmed",
            judged_by="model" if any(one.outcome == "open" for one in carrying) else "rules",
            computed=tuple(dict.fromkeys(name for one in carrying for name in one.computed)),
        )

    def _rule(
        self, claim: Claim, cited: Mapping[int, Passage], verdicts: Mapping[int, Verdict]
    ) -> Sentence | Refusal:
        """Rules on a claim that no passage carries by rules."""
        refusal = Refusal(claim, NOWHERE, closest_differences(verdicts.values()), cited)
        ruling = self._referee.rule(claim, verdicts)
        if ruling.held:
            return self._hold(claim, cited, ruling.held, verdicts)
        if ruling.near:
            return self._unconfirmed(refusal, ruling.near)
        return refusal._replace(differences=ruling.differences or refusal.differences)

    def _unconfirmed(self, refusal: Refusal, near: Named) -> Refusal:
        """Returns the refusal with the quotes nearest to its claim, unless a guard forbids them."""
        cited = refusal.cited
        quotes = [quote_at(cited[n], place) for n, places in near.items() for place in places]
        if _is_foreign(refusal.claim.text, quotes, [cited[n] for n in near]):
            return Refusal(refusal.claim, FOREIGN, cited=cited)
        found = (self._citations.find(n, cited[n], places) for n, places in near.items())
        return refusal._replace(near=tuple(quote for quotes in found for quote in quotes))

    def _compare(
        self, claim: Claim, live: Mapping[int, Source]
    ) -> tuple[Mapping[int, Verdict], Mapping[int, Verdict], bool]:
        """Returns the verdicts by passage, those that carry the claim, and whether in shares."""
        named = self.sources.named(claim)
        verdicts = {n: self.sources.check(n, claim, named) for n in live}
        if held := {n: verdict for n, verdict in verdicts.items() if verdict.holds}:
            return verdicts, held, False
        shared = shares(claim.text, list(live.values()))
        return verdicts, {list(live)[n]: verdict for n, verdict in shared.items()}, True


def _problem(claim: Claim, cited: Mapping[int, Passage], live: Mapping[int, Source]) -> str:
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


def _is_foreign(text: str, quotes: Sequence[str], passages: Sequence[Passage]) -> bool:
    names = [name for passage in passages for name in (passage.document, passage.title)]
    return has_foreign(text, quotes, names)
