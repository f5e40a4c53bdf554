"""Finds what a claim leaves out of its sentence: a negation, a limit, a condition, a modifier."""

from collections.abc import Iterator

from footnote.ask.check.align import Alignment
from footnote.ask.check.lexicon import (
    DENIALS,
    GENERIC,
    HEDGES,
    LIMITS,
    RESTRICTIONS,
    STRINGS,
)
from footnote.ask.check.verdict import Difference


def omissions(laid: Alignment) -> Iterator[Difference]:
    """Yields every such difference.

    They refute where the claim says nothing beside the sentence's own words. Else a word of its own
    may say what it leaves out: "solely" for "only", "lacked" for "did not have".
    """
    own = any(laid.claim[i].word not in GENERIC for i in laid.unpaired_claim)
    for rule in (_changing_words, _conditions):
        yield from (one._replace(refutes=one.refutes and not own) for one in rule(laid))
    yield from _denials(laid)


def _changing_words(laid: Alignment) -> Iterator[Difference]:
    """Finds words that the claim leaves out although they change what is said."""
    used = set(laid.pairs.values())
    for j in laid.unpaired_said:
        part = laid.said[j]
        holds = bool({j + 1, j + 2} & used)
        word = part.word
        last = j + 1 == len(laid.said) or bool(laid.said[j + 1].edge)
        if part.kind == "not" and (holds or (last and j - 1 in used)):
            yield Difference("negation", "", part.written)
        elif part.key in LIMITS and holds:
            yield Difference("comparison", "", part.written)
        elif word in HEDGES and part.kind != "name" and holds:  # the month of May is none
            hedged = any(one.word in HEDGES for one in laid.claim)
            yield Difference("certainty", "", part.written, refutes=not hedged)
        elif word in RESTRICTIONS and holds:
            yield Difference("scope", "", part.written)


def _conditions(laid: Alignment) -> Iterator[Difference]:
    """Finds an "if" or "unless" in a clause that the claim repeats without it."""
    used = {laid.said[j].clause for j in laid.pairs.values()}
    for j in laid.unpaired_said:
        if laid.said[j].key in STRINGS and laid.said[j].clause in used:
            yield Difference("certainty", "", laid.said[j].written)


def _denials(laid: Alignment) -> Iterator[Difference]:
    """Finds words that may take the sentence back, wherever they stand; rules cannot tell."""
    for j in laid.unpaired_said:
        if laid.said[j].word in DENIALS:
            yield Difference("certainty", "", laid.said[j].written, refutes=False)
