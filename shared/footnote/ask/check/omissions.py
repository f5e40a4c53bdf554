"""Finds what a claim leaves out of its sentence: a negation, a limit, a condition, a modifier."""

from collections.abc import Iterator

from footnote.ask.check.align import Alignment
from footnote.ask.check.figures import ORDINALS
from footnote.ask.check.lexicon import (
    ABOUT,
    COMPARED,
    DENIALS,
    GENERIC,
    HEDGES,
    LACKING,
    LIMITS,
    RESTRICTIONS,
    STRINGS,
)
from footnote.ask.check.parts import Part
from footnote.ask.check.verdict import About, Difference

MOST_OF = 0.7  # of a clause's parts: a claim that has them has its condition too
# share of the words around a negation that both have; with no more it negates something else
SAME_CLAUSE = 0.5
SCOPE = 4  # parts behind a negation, among which stands what it negates


def omissions(laid: Alignment) -> Iterator[Difference]:
    """Yields every such difference, those that refute and those that only may."""
    for rule in (_changing_words, _moved_negations, _conditions, _restrictions):
        yield from rule(laid)


def _changing_words(laid: Alignment) -> Iterator[Difference]:
    """Finds words that the claim leaves out although they change what is said."""
    used = set(laid.pairs.values())
    for j in laid.unpaired_said:
        part = laid.said[j]
        holds = bool({j + 1, j + 2} & used)
        word = part.text.casefold()
        if part.kind == "not" and (holds or j - 1 in used):
            denies = any(_may_deny(laid.claim[i]) for i in laid.unpaired_claim)
            yield Difference("negation", "", part.text, refutes=not denies)
        elif part.kind == "limit" and part.key in LIMITS and holds:
            yield Difference("comparison", "", part.text)
        elif word in HEDGES and holds:
            has_both = part.key in STRINGS and _has_most(laid, part.clause)
            has_both |= any(p.text.casefold() in HEDGES for p in laid.claim)
            yield Difference("certainty", "", part.text, refutes=not has_both)
        elif word in RESTRICTIONS and holds:
            yield Difference("scope", "", part.text)


def _moved_negations(laid: Alignment) -> Iterator[Difference]:
    """Finds negations that both have, but not before the same words."""
    for i, j in laid.pairs.items():
        if laid.claim[i].kind != "not":
            continue
        mine = [k for k in range(i + 1, min(i + 3, len(laid.claim))) if k in laid.pairs]
        near = any(0 < laid.pairs[k] - j <= SCOPE for k in mine)
        if (mine and not near) or _clause_overlap(laid, i, j) <= SAME_CLAUSE:
            yield Difference("negation", laid.claim[i].text, laid.said[j].text)


def _clause_overlap(laid: Alignment, i: int, j: int) -> float:
    """Returns the share of the words in part `i`'s clause that its counterpart's clause has."""
    words = {"word", "name", "direction"}
    wanted = {p.key for p in laid.claim if p.clause == laid.claim[i].clause and p.kind in words}
    there = {p.key for p in laid.said if p.clause == laid.said[j].clause}
    return len(wanted & there) / len(wanted) if wanted else 1.0


def _conditions(laid: Alignment) -> Iterator[Difference]:
    """Finds an "if" or "unless" in a clause that the claim repeats without it."""
    used = {laid.said[j].clause for j in laid.pairs.values()}
    for j in laid.unpaired_said:
        if laid.said[j].key in STRINGS and laid.said[j].clause in used:
            both = _has_most(laid, laid.said[j].clause)
            yield Difference("certainty", "", laid.said[j].text, refutes=not both)


def _has_most(laid: Alignment, clause: int) -> bool:
    """Returns whether the claim has most of a clause: it may say its condition in another way."""
    used = set(laid.pairs.values())
    parts = [j for j, p in enumerate(laid.said) if p.clause == clause and p.key not in STRINGS]
    return sum(j in used for j in parts) >= MOST_OF * len(parts)


def _may_deny(part: Part) -> bool:
    """Returns whether a word of the claim may say what the sentence says with a "not"."""
    word = part.text.casefold()
    return part.kind == "word" and (
        word in LACKING
        or (word.startswith(("un", "dis", "non")) and len(word) > 5)  # not "unit"
        or word.endswith("less")
    )


def _restrictions(laid: Alignment) -> Iterator[Difference]:
    """Finds what makes the sentence say less; rules cannot tell whether it matters."""
    for j in laid.unpaired_said:
        about = _restriction_kind(laid, j)
        if about:
            yield Difference(about, "", laid.said[j].text, refutes=False)


def _restriction_kind(laid: Alignment, j: int) -> About | None:
    """Returns what an unpaired part is about, if a claim that leaves it out may say more."""
    part, word = laid.said[j], laid.said[j].text.casefold()
    used = set(laid.pairs.values())
    behind_figure = any(k in used and laid.said[k].figure for k in (j - 1, j - 2) if k >= 0)
    before_figure = j + 1 in used and laid.said[j + 1].figure
    if word in DENIALS:
        return "certainty"
    if part.key in {ABOUT, "<before>", "<after>"} and before_figure:
        return "comparison"  # "about 500", "after 500 hours"
    if word in COMPARED and behind_figure:
        return "comparison"  # "5 kg more"
    is_only = word in {"only", "nur"} and any(laid.said[k].clause == part.clause for k in used)
    if is_only or _is_between(laid, j) or _is_negated(laid, j) or _is_in_a_range(laid, j):
        return "scope"
    return None


def _is_negated(laid: Alignment, j: int) -> bool:
    """Returns whether a word stands behind a "not" of both: "not damage by water"."""
    part = laid.said[j]
    nots = (m for i, m in laid.pairs.items() if laid.claim[i].kind == "not")
    told = part.kind == "word" and part.text.casefold() not in GENERIC
    return told and any(m < j and laid.said[m].clause == part.clause for m in nots)


def _is_between(laid: Alignment, j: int) -> bool:
    """Returns whether a word stands between two parts that the claim has side by side.

    The first of them is a figure or an ordinal: "business" in "ten business days".
    """
    if laid.said[j].kind != "word":
        return False
    index = {m: i for i, m in laid.pairs.items()}
    before, after = index.get(j - 1), index.get(j + 1)
    if before is None or after is None:
        return False
    counted = laid.claim[before].figure or laid.claim[before].text.casefold() in ORDINALS
    return bool(counted) and after == before + 1


def _is_in_a_range(laid: Alignment, j: int) -> bool:
    """Returns whether a figure ends a range whose other end the claim has: "40 to 60 percent"."""
    if not laid.said[j].figure or any(part.kind == "direction" for part in laid.said):
        return False
    used = set(laid.pairs.values())
    for low, high in ((j, j + 1), (j - 1, j)):
        if low < 0 or high >= len(laid.said) or laid.said[high].lead != "to":
            continue
        other = high if low == j else low
        if laid.said[other].figure and other in used:
            return True
    return False
