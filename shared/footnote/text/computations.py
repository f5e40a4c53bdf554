"""Recognises questions that need a computation over several figures: a change, a sum, a mean."""

import re
from collections.abc import Mapping
from typing import Literal

type Computation = Literal["change in percent", "difference", "sum", "ratio", "mean"]

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


def asked_computation(question: str) -> Computation | None:
    """Returns the computation that a question asks for, or None."""
    return next((name for name, rule in _ASKED.items() if rule.search(question)), None)
