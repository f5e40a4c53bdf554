"""Says in what a claim differs from a sentence, part by part, and what of it refutes the claim."""

from collections.abc import Iterator, Sequence
from decimal import Decimal

from footnote.ask.check.align import Alignment, align
from footnote.ask.check.context import Context
from footnote.ask.check.figures import ORDINALS
from footnote.ask.check.lexicon import (
    ABOUT,
    COMPARED,
    DENIALS,
    GENERIC,
    HEDGES,
    LACKING,
    LIMITS,
    NEGATIVE,
    OPPOSITES,
    RESTRICTIONS,
    STRINGS,
)
from footnote.ask.check.parts import Part
from footnote.ask.check.places import level, places
from footnote.ask.check.verdict import About, Difference

LEAST = 0.6  # share of a claim's words that the sentence itself must have, context aside
MOST_OF = 0.7  # of a sentence's parts: a claim that has them has its condition too
SCOPE = 4  # parts behind a negation within which stands what it negates


def differences(claim: Sequence[Part], said: Sequence[Part], context: Context) -> list[Difference]:
    """All differences, those that refute first; none: the sentence says what the claim says."""
    laid = align(claim, said)
    found = [*_of_claim(laid, context), *_of_said(laid), *_scopes(laid), *_signs(laid)]
    found += [*_conditions(laid), *_narrower(laid), *places(laid)]
    own = [p for p in claim if p.kind == "word" or (p.kind == "name" and not context.tells(p))]
    own = [p for p in own if p.key != ABOUT]
    if sum(claim[i] in own for i in laid.pairs) < LEAST * len(own):
        found.append(Difference("wording", " ".join(p.text for p in own), refutes=False))
    return sorted(dict.fromkeys(found), key=lambda difference: not difference.refutes)


def _of_claim(laid: Alignment, context: Context) -> Iterator[Difference]:
    """What the claim says and the sentence does not."""
    for i in laid.left_of_claim:
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
    if part.figure and any(rounds(part, laid, p) for p in laid.said):
        return
    figures = [p for p in beside if p.kind == "figure"] or [
        p for p in laid.said if p.kind == "figure"
    ]
    yield Difference("figure", part.text, figures[0].text if figures else "")


def rounds(part: Part, laid: Alignment, other: Part) -> bool:
    """Whether a figure that the claim calls approximate is the other one, rounded."""
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
    elif not context.tells(part):
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
    elif not context.tells(part) and not others:
        name = part.text.casefold().removesuffix("'s")
        yield Difference("name", part.text, refutes=name not in context.text)


def _is_spelt_out(part: Part, laid: Alignment) -> bool:
    """Whether a part belongs to a name whose initials stand in the sentence."""
    i = next(n for n, p in enumerate(laid.claim) if p is part)
    for first in range(max(0, i - 4), i + 1):
        for last in range(max(i, first + 1), min(i + 5, len(laid.claim))):
            run = laid.claim[first : last + 1]
            initials = "".join(p.text[0] for p in run)
            if initials.isupper() and any(p.text == initials for p in laid.said):
                return True
    return False


def _abbreviates(part: Part, said: Sequence[Part], first: Part) -> bool:
    """Whether one is made of the other's initials: FDA, Food and Drug Administration."""
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
    """Whether one says the contrary of the other, by the table or by a prefix."""
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


def _of_said(laid: Alignment) -> Iterator[Difference]:
    """What the sentence says and the claim leaves out, where that changes what is said."""
    used = set(laid.pairs.values())
    for j in laid.left_of_said:
        part = laid.said[j]
        holds = bool({j + 1, j + 2} & used)
        word = part.text.casefold()
        if part.kind == "not" and (holds or j - 1 in used):
            denies = any(_may_deny(laid.claim[i]) for i in laid.left_of_claim)
            yield Difference("negation", "", part.text, refutes=not denies)
        elif part.kind == "limit" and part.key in LIMITS and holds:
            yield Difference("comparison", "", part.text)
        elif word in HEDGES and holds:
            has_both = part.key in STRINGS and _has_most(laid, part.clause)
            has_both |= any(p.text.casefold() in HEDGES for p in laid.claim)
            yield Difference("certainty", "", part.text, refutes=not has_both)
        elif word in RESTRICTIONS and holds:
            yield Difference("scope", "", part.text)


def _scopes(laid: Alignment) -> Iterator[Difference]:
    """Negations that stand in both, but not before the same words."""
    for i, j in laid.pairs.items():
        if laid.claim[i].kind != "not":
            continue
        mine = [k for k in range(i + 1, min(i + 3, len(laid.claim))) if k in laid.pairs]
        if mine and not any(0 < laid.pairs[k] - j <= SCOPE for k in mine):
            yield Difference("negation", laid.claim[i].text, laid.said[j].text)


def _conditions(laid: Alignment) -> Iterator[Difference]:
    """An "if" or "unless" in a clause of the sentence that the claim repeats, without it."""
    used = {laid.said[j].clause for j in laid.pairs.values()}
    for j in laid.left_of_said:
        if laid.said[j].key in STRINGS and laid.said[j].clause in used:
            both = _has_most(laid, laid.said[j].clause)
            yield Difference("certainty", "", laid.said[j].text, refutes=not both)


def _has_most(laid: Alignment, clause: int) -> bool:
    """Whether the claim has most of a clause, so that it may say its condition in another way."""
    used = set(laid.pairs.values())
    parts = [j for j, p in enumerate(laid.said) if p.clause == clause and p.key not in STRINGS]
    return sum(j in used for j in parts) >= MOST_OF * len(parts)


def _may_deny(part: Part) -> bool:
    """Whether a word of the claim may say what the sentence says with a "not"."""
    word = part.text.casefold()
    return part.kind == "word" and (
        word in LACKING
        or word.startswith(("un", "in", "im", "dis", "non"))
        or word.endswith("less")
    )


def _narrower(laid: Alignment) -> Iterator[Difference]:
    """What makes the sentence say less than the claim; rules cannot tell whether it matters."""
    used = set(laid.pairs.values())
    negated = {laid.said[j].clause: j for i, j in laid.pairs.items() if laid.claim[i].kind == "not"}
    moves = any(part.kind == "direction" for part in laid.said)
    for j in laid.left_of_said:
        part, word = laid.said[j], laid.said[j].text.casefold()
        figure = any(k in used and laid.said[k].figure for k in (j - 1, j - 2) if k >= 0)
        before_figure = j + 1 in used and laid.said[j + 1].figure
        about: About | None = None
        if word in DENIALS:
            about = "certainty"
        elif part.key in {ABOUT, "<before>", "<after>"} and before_figure:
            about = "comparison"  # "about 500", "after 500 hours"
        elif word in COMPARED and figure:
            about = "comparison"  # "5 kg more"
        elif word in {"only", "nur"} and any(laid.said[k].clause == part.clause for k in used):
            about = "scope"  # "outdoors only with the cover closed"
        elif part.kind == "word" and _parts_a_figure_from_its_word(laid, j):
            about = "scope"  # "ten business days"
        elif part.kind == "word" and negated.get(part.clause, j) < j and word not in GENERIC:
            about = "scope"  # "does not cover damage by water"
        elif part.figure and not moves and _is_in_a_range(laid, j):
            about = "scope"  # "40 to 60 percent"
        if about:
            yield Difference(about, "", part.text, refutes=False)


def _parts_a_figure_from_its_word(laid: Alignment, j: int) -> bool:
    """Whether an unpaired word stands where the claim has a figure and its word side by side."""
    index = {m: i for i, m in laid.pairs.items()}
    before, after = index.get(j - 1), index.get(j + 1)
    if before is None or after is None:
        return False
    counted = laid.claim[before].figure or laid.claim[before].text.casefold() in ORDINALS
    return bool(counted) and after == before + 1


def _is_in_a_range(laid: Alignment, j: int) -> bool:
    """Whether an unpaired figure is one end of a range whose other end the claim has."""
    used = set(laid.pairs.values())
    for low, high in ((j, j + 1), (j - 1, j)):
        if low < 0 or high >= len(laid.said) or laid.said[high].lead != "to":
            continue
        other = high if low == j else low
        if laid.said[other].figure and other in used:
            return True
    return False


def _signs(laid: Alignment) -> Iterator[Difference]:
    """A figure that is below zero in one of both, and no word in the other says so."""
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
