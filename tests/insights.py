"""Runs the filter of a query for CloudWatch Logs Insights over lines of a log.

It knows the forms that docs/operations.md uses, and refuses any other.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

type Line = Mapping[str, Any]

COMPARED = re.compile(r'(@?\w+) (=|!=) "([^"]*)"')
PRESENT = re.compile(r"ispresent\((\w+)\)")


def lines_of(text: str) -> Iterator[Line]:
    """Yields the lines of a log that are JSON objects, as Insights finds their fields."""
    for line in text.splitlines():
        if line.startswith("{"):
            yield json.loads(line)


def found(query: str, lines: Iterable[Line]) -> list[Line]:
    """Returns the lines that a query is about: those that pass all of its filters."""
    filters = re.findall(r"^(?:\| )?filter (.+)$", query, re.MULTILINE)
    conditions = [one for each in filters for one in each.split(" and ")]
    return [line for line in lines if all(holds(one, line) for one in conditions)]


def holds(condition: str, line: Line) -> bool:
    """Tells whether a line meets a condition. A field that it lacks equals nothing."""
    if known := COMPARED.fullmatch(condition):
        name, sign, text = known.groups()
        return name in line and (str(line[name]) == text) is (sign == "=")
    if known := PRESENT.fullmatch(condition):
        return known[1] in line
    raise ValueError(f"no condition that is known here: {condition}")
