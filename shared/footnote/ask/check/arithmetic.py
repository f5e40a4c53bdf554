"""Works out the figures that a claim computes from others: a change, a sum, a ratio, a mean.

It uses only figures that the same claim gives and that are supported, and only where the claim
names what it did. Then a reader can do it again.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import permutations

from footnote.ask.check.figures import Figure
from footnote.ask.check.lexicon import DOWN, UP
from footnote.ask.check.parts import Part
from footnote.ask.check.periods import nearest_periods
from footnote.text.computations import Computation

COMPUTATION_WORDS: Mapping[Computation, frozenset[str]] = {
    "change in percent": frozenset({UP, DOWN, "change", "growth"}),
    "difference": frozenset({UP, DOWN, "differenc", "change", "gap", "more", "less", "fewer"}),
    "sum": frozenset({"total", "sum", "combin", "together"}),
    "ratio": frozenset({"tim", "ratio", "share", "proportion"}),
    "mean": frozenset({"averag", "mean"}),
}
"""Computation → the words that a claim may call it, as keys of parts."""
_NAMED = frozenset[str]().union(*COMPUTATION_WORDS.values())


SHARES = {
    "half": Decimal("0.5"),
    "one third": Decimal(1) / 3,
    "one quarter": Decimal("0.25"),
    "twice": Decimal(2),
}
MOST_GIVEN = 12  # figures of a claim: all pairs of them are tried


def computation(
    wanted: Figure, given: Sequence[Figure], keys: frozenset[str]
) -> Computation | None:
    """Names the computation that gives `wanted` from `given`, rounded as it is; None: none does."""
    if len(given) > MOST_GIVEN:
        return None
    for name, words in COMPUTATION_WORDS.items():
        results = _RESULTS[name](wanted, given)
        if name == "change in percent" and (UP in keys) != (DOWN in keys):
            results = [result for result in results if (result > 0) == (UP in keys)]
        if words & keys and any(_is_equal(wanted, result) for result in results):
            return name
    return None


def is_worked_out(wanted: Figure, given: Sequence[Figure], claim: Sequence[Part]) -> bool:
    """Returns whether any computation gives `wanted`, whatever the claim calls it.

    Such a figure need not be true, but the passage cannot contradict it.
    """
    if len(given) > MOST_GIVEN:
        return False
    alike = [one if one.unit else one._replace(unit=wanted.unit) for one in given]
    results = [result for work_out in _RESULTS.values() for result in work_out(wanted, alike)]
    shares = [SHARES[part.word] for part in claim if part.word in SHARES]
    results += [one.value * share for one in alike for share in shares if one.unit == wanted.unit]
    return any(_is_equal(wanted, result) for result in results)


def is_computation(claim: Sequence[Part]) -> bool:
    """Returns whether a claim has a word for a computation."""
    return any(part.key in _NAMED for part in claim)


def _is_equal(wanted: Figure, result: Decimal) -> bool:
    """Returns whether the result is `wanted` once it has been rounded to as many decimals."""
    exponent = wanted.value.normalize().as_tuple().exponent
    step = Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
    return abs(abs(result) - abs(wanted.value)) <= step / 2


def _changes(wanted: Figure, given: Sequence[Figure]) -> list[Decimal]:
    if wanted.unit != "%":
        return []
    alike = [(a, b) for a, b in permutations(given, 2) if a.unit == b.unit and a.value]
    return [(b.value - a.value) / a.value * 100 for a, b in alike]


def _differences(wanted: Figure, given: Sequence[Figure]) -> list[Decimal]:
    unit = "%" if wanted.unit == "pp" else wanted.unit
    alike = [(a, b) for a, b in permutations(given, 2) if a.unit == b.unit]
    return [a.value - b.value for a, b in alike if not unit or a.unit in {unit, ""}]


def _sums(wanted: Figure, given: Sequence[Figure]) -> list[Decimal]:
    alike = [one.value for one in given if one.unit == wanted.unit]
    return [sum(alike, Decimal(0))] if len(alike) > 1 else []


def _ratios(wanted: Figure, given: Sequence[Figure]) -> list[Decimal]:
    alike = [(a, b) for a, b in permutations(given, 2) if a.unit == b.unit and b.value]
    factor = 100 if wanted.unit == "%" else 1
    return [a.value / b.value * factor for a, b in alike] if wanted.unit in {"", "%"} else []


def _means(wanted: Figure, given: Sequence[Figure]) -> list[Decimal]:
    return [total / len(given) for total in _sums(wanted, given) if given]


_RESULTS: Mapping[Computation, Callable[[Figure, Sequence[Figure]], list[Decimal]]] = {
    "change in percent": _changes,
    "difference": _differences,
    "sum": _sums,
    "ratio": _ratios,
    "mean": _means,
}


def without_computed(
    claim: tuple[Part, ...], is_given: Callable[[Part], bool]
) -> Iterator[tuple[tuple[Part, ...], tuple[str, ...]]]:
    """Yields the claim without the figures that follow from its others, and how they follow.

    Where all its figures are given, one may still be computed: the passage may have the same figure
    for another thing. At last it leaves out a rise or a fall, which its figures show.
    """
    figures = [part for part in claim if part.figure]
    wanted = [part for part in figures if not is_given(part)]
    for leaving in [wanted] if wanted else [[part] for part in figures]:
        if names := _computations(claim, leaving):
            rest = [part for part in claim if part not in leaving]
            yield tuple(p for p in rest if p.kind == "direction" or p.key not in _NAMED), names
            yield tuple(_unmoved(part) for part in rest if part.key not in _NAMED), names
            return


def _unmoved(part: Part) -> Part:
    """Returns a figure without the "from" or "to" before it, which its sentence may not have."""
    return part._replace(lead="", links=()) if part.lead in {"from", "to"} and part.figure else part


def _computations(claim: Sequence[Part], wanted: Sequence[Part]) -> tuple[str, ...]:
    """Says how each of these figures follows from the claim's others; () if one does not."""
    others = [part for part in claim if part.figure and part not in wanted]
    given = [part.figure for part in others if part.figure]
    keys = frozenset(part.key for part in claim)
    names: list[str] = []
    for part in wanted:
        name = computation(part.figure, given, keys) if part.figure else None
        if name is None:
            return ()
        names.append(f"{part.written}: {name}")
    directions = {part.key for part in claim if part.kind == "direction"}
    return tuple(names) if not directions or directions_agree(claim, others, directions) else ()


def directions_agree(claim: Sequence[Part], given: Sequence[Part], directions: set[str]) -> bool:
    """Returns whether the figures go the way that the claim says."""
    first, last = ends_of(claim, given)
    return directions == {UP if last > first else DOWN}


def ends_of(claim: Sequence[Part], given: Sequence[Part]) -> tuple[Decimal, Decimal]:
    """Returns where the figures start and end: by their years, "from" and "to", or their order."""
    if dated := dated_values(claim, given):
        return dated
    leads = {part.lead: part.figure.value for part in given if part.figure and part.lead}
    figures = [part.figure for part in given if part.figure]
    values = [one.value for one in figures if one.unit != "%"] or [one.value for one in figures]
    first = leads.get("from", values[0] if values else Decimal(0))
    return first, leads.get("to", values[-1] if values else Decimal(0))


def dated_values(claim: Sequence[Part], given: Sequence[Part]) -> tuple[Decimal, Decimal] | None:
    """Returns the values of two figures, the earlier year's first; None without two years."""
    if len(given) != 2:
        return None
    dated: list[tuple[int, Decimal]] = []
    for part in given:
        near = nearest_periods(claim, list(claim).index(part))
        years = [int(period.key.split()[1]) for period in near if period.key.startswith("year ")]
        if part.figure and years:
            dated.append((years[0], part.figure.value))
    if len({year for year, _ in dated}) < 2:
        return None
    (_, first), (_, last) = sorted(dated)
    return first, last
