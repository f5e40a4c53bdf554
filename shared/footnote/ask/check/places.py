"""Says which parts of a claim stand elsewhere in the sentence: in another clause or order."""

from collections.abc import Iterator, Sequence

from footnote.ask.check.align import Alignment, around, fit
from footnote.ask.check.lexicon import BECAUSE, GENERIC
from footnote.ask.check.parts import Part, PartKind
from footnote.ask.check.verdict import ABOUT_KIND, Difference

_TELLING = frozenset({"word", "name", "direction"})
_ORDERED = frozenset({BECAUSE, "<before>", "<after>"})
_STARTS, _ENDS = frozenset({"from", "since"}), frozenset({"to", "by", "until"})
BESIDE = 3  # parts on either side of a word that stands elsewhere, one of which goes with it
MARGIN = {"figure": 0.25, "period": 0.25, "name": 0.5, "direction": 0.5}
"""By how much another must fit a part's place better before it is said to belong there."""


def places(laid: Alignment) -> Iterator[Difference]:
    """All that say so, in the order in which they are told."""
    for rule in (
        _places,
        _leads,
        _clauses,
        _crossed,
        _turned,
        _lent,
        _dates,
        _strangers,
        _scattered,
        _causes,
    ):
        yield from rule(laid)


def _places(laid: Alignment) -> Iterator[Difference]:
    """Figures and periods that stand where the sentence has another: they changed places."""
    for i in laid.pairs:
        part = laid.claim[i]
        if part.kind not in MARGIN:
            continue
        rivals = [k for k, p in enumerate(laid.said) if _rival(part, p)]
        if not rivals:
            continue
        equal = [k for k, p in enumerate(laid.said) if p.key == part.key]
        own = max(fit(laid.claim, i, laid.said, k) for k in equal)
        best = max(rivals, key=lambda k: fit(laid.claim, i, laid.said, k))
        fits = fit(laid.claim, i, laid.said, best) > own + MARGIN[part.kind]
        if fits and not _is_bound(laid, i, best):
            # another order of the same: rules cannot tell
            led = {laid.said[best].lead, laid.said[laid.pairs[i]].lead}
            turned = (part.figure and len(led) > 1) or _goes_with(laid, i)
            turned = _is_passive(laid) if part.kind == "name" else turned
            about = ABOUT_KIND[part.kind]
            yield Difference(about, part.text, laid.said[best].text, refutes=not turned)


def _is_bound(laid: Alignment, i: int, rival: int) -> bool:
    """Whether a part surely belongs where it stands: the claim has all of its clause, or it has the
    same "from" or "to" before it, and the rival has neither.
    """
    mine, theirs, other = laid.claim[i], laid.said[laid.pairs[i]], laid.said[rival]
    if (
        mine.figure
        and mine.lead == theirs.lead != other.lead
        and (mine.lead == "from" or (mine.lead and other.lead))
    ):
        return True
    if other.lead and any(p.key == other.key and p.lead == other.lead for p in laid.claim):
        return mine.lead != other.lead  # "up from 33": the claim has its "from 33" too
    claimed = {part.key for part in laid.claim}
    clause = {p.key for p in laid.said if p.clause == theirs.clause}
    there = {p.key for p in laid.said if p.clause == other.clause and p.kind not in _TELLING}
    apart = other.clause != theirs.clause and not (there | {other.key}) & claimed - clause
    return apart and clause <= claimed


def _is_passive(laid: Alignment) -> bool:
    """Whether only one of both has a "by": it names in the other order what "acquired" does."""
    one, other = (any(p.lead == "by" for p in parts) for parts in (laid.claim, laid.said))
    return one != other


def _goes_with(laid: Alignment, i: int) -> bool:
    """Whether a figure has the same period beside it in both, or a period the same figure."""
    kind: PartKind = "period" if laid.claim[i].figure else "figure"
    mine, theirs = _nearest(laid.claim, i, kind), _nearest(laid.said, laid.pairs[i], kind)
    if mine and theirs and mine.key == theirs.key:
        return True
    before = (parts[n - 1].key for parts, n in ((laid.claim, i), (laid.said, laid.pairs[i])) if n)
    return kind == "period" and len(keys := [*before]) == 2 and keys[0] == keys[1]


def _nearest(parts: Sequence[Part], at: int, kind: PartKind) -> Part | None:
    n = _nearest_at(parts, at, kind)
    return None if n is None else parts[n]


def _nearest_at(parts: Sequence[Part], at: int, kind: PartKind) -> int | None:
    """Where the part of a kind stands that is nearest to a place; of two the earlier."""
    places = (n for n, part in enumerate(parts) if part.kind == kind)
    return min(places, key=lambda n: abs(n - at), default=None)


def _rival(part: Part, other: Part) -> bool:
    """Whether the other could stand in the part's place, with another value."""
    if part.kind != other.kind or part.key == other.key:
        return False
    if part.figure and other.figure:
        return part.figure.unit == other.figure.unit
    if part.kind in {"name", "direction"}:
        return True
    return level(part) == level(other)


def _clauses(laid: Alignment) -> Iterator[Difference]:
    """Parts of a clause about something else: "A had 40 and B had 55" on B's 40.

    That is so where their clause begins with a part that the claim lacks, and the claim has words
    that stand only in another clause: for a figure or a period, in one with a rival of theirs.
    """
    claimed = {part.key for part in laid.claim}
    clauses: dict[int, set[str]] = {}
    for part in laid.said:
        clauses.setdefault(part.clause, set()).add(part.key)
    # "the frame is covered for five years and the battery for two": all of the second is claimed
    gapped = any(n and keys <= claimed for n, keys in clauses.items())
    for i, j in laid.pairs.items():
        part, here = laid.claim[i], laid.said[j].clause
        if part.kind not in {"figure", "period", "word", "direction"}:
            continue
        is_word = part.kind in _TELLING
        strange = _TELLING | {"period"} | ({"figure"} if is_word else set())
        before = (p for p in laid.said[:j] if p.clause == here and p.kind in strange)
        if all(p.key in claimed or p.text.casefold() in GENERIC for p in before):
            continue
        known = clauses[here]
        others = [p for p in laid.said if p.clause != here]
        if is_word and (gapped or any(p.key == part.key for p in others)):
            continue
        mine = {p.key for p in laid.claim if p.clause == part.clause} if is_word else claimed
        rivals = {p.clause: p for p in others if is_word or _rival(part, p)}
        there = {p.clause: p for p in others if p.kind in _TELLING and p.key in mine - known}
        for clause in rivals.keys() & there.keys():
            yield Difference(
                ABOUT_KIND[part.kind], part.text, rivals[clause].text, refutes=not is_word
            )
            break


def _crossed(laid: Alignment) -> Iterator[Difference]:
    """Two clauses of the claim that each have parts of the same two clauses of the sentence."""
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


def _lent(laid: Alignment) -> Iterator[Difference]:
    """A period of a later clause, before a figure of its own: 2023 in "5.5 (2023: 4.9)"."""
    used = set(laid.pairs.values())
    for i, j in laid.pairs.items():
        near = _nearest_at(laid.claim, i, "figure")
        if laid.claim[i].kind != "period" or near not in laid.pairs:
            continue
        here = [k for k, p in enumerate(laid.said) if p.clause == laid.said[j].clause and p.figure]
        own = here and here[0] > j and here[0] not in used
        if own and laid.said[laid.pairs[near]].clause < laid.said[j].clause:
            yield Difference("period", laid.claim[i].text, laid.said[here[0]].text, refutes=False)


def _turned(laid: Alignment) -> Iterator[Difference]:
    """Who did what to whom, the other way round: "A thanked the chair" on "the chair thanked A"."""
    if _is_passive(laid):
        return
    order = sorted(laid.pairs)
    for one, verb, other in zip(order, order[1:], order[2:], strict=False):
        ends = {laid.claim[one].kind, laid.claim[other].kind}
        first, middle, last = laid.pairs[other], laid.pairs[verb], laid.pairs[one]
        near = other - one == 2 and first < middle < last <= first + 3
        if near and laid.claim[verb].kind == "word" and ends == {"name", "word"}:
            yield Difference("name", laid.claim[one].text, laid.said[first].text, refutes=False)


def _leads(laid: Alignment) -> Iterator[Difference]:
    """A rise "to" a figure that the sentence calls a rise "by" it, or "from" it."""
    for i, j in laid.pairs.items():
        mine, theirs = laid.claim[i], laid.said[j]
        moved = all(
            n and parts[n - 1].kind == "direction" for parts, n in ((laid.claim, i), (laid.said, j))
        )
        leads = {mine.lead or "by", theirs.lead or "by"} if moved else {mine.lead, theirs.lead}
        if mine.kind == "period" and ((leads & _STARTS) and (leads & _ENDS)):
            yield Difference("period", f"{mine.lead} {mine.text}", f"{theirs.lead} {theirs.text}")
        if mine.figure and len(leads - {""}) > 1:
            yield Difference("figure", f"{mine.lead} {mine.text}", f"{theirs.lead} {theirs.text}")


def _dates(laid: Alignment) -> Iterator[Difference]:
    """Dates whose parts stand in the sentence, but not as one date: "1 August 1834"."""
    dates = {part.date for part in laid.said if part.date}
    for part in dict.fromkeys(p for p in laid.claim if len(p.date) > 1):
        alike = [date for date in dates if date <= part.date or part.date <= date]
        others = [date for date in dates if len(date) > 1 and date & part.date]
        if others and not any(len(date) > 1 for date in alike):
            yield Difference(
                "period", part.text, next(p.text for p in laid.said if p.date in others)
            )


def _strangers(laid: Alignment) -> Iterator[Difference]:
    """Figures that have nothing around them that they have in the sentence."""
    for i, j in laid.pairs.items():
        part = laid.claim[i]
        if part.figure is None or len(laid.claim) == 1 or len(laid.said) == 1:
            continue
        equal = [k for k, p in enumerate(laid.said) if p.key == part.key]
        mine = around(laid.claim, i)
        if not any(mine & around(laid.said, k) for k in equal):
            yield Difference("figure", part.text, laid.said[j].text, refutes=False)


def _scattered(laid: Alignment) -> Iterator[Difference]:
    """Words that stand out of order and beside nothing that they stand beside in the sentence."""
    order = sorted(laid.pairs)
    for n, i in enumerate(order):
        part, j = laid.claim[i], laid.pairs[i]
        if part.kind != "word":
            continue
        before = [laid.pairs[k] for k in order[:n]]
        after = [laid.pairs[k] for k in order[n + 1 :]]
        in_order = max(before, default=-1) < j < min(after, default=len(laid.said))
        near = around(laid.claim, i, BESIDE) & around(laid.said, j, BESIDE)
        if not in_order and not near:
            yield Difference("wording", part.text, refutes=False)


def _causes(laid: Alignment) -> Iterator[Difference]:
    """A cause that the sentence has as the effect, or an order in time: "A before B" on "B before
    A". It refutes where both sides changed places; else rules cannot tell.
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


def lists_turned(claim: Sequence[Part], said: Sequence[Part]) -> bool:
    """Whether of two lists in order ("5 and 3 in 2024 and 2023, respectively") one is turned."""
    return _rises(claim, said, "figure") != _rises(claim, said, "period")


def _rises(claim: Sequence[Part], said: Sequence[Part], kind: PartKind) -> bool:
    """Whether the parts of a kind that occur once in both stand in the same order."""
    keys = [part.key for part in said if part.kind == kind]
    mine = [part.key for part in claim if part.kind == kind]
    once = [key for key in mine if keys.count(key) == mine.count(key) == 1]
    return once == sorted(once, key=keys.index)


def level(period: Part) -> str:
    """What a period is a part of: two of one level exclude each other."""
    name = period.key.split()[0]
    return "stretch" if name in {"quarter", "half", "span"} else name
