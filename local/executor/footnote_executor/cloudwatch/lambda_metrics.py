"""Records invocations, and the metrics that functions print, through one queue.

Stock LocalStack starts a thread for each invocation, and opens and syncs CloudWatch's database
for each single figure. It says nothing of how long a function worked, or on how many at once.
"""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any

from localstack.runtime import hooks

from footnote_executor.cloudwatch.emf import metric_data, metric_records
from footnote_executor.cloudwatch.metric_queue import Metric, MetricQueue, Place
from footnote_executor.patching import original_of

KEPT_SECONDS = 3 * 3600  # as CloudWatch keeps figures of less than a minute
PRUNE_SECONDS = 60.0
COLUMNS = (
    "account_id, region, metric_name, namespace, timestamp, dimensions, unit, storage_resolution"
)


def send(place: Place, metrics: list[Metric]) -> None:
    """Writes figures where CloudWatch keeps them; a request took ten times as long."""
    from localstack.services.cloudwatch.cloudwatch_database_helper import (  # noqa: PLC0415
        CloudwatchDatabase,
    )

    CloudwatchDatabase().add_metric_data(*place, metrics)


QUEUE = MetricQueue(send)


def put(name: str, account: str, region: str, values: dict[str, float]) -> None:
    """Queues figures of a function, {name of the metric: value}, as of now."""
    metric = {
        "Dimensions": [{"Name": "FunctionName", "Value": name}],
        "Timestamp": datetime.now(UTC),
    }
    place = (account, region, "AWS/Lambda")
    QUEUE.put(place, [{**metric, "MetricName": one, "Value": values[one]} for one in values])


def publish_metrics(output: str, account: str, region: str) -> None:
    """Queues the metrics among a function's log lines."""
    for record in metric_records(output):
        for namespace, data in metric_data(record):
            QUEUE.put((account, region, namespace), data)


@hooks.on_infra_start()
def install_lambda_metrics() -> None:
    from localstack.services.cloudwatch.cloudwatch_database_helper import (  # noqa: PLC0415
        CloudwatchDatabase,
    )
    from localstack.services.lambda_.invocation import version_manager  # noqa: PLC0415
    from localstack.services.lambda_.invocation.execution_environment import (  # noqa: PLC0415
        ExecutionEnvironment,
    )

    original_of(version_manager.LambdaVersionManager, "invoke", "137699a70e55")
    _record_without_thread(version_manager)
    _measure(ExecutionEnvironment)
    _write_at_once(CloudwatchDatabase)


def _measure(environment: type) -> None:
    """Records milliseconds of work, without the start, and how many of a function are at work."""
    original = original_of(environment, "invoke", "cf0e0565b58f")
    at_work: Counter[tuple[str, str, str]] = Counter()
    lock = threading.Lock()

    def invoke(self: Any, invocation: Any) -> Any:
        function = self.function_version.id
        known = function.function_name, function.account, function.region
        with lock:
            at_work[known] += 1
            at_once = at_work[known]
        began = time.perf_counter()
        try:
            return original(self, invocation)
        finally:
            ms = (time.perf_counter() - began) * 1000
            with lock:
                at_work[known] -= 1
            put(*known, {"Duration": ms, "ConcurrentExecutions": at_once})

    environment.invoke = invoke


def _record_without_thread(module: Any) -> None:
    def record(*names: str) -> Callable[..., None]:
        def one_each(function_name: str, account_id: str, region_name: str) -> None:
            put(function_name, account_id, region_name, dict.fromkeys(names, 1))

        return one_each

    start_thread = module.start_thread

    def start(method: Callable[..., Any], *args: Any, name: str = "", **options: Any) -> Any:
        if name.startswith("record-cloudwatch-metric"):
            return method()
        return start_thread(method, *args, name=name, **options)

    module.record_cw_metric_invocation = record("Invocations")
    module.record_cw_metric_error = record("Invocations", "Errors")
    module.start_thread = start


def _write_at_once(database: type) -> None:
    """Makes a request's figures one transaction, and lets old ones go; else the file only grows."""
    original = original_of(database, "add_metric_data", "e2b4e6c816e8")
    pruned = 0.0

    def add(self: Any, account_id: str, region: str, namespace: str, metric_data: Any) -> None:
        nonlocal pruned
        rows: list[tuple[Any, ...]] = []
        for metric in metric_data:
            if metric.get("StatisticValues"):  # goes to another table
                original(self, account_id, region, namespace, [metric])
                continue
            rows += _rows(self, (account_id, region, namespace), metric)
        with self.DATABASE_LOCK, sqlite3.connect(self.METRICS_DB) as connection:
            connection.executemany(
                f"INSERT INTO {self.TABLE_SINGLE_METRICS} ({COLUMNS}, value) "  # noqa: S608
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                rows,
            )
            if time.monotonic() - pruned > PRUNE_SECONDS:
                pruned = time.monotonic()
                oldest = int(time.time()) - KEPT_SECONDS
                for table in (self.TABLE_SINGLE_METRICS, self.TABLE_AGGREGATED_METRICS):
                    connection.execute(
                        f"DELETE FROM {table} WHERE timestamp < ?",  # noqa: S608
                        [oldest],
                    )

    database.add_metric_data = add


def _rows(database: Any, place: Place, metric: Metric) -> Iterator[tuple[Any, ...]]:
    account, region, namespace = place
    at = metric.get("Timestamp")
    known = (
        account,
        region,
        metric.get("MetricName"),
        namespace,
        database._convert_timestamp_to_unix(at) if at else int(time.time()),  # noqa: SLF001
        database._get_ordered_dimensions_with_separator(metric.get("Dimensions")),  # noqa: SLF001
        metric.get("Unit"),
        metric.get("StorageResolution"),
    )
    if metric.get("Value") is not None:
        yield (*known, metric["Value"])
        return
    values = metric.get("Values") or []
    for value, count in zip(values, metric.get("Counts") or [1] * len(values), strict=True):
        yield from [(*known, value)] * int(count)
