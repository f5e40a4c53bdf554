"""Finds what a claim leaves out of its sentence: a negation, a limit, a condition, a modifier."""

from collections.abc import Iterator

from footnote.ask.check.align import Alignment
from footnote.ask.check.lexicon import (
    DENIALS,
    HEDGES,
    LACKING,
    LIMITS,
    RESTRICTIONS,
    STRINGS,
)
from footnote.ask.check.parts import Part
from footnote.ask.check.verdict import Difference

MOST_OF = 0.7  # of a clause's parts: a claim that has them has its condition too


def omissions(laid: Alignment) -> Iterator[Difference]:
    """Yields every such difference, those that refute and those that only may."""
    for rule in (_changing_words, _conditions, _denials):
        yield from rule(laid)


def _changing_words(laid: Alignment) -> Iterator[Difference]:
    """Finds words that the claim leaves out although they change what is said."""
    used = set(laid.pairs.values())
    for j in laid.unpaired_said:
        part = laid.said[j]
        holds = bool({j + 1, j + 2} & used)
        word = part.word
        last = j + 1 == len(laid.said) or bool(laid.said[j + 1].edge)
        if part.kind == "not" and (holds or (last and j - 1 in used)):
            denies = any(_may_deny(laid.claim[i]) for i in laid.unpaired_claim)
            yield Difference("negation", "", part.written, refutes=not denies)
        elif part.key in LIMITS and holds:
            yield Difference("comparison", "", part.written, refutes=not _may_bound(laid, j))
        elif word in HEDGES and part.kind != "name" and holds:  # the month of May is none
            has_both = part.key in STRINGS and _has_most(laid, part.clause)
            has_both |= any(p.word in HEDGES for p in laid.claim)
            yield Difference("certainty", "", part.written, refutes=not has_both)
        elif word in RESTRICTIONS and holds:
            # "only 40" is 40, but "only members" are not all
            comments = word in {"only", "nur"} and laid.said[j + 1].figure is not None
            yield Difference("scope", "", part.written, refutes=not comments)


def _may_bound(laid: Alignment, j: int) -> bool:
    """Returns whether the claim may say a limit in another way: "capped at 9"."""
    figures = [i for i, m in laid.pairs.items() if m in {j + 1, j + 2} and laid.claim[i].figure]
    return any(i and i - 1 not in laid.pairs for i in figures)


def _conditions(laid: Alignment) -> Iterator[Difference]:
    """Finds an "if" or "unless" in a clause that the claim repeats without it."""
    used = {laid.said[j].clause for j in laid.pairs.values()}
    for j in laid.unpaired_said:
        if laid.said[j].key in STRINGS and laid.said[j].clause in used:
            both = _has_most(laid, laid.said[j].clause)
            yield Difference("certainty", "", laid.said[j].written, refutes=not both)


def _has_most(laid: Alignment, clause: int) -> bool:
    """Returns whether the claim has most of a clause: it may say its condition in another way."""
    used = set(laid.pairs.values())
    parts = [j for j, p in enumerate(laid.said) if p.clause == clause and p.key not in STRINGS]
    return sum(j in used for j in parts) >= MOST_OF * len(parts)


def _may_deny(part: Part) -> bool:
    """Returns whether a word of the claim may say what the sentence says with a "not"."""
    word = part.word
    return part.kind == "word" and (
        word in LACKING
        or (word.startswith(("un", "dis", "non")) and len(word) > 5)  # not "unit"
        or word.endswith("less")
    )


def _denials(laid: Alignment) -> Iterator[Difference]:
    """Finds words that may take the sentence back, wherever they stand; rules cannot tell."""
    for j in laid.unpaired_said:
        if laid.said[j].word in DENIALS:
            yield Difference("certainty", "", laid.said[j].written, refutes=False)
