"""Finds how a claim differs from a sentence, part by part, and which differences refute it."""

from collections.abc import Iterator, Mapping, Sequence

from footnote.ask.check.align import Alignment, align
from footnote.ask.check.bounds import implied_pairs, is_rounded
from footnote.ask.check.context import Context
from footnote.ask.check.lexicon import (
    ABOUT,
    GENERIC,
    LIMITS,
    NEGATIVE,
    OPPOSITES,
)
from footnote.ask.check.omissions import omissions
from footnote.ask.check.parts import Part
from footnote.ask.check.places import level, place_differences
from footnote.ask.check.relations import relation_differences
from footnote.ask.check.verdict import Difference


def differences(claim: Sequence[Part], said: Sequence[Part], context: Context) -> list[Difference]:
    """Returns all differences, those that refute first; [] if the sentence says the same."""
    laid = align(claim, said)
    implied = implied_pairs(laid)
    laid = laid._replace(pairs={**laid.pairs, **implied})
    differing = [
        *_additions(laid, context, implied),
        *_wrong_signs(laid),
        *omissions(laid),
        *place_differences(laid),
        *relation_differences(laid, context),
    ]
    return sorted(dict.fromkeys(differing), key=lambda difference: not difference.refutes)


def _additions(
    laid: Alignment, context: Context, implied: Mapping[int, int]
) -> Iterator[Difference]:
    """Yields what the claim says and the sentence does not."""
    for i in laid.unpaired_claim:
        part = laid.claim[i]
        if part.key in LIMITS and i + 1 in implied:
            continue
        beside = [laid.said[j] for j in laid.beside(i)]
        match part.kind:
            case "figure":
                yield _figure(part, laid, beside, context)
            case "period":
                yield from _period(part, laid, context)
            case "name":
                yield from _name(part, laid, beside, context)
            case "direction":
                other = next((p for p in laid.said if p.key in OPPOSITES[part.key]), None)
                yield Difference(
                    "direction", part.written, other.written if other else "", other is not None
                )
            case "not":
                # "there weren't enough" denies no word of "a shortage", "not without" denies none
                double = sum(p.kind == "not" for p in laid.claim) > 1
                denies = i + 1 in laid.pairs and not double
                yield Difference("negation", part.written, refutes=denies)
            case "limit":
                contrary = next((p for p in beside if p.key in OPPOSITES[part.key]), None)
                instead = contrary.written if contrary else ""
                yield Difference("comparison", part.written, instead, contrary is not None)
            case _:
                yield from _word(part, beside, context)


def _figure(part: Part, laid: Alignment, beside: Sequence[Part], context: Context) -> Difference:
    """Refutes a figure in the place of another, and one that the passage has nowhere.

    A figure from the sentence next to this one, or one that is rounded, only is not proved. So is
    a small one in words, which may be counted: "three applicants: A, B and C".
    """
    left = [laid.said[j] for j in laid.unpaired_said if laid.said[j].figure]
    rounded = any(p.figure and part.figure and is_rounded(part.figure, p.figure) for p in left)
    figures = [p for p in beside if p.figure] or left or [p for p in laid.said if p.figure]
    rivals = [p for p in left if p.figure and part.figure and p.figure.unit == part.figure.unit]
    counted = not any(character.isdigit() for character in part.text)
    apart = bool(rivals) if counted else bool(left) or part.key not in context.known
    refutes = apart and not rounded
    return Difference("figure", part.written, figures[0].written if figures else "", refutes)


def _period(part: Part, laid: Alignment, context: Context) -> Iterator[Difference]:
    others = [n for n, p in enumerate(laid.said) if p.kind == "period" and level(p) == level(part)]
    if others:
        left = set(others) & set(laid.unpaired_said)
        refutes = bool(left) or part.key not in context.known
        yield Difference("period", part.written, laid.said[min(left or others)].written, refutes)
    elif not context.implies(part):
        yield Difference("period", part.written, refutes=False)


def _name(
    part: Part, laid: Alignment, beside: Sequence[Part], context: Context
) -> Iterator[Difference]:
    if part.key in GENERIC:
        return
    others = [p for p in beside if p.kind == "name"]
    if _is_spelt_out(part, laid):
        return
    if others and not any(_abbreviates(part, laid.said, p) for p in others):
        yield Difference("name", part.written, others[0].written)
    elif not context.implies(part) and not others:
        name = part.word.removesuffix("'s")
        yield Difference("name", part.written, refutes=name not in context.text)


def _is_spelt_out(part: Part, laid: Alignment) -> bool:
    """Returns whether a part belongs to a name whose initials stand in the sentence."""
    i = next(n for n, p in enumerate(laid.claim) if p is part)
    for first in range(max(0, i - 4), i + 1):
        for last in range(max(i, first + 1), min(i + 5, len(laid.claim))):
            run = laid.claim[first : last + 1]
            initials = "".join(p.text[0] for p in run)
            if initials.isupper() and any(p.written == initials for p in laid.said):
                return True
    return False


def _abbreviates(part: Part, said: Sequence[Part], first: Part) -> bool:
    """Returns whether a part is the initials of those from `first` on: FDA, Food and Drug …"""
    j = next(n for n, p in enumerate(said) if p is first)
    initials = "".join(p.text[0] for p in said[j : j + len(part.written)])
    return part.text.isupper() and initials.upper() == part.written


def _word(part: Part, beside: Sequence[Part], context: Context) -> Iterator[Difference]:
    contrary = next((p for p in beside if contradicts(part, p)), None)
    if contrary:
        yield Difference("direction", part.written, contrary.written)
    elif part.word in GENERIC or part.key == ABOUT:
        return
    elif not context.excuses(part, beside):
        instead = next((p.written for p in beside if p.kind in {"word", "name"}), "")
        yield Difference("wording", part.written, instead, refutes=False)


def contradicts(one: Part, other: Part) -> bool:
    """Returns whether one says the contrary of the other, by the table or by a prefix."""
    if one.key != other.key and all(part.key.startswith("<per ") for part in (one, other)):
        return True  # "a month" is not "a day"
    words = (one.text.casefold(), other.word)
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
            yield Difference("figure", mine.written, theirs.written, refutes=False)
        if mine.figure.negative == theirs.figure.negative:
            continue
        plain = laid.said if mine.figure.negative else laid.claim
        if not any(part.key in NEGATIVE for part in plain):
            yield Difference("figure", mine.written, theirs.written)
