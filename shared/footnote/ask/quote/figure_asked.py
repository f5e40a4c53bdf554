"""Tells what kind of figure a question asks for: a count, a price, a measure, a time of the day.

The rules are for English, and know no kind in other languages. `figure_stated.py` tells which lines
state a figure of a kind.
"""

import re
from collections.abc import Mapping
from typing import Literal

from footnote.text.computations import asked_computation, asked_extreme

type FigureKind = Literal["share", "count", "price", "amount", "measure", "time", "version", ""]

UNITS = (
    r"(?:milli|micro|nano)?seconds?|minutes?|hours?|days?|bits?|bytes?|[kmg]i?b"
    r"|(?:kilo|mega|giga)bytes?|characters?|(?:hex |decimal )?digits?"
    r"|(?:kilo|centi|milli)?met(?:er|re)s?|km|miles?|feet|inches|kilograms?|kg|tons?|tonnes?"
    r"|degrees?|watts?"
)
_MEASURES = (
    r"(?:(?:default|maximum|minimum|longest|largest|smallest) )?(?:interval|delay|time-?out|size"
    r"|length|duration|limit|maximum|minimum|threshold|port|width|height|depth|weight|speed"
    r"|distance|capacity|lifetime|alignment)"
)
_PRICE = r"(?:prices?|costs?|rents?|pay|wages?|salary|salaries|tuition)"
# "What does … cost?", but not "How much did costs rise?", whose answer may be any figure
_COSTS = r"(?:cost|pay|paid|owe|earn)"
_RISE = r"(?! (?:increase|rise|change|growth|share|ratio|cap|cut|reduction|gap)s?\b)"
# A question without a verb, such as "price of the float switch"
_NO_VERB = (
    r"^(?!.*\b(?:who|why|when|where|how|what|which|is|are|was|were|do|does|did|can|may|will|has"
    r"|have)\b)(?:[\w'\u2019-]+ ){0,3}"
)
_ASKS: Mapping[FigureKind, re.Pattern[str]] = {
    "share": re.compile(
        r"\bpercent(?:age)?\b|\bper cent\b|\bwhat %"
        r"|\b(?:what|which) (?:share|proportion|fraction|portion)\b",
        re.IGNORECASE,
    ),
    "count": re.compile(r"\bhow many\b|\b(?<!phone )number of\b", re.IGNORECASE),
    "price": re.compile(
        rf"\b(?:what|which) (?:(?:is|was|are|were) (?:[\w'\u2019.&-]+ ){{0,8}})?{_PRICE}\b{_RISE}"
        rf"|\b(?:what|how much(?: [\w-]+){{0,3}}) (?:do|does|did|will|would|must) [^?]{{1,80}}?"
        rf" {_COSTS}\b{_RISE}"
        rf"|{_NO_VERB}(?!pay\b){_PRICE}\b{_RISE}",
        re.IGNORECASE,
    ),
    "amount": re.compile(
        r"\bhow much\b"
        r"|\b(?:what|which) (?:(?:is|was|are|were) (?:[\w'\u2019.&-]+ ){0,8})?"
        rf"(?:amounts?|{_PRICE}|fees?|expenses?|revenues?|sales|income|profits?|earnings|dividends?"
        r"|debt|cash|assets|margins?|rates?|ratios?|totals?)\b",
        re.IGNORECASE,
    ),
    "measure": re.compile(
        rf"\bin (?:{UNITS})\b|\bhow (?:long|big|large|tall|high|wide|deep|heavy|fast|loud|thick)\b"
        rf"|\b(?:what|which) (?:(?:is|was|are|were) (?:[\w'\u2019.&-]+ ){{0,6}})?(?:{_MEASURES})\b"
        rf"|\b(?:default|max|min|maximum|minimum) (?:[\w.]+ ){{0,3}}(?:{_MEASURES})\b"
        r"|\b(?:tele)?phone (?:number|extension)\b",
        re.IGNORECASE,
    ),
    "time": re.compile(
        r"\b(?:opening|visiting|office|business) (?:hours|times)\b|\bwhat time\b", re.IGNORECASE
    ),
    "version": re.compile(
        r"\b(?:what|which) (?:[\w.-]+ ){0,3}(?:versions?|releases?|edition|year|date)\b"
        r"|\bsince when\b",
        re.IGNORECASE,
    ),
}


def asked_figure(question: str) -> FigureKind:
    """Returns the kind of figure that a question asks for, or "" for none and where it is unclear.

    It is "" for what code works out (a change in percent, the largest of a column), as no line
    needs to state that.
    """
    if asked_computation(question) or asked_extreme(question):
        return ""
    return next((kind for kind, asks in _ASKS.items() if asks.search(question)), "")
