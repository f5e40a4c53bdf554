"""Doubts whether sentences that a judge names carry a claim: words that recombine prove nothing.

A judge may confirm what rules leave open for want of synonyms. One that says yes to everything also
confirms figures and roles that change places. So what the claim joins must be joined in the
sentences that are named.
"""

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations

from footnote.ask.check.align import align
from footnote.ask.check.differences import contradicts
from footnote.ask.check.lexicon import GENERIC, HEDGES
from footnote.ask.check.parts import Part
from footnote.ask.check.places import is_rival
from footnote.ask.check.relations import order_differences, relation_differences
from footnote.ask.check.rows import row_differences
from footnote.ask.check.segments import Unit
from footnote.ask.check.turning_words import turning_words
from footnote.ask.check.verdict import Difference

_WORDS = frozenset({"word", "name"})
_JOINING = frozenset({"of", "on", "in", "to", "for", "from", "with", "at", "between", "'s"})
_COMPARING = frozenset({"more", "less", "fewer"})
_BE = frozenset({"be", "is", "was"})


def doubts(
    text: str, claim: Sequence[Part], units: Sequence[Unit], known: frozenset[str]
) -> Iterator[Difference]:
    """Yields why the words of these sentences may say something else than a claim made of them.

    `known`: the keys of all parts of the passages.
    """
    whole = _whole(units)
    yield from turning_words(text, claim, whole)
    prose = [unit for unit in whole if not unit.row]
    yield from _contrary(claim, prose)
    yield from _rearranged(claim, prose)
    yield from _replaced(claim, whole, known)
    yield from _rejoined(claim, prose)
    for unit in whole:
        if unit.row:
            differing = row_differences(claim, unit.row, unit.context)
            yield from (one for one in differing if one.about in {"figure", "period"})


def _whole(units: Sequence[Unit]) -> list[Unit]:
    """Returns the units without those that are parts of others."""
    found: dict[int, Unit] = {}
    for unit in sorted(units, key=lambda unit: unit.start):
        found.setdefault(unit.end, unit)
    return list(found.values())


def _contrary(claim: Sequence[Part], units: Sequence[Unit]) -> Iterator[Difference]:
    """Finds a word whose contrary the sentences have, and a rise or a fall that they do not say."""
    laid = align(claim, [part for unit in units for part in unit.parts])
    moves = any(_moves(part) or part.word in _COMPARING for part in laid.said)
    for part in (laid.claim[i] for i in laid.unpaired_claim):
        contrary = any(contradicts(part, laid.said[j]) for j in laid.unpaired_said)
        if contrary or (units and not moves and _moves(part)):
            yield Difference("direction", part.written, refutes=False)


def _moves(part: Part) -> bool:
    """Returns whether a part is a rise or a fall; "up" alone belongs to a verb: "put up"."""
    return part.kind == "direction" and part.word not in {"up", "down"}


def _rearranged(claim: Sequence[Part], units: Sequence[Unit]) -> Iterator[Difference]:
    """Finds other relations in a claim without words of its own, but for a passive."""
    for unit in units:
        laid = align(claim, unit.parts)
        if not laid.unpaired_claim and _is_passive(claim) == _is_passive(unit.parts):
            yield from relation_differences(laid, unit.context)


def _replaced(
    claim: Sequence[Part], units: Sequence[Unit], known: frozenset[str]
) -> Iterator[Difference]:
    """Finds words that stand elsewhere in the passages, and not in these sentences.

    "Landlord" is no other word for the tenant where the passage calls both by their names.
    """
    laid = align(claim, [part for unit in units for part in unit.parts])
    for i in laid.unpaired_claim:
        part = laid.claim[i]
        if part.kind not in _WORDS or part.key not in known or part.word in HEDGES | GENERIC:
            continue
        rivals = [laid.said[j] for j in laid.beside(i)]
        alone = {i - 1, i + 1} <= {*laid.pairs, -1, len(claim)}
        if len(rivals) == 1 and alone and rivals[0].kind in _WORDS:
            yield Difference("wording", part.written, rivals[0].written, refutes=False)


def _rejoined(claim: Sequence[Part], units: Sequence[Unit]) -> Iterator[Difference]:
    """Finds clauses of the claim that join what two clauses of the sentences keep apart."""
    mine = _clauses(claim)
    theirs = [clause for unit in units for clause in _clauses(unit.parts)]
    keys = [frozenset(part.key for part in clause) for clause in theirs]
    for one, other in combinations(range(len(theirs)), 2):
        only = keys[one] - keys[other], keys[other] - keys[one]
        crossing = [clause for clause in mine if all(_first(clause, each) for each in only)]
        if len(crossing) > 1:
            parts = [part for part in crossing[0] if part.key in only[1]]
            yield Difference("wording", parts[0].written, refutes=False)
    for clause in mine:
        yield from _miscounted(clause, theirs)
        if shares := [len({part.key for part in clause} & one) for one in keys]:
            yield from _turned(clause, theirs[shares.index(max(shares))])


def _first(parts: Sequence[Part], keys: Collection[str]) -> Part | None:
    return next((part for part in parts if part.key in keys), None)


def _miscounted(mine: Sequence[Part], theirs: Sequence[Sequence[Part]]) -> Iterator[Difference]:
    """Finds a figure with a word of another clause, which has a figure of its own for it."""
    own = frozenset(part.key for part in mine)
    for figure in (part for part in mine if part.figure):
        around = {p.key for clause in theirs if _first(clause, {figure.key}) for p in clause}
        for clause in theirs:
            rival = next((p for p in clause if is_rival(figure, p) and p.key not in own), None)
            words = frozenset(p.key for p in clause if p.kind in _WORDS) - around
            if around and rival and (word := _first(mine, words)):
                yield Difference("figure", f"{figure.written} … {word.written}", rival.written)


def _turned(mine: Sequence[Part], said: Sequence[Part]) -> Iterator[Difference]:
    """Finds words in another order, but for a passive: "built by Holt" is "Holt built"."""
    if _is_passive(mine) != _is_passive(said):
        return
    laid = align(*([p for p in parts if p.kind in _WORDS] for parts in (mine, said)))
    order = sorted(laid.pairs)
    for n in laid.turns:
        ends = [laid.said[laid.pairs[i]] for i in order[n - 1 : n + 1]]
        # "night nurses" are "nurses on night duty"
        if not any(_JOINING & set(part.links) for part in (*ends, laid.claim[order[n]])):
            yield from order_differences(laid)


def _is_passive(parts: Sequence[Part]) -> bool:
    return any(
        "by" in part.links or (_BE & set(part.links) and part.word.endswith(("ed", "en")))
        for part in parts
    )


def _clauses(parts: Sequence[Part]) -> list[list[Part]]:
    """Returns the parts by what stands between two commas, brackets or words like "and"."""
    made: dict[int, list[Part]] = {}
    for part in parts:
        made.setdefault(part.segment, []).append(part)
    return list(made.values())
