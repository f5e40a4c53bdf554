"""Finds how a claim differs from a sentence, part by part, and which differences refute it."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from footnote.ask.check.align import Alignment, align
from footnote.ask.check.clauses import clause_differences
from footnote.ask.check.context import Context
from footnote.ask.check.lexicon import (
    ABOUT,
    GENERIC,
    NEGATIVE,
    OPPOSITES,
)
from footnote.ask.check.omissions import omissions
from footnote.ask.check.parts import Part
from footnote.ask.check.places import level, place_differences
from footnote.ask.check.verdict import Difference

OWN_WORDS = 0.6  # share of a claim's words that the sentence itself must have, without its context


def differences(claim: Sequence[Part], said: Sequence[Part], context: Context) -> list[Difference]:
    """Returns all differences, those that refute first; [] if the sentence says the same."""
    laid = align(claim, said)
    found = [
        *_additions(laid, context),
        *_wrong_signs(laid),
        *omissions(laid),
        *place_differences(laid),
        *clause_differences(laid),
    ]
    own = [p for p in claim if p.kind == "word" or (p.kind == "name" and not context.implies(p))]
    own = [p for p in own if p.key != ABOUT]
    if sum(claim[i] in own for i in laid.pairs) < OWN_WORDS * len(own):
        found.append(Difference("wording", " ".join(p.text for p in own), refutes=False))
    return sorted(dict.fromkeys(found), key=lambda difference: not difference.refutes)


def _additions(laid: Alignment, context: Context) -> Iterator[Difference]:
    """Yields what the claim says and the sentence does not."""
    for i in laid.unpaired_claim:
        part = laid.claim[i]
        beside = [laid.said[j] for j in laid.beside(i)]
        match part.kind:
            case "figure":
                yield from _figure(part, laid, beside)
            case "period":
                yield from _period(part, laid, context)
            case "name":
                yield from _name(part, laid, beside, context)
            case "direction":
                other = next((p for p in laid.said if p.key in OPPOSITES[part.key]), None)
                yield Difference(
                    "direction", part.text, other.text if other else "", other is not None
                )
            case "not":
                yield Difference("negation", part.text)
            case "limit":
                yield Difference("comparison", part.text)
            case _:
                yield from _word(part, beside, context)


def _figure(part: Part, laid: Alignment, beside: Sequence[Part]) -> Iterator[Difference]:
    if part.figure and any(is_rounded(part, laid, p) for p in laid.said):
        return
    figures = [p for p in beside if p.kind == "figure"] or [
        p for p in laid.said if p.kind == "figure"
    ]
    yield Difference("figure", part.text, figures[0].text if figures else "")


def is_rounded(part: Part, laid: Alignment, other: Part) -> bool:
    """Returns whether a figure that the claim calls approximate is the other one, rounded."""
    i = laid.claim.index(part)
    if not (part.figure and other.figure) or not i or laid.claim[i - 1].key != ABOUT:
        return False
    step = Decimal(1).scaleb(int(part.figure.value.normalize().as_tuple().exponent))
    return (
        part.figure.unit == other.figure.unit
        and abs(part.figure.value - other.figure.value) <= step / 2
        and step * 10 <= abs(part.figure.value)
    )


def _period(part: Part, laid: Alignment, context: Context) -> Iterator[Difference]:
    others = [p for p in laid.said if p.kind == "period" and level(p) == level(part)]
    if others:
        yield Difference("period", part.text, others[0].text)
    elif not context.implies(part):
        yield Difference("period", part.text, refutes=False)


def _name(
    part: Part, laid: Alignment, beside: Sequence[Part], context: Context
) -> Iterator[Difference]:
    if part.key in GENERIC:
        return
    others = [p for p in beside if p.kind == "name"]
    if _is_spelt_out(part, laid):
        return
    if others and not any(_abbreviates(part, laid.said, p) for p in others):
        yield Difference("name", part.text, others[0].text)
    elif not context.implies(part) and not others:
        name = part.text.casefold().removesuffix("'s")
        yield Difference("name", part.text, refutes=name not in context.text)


def _is_spelt_out(part: Part, laid: Alignment) -> bool:
    """Returns whether a part belongs to a name whose initials stand in the sentence."""
    i = next(n for n, p in enumerate(laid.claim) if p is part)
    for first in range(max(0, i - 4), i + 1):
        for last in range(max(i, first + 1), min(i + 5, len(laid.claim))):
            run = laid.claim[first : last + 1]
            initials = "".join(p.text[0] for p in run)
            if initials.isupper() and any(p.text == initials for p in laid.said):
                return True
    return False


def _abbreviates(part: Part, said: Sequence[Part], first: Part) -> bool:
    """Returns whether a part is the initials of those from `first` on: FDA, Food and Drug …"""
    j = next(n for n, p in enumerate(said) if p is first)
    initials = "".join(p.text[0] for p in said[j : j + len(part.text)])
    return part.text.isupper() and initials.upper() == part.text


def _word(part: Part, beside: Sequence[Part], context: Context) -> Iterator[Difference]:
    contrary = next((p for p in beside if contradicts(part, p)), None)
    if contrary:
        yield Difference("direction", part.text, contrary.text)
    elif part.text.casefold() in GENERIC or part.key == ABOUT:
        return
    elif not context.excuses(part, beside):
        instead = next((p.text for p in beside if p.kind in {"word", "name"}), "")
        yield Difference("wording", part.text, instead, refutes=False)


def contradicts(one: Part, other: Part) -> bool:
    """Returns whether one says the contrary of the other, by the table or by a prefix."""
    words = (one.text.casefold(), other.text.casefold())
    keys = {one.key, words[0]}
    if keys & (OPPOSITES.get(other.key, frozenset()) | OPPOSITES.get(words[1], frozenset())):
        return True
    return any(
        a == prefix + b
        for prefix in ("un", "in", "im", "ir", "il", "dis", "non", "de", "mis")
        for a, b in (words, words[::-1], (one.key, other.key), (other.key, one.key))
        if len(b) > 3
    )


def _wrong_signs(laid: Alignment) -> Iterator[Difference]:
    """Finds figures that are below zero in one of both, while no word in the other says so."""
    for i, j in laid.pairs.items():
        mine, theirs = laid.claim[i], laid.said[j]
        if not (mine.figure and theirs.figure):
            continue
        if mine.figure.bracketed != theirs.figure.bracketed:
            yield Difference("figure", mine.text, theirs.text, refutes=False)
        if mine.figure.negative == theirs.figure.negative:
            continue
        plain = laid.said if mine.figure.negative else laid.claim
        if not any(part.key in NEGATIVE for part in plain):
            yield Difference("figure", mine.text, theirs.text)
