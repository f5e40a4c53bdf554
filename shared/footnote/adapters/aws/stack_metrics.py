"""Asks CloudWatch for figures of a deployment, with an operator's credentials."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from itertools import batched
from typing import Any, Literal, NamedTuple, Protocol

from footnote.adapters.aws.clients import translate_errors

type Statistic = Literal["Sum", "Maximum", "Minimum"]
QUERIES = 500  # the most that GetMetricData takes
PERIOD = 60  # seconds: the finest that Lambda and OpenSearch Service give


class CloudWatchClient(Protocol):
    """The one request to CloudWatch that footnote makes."""

    def get_metric_data(self, **given: Any) -> dict[str, Any]: ...


class Figure(NamedTuple):
    """A statistic of a metric: "Sum", "Maximum" or "Minimum"."""

    namespace: str
    metric: str
    statistic: Statistic
    dimensions: Mapping[str, str]


class StackMetrics:
    """Figures of CloudWatch, over a time."""

    def __init__(self, client: CloudWatchClient) -> None:
        self._client = client

    def over(
        self, figures: Sequence[Figure], since: float, until: float, period: int = PERIOD
    ) -> list[float | None]:
        """Returns each figure over a time (epoch seconds), None where CloudWatch has no value."""
        values: dict[str, list[float]] = {}
        numbered = [(f"m{number}", figure) for number, figure in enumerate(figures)]
        for some in batched(numbered, QUERIES, strict=False):
            queries = [_query(name, figure, period) for name, figure in some]
            self._ask(queries, since, until, values)
        return [
            _joined(figure.statistic, values[name]) if values.get(name) else None
            for name, figure in numbered
        ]

    def _ask(
        self, queries: list[object], since: float, until: float, values: dict[str, list[float]]
    ) -> None:
        given: dict[str, Any] = {
            "MetricDataQueries": queries,
            "StartTime": datetime.fromtimestamp(since, UTC),
            "EndTime": datetime.fromtimestamp(until, UTC),
        }
        while True:
            with translate_errors("read", "metrics"):
                page = self._client.get_metric_data(**given)
            for found in page["MetricDataResults"]:
                values.setdefault(found["Id"], []).extend(found["Values"])
            if not (token := page.get("NextToken")):
                return
            given["NextToken"] = token


def _query(name: str, figure: Figure, period: int) -> object:
    dimensions = [{"Name": key, "Value": value} for key, value in figure.dimensions.items()]
    metric = {"Namespace": figure.namespace, "MetricName": figure.metric, "Dimensions": dimensions}
    return {
        "Id": name,
        "MetricStat": {"Metric": metric, "Period": period, "Stat": figure.statistic},
    }


def _joined(statistic: Statistic, values: list[float]) -> float:
    match statistic:
        case "Sum":
            return sum(values)
        case "Maximum":
            return max(values)
        case _:
            return min(values)
