"""Metrics in what functions print, and the queue that sends them together."""

import json
import threading
from datetime import UTC, datetime

from footnote_executor.cloudwatch.emf import metric_data, metric_records
from footnote_executor.cloudwatch.metric_queue import BATCH, Metric, MetricQueue, Place


def test_metric_lines_become_cloudwatch_data_and_other_lines_do_not() -> None:
    record = {
        "_aws": {
            "Timestamp": 1_767_225_600_000,
            "CloudWatchMetrics": [
                {
                    "Namespace": "footnote",
                    "Dimensions": [["service"], ["service", "step"]],
                    "Metrics": [{"Name": "pages", "Unit": "Count"}, {"Name": "absent"}],
                }
            ],
        },
        "service": "parse",
        "step": "pdf",
        "pages": [3, 4],
    }
    broken = '{"_aws": {"CloudWatchMetrics": ['
    output = "\n".join(["hello", f"INFO {json.dumps(record)}", broken])
    records = list(metric_records(output))
    assert records == [record]
    service = {"Name": "service", "Value": "parse"}
    at = datetime(2026, 1, 1, tzinfo=UTC)
    figures = {"MetricName": "pages", "Timestamp": at, "Values": [3, 4], "Unit": "Count"}
    assert list(metric_data(record)) == [
        (
            "footnote",
            [
                {**figures, "Dimensions": [service]},
                {**figures, "Dimensions": [service, {"Name": "step", "Value": "pdf"}]},
            ],
        )
    ]


def test_metrics_are_sent_together_by_place_and_in_batches() -> None:
    sent: list[tuple[Place, list[Metric]]] = []
    queue = MetricQueue(lambda place, metrics: sent.append((place, metrics)), seconds=3600)
    here, there = ("0", "us-east-1", "a"), ("0", "us-east-1", "b")
    for n in range(BATCH + 1):
        queue.put(here, [{"n": n}])
    queue.put(there, [{"n": -1}, {"n": -2}])
    queue.send_waiting()
    assert [(place, len(metrics)) for place, metrics in sent] == [
        (here, BATCH),
        (here, 1),
        (there, 2),
    ]
    assert [metric["n"] for _, metrics in sent for metric in metrics] == [*range(BATCH + 1), -1, -2]
    queue.send_waiting()
    assert len(sent) == 3


def test_one_thread_sends_all_metrics_and_outlives_a_batch_that_cannot_be_sent() -> None:
    names: set[str] = set()
    sent, arrived = [], threading.Event()

    def send(_place: Place, metrics: list[Metric]) -> None:
        names.add(threading.current_thread().name)
        if metrics[0]["n"] == 0:
            raise OSError("down")
        sent.extend(metrics)
        arrived.set()

    queue = MetricQueue(send, seconds=0.01)
    queue.put(("0", "us-east-1", "broken"), [{"n": 0}])
    queue.put(("0", "us-east-1", "a"), [{"n": 1}])
    assert arrived.wait()
    arrived.clear()
    queue.put(("0", "us-east-1", "a"), [{"n": 2}])
    assert arrived.wait()
    assert [metric["n"] for metric in sent] == [1, 2]
    assert names == {"metrics"}


def test_of_metrics_that_cannot_be_sent_in_time_the_newest_are_kept() -> None:
    sent: list[Metric] = []
    queue = MetricQueue(lambda _, metrics: sent.extend(metrics), seconds=3600, most=3)
    queue.put(("0", "us-east-1", "a"), [{"n": n} for n in range(10)])
    queue.send_waiting()
    assert [metric["n"] for metric in sent] == [7, 8, 9]
