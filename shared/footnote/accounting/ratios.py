"""Figures that are worked out of lines of statements: what they are called, and of which lines.

The formulas are those of general accounting. A turnover and a return divide by the mean of two
balance sheets, that of its year and that of the year before. Only English is known.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.accounting.glossary import flat
from footnote.accounting.lines import LINES, names_of

type Shown = Literal["%", "times", "days", "amount"]


class Term(NamedTuple):
    """A line that is added (1) or taken off (-1): of one year, or the mean or change of two."""

    line: str
    sign: int = 1
    is_mean: bool = False
    is_change: bool = False


class Ratio(NamedTuple):
    """A figure: the names of it, the sum that it is, and what that is divided by, if it is."""

    called: tuple[str, ...]
    over: tuple[Term, ...]
    under: tuple[Term, ...]
    shown: Shown

    @property
    def terms(self) -> tuple[Term, ...]:
        return self.over + self.under


def _ratio(called: str, formula: str, shown: Shown) -> Ratio:
    """Reads a row of the table below: names between commas, a formula with at most one "/"."""
    over, _, under = formula.partition(" / ")
    return Ratio(tuple(called.split(", ")), _terms(over), _terms(under), shown)


def _terms(told: str) -> tuple[Term, ...]:
    signed = f"+ {told}".replace(" + ", "\n+ ").replace(" - ", "\n- ").splitlines() if told else []
    made = []
    for sign, _, name in (one.partition(" ") for one in signed):
        line = name.removeprefix("mean ").removeprefix("change of ")
        how = name.startswith("mean "), name.startswith("change of ")
        made.append(Term(line, -1 if sign == "-" else 1, *how))
    return tuple(made)


RATIOS: Sequence[Ratio] = (
    _ratio("quick ratio, acid test", "current assets - inventories / current liabilities", "times"),
    _ratio("current ratio", "current assets / current liabilities", "times"),
    _ratio("working capital", "current assets - current liabilities", "amount"),
    _ratio("gross margin, gross profit margin", "gross profit / revenue", "%"),
    _ratio("gross margin, gross profit margin", "revenue - cost of sales / revenue", "%"),
    _ratio(
        "operating margin, operating profit margin, operating income margin",
        "operating income / revenue",
        "%",
    ),
    _ratio("net margin, net profit margin, net income margin", "net income / revenue", "%"),
    _ratio("ebitda margin", "operating income + depreciation and amortization / revenue", "%"),
    _ratio("ebitda", "operating income + depreciation and amortization", "amount"),
    _ratio("free cash flow, fcf", "operating cash flow - capital expenditures", "amount"),
    _ratio("operating cash flow ratio", "operating cash flow / current liabilities", "times"),
    _ratio("effective tax rate, tax rate", "income taxes / income before taxes", "%"),
    _ratio(
        "interest coverage, times interest earned", "operating income / interest expense", "times"
    ),
    _ratio("dividend payout, payout ratio", "dividends / net income", "%"),
    _ratio("debt to equity", "total liabilities / equity", "times"),
    _ratio("return on assets, roa", "net income / mean total assets", "%"),
    _ratio("return on equity", "net income / mean equity", "%"),
    _ratio("fixed asset turnover, fixed assets turnover", "revenue / mean fixed assets", "times"),
    _ratio("asset turnover", "revenue / mean total assets", "times"),
    _ratio("inventory turnover", "cost of sales / mean inventories", "times"),
    _ratio("days payable outstanding, days payable, dpo", "mean payables / cost of sales", "days"),
    _ratio(
        "days payable outstanding, days payable, dpo",
        "mean payables / cost of sales + change of inventories",
        "days",
    ),
    _ratio("days sales outstanding, dso", "mean receivables / revenue", "days"),
    _ratio("days inventory, days of inventory", "mean inventories / cost of sales", "days"),
)
"""Where a name has two rows, the first that can be worked out counts."""
SHARE = "as a share of"
_JOINED: Mapping[str, re.Pattern[str]] = {
    SHARE: re.compile(r"\bas an? (?:%|percent|percentage|share) of\b", re.IGNORECASE),
    "divided by": re.compile(r"\bdivided by\b", re.IGNORECASE),
    "minus": re.compile(r"\bminus\b", re.IGNORECASE),
    "plus": re.compile(r"\bplus\b", re.IGNORECASE),
}
"""How a question joins two lines that it names ("operating cash flow minus capex")."""
_MARGIN = re.compile(r"(?:%|\bpercent(?:age)?)\s+margin\b", re.IGNORECASE)  # "COGS % margin"
_TO = re.compile(r"\bto\b", re.IGNORECASE)  # "capex to revenue ratio", "ratio of capex to revenue"
_PERCENT = re.compile(r"%|\bpercent", re.IGNORECASE)
_CHANGE = re.compile(r"\bchanges? (?:in|of)\b", re.IGNORECASE)
_STEP = re.compile(r"\b(?:minus|plus|times|divided|multiplied|average|mean)\b|[/*\u00f7\u00d7]")
_OTHERWISE = re.compile(
    r"\b(?:adjusted|non[- ]gaap|pro forma|organic|constant currency)\b", re.IGNORECASE
)
_DEFINED = re.compile(
    r"\b(?:defined? as|calculated? (?:as|by|using)|is calculated|formula)\b"
    r"|\bi\.e\.(?=[^?]{0,80}?(?:[/*+=\u00f7\u00d7]|\b(?:minus|plus|divided)\b))",
    re.IGNORECASE,
)


def asked_ratios(question: str) -> tuple[Ratio, ...]:
    """Returns the ratios that a question names, the longest name first: several to try in order.

    There is none where it wants a figure that the company has adjusted, or
    defines it by other lines.
    """
    if _OTHERWISE.search(question):
        return ()
    asked = flat(question)
    named = [(name, one) for one in RATIOS for name in one.called if _is_named(name, asked)]
    longest = max((len(name) for name, _ in named), default=0)
    found = [one for name, one in named if len(name) == longest] or _joined(question)
    return tuple(_as_defined(one, question) for one in found if _is_meant(one, question))


def _is_named(name: str, asked: str) -> bool:
    """Tells whether a question names a ratio, and not another one that has it on a side."""
    names = [one for one in (name, f"{name}s") if f" {one} " in asked]
    return any(f" to {one} " not in asked and f" {one} to " not in asked for one in names)


def _joined(question: str) -> list[Ratio]:
    """Returns what a question asks for by two lines, as "capex as a % of revenue".

    A sum or quotient that goes on, as in "(revenue minus cost of sales) divided by", is none of it.
    """
    if (margin := _MARGIN.search(question)) and (
        line := _line_named(flat(question[: margin.start()]), last=True)
    ):
        return [_of_two(line, SHARE, "revenue")] if line != "revenue" else []
    if lines := _of_ratio(question):
        shown = SHARE if _PERCENT.search(question) else "divided by"
        return [_of_two(lines[0], shown, lines[1])]
    goes_on = len(_STEP.findall(question.casefold())) > 1
    for said, between in _JOINED.items():
        sides = [flat(side) for side in between.split(question, maxsplit=1)]
        if len(sides) < 2 or (goes_on and said != SHARE):
            continue
        first, second = (_line_named(side, last=n == 0) for n, side in enumerate(sides))
        if first and second and first != second:
            return [_of_two(first, said, second)]
    return []


def _of_ratio(question: str) -> tuple[str, str] | None:
    """Returns the lines right before and after a "to", where a question asks for a ratio."""
    if " ratio " not in flat(question):
        return None
    names = {name: line for line in LINES for name in names_of(line)}
    for found in _TO.finditer(question):
        before, after = flat(question[: found.start()]), flat(question[found.end() :])
        over = max((n for n in names if before.endswith(f" {n} ")), key=len, default="")
        under = max((n for n in names if after.startswith(f" {n} ")), key=len, default="")
        if over and under and names[over] != names[under]:
            return names[over], names[under]
    return None


def _of_two(first: str, said: str, second: str) -> Ratio:
    called = (f"{first} {said} {second}",)
    match said:
        case "minus":
            return Ratio(called, (Term(first), Term(second, -1)), (), "amount")
        case "plus":
            return Ratio(called, (Term(first), Term(second)), (), "amount")
        case "divided by":
            return Ratio(called, (Term(first),), (Term(second),), "times")
        case _:  # SHARE
            return Ratio(called, (Term(first),), (Term(second),), "%")


def _line_named(text: str, *, last: bool) -> str:
    """Returns the line that a text names last, or first; of two at one place the longer name."""
    places = [
        (at, at + len(name), line)
        for line in LINES
        for name in names_of(line)
        if (at := (text.rfind if last else text.find)(f" {name} ")) >= 0
    ]
    if not places:
        return ""
    if last:
        return max(places, key=lambda place: (place[1], -place[0]))[2]
    return min(places, key=lambda place: (place[0], -place[1]))[2]


def _is_meant(ratio: Ratio, question: str) -> bool:
    """Tells whether the question's own definition, if it has one, names no other line."""
    defined = _DEFINED.search(question)
    if any(one.is_change for one in ratio.terms) and not (
        defined and _CHANGE.search(question, defined.end())
    ):
        return False
    if not defined:
        return True
    told = flat(question[defined.end() :])
    known = {one.line for one in ratio.terms}
    own = {name for line in known for name in names_of(line)}
    for line in LINES:
        for name in names_of(line) if line not in known else ():
            is_part = any(f" {name} " in f" {other} " and f" {other} " in told for other in own)
            if f" {name} " in told and not is_part:
                return False
    return True


def _as_defined(ratio: Ratio, question: str) -> Ratio:
    """Returns the ratio without means where the question defines it without an average."""
    defined = _DEFINED.search(question)
    if not defined or "average" in question[defined.end() :].casefold():
        return ratio
    over, under = (
        tuple(one._replace(is_mean=False) for one in side) for side in (ratio.over, ratio.under)
    )
    return ratio._replace(over=over, under=under)


def before_definition(question: str) -> str:
    """Returns a question up to where it says how the figure is defined."""
    defined = _DEFINED.search(question)
    return question[: defined.start()] if defined else question
