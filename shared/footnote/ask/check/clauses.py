"""Finds parts of a claim that stand in another clause of the sentence, or in another order."""

from collections.abc import Iterator, Sequence

from footnote.ask.check.align import Alignment, neighbour_keys
from footnote.ask.check.lexicon import BECAUSE, GENERIC
from footnote.ask.check.parts import Part, PartKind
from footnote.ask.check.places import TELLING, is_passive, is_rival, nearest_at
from footnote.ask.check.verdict import ABOUT_KIND, Difference

_PLACED = frozenset({"figure", "period", "word", "direction"})
_ORDERED = frozenset({BECAUSE, "<before>", "<after>"})
BESIDE = 3  # parts on either side of a moved word; one of them must be beside it in both


def clause_differences(laid: Alignment) -> Iterator[Difference]:
    """Yields every such difference, rule by rule."""
    for rule in (
        _other_clauses,
        _crossed_clauses,
        _lent_periods,
        _exchanged_ends,
        _scattered_words,
        _exchanged_causes,
    ):
        yield from rule(laid)


def _other_clauses(laid: Alignment) -> Iterator[Difference]:
    """Finds parts of a clause about something else: B's 40 on "A had 40 and B had 55".

    Their clause begins with a part that the claim lacks, and the claim has words that stand only in
    another clause. For a figure or a period that other clause needs a rival too; then it refutes.
    """
    claimed = {part.key for part in laid.claim}
    clauses: dict[int, set[str]] = {}
    for part in laid.said:
        clauses.setdefault(part.clause, set()).add(part.key)
    # "the frame is covered for five years and the battery for two": all of the second is claimed
    gapped = any(n and keys <= claimed for n, keys in clauses.items())
    for i, j in laid.pairs.items():
        part, is_word = laid.claim[i], laid.claim[i].kind in {"word", "direction"}
        known = clauses[laid.said[j].clause]
        others = [p for p in laid.said if p.clause != laid.said[j].clause]
        gone = is_word and (gapped or any(p.key == part.key for p in others))
        if part.kind not in _PLACED or gone or not _begins_otherwise(laid, j, claimed):
            continue
        mine = {p.key for p in laid.claim if p.clause == part.clause} if is_word else claimed
        there = {p.clause for p in others if p.kind in TELLING and p.key in mine - known}
        rival = next(
            (p for p in others if p.clause in there and (is_word or is_rival(part, p))), None
        )
        if rival:
            yield Difference(ABOUT_KIND[part.kind], part.text, rival.text, refutes=not is_word)


def _begins_otherwise(laid: Alignment, j: int, claimed: set[str]) -> bool:
    """Returns whether a part stands in its clause behind one that the claim lacks."""
    telling = TELLING | {"period"} | (set() if laid.said[j].figure else {"figure"})
    before = (p for p in laid.said[:j] if p.clause == laid.said[j].clause and p.kind in telling)
    return any(p.key not in claimed and p.text.casefold() not in GENERIC for p in before)


def _crossed_clauses(laid: Alignment) -> Iterator[Difference]:
    """Finds two clauses of the claim that each mix the same two clauses of the sentence."""
    found: dict[str, set[int]] = {}
    for part in laid.said:
        found.setdefault(part.key, set()).add(part.clause)
    mixed: list[tuple[frozenset[int], Part]] = []
    for clause in {part.clause for part in laid.claim}:
        mine = [p for p in laid.claim if p.clause == clause and len(found.get(p.key, ())) == 1]
        homes = frozenset(home for part in mine for home in found[part.key])
        if len(homes) > 1:
            mixed.append((homes, mine[-1]))
    for homes, part in mixed:
        if sum(homes == others for others, _ in mixed) > 1:
            yield Difference("wording", part.text, refutes=False)
            return


def _lent_periods(laid: Alignment) -> Iterator[Difference]:
    """Finds a period that belongs to a later figure: 2023 in "5.5 (2023: 4.9)", said of 5.5."""
    used = set(laid.pairs.values())
    for i, j in laid.pairs.items():
        near = nearest_at(laid.claim, i, "figure")
        if laid.claim[i].kind != "period" or near is None or near not in laid.pairs:
            continue
        here = [k for k, p in enumerate(laid.said) if p.clause == laid.said[j].clause and p.figure]
        own = here and here[0] > j and here[0] not in used
        if own and laid.said[laid.pairs[near]].clause < laid.said[j].clause:
            yield Difference("period", laid.claim[i].text, laid.said[here[0]].text, refutes=False)


def _exchanged_ends(laid: Alignment) -> Iterator[Difference]:
    """Finds subject and object exchanged: "A thanked the chair" on "the chair thanked A"."""
    if is_passive(laid):
        return
    order = sorted(laid.pairs)
    for one, verb, other in zip(order, order[1:], order[2:], strict=False):
        ends = {laid.claim[one].kind, laid.claim[other].kind}
        first, middle, last = laid.pairs[other], laid.pairs[verb], laid.pairs[one]
        near = other - one == 2 and first < middle < last <= first + 3
        if near and laid.claim[verb].kind == "word" and ends == {"name", "word"}:
            yield Difference("name", laid.claim[one].text, laid.said[first].text, refutes=False)


def _scattered_words(laid: Alignment) -> Iterator[Difference]:
    """Finds words out of order that have none of their neighbours from the sentence."""
    order = sorted(laid.pairs)
    for n, i in enumerate(order):
        part, j = laid.claim[i], laid.pairs[i]
        if part.kind != "word":
            continue
        before = [laid.pairs[k] for k in order[:n]]
        after = [laid.pairs[k] for k in order[n + 1 :]]
        in_order = max(before, default=-1) < j < min(after, default=len(laid.said))
        mine = [p for p in laid.said if p.clause == laid.said[j].clause]
        here = {"figure" if p.kind == "figure" else p.key for p in mine}
        near = neighbour_keys(laid.claim, i, BESIDE) & neighbour_keys(laid.said, j, BESIDE) & here
        if not in_order and not near:
            yield Difference("wording", part.text, refutes=False)


def _exchanged_causes(laid: Alignment) -> Iterator[Difference]:
    """Finds cause and effect that changed places, and "A before B" on "B before A".

    The difference refutes where both sides moved. Otherwise rules cannot tell.
    """
    for i, j in laid.pairs.items():
        if laid.claim[i].key not in _ORDERED:
            continue
        if not i or not j:  # "Before B, A": what follows it is B
            behind = {k for k, m in laid.pairs.items() if (m == j + 1 if not j else k == i + 1)}
            if bool(i) != bool(j) and any((k > i) != (laid.pairs[k] > j) for k in behind):
                yield Difference("wording", laid.claim[i].text)
            continue
        late = any(k < i and m > j for k, m in laid.pairs.items())
        early = any(k > i and m < j for k, m in laid.pairs.items())
        if late or early:
            yield Difference("wording", laid.claim[i].text, refutes=late and early)


def is_reordered(claim: Sequence[Part], said: Sequence[Part]) -> bool:
    """Returns whether one list has another order: "5 and 3 in 2024 and 2023, respectively"."""
    return _is_same_order(claim, said, "figure") != _is_same_order(claim, said, "period")


def _is_same_order(claim: Sequence[Part], said: Sequence[Part], kind: PartKind) -> bool:
    """Returns whether the parts of a kind that occur once in both stand in the same order."""
    keys = [part.key for part in said if part.kind == kind]
    mine = [part.key for part in claim if part.kind == kind]
    once = [key for key in mine if keys.count(key) == mine.count(key) == 1]
    return once == sorted(once, key=keys.index)
