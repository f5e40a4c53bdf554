"""Works out what a question asks for from figures of the answer, and shows how: 12.4 - 10.1 = 2.3.

It does so only where each side of the question has one figure among the cited sentences and rows.
For a change it may also be the first cited row that has one figure for each of two years.
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
from footnote.ask.compute.formula import show_result, work_out
from footnote.model import Plan, Sentence
from footnote.text.computations import Computation, asked_computation
from footnote.text.language import STOPWORDS

type Cited = tuple[int, Unit]
"""The number of a citation, and a sentence or row that it cites."""
type Side = frozenset[str]
"""The keys of parts (`check/parts.py`) that tell one figure of a computation from the others."""

MOST_SIDES = 6  # figures of a sum or a mean
LABEL_SHARE = 0.6
"""Share of a question's words that a row's label must have. In the questions that were tried, wrong
rows have at most half of them, and right ones two thirds or more."""
_ALONG_ROW = frozenset({"difference", "change in percent"})
_RANGE = re.compile(r"\b(?:from|between|since|until|through)\b", re.IGNORECASE)
_SHARES = frozenset({"%", "pp"})  # units of shares
_ASKING = frozenset(key for words in COMPUTATION_WORDS.values() for key in words) | frozenset(
    part.key
    for part in parts_of(
        "percent percentage rate compared each year period by difference change increase decrease"
        " growth rise drop decline more less higher lower larger smaller fewer than many much times"
        " average mean ratio sum total combined"
    )
)


class Operand(NamedTuple):
    """The figure of one side: its number as it stands, in a scale, and where it is cited."""

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
        operands = _choose_operands([_operands(side, sides, subject, cited) for side in sides])
        is_twice = len(set(operands)) < len(operands)  # one figure for two sides
        if operands and (_are_years(sides) or not is_twice):
            return _sentence(name, sides, operands)
    return _along_row(name, plan.question, cited) if name in _ALONG_ROW else None


def _along_row(name: Computation, question: str, cited: Sequence[Cited]) -> Sentence | None:
    """Works out a change along the first cited row that has one figure for each of two years.

    A question that names one year means the year before as well. One that names none means the two
    years that the row has. The row must have most of the question's words. The question's names
    must stand in the row or its document.
    """
    parts = parts_of(question)
    asked_years = sorted(_years(frozenset(part.key for part in parts)))
    if len(asked_years) > 2:
        return None
    names = {part.key for part in parts if part.kind == "name"}
    words = {part.key for part in parts if part.kind == "word" and not _is_empty(part)}
    for citation, unit in cited:
        is_meant = names <= unit.keys | unit.context.keys
        is_meant &= len(words & unit.keys) >= LABEL_SHARE * len(words)
        by_year: defaultdict[int, list[FigureAt]] = defaultdict(list)
        for figure in figures_at(unit) if unit.row and is_meant else ():
            if len(figure.years) == 1 and figure.unit not in _SHARES:
                by_year[min(_years(figure.years))].append(figure)
        years = asked_years or sorted(by_year)
        if len(asked_years) == 1:
            years = [asked_years[0] - 1, asked_years[0]]
        if len(years) == 2 and all(len(by_year[year]) == 1 for year in years):
            operands = _choose_operands([[operand_of(by_year[y][0], citation)] for y in years])
            if len({operand.scale for operand in operands}) != 1:  # read as shares of another row
                return None
            return _sentence(name, [frozenset([f"year {year}"]) for year in years], operands)
    return None


def _years(keys: frozenset[str]) -> set[int]:
    return {int(key.partition(" ")[2]) for key in years_of(keys)}


def _sides(plan: Plan, name: Computation) -> list[Side]:
    """Returns the question's years, or what each sub-question has and the others lack."""
    parts = parts_of(plan.question)
    years = sorted(years_of(frozenset(part.key for part in parts)))
    if len(years) > 1:
        is_range = name in {"sum", "mean"} and _RANGE.search(plan.question)
        return [] if is_range or len(years) > MOST_SIDES else [frozenset([year]) for year in years]
    keys_by_question = _keys_by_question(plan)
    if len(keys_by_question) == 1:
        names = list(dict.fromkeys(part.key for part in parts if part.kind == "name"))
        return [frozenset([key]) for key in names] if len(names) == 2 else []
    if not 1 < len(keys_by_question) <= MOST_SIDES:
        return []
    shared = frozenset[str].intersection(*keys_by_question)
    sides = [keys - shared for keys in keys_by_question]
    return sides if all(sides) and len(set(sides)) == len(sides) else []


def _keys_by_question(plan: Plan) -> list[frozenset[str]]:
    """Returns the keys of each sub-question that is no field of the data."""
    return [_keys(sub.text) for sub in plan.sub_questions if not sub.field]


def _keys(text: str) -> frozenset[str]:
    return frozenset(
        part.key
        for part in parts_of(text)
        if part.kind in {"word", "name", "period"} and not _is_empty(part)
    )


def _is_empty(part: Part) -> bool:
    word = part.text.casefold()
    return part.key in _ASKING or word in GENERIC or word in STOPWORDS["en"]


def _subject(plan: Plan, sides: Sequence[Side]) -> tuple[frozenset[str], frozenset[str]]:
    """Returns what all sides share, as keys of words and keys of names."""
    keys_by_question = _keys_by_question(plan)
    several = len(keys_by_question) > 1
    shared = frozenset[str].intersection(*keys_by_question) if several else _keys(plan.question)
    rest = shared.difference(*sides)
    names = frozenset(part.key for part in parts_of(plan.question) if part.kind == "name")
    return rest - names, rest & names


def _operands(
    side: Side,
    sides: Sequence[Side],
    subject: tuple[frozenset[str], frozenset[str]],
    cited: Sequence[Cited],
) -> list[Operand]:
    """Returns the figures of one side: those that have its keys, and none of the other sides'.

    The document around a figure may have the names, and the year if the figure has none.
    """
    words, names = subject
    others = frozenset[str]().union(*(other for other in sides if other != side))
    operands = []
    for citation, unit in cited:
        for figure in figures_at(unit):
            own = figure.keys | figure.periods
            around = unit.context.keys - (years_of(unit.context.keys) if figure.years else set())
            if words <= own and names | side <= own | around and not others & own:
                operands.append(operand_of(figure, citation))
    first_by_value = {(o.number.scaleb(o.scale), o.unit): o for o in reversed(operands)}
    return list(first_by_value.values())


def operand_of(figure: FigureAt, citation: int) -> Operand:
    """Returns a figure as it stands, without its scale, as an operand."""
    if figure.scale:
        return Operand(figure.value, figure.scale, figure.unit, citation)
    match = FIGURE.search(figure.text)
    word = ((match["scale"] if match else "") or "").casefold().rstrip(".")
    scale = SCALES.get(word, 0)
    return Operand(figure.value.scaleb(-scale), scale, figure.unit, citation)


def _choose_operands(candidates: Sequence[Sequence[Operand]]) -> list[Operand]:
    """Returns one operand of each side if there is one choice with a common unit, else []."""
    for is_share in (False, True):
        fitting = [[o for o in side if (o.unit in _SHARES) == is_share] for side in candidates]
        chosen = [side[0] for side in fitting if len(side) == 1]
        if len(chosen) == len(fitting) and are_of_one_unit(chosen):
            return chosen
    return []


def are_of_one_unit(operands: Sequence[Operand]) -> bool:
    """Tells whether figures can be computed with each other: none has another unit, or is a share
    among amounts.
    """
    shares = {operand.unit in _SHARES for operand in operands}
    return len({operand.unit for operand in operands} - {""}) < 2 and len(shares) < 2


def _sentence(
    name: Computation, sides: Sequence[Side], operands: Sequence[Operand]
) -> Sentence | None:
    """States a computation, the later year first of a difference or a ratio."""
    if name in {"difference", "ratio"} and _are_years(sides):
        return state_computation(name, operands[::-1])
    if name == "difference":
        operands = sorted(operands, key=lambda each: each.number.scaleb(each.scale), reverse=True)
    return state_computation(name, operands)


def state_computation(name: Computation, operands: Sequence[Operand]) -> Sentence | None:
    """Returns the sentence that shows a computation; None where it would divide by zero."""
    scale = operands[0].scale
    if any(operand.scale != scale for operand in operands):
        operands = [o._replace(number=o.number.scaleb(o.scale), scale=0) for o in operands]
        scale = 0
    worked_out = work_out(name, [operand.number for operand in operands])
    if worked_out is None:
        return None
    how, result = worked_out
    unit = next((operand.unit for operand in operands if operand.unit), "")
    with_unit = show_result(name, result, unit, scale)
    return Sentence(
        text=f"Computed from these figures ({name}): {how} = {with_unit}.",
        citations=tuple(dict.fromkeys(operand.citation for operand in operands)),
        checked="confirmed",
        computed=(f"{with_unit}: {name}",),
    )


def _are_years(sides: Sequence[Side]) -> bool:
    return all(years_of(side) == side for side in sides)
