"""Divides a claim that rests on several passages: which share of it does each of them carry?"""

from collections.abc import Iterator, Mapping, Sequence

from footnote.ask.check.arithmetic import MOST_GIVEN, without_computed
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.periods import nearest_periods
from footnote.ask.check.source import Source
from footnote.ask.check.statements import divisions
from footnote.ask.check.verdict import Verdict, combine

type Statements = Sequence[tuple[Part, ...]]


def shares(text: str, sources: Sequence[Source]) -> Mapping[int, Verdict]:
    """Maps the index of each source that carries a share of the claim to the verdict on it.

    The map is empty unless every statement of the claim holds in one of the sources.
    """
    for statements, names in _ways(text, sources):
        holders = [_holders(statement, sources) for statement in statements]
        if all(holders):
            carried = sorted({n for held in holders for n in held})
            verdicts = {n: combine([h[n] for h in holders if n in h]) for n in carried}
            return {n: v._replace(computed=v.computed + names) for n, v in verdicts.items()}
    return {}


def _holders(statement: Sequence[Part], sources: Sequence[Source]) -> Mapping[int, Verdict]:
    found = {n: source.check_part(statement) for n, source in enumerate(sources)}
    return {n: verdict for n, verdict in found.items() if verdict.holds}


def _ways(text: str, sources: Sequence[Source]) -> Iterator[tuple[Statements, tuple[str, ...]]]:
    """Yields ways to take the claim apart, and which of its figures are computed in each."""
    for statements in divisions(text):
        yield statements, ()
    parts = parts_of(text)
    yield from ((statements, ()) for statements in _by_figure(parts))
    for rest, names in without_computed(parts, lambda part: any(s.has(part) for s in sources)):
        yield from ((statements, names) for statements in _by_figure(rest))


def _by_figure(parts: tuple[Part, ...]) -> Iterator[Statements]:
    """Yields a statement for each figure with its own period.

    It yields nothing for a rise or a fall. That is compared only where both figures stand in one
    passage, or where the change is computed.
    """
    figures = [n for n, part in enumerate(parts) if part.figure]
    words = tuple(p for p in parts if p.kind not in {"figure", "period"})
    if 1 < len(figures) <= MOST_GIVEN and not any(part.kind == "direction" for part in parts):
        yield [(*words, parts[n], *nearest_periods(parts, n)) for n in figures]
