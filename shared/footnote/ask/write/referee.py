"""Rules on claims that the check leaves open: confirmed by a judge, contradicted, or neither."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from footnote.ask.check import Difference, Verdict
from footnote.ask.check.carried import doubts
from footnote.ask.check.segments import Unit
from footnote.ask.write.citations import Place
from footnote.ask.write.claims import Claim
from footnote.ask.write.judge import Judge, Judgement
from footnote.ask.write.quoted_places import cut_to
from footnote.ask.write.sources import Named, Sources
from footnote.ask.write.standing import Claimed

MOST_JUDGED = 3  # passages that a model is shown for one sentence


class Ruling(NamedTuple):
    """What is found of a claim: `held` by passages, `near` to them and no more, or contradicted.

    `differences` say why it is contradicted, where more is known than the check has found.
    """

    held: Mapping[int, Verdict] = MappingProxyType({})
    near: Named = MappingProxyType({})
    differences: tuple[Difference, ...] = ()


class Referee:
    """Asks a judge about passages that leave a claim open. Those that refute it are not asked."""

    def __init__(self, sources: Sources, judge: Judge) -> None:
        self._sources = sources
        self._judge = judge

    def rule(self, claim: Claim, verdicts: Mapping[int, Verdict]) -> Ruling:
        """Rules on a claim by the verdicts of the passages that it cites, of which none holds.

        Where the judge cannot tell, nothing contradicts the claim, and what is near it is given.
        """
        left_open = {n: one for n, one in verdicts.items() if one.outcome == "open"}
        if not left_open:
            return Ruling()
        claimed = Claimed.of(claim.text, self._sources.passages[next(iter(left_open))])
        if lacking := self._lacking(claimed, left_open):
            return Ruling(differences=lacking)
        named = self._sources.named(claim)
        near = self._sources.nearest(list(left_open)[:MOST_JUDGED], claimed, named)
        judgement = self._ask(claimed, near) if near else Judgement("no")
        if judgement.says == "no":
            lacks = (Difference("wording", judgement.lacks),) if judgement.lacks else ()
            return Ruling(differences=lacks)
        held = self._held(claimed, judgement, left_open)
        return Ruling(held) if held else Ruling(near=near)

    def _lacking(self, claimed: Claimed, verdicts: Mapping[int, Verdict]) -> tuple[Difference, ...]:
        """Returns the figures that no cited passage has and the names that no passage has.

        What the check itself finds contradicted comes first.
        """
        units = [unit for n in verdicts for unit in self._sources.units_of(n)]
        lacking = claimed.lacking(units, _computed(verdicts), self._sources.text)
        found = (one for verdict in verdicts.values() for one in verdict.differences)
        wrong = [one for one in found if one.refutes]
        return tuple((wrong or lacking) if lacking else ())

    def _ask(self, claimed: Claimed, near: Named) -> Judgement:
        """Shows the judge what is nearest to a claim, and where the figures are that this lacks."""
        spans = {n: (places[0][0], places[-1][1]) for n, places in near.items()}
        around = {n: self._sources.around(n, place, claimed) for n, place in spans.items()}
        passages = self._sources.passages
        return self._judge(
            claimed.text, {n: cut_to(passages[n], place) for n, place in around.items()}
        )

    def _held(
        self, claimed: Claimed, judgement: Judgement, verdicts: Mapping[int, Verdict]
    ) -> Mapping[int, Verdict]:
        """Returns the verdicts of the passages whose sentences a judge has named.

        The map is empty where these sentences lack a figure or a name of the claim, or have its
        words in other relations.
        """
        named = {n: self._whole(n, words) for n, words in judgement.words.items()}
        units = [
            unit for n, places in named.items() for one in places for unit in self._units(n, one)
        ]
        if not named or claimed.lacking(units, _computed(verdicts)):
            return {}
        if any(doubts(claimed.text, claimed.parts, units, self._known(verdicts))):
            return {}
        return {n: verdicts[n]._replace(places=places) for n, places in named.items()}

    def _known(self, numbers: Iterable[int]) -> frozenset[str]:
        """Returns the keys of all parts of passages."""
        units = (unit for n in numbers for unit in self._sources.units_of(n))
        return frozenset(key for unit in units for key in unit.keys)

    def _whole(self, n: int, words: Sequence[Place]) -> tuple[Place, ...]:
        """Returns the whole sentences and rows that hold words of a passage."""
        found = (
            place
            for one in words
            for place in [(unit.start, unit.end) for unit in self._units(n, one)] or [one]
        )
        return tuple(dict.fromkeys(found))

    def _units(self, n: int, place: Place) -> Sequence[Unit]:
        return self._sources.units_at(n, place)


def _computed(verdicts: Mapping[int, Verdict]) -> list[str]:
    return [name for verdict in verdicts.values() for name in verdict.computed]
