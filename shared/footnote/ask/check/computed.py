"""Works out the figures that a claim computes from others: a change, a sum, a ratio, a mean.

Only from figures that the same claim gives and that are supported, and only where it names what it
did: then a reader can do it again.
"""

from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal
from itertools import permutations
from typing import Literal

from footnote.ask.check.figures import Figure
from footnote.ask.check.lexicon import DOWN, UP
from footnote.ask.check.parts import Part

type Computation = Literal["change in percent", "difference", "sum", "ratio", "mean"]

NAMES: Mapping[Computation, frozenset[str]] = {
    "change in percent": frozenset({UP, DOWN, "change", "growth"}),
    "difference": frozenset({UP, DOWN, "differenc", "change", "gap", "more", "less", "fewer"}),
    "sum": frozenset({"total", "sum", "combin", "together"}),
    "ratio": frozenset({"tim", "ratio", "share", "proportion"}),
    "mean": frozenset({"averag", "mean"}),
}
"""What a claim calls it, as keys of parts."""


MOST_GIVEN = 12  # figures of a claim: every two of them are tried


def computed(wanted: Figure, given: Sequence[Figure], keys: frozenset[str]) -> Computation | None:
    """By which named computation `wanted` follows from `given`, rounded as it is; None: by none."""
    if len(given) > MOST_GIVEN:
        return None
    for name, words in NAMES.items():
        results = _RESULTS[name](wanted, given)
        if name == "change in percent" and (UP in keys) != (DOWN in keys):
            results = [result for result in results if (result > 0) == (UP in keys)]
        if words & keys and any(_equal(wanted, result) for result in results):
            return name
    return None


def _equal(wanted: Figure, result: Decimal) -> bool:
    """Whether the result is `wanted` once it has been rounded to as many decimals."""
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
) -> tuple[tuple[Part, ...], tuple[str, ...]]:
    """The claim without figures that follow from its others, and how they do; none: ()."""
    given = [part.figure for part in claim if part.figure and is_given(part)]
    keys = frozenset(part.key for part in claim)
    names: list[str] = []
    rest = list(claim)
    for part in claim:
        if part.figure is None or is_given(part):
            continue
        name = computed(part.figure, given, keys)
        if name is None:
            return claim, ()
        names.append(f"{part.text}: {name}")
        rest.remove(part)
    directions = {p.key for p in claim if p.kind == "direction"}
    if names and directions and not agrees(claim, given, directions):
        return claim, ()
    named = frozenset[str]().union(*NAMES.values())
    return tuple(part for part in rest if part.key not in named), tuple(names)


def agrees(claim: Sequence[Part], given: Sequence[Figure], directions: set[str]) -> bool:
    """Whether the figures go the way that the claim says: from the first to the last, or as "from"
    and "to" have it.
    """
    leads = {part.lead: part.figure.value for part in claim if part.figure and part.lead}
    values = [one.value for one in given if one.unit != "%"] or [one.value for one in given]
    first = leads.get("from", values[0] if values else Decimal(0))
    last = leads.get("to", values[-1] if values else Decimal(0))
    return directions == {UP if last > first else DOWN}
