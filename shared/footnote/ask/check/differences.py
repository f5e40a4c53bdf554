"""Says in what a claim differs from a sentence, part by part, and what of it refutes the claim."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.ask.check.align import Alignment, align, fit
from footnote.ask.check.lexicon import (
    ABOUT,
    GENERIC,
    HEDGES,
    LIMITS,
    NEGATIVE,
    OPPOSITES,
    RESTRICTIONS,
)
from footnote.ask.check.parts import Part, PartKind

LEAST = 0.6  # share of a claim's words that the sentence itself must have, context aside
SCOPE = 4  # parts behind a negation within which stands what it negates
MARGIN = {"figure": 0.25, "period": 0.25, "name": 0.5, "direction": 0.5}
"""By how much another must fit a part's place better before it is said to belong there."""

type About = Literal[
    "figure",
    "period",
    "name",
    "direction",
    "negation",
    "comparison",
    "certainty",
    "scope",
    "wording",
]

ABOUT_KIND: Mapping[PartKind, About] = {
    "figure": "figure",
    "period": "period",
    "name": "name",
    "direction": "direction",
    "not": "negation",
    "limit": "comparison",
    "word": "wording",
}


class Difference(NamedTuple):
    """`refutes`: the claim is wrong, whatever a reader may think; else it is only not shown.

    `part` is the claim's own words, `instead` those of the sentence; either may be empty.
    """

    about: About
    part: str
    instead: str = ""
    refutes: bool = True


class Context(NamedTuple):
    """What may stand for what a sentence leaves unsaid.

    `keys`: of the document's name and title and of the section's; `before`: names and periods of
    the sentence before. `text`: all of it with the passage, in lower case.
    """

    keys: frozenset[str] = frozenset()
    before: frozenset[str] = frozenset()
    text: str = ""

    def tells(self, part: Part) -> bool:
        """Whether a name or a period follows from what stands around."""
        return part.key in self.keys or part.key in self.before


def differences(claim: Sequence[Part], said: Sequence[Part], context: Context) -> list[Difference]:
    """All differences, those that refute first; none: the sentence says what the claim says."""
    laid = align(claim, said)
    found = [*_of_claim(laid, context), *_of_said(laid), *_places(laid)]
    found += [*_scopes(laid), *_leads(laid), *_signs(laid)]
    own = [p for p in claim if p.kind == "word" or (p.kind == "name" and not context.tells(p))]
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
    figures = [p for p in beside if p.kind == "figure"] or [
        p for p in laid.said if p.kind == "figure"
    ]
    yield Difference("figure", part.text, figures[0].text if figures else "")


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
    if others and not any(_abbreviates(part, laid.said, p) for p in others):
        yield Difference("name", part.text, others[0].text)
    elif not context.tells(part) and not others:
        yield Difference("name", part.text, refutes=part.text.casefold() not in context.text)


def _abbreviates(part: Part, said: Sequence[Part], first: Part) -> bool:
    """Whether one is made of the other's initials: FDA, Food and Drug Administration."""
    j = next(n for n, p in enumerate(said) if p is first)
    initials = "".join(p.text[0] for p in said[j : j + len(part.text)])
    return part.text.isupper() and initials.upper() == part.text


def _word(part: Part, beside: Sequence[Part], context: Context) -> Iterator[Difference]:
    contrary = next((p for p in beside if contradicts(part, p)), None)
    if contrary:
        yield Difference("direction", part.text, contrary.text)
    elif part.text[:1].isupper() and part.key in context.before:
        return
    elif part.key not in context.keys and part.text.casefold() not in GENERIC and part.key != ABOUT:
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
        follows = next((k for k in range(j + 1, len(laid.said))), None)
        holds = follows in used
        word = part.text.casefold()
        if part.kind == "not" and (holds or j - 1 in used):
            yield Difference("negation", "", part.text)
        elif part.kind == "limit" and part.key in LIMITS and holds:
            yield Difference("comparison", "", part.text)
        elif word in HEDGES and holds:
            yield Difference("certainty", "", part.text)
        elif word in RESTRICTIONS and holds:
            yield Difference("scope", "", part.text)


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
        if fit(laid.claim, i, laid.said, best) > own + MARGIN[part.kind]:
            yield Difference(ABOUT_KIND[part.kind], part.text, laid.said[best].text)


def _scopes(laid: Alignment) -> Iterator[Difference]:
    """Negations that stand in both, but not before the same words."""
    for i, j in laid.pairs.items():
        if laid.claim[i].kind != "not":
            continue
        mine = [k for k in range(i + 1, min(i + 3, len(laid.claim))) if k in laid.pairs]
        if mine and not any(0 < laid.pairs[k] - j <= SCOPE for k in mine):
            yield Difference("negation", laid.claim[i].text, laid.said[j].text)


def _leads(laid: Alignment) -> Iterator[Difference]:
    """A rise "to" a figure that the sentence calls a rise "by" it, or "from" it."""
    for i, j in laid.pairs.items():
        mine, theirs = laid.claim[i], laid.said[j]
        moved = all(
            n and parts[n - 1].kind == "direction" for parts, n in ((laid.claim, i), (laid.said, j))
        )
        leads = {mine.lead or "by", theirs.lead or "by"} if moved else {mine.lead, theirs.lead}
        if mine.figure and len(leads - {""}) > 1:
            yield Difference("figure", f"{mine.lead} {mine.text}", f"{theirs.lead} {theirs.text}")


def _signs(laid: Alignment) -> Iterator[Difference]:
    """A figure that is below zero in one of both, and no word in the other says so."""
    for i, j in laid.pairs.items():
        mine, theirs = laid.claim[i], laid.said[j]
        if not (mine.figure and theirs.figure) or mine.figure.negative == theirs.figure.negative:
            continue
        plain = laid.said if mine.figure.negative else laid.claim
        if not any(part.key in NEGATIVE for part in plain):
            yield Difference("figure", mine.text, theirs.text)


def _rival(part: Part, other: Part) -> bool:
    """Whether the other could stand in the part's place, with another value."""
    if part.kind != other.kind or part.key == other.key:
        return False
    if part.figure and other.figure:
        return part.figure.unit == other.figure.unit
    if part.kind in {"name", "direction"}:
        return True
    return level(part) == level(other)


def level(period: Part) -> str:
    """What a period is a part of: two of one level exclude each other."""
    name = period.key.split()[0]
    return "stretch" if name in {"quarter", "half", "span"} else name
