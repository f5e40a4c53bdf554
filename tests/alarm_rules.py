"""Evaluates an alarm of the template over figures, by the rules that CloudWatch documents.

Periods follow each other from second 0 on. Data that is missing breaks no alarm: all of the
template's say `notBreaching`.
"""

import ast
import json
import operator
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

type Values = list[float | None]


class Figure(NamedTuple):
    """A value of a metric at a second. `dimensions` are pairs of names and values, sorted."""

    namespace: str
    name: str
    dimensions: tuple[tuple[str, str], ...]
    second: float
    value: float


def figure(namespace: str, name: str, second: float, value: float, **dimensions: str) -> Figure:
    return Figure(namespace, name, tuple(sorted(dimensions.items())), second, value)


def counted(text: str, second: float = 0) -> Iterator[Figure]:
    """Reads log lines in embedded metric format as CloudWatch does; others count nothing."""
    for line in text.splitlines():
        if '"CloudWatchMetrics"' not in line:
            continue
        told = json.loads(line)
        for directive in told["_aws"]["CloudWatchMetrics"]:
            for dimensions in directive["Dimensions"]:
                of = {name: told[name] for name in dimensions}
                for metric in directive["Metrics"]:
                    for value in told[metric["Name"]]:
                        yield figure(directive["Namespace"], metric["Name"], second, value, **of)


STATISTICS: Mapping[str, Callable[[Sequence[float]], float]] = {
    "Sum": sum,
    "Maximum": max,
    "Minimum": min,
    "Average": lambda values: sum(values) / len(values),
    "p95": lambda values: sorted(values)[min(len(values) - 1, int(0.95 * len(values)))],
}
COMPARISONS = {
    "GreaterThanThreshold": operator.gt,
    "GreaterThanOrEqualToThreshold": operator.ge,
    "LessThanThreshold": operator.lt,
}
OPERATORS = {ast.Add: operator.add, ast.Mult: operator.mul, ast.Div: operator.truediv}


def rings(alarm: Mapping[str, Any], figures: Sequence[Figure]) -> bool:
    """Tells whether an alarm, with its references resolved, is in ALARM at any time."""
    last = max((one.second for one in figures), default=0)
    values = values_of(alarm, figures, last)
    compare = COMPARISONS[alarm["ComparisonOperator"]]
    wanted = int(alarm["EvaluationPeriods"])
    row = 0
    for value in values:
        row = row + 1 if value is not None and compare(value, float(alarm["Threshold"])) else 0
        if row >= wanted:
            return True
    return False


def values_of(alarm: Mapping[str, Any], figures: Sequence[Figure], last: float) -> Values:
    """Returns what the alarm compares with its threshold, by period."""
    if "Metrics" not in alarm:
        stat = alarm.get("Statistic") or alarm["ExtendedStatistic"]
        return grouped(alarm, stat, int(alarm["Period"]), figures, last)
    named: dict[str, Values] = {}
    for one in alarm["Metrics"]:
        if given := one.get("MetricStat"):
            period = int(given["Period"])
            named[one["Id"]] = grouped(given["Metric"], given["Stat"], period, figures, last)
    [expression] = [one["Expression"] for one in alarm["Metrics"] if one.get("ReturnData", True)]
    return computed(ast.parse(expression, mode="eval").body, named)


def grouped(
    metric: Mapping[str, Any], statistic: str, period: int, figures: Sequence[Figure], last: float
) -> Values:
    pairs = tuple(sorted((one["Name"], one["Value"]) for one in metric.get("Dimensions", [])))
    wanted = (metric["Namespace"], metric["MetricName"], pairs)
    found: dict[int, list[float]] = defaultdict(list)
    for one in figures:
        if one[:3] == wanted:
            found[int(one.second // period)].append(one.value)
    periods = range(int(last // period) + 1)
    return [STATISTICS[statistic](found[n]) if n in found else None for n in periods]


def computed(node: ast.expr, named: Mapping[str, Values]) -> Values:
    """Works out metric math: numbers, names, + * /, FILL, DIFF, and SUM of all metrics."""
    length = max(map(len, named.values()))
    match node:
        case ast.Constant():
            return [float(node.value)] * length  # type: ignore[arg-type]
        case ast.Name():
            return named[node.id]
        case ast.BinOp():
            work = OPERATORS[type(node.op)]
            pairs = zip(computed(node.left, named), computed(node.right, named), strict=True)
            return [None if a is None or not (b or b == 0) else work(a, b) for a, b in pairs]
        case ast.Call(func=ast.Name("FILL"), args=[values, ast.Constant(value=filled)]):
            return [filled if one is None else one for one in computed(values, named)]
        case ast.Call(func=ast.Name("DIFF"), args=[values]):
            row = computed(values, named)
            steps = [None if None in pair else pair[1] - pair[0] for pair in pairwise(row)]  # type: ignore[operator]
            return [None, *steps]
        case ast.Call(func=ast.Name("SUM"), args=[several]):
            columns = zip(*each_of(several, named), strict=True)
            return [sum(one or 0 for one in column) for column in columns]
    raise ValueError(ast.dump(node))


def each_of(node: ast.expr, named: Mapping[str, Values]) -> list[Values]:
    """Works out what stands for several metrics: METRICS(), and FILL of it."""
    match node:
        case ast.Call(func=ast.Name("METRICS"), args=[]):
            return [*named.values()]
        case ast.Call(func=ast.Name("FILL"), args=[several, ast.Constant(value=filled)]):
            return [
                [filled if one is None else one for one in row]  # type: ignore[misc]
                for row in each_of(several, named)
            ]
    raise ValueError(ast.dump(node))
