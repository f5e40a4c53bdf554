"""Tells which parts of a claim stand in the cited passages, however they are put together."""

import re
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from footnote.ask.check import Difference
from footnote.ask.check.derived import may_follow
from footnote.ask.check.lexicon import GENERIC
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.rows import is_worth
from footnote.ask.check.segments import Unit
from footnote.ask.check.verdict import ABOUT_KIND
from footnote.model import Passage
from footnote.text.language import detect_language

LEAST = 0.5  # share of a claim's parts that a quote must have, to be shown as that of the claim
LEAST_LIKE = 0.3  # the same of a sentence that may take the claim's place
LEAST_PARTS = 2  # the same, in parts
MOST_COUNTED = 12  # a figure in words up to this one may be counted or converted: "three years"
_ABBREVIATION = re.compile(r"[A-Z]{2,4}\d?")  # a passage may spell it out


class Claimed(NamedTuple):
    """A claim, and those of its parts that say something of its own."""

    text: str
    parts: tuple[Part, ...]

    @classmethod
    def of(cls, text: str, passage: Passage) -> "Claimed":
        """Reads a claim in the language of a passage, or in English where it is of a third one."""
        own = detect_language(passage.text)
        language = own if detect_language(text) in {own, "en"} else "en"
        kept = (part for part in parts_of(text, language) if part.text.casefold() not in GENERIC)
        return cls(text, tuple(kept))

    def share_in(self, units: Sequence[Unit]) -> float:
        """Returns the share of the parts that stand in these sentences or around them.

        Figures, names and periods count double: who words freely keeps them.
        """
        shared = self._shared(units)
        return sum(map(_weight, shared)) / sum(map(_weight, self.parts)) if shared else 0.0

    def is_told_by(self, units: Sequence[Unit]) -> bool:
        """Returns whether the sentences share enough with the claim to be shown as its quote."""
        return len(self._shared(units)) >= LEAST_PARTS and self.share_in(units) >= LEAST

    def is_like(self, unit: Unit) -> bool:
        """Returns whether a sentence may take the claim's place: one without its figures may not.

        A figure of the same unit will do: the claim's own may be wrong.
        """
        share = self.share_in([unit])
        units = {part.figure.unit for part in self.parts if part.figure}
        has_figure = any(part.figure and part.figure.unit in units for part in unit.parts)
        return share >= LEAST or (share >= LEAST_LIKE and (has_figure or not units))

    def lacking(
        self, units: Sequence[Unit], computed: Collection[str] = (), named_in: str = ""
    ) -> list[Difference]:
        """Returns the figures and names that stand neither in these sentences nor around them.

        A figure that may follow from theirs is not lacking. `computed` figures follow from others,
        as the check has found. Names may stand in the text `named_in`, which is in lower case.
        """
        worked_out = {name.rpartition(":")[0] for name in computed}
        return [
            Difference(ABOUT_KIND[part.kind], part.text)
            for part in self.parts
            if _must_stand(part)
            and part.text not in worked_out
            and not _stands(part, units)
            and not may_follow(part, self.parts, units)
            and not (part.kind == "name" and part.text.casefold() in named_in)
        ]

    def adds(self, unit: Unit, others: Sequence[Unit], words: int = LEAST_PARTS) -> bool:
        """Returns whether a sentence has a figure, a name or so many words of the claim more.

        They must stand there: what may follow from a sentence tells the reader nothing.
        """
        new = [part for part in self.parts if _stands(part, [unit]) and not _stands(part, others)]
        return any(map(_must_stand, new)) or len(new) >= words

    def _shared(self, units: Sequence[Unit]) -> list[Part]:
        return [
            part
            for part in self.parts
            if _stands(part, units) or may_follow(part, self.parts, units)
        ]


def _weight(part: Part) -> int:
    return 2 if part.kind in {"figure", "name", "period"} else 1


def _must_stand(part: Part) -> bool:
    """Returns whether a part is a name in full, or a figure that nobody may have counted."""
    if part.figure is None:
        return part.kind == "name" and not _ABBREVIATION.fullmatch(part.text)
    is_counted = part.figure.value <= MOST_COUNTED and not any(c.isdigit() for c in part.text)
    return not is_counted


def _stands(part: Part, units: Iterable[Unit]) -> bool:
    for unit in units:
        if part.key in unit.keys or unit.context.implies(part):
            return True
        if part.figure and unit.row and is_worth(part.figure, unit.row):
            return True
    return False
