"""Decides the fate of each claim: it is shown as it is, or something else in its place, or not.

A claim that holds is shown as checked. One that nothing confirms and nothing contradicts is shown
as unconfirmed. One that is contradicted is written once more; else the passages' own sentences that
are nearest to it take its place.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice

from footnote.ask.write.checker import Checker, Refusal
from footnote.ask.write.claims import Claim
from footnote.ask.write.explain import explain
from footnote.ask.write.readings import statements_of, without_lead_in
from footnote.ask.write.repair import repair
from footnote.model import ModelReply, Sentence
from footnote.ports import LLM

MAX_REPAIRS = 3  # of one answer: each is a call of the writer


class Settler:
    """Settles the claims of one answer in order.

    The writer that mends sentences is `llm`; its replies go to `paid`. `strict`: whether an
    unconfirmed sentence is treated as one that is contradicted.
    """

    def __init__(
        self,
        checker: Checker,
        question: str,
        llm: LLM | None,
        paid: Callable[[Sequence[ModelReply]], None],
        *,
        strict: bool,
    ) -> None:
        self._checker = checker
        self._question = question
        self._llm = llm
        self._paid = paid
        self._strict = strict
        self._repairs = MAX_REPAIRS

    def settle(self, claim: Claim, shown: Collection[str]) -> list[Sentence | Refusal]:
        """Returns what is shown of a claim, or why nothing is. `shown` are the texts so far.

        A claim that rules do not find as it is written may hold without what leads it in, or
        statement by statement.
        """
        if self._checker.holds_by_rules(claim):
            return self._settle(claim, shown)
        for without in without_lead_in(claim):
            if self._checker.holds_by_rules(without):
                return self._settle(without, shown)
        statements = statements_of(claim)
        if not any(map(self._checker.holds_by_rules, statements)):
            return self._settle(claim, shown)
        results: list[Sentence | Refusal] = []
        for statement in statements:
            texts = {result.text for result in results if isinstance(result, Sentence)}
            results += self._settle(statement, {*shown, *texts})
        return results

    def _settle(self, claim: Claim, shown: Collection[str]) -> list[Sentence | Refusal]:
        result = self._checker.check(claim)
        if isinstance(result, Sentence):
            return [result]
        if result.near and not self._strict:
            return [self._checker.confirm_nothing(result)]
        return [*self._replace(result, shown)] or [result]

    def _replace(self, refusal: Refusal, shown: Collection[str]) -> list[Sentence]:
        """Returns a sentence that the writer mends in a claim's place, else the passages' own."""
        if not refusal.is_of_content:
            return []
        mended = islice(self._holding(self._mend(refusal), shown), 1)
        own = self._holding(self._checker.sources.nearest_sentences(refusal.claim), shown)
        return list(mended) or list(own)

    def _holding(self, claims: Iterable[Claim], shown: Collection[str]) -> Iterator[Sentence]:
        """Yields those claims as sentences that hold, and that are not shown already."""
        for claim in claims:
            result = self._checker.check(claim)
            if isinstance(result, Sentence) and result.text not in shown:
                yield result.model_copy(update={"repaired": True})

    def _mend(self, refusal: Refusal) -> list[Claim]:
        """Returns what the writer makes of a claim that it is told is wrong, perhaps nothing."""
        if self._llm is None or not self._repairs:
            return []
        self._repairs -= 1
        why = explain(refusal.differences) or refusal.problem
        claims, replies = repair(refusal.claim, why, self._question, refusal.cited, self._llm)
        self._paid(replies)
        return claims
