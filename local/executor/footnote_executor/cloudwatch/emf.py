"""Turns log lines in embedded metric format into CloudWatch metrics, as AWS does."""

import json
import logging
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

LOG = logging.getLogger(__name__)


def metric_records(output: str) -> Iterator[dict[str, Any]]:
    """Yields the log lines that are metrics, as JSON objects."""
    for line in output.splitlines():
        if '"_aws"' not in line or '"CloudWatchMetrics"' not in line:
            continue
        try:
            yield json.loads(line[line.index("{") :])
        except ValueError:
            LOG.warning("a log line looks like metrics and is not JSON")


def metric_data(record: dict[str, Any]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yields namespace and CloudWatch data of each directive, without metrics that lack a value."""
    at = datetime.fromtimestamp(record["_aws"].get("Timestamp", time.time() * 1000) / 1000, UTC)
    for directive in record["_aws"]["CloudWatchMetrics"]:
        present = [metric for metric in directive["Metrics"] if metric["Name"] in record]
        yield (
            directive["Namespace"],
            [
                {
                    "MetricName": metric["Name"],
                    "Dimensions": [{"Name": name, "Value": str(record[name])} for name in names],
                    "Timestamp": at,
                    "Values": _as_list(record[metric["Name"]]),
                    "Unit": metric.get("Unit", "None"),
                }
                for names in directive.get("Dimensions") or [[]]
                for metric in present
            ],
        )


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
