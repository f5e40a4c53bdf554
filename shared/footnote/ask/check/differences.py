"""Says in what a claim differs from a sentence, part by part, and what of it refutes the claim."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from footnote.ask.check.align import Alignment, align, around, fit
from footnote.ask.check.lexicon import (
    ABOUT,
    BECAUSE,
    GENERIC,
    HEDGES,
    LIMITS,
    NEGATIVE,
    OPPOSITES,
    RESTRICTIONS,
    STRINGS,
)
from footnote.ask.check.parts import Part, PartKind

LEAST = 0.6  # share of a claim's words that the sentence itself must have, context aside
_TELLING = frozenset({"word", "name", "direction"})
BESIDE = 3  # parts on either side of a word that stands elsewhere, one of which goes with it
SAME_CLAUSE = 0.5  # share of the words around a negation: not more, and it negates something else
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

    def excuses(self, part: Part, beside: Sequence[Part]) -> bool:
        """Whether a word follows from what stands around, and no other name has its place."""
        if any(self._is_name(other) for other in beside):
            return False
        is_capital = part.text[:1].isupper()
        return part.key in self.keys or (is_capital and part.key in self.before)

    def _is_name(self, part: Part) -> bool:
        """Whether a word with a capital is a name, although it begins the sentence."""
        known = part.key in self.keys or self.text.count(part.text.casefold()) > 1
        return part.kind == "name" or (part.text[:1].isupper() and known)


def differences(claim: Sequence[Part], said: Sequence[Part], context: Context) -> list[Difference]:
    """All differences, those that refute first; none: the sentence says what the claim says."""
    laid = align(claim, said)
    found = [*_of_claim(laid, context), *_of_said(laid), *_places(laid)]
    found += [*_scopes(laid), *_leads(laid), *_signs(laid), *_clauses(laid), *_conditions(laid)]
    found += [*_dates(laid), *_strangers(laid), *_scattered(laid), *_causes(laid), *_swapped(laid)]
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
            # "acquired by" names in the other order what "acquired" does: rules cannot tell
            turned = part.kind == "name" and "by" in {part.lead, laid.said[laid.pairs[i]].lead}
            about = ABOUT_KIND[part.kind]
            yield Difference(about, part.text, laid.said[best].text, refutes=not turned)


def _scopes(laid: Alignment) -> Iterator[Difference]:
    """Negations that stand in both, but not before the same words."""
    for i, j in laid.pairs.items():
        if laid.claim[i].kind != "not":
            continue
        mine = [k for k in range(i + 1, min(i + 3, len(laid.claim))) if k in laid.pairs]
        near = any(0 < laid.pairs[k] - j <= SCOPE for k in mine)
        if (mine and not near) or _shared(laid, i, j) <= SAME_CLAUSE:
            yield Difference("negation", laid.claim[i].text, laid.said[j].text)


def _shared(laid: Alignment, i: int, j: int) -> float:
    """The share of the words in the clause of the claim's part that its counterpart's clause has."""
    wanted = {p.key for p in laid.claim if p.clause == laid.claim[i].clause and p.kind in _TELLING}
    there = {p.key for p in laid.said if p.clause == laid.said[j].clause}
    return len(wanted & there) / len(wanted) if wanted else 1.0


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
        mine = [p for p in laid.said if p.clause == laid.said[j].clause]
        here = {"figure" if p.kind == "figure" else p.key for p in mine}
        near = around(laid.claim, i, BESIDE) & around(laid.said, j, BESIDE) & here
        if not in_order and not near:
            yield Difference("wording", part.text, refutes=False)


def _causes(laid: Alignment) -> Iterator[Difference]:
    """A cause that the sentence has as the effect: "A because B" on "B because A"."""
    for i, j in laid.pairs.items():
        if laid.claim[i].key != BECAUSE or not i or not j:
            continue
        if any((k < i) != (laid.pairs[k] < j) for k in laid.pairs if k != i):
            yield Difference("wording", laid.claim[i].text)


def lists_turned(claim: Sequence[Part], said: Sequence[Part]) -> bool:
    """Whether of two lists in order ("5 and 3 in 2024 and 2023, respectively") one is turned."""
    return _rises(claim, said, "figure") != _rises(claim, said, "period")


def _rises(claim: Sequence[Part], said: Sequence[Part], kind: PartKind) -> bool:
    """Whether the parts of a kind that occur once in both stand in the same order."""
    keys = [part.key for part in said if part.kind == kind]
    mine = [part.key for part in claim if part.kind == kind]
    once = [key for key in mine if keys.count(key) == mine.count(key) == 1]
    return once == sorted(once, key=keys.index)


def _clauses(laid: Alignment) -> Iterator[Difference]:
    """Figures and periods of a clause about something else: "A had 40 and B had 55" on B's 40.

    That is so where their clause has a word that the claim lacks, and the claim has words that
    stand only in a clause with a rival of theirs.
    """
    claimed = {part.key for part in laid.claim}
    for i, j in laid.pairs.items():
        part, here = laid.claim[i], laid.said[j].clause
        rivals = [p for p in laid.said if _rival(part, p) and p.clause != here]
        if part.kind not in {"figure", "period"} or not rivals:
            continue
        mine = [p for p in laid.said if p.clause == here]
        before = [p for p in laid.said[:j] if p.clause == here]
        strange = any(p.kind in {"word", "name"} and p.key not in claimed for p in before)
        known = {p.key for p in mine}
        for rival in rivals:
            there = {p.key for p in laid.said if p.clause == rival.clause and p.kind in _TELLING}
            if strange and (there & claimed) - known:
                yield Difference(ABOUT_KIND[part.kind], part.text, rival.text)
                break


def _conditions(laid: Alignment) -> Iterator[Difference]:
    """An "if" or "unless" in a clause of the sentence that the claim repeats, without it."""
    used = {laid.said[j].clause for j in laid.pairs.values()}
    for j in laid.left_of_said:
        if laid.said[j].key in STRINGS and laid.said[j].clause in used:
            yield Difference("certainty", "", laid.said[j].text)


def _swapped(laid: Alignment) -> Iterator[Difference]:
    """A figure and a year that stand in each other's place: "in 10 … from 2006 to 100"."""
    bare = {i: j for i, j in laid.pairs.items() if _is_bare(laid.claim[i])}
    for i, j in bare.items():
        for k, m in bare.items():
            if laid.claim[i].kind == "figure" and laid.claim[k].kind == "period":
                here = fit(laid.claim, i, laid.said, j) + fit(laid.claim, k, laid.said, m)
                turned = fit(laid.claim, i, laid.said, m) + fit(laid.claim, k, laid.said, j)
                if turned > here + MARGIN["figure"]:
                    yield Difference("figure", laid.claim[i].text, laid.claim[k].text)


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
        if not (mine.figure and theirs.figure):
            continue
        if mine.figure.bracketed != theirs.figure.bracketed:
            yield Difference("figure", mine.text, theirs.text, refutes=False)
        if mine.figure.negative == theirs.figure.negative:
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


def _is_bare(part: Part) -> bool:
    """Whether a figure has no unit, or a period is a year alone."""
    if part.figure:
        return not (part.figure.unit or part.figure.scaled)
    return part.kind == "period" and len(part.date) == 1 and level(part) == "year"


def level(period: Part) -> str:
    """What a period is a part of: two of one level exclude each other."""
    name = period.key.split()[0]
    return "stretch" if name in {"quarter", "half", "span"} else name
