"""Recognises questions whose answer is worked out from figures: a change, a sum, an extreme.

The rules are for English.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

type Computation = Literal["change in percent", "difference", "sum", "ratio", "mean"]
type Wanted = Literal["largest", "smallest"]

_CHANGES = (
    r"(?:chang|increas|decreas|gr[eo]w|growth|r[io]se|ris|f[ae]ll|drop|declin|shr[aiu]nk|narrow|wid"
    r"en|improv|worsen|up|down)\w*"
)
_ASKED: Mapping[Computation, re.Pattern[str]] = {
    "change in percent": re.compile(
        rf"(?:\bpercent(?:age)?\b|%).{{0,80}}\b{_CHANGES}|\b{_CHANGES}.{{0,80}}(?:\bpercent|%)"
        r"|\bgrowth rate\b",
        re.IGNORECASE | re.DOTALL,
    ),
    "difference": re.compile(
        r"\bdifferences?\b|\bby how (?:much|many)\b"
        r"|\bhow much (?:more|less|higher|lower|larger|smaller|bigger|better|worse)\b"
        rf"|\bhow much (?:did|has|have) .{{1,80}}\b{_CHANGES}"
        r"|\bhow (?:did|has|have) .{1,80}\bchang\w*"
        r"|\bthe (?:change|increase|decrease|rise|drop|decline) in\b",
        re.IGNORECASE | re.DOTALL,
    ),
    "sum": re.compile(
        r"\b(?:sum|total) (?:of|for|over|in)\b|\b(?:combined|together|altogether|in total)\b",
        re.IGNORECASE,
    ),
    "mean": re.compile(r"\b(?:average|mean)\b", re.IGNORECASE),
    "ratio": re.compile(r"\bratio (?:of|between)\b|\bhow many times\b", re.IGNORECASE),
}
_LARGEST = "largest|biggest|highest|greatest|most|maximum"
_SMALLEST = "smallest|lowest|least|fewest|minimum"
_ENDS = (
    r"in|during|for|among|amongst|at|on|by|between|from|and|or|as|with|under|per|within|across|over"
    r"|to|than|compared|is|was|are|were|has|had|did|does|that|which|who|according"
    r"|of (?:the|its|their|all|any|these|those|our)"
)
_WHICH = r"\b(?:which|what) (?!(?:is|was|are|were|did|does|do|has|had)\b)(?P<head>[^?.;]{1,80}?)"
_BEFORE = re.compile(
    rf"{_WHICH}\b(?<!at )(?P<wanted>{_LARGEST}|{_SMALLEST})\s+(?P<measure>[a-z][^?.;,]*)",
    re.IGNORECASE,
)
_OWNED = re.compile(  # "which depot's sales were the highest"
    rf"{_WHICH}['\u2019]s? (?P<measure>[a-z][^?.;,]{{1,60}}?) (?:is|was|are|were)(?: the)?"
    rf" (?P<wanted>{_LARGEST}|{_SMALLEST})\b",
    re.IGNORECASE,
)
_LAST = re.compile(  # "in which quarter was the rent lowest"
    rf"{_WHICH} (?:is|was|are|were) (?P<measure>[a-z][^?.;,]{{1,60}}?)(?: the)?"
    rf" (?P<wanted>{_LARGEST}|{_SMALLEST})\b",
    re.IGNORECASE,
)
_END = re.compile(rf"\b(?:{_ENDS}|(?:19|20)\d\d)\b|[,(]", re.IGNORECASE)
_WHOSE = re.compile(r"['\u2019]s? ")
_PERIODS = {"quarter", "year", "month", "half", "week", "day", "period"}
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)


def asked_computation(question: str) -> Computation | None:
    """Returns the computation that a question asks for, or None."""
    return next((name for name, rule in _ASKED.items() if rule.search(question)), None)


class Extreme(NamedTuple):
    """A question for the item with the largest or smallest `measure`.

    `period` is "quarter", "year", … where the item is a period, else "".
    """

    wanted: Wanted
    measure: str
    period: str = ""


def asked_extreme(question: str) -> Extreme | None:
    """Returns the extreme that a question asks for, or None."""
    for form in (_BEFORE, _OWNED, _LAST):
        if (match := form.search(question)) and (measure := _measure(match["measure"])):
            heads = [word.casefold().removesuffix("s") for word in _WORD.findall(match["head"])[:2]]
            period = next((head for head in heads if head in _PERIODS), "")
            is_most = re.match(_LARGEST, match["wanted"], re.IGNORECASE)
            return Extreme("largest" if is_most else "smallest", measure, period)
    return None


def _measure(text: str) -> str:
    """Returns the measure without its owner: the table need not name that."""
    end = _END.search(text)
    return _WHOSE.split(text[: end.start()] if end else text)[-1].strip()
