"""Works out what a question asks for from figures of the answer, and shows how: 12.4 - 10.1 = 2.3.

It does so only where each side of the question has one figure among the cited sentences and rows,
or, for a change, where the first cited row that has figures of two years has one of each.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.arithmetic import COMPUTATION_WORDS
from footnote.ask.check.figures import FIGURE, SCALES
from footnote.ask.check.lexicon import GENERIC
from footnote.ask.check.parts import Part, parts_of
from footnote.ask.check.readings import FigureAt, figures_at, years_of
from footnote.ask.check.segments import Unit
from footnote.ask.compute.numerals import round_to, show_number, unit_in_words
from footnote.model import Plan, Sentence
from footnote.text.computations import Computation, asked_computation
from footnote.text.language import STOPWORDS

type Cited = tuple[int, Unit]
"""The number of a citation, and a sentence or row that it cites."""

MOST_SIDES = 6  # figures of a sum or a mean
MOSTLY = 0.6
"""Share of a question's words that a row's label must have. On the questions that were tried, wrong
rows have at most half of them, and right ones two thirds or more."""
ROUGH = 1  # decimals of a share
_ALONG_ROW = frozenset({"difference", "change in percent"})
_RANGE = re.compile(r"\b(?:from|between|since|until|through)\b", re.IGNORECASE)
_SAYS = frozenset(key for words in COMPUTATION_WORDS.values() for key in words) | frozenset(
    part.key
    for part in parts_of(
        "percent percentage rate compared each year period by difference change increase decrease"
        " growth rise drop decline more less higher lower larger smaller fewer than many much times"
        " average mean ratio sum total combined"
    )
)


class Operand(NamedTuple):
    """A figure of one side: its number as it stands, in a scale, and where it is cited."""

    number: Decimal
    scale: int
    unit: str
    citation: int


def calculate(plan: Plan, cited: Sequence[Cited]) -> Sentence | None:
    """Returns a sentence with the result and how it follows, or None where nothing is clear."""
    name = asked_computation(plan.question)
    if name is None:
        return None
    sides = _sides(plan, name)
    if len(sides) >= 2 and (name in {"sum", "mean"} or len(sides) == 2):
        subject = _subject(plan, sides)
        found = [_operands(side, sides, subject, cited) for side in sides]
        chosen = _alike(found)
        if chosen and (_are_years(sides) or len(set(chosen)) == len(chosen)):  # no figure is twice
            return _sentence(name, sides, chosen)
    return _along_row(name, plan.question, cited) if name in _ALONG_ROW else None


def _along_row(name: Computation, question: str, cited: Sequence[Cited]) -> Sentence | None:
    """Works out a change along the first cited row that has one figure for each of two years.

    A question that names one year means the year before as well; one that names none means the two
    that the row has. The row must say most of what the question does, and names that the question
    calls must be the row's or its document's.
    """
    parts = parts_of(question)
    asked = sorted(_years(frozenset(part.key for part in parts)))
    names = {part.key for part in parts if part.kind == "name"}
    words = {part.key for part in parts if part.kind == "word" and not _is_empty(part)}
    for n, unit in cited if len(asked) <= 2 else ():
        is_meant = names <= unit.keys | unit.context.keys
        is_meant &= len(words & unit.keys) >= MOSTLY * len(words)
        by_year: defaultdict[int, list[FigureAt]] = defaultdict(list)
        for one in figures_at(unit) if unit.row and is_meant else ():
            if len(one.years) == 1 and one.unit not in {"%", "pp"}:
                by_year[min(_years(one.years))].append(one)
        years = [asked[0] - 1, asked[0]] if len(asked) == 1 else asked or sorted(by_year)
        if len(years) == 2 and all(len(by_year[year]) == 1 for year in years):
            chosen = _alike([[_operand(by_year[year][0], n)] for year in years])
            if len({one.scale for one in chosen}) != 1:  # it was read as shares of another row
                return None
            return _sentence(name, [frozenset([f"year {year}"]) for year in years], chosen)
    return None


def _years(keys: frozenset[str]) -> set[int]:
    return {int(key.partition(" ")[2]) for key in years_of(keys)}


def _sides(plan: Plan, name: Computation) -> list[frozenset[str]]:
    """Returns what tells the figures apart: years, or what one sub-question has and others lack."""
    parts = parts_of(plan.question)
    years = sorted(years_of(frozenset(part.key for part in parts)))
    if len(years) > 1:
        is_range = name in {"sum", "mean"} and _RANGE.search(plan.question)
        return [] if is_range or len(years) > MOST_SIDES else [frozenset([year]) for year in years]
    asked = [frozenset(_keys(q.text)) for q in plan.sub_questions if not q.field]
    if len(asked) == 1:
        names = list(dict.fromkeys(part.key for part in parts if part.kind == "name"))
        return [frozenset([one]) for one in names] if len(names) == 2 else []
    if not 1 < len(asked) <= MOST_SIDES:
        return []
    shared = frozenset[str].intersection(*asked)
    sides = [keys - shared for keys in asked]
    return sides if all(sides) and len(set(sides)) == len(sides) else []


def _keys(text: str) -> set[str]:
    parts = parts_of(text)
    return {
        part.key
        for part in parts
        if (part.kind in {"word", "name", "period"}) and not _is_empty(part)
    }


def _is_empty(part: Part) -> bool:
    word = part.text.casefold()
    return part.key in _SAYS or word in GENERIC or word in STOPWORDS["en"]


def _subject(plan: Plan, sides: Sequence[frozenset[str]]) -> tuple[frozenset[str], frozenset[str]]:
    """Returns what all the figures are of, in words of the questions: its words, and its names."""
    asked = [frozenset(_keys(q.text)) for q in plan.sub_questions if not q.field]
    shared = frozenset[str].intersection(*asked) if len(asked) > 1 else _keys(plan.question)
    rest = frozenset(shared).difference(*sides)
    names = frozenset(part.key for part in parts_of(plan.question) if part.kind == "name")
    return rest - names, rest & names


def _operands(
    side: frozenset[str],
    sides: Sequence[frozenset[str]],
    subject: tuple[frozenset[str], frozenset[str]],
    cited: Sequence[Cited],
) -> list[Operand]:
    """Returns the figures of one side: those that say what it says and nothing of the others.

    Names, and the year of a figure that has none, may be those of the document around it.
    """
    words, names = subject
    others = frozenset[str]().union(*(one for one in sides if one != side))
    found = []
    for n, unit in cited:
        for one in figures_at(unit):
            about = one.keys | one.periods
            around = unit.context.keys - (years_of(unit.context.keys) if one.years else set())
            fits = words <= about and names | side <= about | around
            if fits and not others & about:
                found.append(_operand(one, n))
    return list({(one.number.scaleb(one.scale), one.unit): one for one in reversed(found)}.values())


def _operand(figure: FigureAt, citation: int) -> Operand:
    if figure.scale:
        return Operand(figure.value, figure.scale, figure.unit, citation)
    read = FIGURE.search(figure.text)
    word = ((read["scale"] if read else "") or "").casefold().rstrip(".")
    scale = SCALES.get(word, 0)
    return Operand(figure.value.scaleb(-scale), scale, figure.unit, citation)


def _alike(found: Sequence[Sequence[Operand]]) -> list[Operand]:
    """Returns one operand of each side, if there is one choice of the same unit; else []."""
    for is_share in (False, True):
        fitting = [[one for one in side if (one.unit in {"%", "pp"}) == is_share] for side in found]
        units = {one.unit for side in fitting for one in side} - {""}
        if all(len(side) == 1 for side in fitting) and len(units) < 2:
            return [side[0] for side in fitting]
    return []


def _sentence(
    name: Computation, sides: Sequence[frozenset[str]], operands: Sequence[Operand]
) -> Sentence | None:
    scale = operands[0].scale
    if any(one.scale != scale for one in operands):
        operands = [one._replace(number=one.number.scaleb(one.scale), scale=0) for one in operands]
        scale = 0
    numbers = [one.number for one in operands]
    if name in {"difference", "ratio"} and not _are_years(sides):
        numbers = sorted(numbers, reverse=True) if name == "difference" else numbers
    elif name in {"difference", "ratio"}:
        numbers = numbers[::-1]  # the later year first
    worked = _apply(name, numbers)
    if worked is None:
        return None
    how, result = worked
    unit = next((one.unit for one in operands if one.unit), "")
    shown = f"{show_number(result)}{_unit(name, unit, scale)}"
    citations = tuple(dict.fromkeys(one.citation for one in operands))
    return Sentence(
        text=f"Computed from these figures ({name}): {how} = {shown}.",
        citations=citations,
        checked="confirmed",
        computed=(f"{shown}: {name}",),
    )


def _apply(name: Computation, numbers: Sequence[Decimal]) -> tuple[str, Decimal] | None:
    """Returns how the result follows, and the result; None where it would divide by zero.

    Of a difference the later number comes first, of a change in percent the earlier one.
    """
    places = max(_places(number) for number in numbers)
    first, second = numbers[0], numbers[-1]
    told = [show_number(number) for number in numbers]
    bracketed = [f"({one})" if one.startswith("\u2212") else one for one in told]
    match name:
        case "difference":
            return f"{told[0]} \u2212 {bracketed[1]}", round_to(first - second, places)
        case "change in percent":
            if not first:
                return None
            share = round_to((second - first) / abs(first) * 100, ROUGH)
            return (
                f"({told[1]} \u2212 {bracketed[0]}) \u00f7 {show_number(abs(first))} \u00d7 100",
                share,
            )
        case "sum":
            return " + ".join([told[0], *bracketed[1:]]), round_to(sum(numbers, Decimal(0)), places)
        case "mean":
            total = sum(numbers, Decimal(0)) / len(numbers)
            added = " + ".join([told[0], *bracketed[1:]])
            return f"({added}) \u00f7 {len(numbers)}", round_to(total, places + 1)
        case "ratio":
            return (
                (f"{told[0]} \u00f7 {bracketed[1]}", round_to(first / second, 2))
                if second
                else None
            )


def _are_years(sides: Sequence[frozenset[str]]) -> bool:
    return all(years_of(side) == side for side in sides)


def _places(number: Decimal) -> int:
    exponent = number.as_tuple().exponent
    return max(0, -exponent) if isinstance(exponent, int) else 0


def _unit(name: Computation, unit: str, scale: int) -> str:
    if name == "change in percent":
        return " %"
    if name == "ratio":
        return ""
    if unit in {"%", "pp"}:
        return " percentage points" if name == "difference" or unit == "pp" else " %"
    return unit_in_words(unit, scale)
