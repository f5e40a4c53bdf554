"""A cited passage with which claims are compared, and the verdict on a claim."""

from collections.abc import Sequence

from footnote.ask.check.arithmetic import is_worked_out, without_computed
from footnote.ask.check.derived import may_follow
from footnote.ask.check.differences import differences
from footnote.ask.check.figures import Figure
from footnote.ask.check.multiples import multiple_in
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.rows import cell_figures, is_worth, label_keys, row_differences
from footnote.ask.check.segments import Unit, nearest_units, units_of
from footnote.ask.check.statements import divisions
from footnote.ask.check.verbatim import find_verbatim
from footnote.ask.check.verdict import Difference, Verdict, combine
from footnote.model import Passage, Table
from footnote.text.language import detect_language

COPY_SHARE = 0.7  # Jaccard similarity of their parts from which a claim is a sentence made over
MOST_COUNTED = 10  # figures up to this one may come from counting: "three applicants: A, B and C"
MOST_PARTS = 120  # of a claim; a longer one is no sentence, and would be slow to compare
LEAST_PARTS = 4  # fewest parts of a piece of a sentence that says something by itself
MOST_SENTENCES = 3  # most sentences of a quote that a model judges
LEAST_GAIN = 0.75  # shared parts that each further sentence of it must add
NEAR_SHARE = 0.5  # the same from which both are about one thing, so that a difference refutes


class Source:
    """A cited passage, read once for all claims that cite it.

    `units` are those that count, at `places`: without them all of the passage's.
    """

    def __init__(
        self,
        passage: Passage,
        tables: Sequence[Table] = (),
        language: str | None = None,
        *,
        places: Sequence[tuple[int, int]] = (),
        units: Sequence[Unit] | None = None,
    ) -> None:
        self.passage = passage
        self._language = language or detect_language(passage.text)
        self._places = places
        self._units = units_of(passage, tables, self._language) if units is None else units
        self._known = frozenset(key for unit in self._units for key in unit.keys)

    def only(self, places: Sequence[tuple[int, int]]) -> "Source":
        """Returns the passage as one that says nothing but what stands at these places.

        What stands around that, such as headings and the period of the sentence before, counts.
        """
        units = [unit for place in places for unit in self.units_at(*place)]
        return Source(self.passage, language=self._language, places=places, units=units)

    def check(self, text: str) -> Verdict:
        """Returns the verdict on a claim by this passage alone."""
        place = find_verbatim(text, self.passage, self._places)
        if place and self._is_whole(place, text):
            return Verdict("exact", (place,))
        whole = self._check(parts_of(text, self._of(text)))
        if whole.holds or self._is_copy(whole, text):
            return whole
        for statements in divisions(text, self._of(text)):
            verdicts = [self._check(statement) for statement in statements]
            if all(one.holds for one in verdicts):
                return combine(verdicts)
        return whole

    def units_at(self, start: int, end: int) -> list[Unit]:
        """Returns the sentences and rows that overlap a span of the document."""
        return [unit for unit in self._units if unit.start < end and start < unit.end]

    def nearest(self, text: str) -> tuple[int, int]:
        """Returns the span of the one to three sentences that share most with a claim."""
        parts = parts_of(text, self._of(text))
        units = list({(unit.start, unit.end): unit for unit in self._units}.values())
        best, place = -1.0, (self.passage.start, self.passage.end)
        for first in range(len(units)):
            has = frozenset[str]()
            for last in range(first, min(first + MOST_SENTENCES, len(units))):
                has |= _shared(parts, units[last])
                score = len(has) - LEAST_GAIN * (last - first)
                if score > best:
                    best, place = score, (units[first].start, units[last].end)
        return place

    def _is_whole(self, place: tuple[int, int], text: str) -> bool:
        """Returns whether a claim that stands in the passage is a sentence or says as much."""
        around = [u for u in self._units if u.start < place[1] and place[0] < u.end]
        if not around or (place[0] <= around[0].start and place[1] >= around[-1].end - 1):
            return True
        return len(parts_of(text, self._of(text))) >= LEAST_PARTS

    def _against(self, claim: tuple[Part, ...], unit: Unit) -> list[Difference]:
        if unit.row:
            differing = row_differences(claim, unit.row, unit.context)
            return [self._weigh(one, claim, unit) for one in differing]
        differing = differences(claim, unit.parts, unit.context)
        differing = [self._weigh(one, claim, unit) for one in differing]
        if unit.text.rstrip(" \"\u201d'").endswith("?"):  # a question states nothing
            differing.append(Difference("certainty", "", "?", refutes=False))
        figures = [part for part in claim if part.figure]
        listed = [part for part in unit.parts if part.figure]
        if unit.zipped and 0 < len(figures) < len(listed):  # only its place tells which is which
            differing.append(
                Difference("figure", figures[0].written, "respectively", refutes=False)
            )
        return differing

    def _weigh(self, difference: Difference, claim: Sequence[Part], unit: Unit) -> Difference:
        """Returns the difference as one that does not refute, if its figure may well be true."""
        part = next((p for p in claim if p.figure and p.written == difference.part), None)
        # a figure of the unit itself stands in a wrong place
        if not difference.refutes or not part or not part.figure or part.key in unit.keys:
            return difference
        may_hold = may_follow(part, claim, [unit]) or self._is_of_rows(part.figure, claim, unit)
        return difference._replace(refutes=not may_hold)

    def _is_of_rows(self, figure: Figure, claim: Sequence[Part], unit: Unit) -> bool:
        """Returns whether a figure is from the rest of the table, or counts or sums up its rows."""
        keys = frozenset(part.key for part in claim)
        rows = [one.row for one in self._units if one.row]
        others = (row for row in rows if row is not unit.row)
        if any(is_worth(figure, row) and label_keys(row) <= keys for row in others):
            return True
        columns: dict[str, list[Figure]] = {}
        for cell in (cell for r in rows for cell in cell_figures(r)):
            columns.setdefault(cell.column, []).append(cell.full)
        if unit.row:
            columns[""] = [cell.full for cell in cell_figures(unit.row)]
        counts = rows and not figure.unit and figure.value <= MOST_COUNTED
        return bool(counts) or any(is_worked_out(figure, c, claim) for c in columns.values())

    def _of(self, text: str) -> str:
        """Returns the language to read a claim in: the passage's, or English for a third one."""
        return self._language if detect_language(text) in {self._language, "en"} else "en"

    def check_part(self, parts: Sequence[Part]) -> Verdict:
        """Returns the verdict on one statement of a claim that rests on several passages."""
        return self._check(tuple(parts))

    def _is_copy(self, verdict: Verdict, text: str) -> bool:
        """Returns whether the claim is one sentence of the passage with a few parts changed.

        Such a claim is not taken apart, for its statements would find support elsewhere.
        """
        keys = frozenset(part.key for part in parts_of(text, self._of(text)))
        near = [unit.keys for unit in self._units if (unit.start, unit.end) in verdict.places]
        return any(len(keys & other) >= COPY_SHARE * len(keys | other) for other in near)

    def _check(self, claim: tuple[Part, ...]) -> Verdict:
        if not claim or len(claim) > MOST_PARTS:
            return Verdict("open", differences=(Difference("wording", "", refutes=False),))
        plain = self._against_units(claim)
        if plain.holds:
            return plain
        if multiple := multiple_in(claim, self.has):
            if multiple.is_true is False:
                wrong = Difference("figure", multiple.written)
                return plain._replace(outcome="refuted", differences=(wrong, *plain.differences))
            if multiple.is_true:
                return self._against_units(multiple.rest)._replace(computed=(multiple.name,))
        for rest, names in without_computed(claim, self.has):
            without = self._against_units(rest)
            if without.holds or plain.outcome == "refuted":
                plain = without._replace(computed=names)
            if plain.holds:
                break
        return plain

    def _against_units(self, claim: tuple[Part, ...]) -> Verdict:
        keys = frozenset(part.key for part in claim)
        nearest: tuple[tuple[float, int, int], Unit, list[Difference]] | None = None
        for unit in nearest_units(self._units, keys):
            differing = self._against(claim, unit)
            if not differing:
                return Verdict("supported", ((unit.start, unit.end),))
            shared = len(keys & unit.keys) / len(keys | unit.keys)
            rank = (shared, -sum(one.refutes for one in differing), -len(differing))
            if nearest is None or rank > nearest[0]:
                nearest = rank, unit, differing
        if nearest is None:
            return Verdict("open")
        (shared, *_), unit, differing = nearest
        near = shared >= NEAR_SHARE
        wrong = any(one.refutes and (near or self._is_nowhere(one, claim)) for one in differing)
        return Verdict("refuted" if wrong else "open", ((unit.start, unit.end),), tuple(differing))

    def _is_nowhere(self, difference: Difference, claim: Sequence[Part]) -> bool:
        """Returns whether a figure of the claim stands nowhere in the passage, in no form."""
        if difference.about != "figure" or not any(c.isdigit() for c in difference.part):
            return False
        said = self._units[0].context.text if self._units else ""
        figures = [p for p in claim if p.figure and p.written == difference.part]
        return difference.part.casefold() not in said and any(
            p.figure and p.figure.value > MOST_COUNTED and not may_follow(p, claim, self._units)
            for p in figures
        )

    def has(self, part: Part) -> bool:
        """Returns whether a sentence or a row of the passage has this figure."""
        return part.key in self._known or any(
            part.figure and is_worth(part.figure, unit.row) for unit in self._units if unit.row
        )


def _shared(parts: Sequence[Part], unit: Unit) -> frozenset[str]:
    """Returns the keys of those parts that a unit has. A cell has a figure in all its forms."""
    return frozenset(
        part.key
        for part in parts
        if part.key in unit.keys or (part.figure and unit.row and is_worth(part.figure, unit.row))
    )
