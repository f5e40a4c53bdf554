"""Finds figures and periods that stand in another clause of the sentence, and turned causes."""

from collections.abc import Iterator

from footnote.ask.check.align import Alignment
from footnote.ask.check.lexicon import BECAUSE, GENERIC
from footnote.ask.check.places import TELLING, is_rival
from footnote.ask.check.verdict import ABOUT_KIND, Difference

_ORDERED = frozenset({BECAUSE, "<before>", "<after>"})


def clause_differences(laid: Alignment) -> Iterator[Difference]:
    """Yields every such difference, rule by rule; each refutes."""
    for rule in (_other_clauses, _exchanged_causes):
        yield from rule(laid)


def _other_clauses(laid: Alignment) -> Iterator[Difference]:
    """Finds parts of a clause about something else: B's 40 on "A had 40 and B had 55".

    Their clause begins with a part that the claim lacks. The claim has words that stand only in
    another clause, which has a rival that the claim lacks.
    """
    claimed = {part.key for part in laid.claim}
    clauses: dict[int, set[str]] = {}
    for part in laid.said:
        clauses.setdefault(part.clause, set()).add(part.key)
    for i, j in laid.pairs.items():
        part = laid.claim[i]
        if part.kind not in {"figure", "period"} or not _begins_otherwise(laid, j, claimed):
            continue
        known = clauses[laid.said[j].clause]
        others = [p for p in laid.said if p.clause != laid.said[j].clause]
        there = {p.clause for p in others if p.kind in TELLING and p.key in claimed - known}
        rivals = (p for p in others if p.clause in there and is_rival(part, p))
        rival = next((p for p in rivals if p.key not in claimed), None)
        if rival:
            yield Difference(ABOUT_KIND[part.kind], part.written, rival.written)


def _begins_otherwise(laid: Alignment, j: int, claimed: set[str]) -> bool:
    """Returns whether a part stands in its clause behind one that the claim lacks."""
    telling = TELLING | {"period"} | (set() if laid.said[j].figure else {"figure"})
    before = (p for p in laid.said[:j] if p.clause == laid.said[j].clause and p.kind in telling)
    return any(p.key not in claimed and p.word not in GENERIC for p in before)


def _exchanged_causes(laid: Alignment) -> Iterator[Difference]:
    """Finds cause and effect that changed places, and "A before B" on "B before A"."""
    for i, j in laid.pairs.items():
        if laid.claim[i].key not in _ORDERED:
            continue
        if not i or not j:  # "Before B, A": what follows it is B
            behind = {k for k, m in laid.pairs.items() if (m == j + 1 if not j else k == i + 1)}
            exchanged = bool(i) != bool(j) and any((k > i) != (laid.pairs[k] > j) for k in behind)
        else:
            late = any(k < i and m > j for k, m in laid.pairs.items())
            exchanged = late and any(k > i and m < j for k, m in laid.pairs.items())
        if exchanged:
            yield Difference("wording", laid.claim[i].written)
