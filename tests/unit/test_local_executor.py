"""The pure parts of the LocalStack plugins: sequencers, usage plans, templates, metrics."""

import json
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

from local.executor.footnote_executor.body_template import literal_headers, render
from local.executor.footnote_executor.emf import metric_data, metric_records
from local.executor.footnote_executor.metric_queue import BATCH, Metric, MetricQueue, Place
from local.executor.footnote_executor.remembered import Remembered
from local.executor.footnote_executor.sequence import Sequence
from local.executor.footnote_executor.shared_timer import SharedTimer, TimerThread
from local.executor.footnote_executor.token_bucket import TokenBucket


class Clock:
    """A clock that the test sets."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


def test_sequencers_rise_within_a_microsecond_and_when_the_clock_goes_back() -> None:
    times: Iterator[int] = iter([1000, 1000, 1000, 10, 2000])
    sequence = Sequence(lambda: next(times))
    made = [sequence.next_sequencer() for _ in range(5)]
    assert made == [f"{number:016X}" for number in (1000, 1001, 1002, 1003, 2000)]
    assert made == sorted(made)


def test_sequencers_of_many_threads_are_all_different() -> None:
    sequence = Sequence(lambda: 1)
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: sequence.next_sequencer(), range(1000)))
    assert len(set(made)) == 1000


def test_a_bucket_allows_its_burst_then_its_rate() -> None:
    clock = Clock(1_000_000)
    bucket = TokenBucket(rate=2, burst=3, clock=clock)
    assert [bucket.take() for _ in range(4)] == [None, None, None, "throttled"]
    clock.now += 0.5
    assert [bucket.take() for _ in range(2)] == [None, "throttled"]
    clock.now += 3600
    assert [bucket.take() for _ in range(4)] == [None, None, None, "throttled"]


def test_a_quota_ends_with_the_day_and_refused_requests_do_not_count() -> None:
    clock = Clock(86_400 * 10)
    bucket = TokenBucket(rate=0, burst=2, quota=3, clock=clock)
    assert [bucket.take() for _ in range(3)] == [None, None, "throttled"]
    bucket = TokenBucket(rate=100, burst=100, quota=2, clock=clock)
    assert [bucket.take() for _ in range(3)] == [None, None, "quota exceeded"]
    clock.now += 86_400
    assert bucket.take() is None


def test_context_variables_are_put_into_a_template() -> None:
    context = {"error": {"message": 'a "b"', "messageString": 'a "b"'}, "requestId": "r-1"}
    template = '{"m":$context.error.messageString,"id":"${context.requestId}","no":"$context.x.y"}'
    assert json.loads(render(template, context)) == {"m": 'a "b"', "id": "r-1", "no": ""}


def test_only_constant_headers_are_taken() -> None:
    parameters = {
        "gatewayresponse.header.Access-Control-Allow-Origin": "'*'",
        "gatewayresponse.header.X-Mapped": "method.request.header.x",
        "other": "'*'",
    }
    assert literal_headers(parameters) == {"Access-Control-Allow-Origin": "*"}


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


def test_what_was_made_is_remembered_for_its_time_and_the_oldest_goes() -> None:
    clock = Clock(0)
    remembered = Remembered(seconds=10, most=2, clock=clock)
    made: list[str] = []

    def get(key: str) -> str:
        return str(remembered.get(key, lambda: made.append(key) or f"{key}{len(made)}"))

    assert [get("a"), get("a"), get("b"), get("a")] == ["a1", "a1", "b2", "a1"]
    clock.now = 10
    assert [get("a"), get("a")] == ["a3", "a3"]
    assert [get("c"), get("a"), get("b")] == ["c4", "a3", "b5"]


def test_timers_call_when_they_are_due_whatever_order_they_start_in() -> None:
    thread, over = TimerThread(), threading.Event()
    SharedTimer(600, int, thread=thread).start()
    SharedTimer(0.05, over.set, thread=thread).start()
    assert over.wait()


def test_a_cancelled_timer_does_not_call_and_one_that_fails_ends_no_other() -> None:
    thread, called = TimerThread(), []
    over = threading.Event()
    cancelled = SharedTimer(0.1, called.append, ["cancelled"], thread=thread)
    with thread._changed:  # it is not due before it is cancelled, however slow the machine is
        cancelled.start()
        cancelled.cancel()
    SharedTimer(0.05, int, ["no number"], thread=thread).start()
    SharedTimer(0.5, lambda: (called.append("other"), over.set()), thread=thread).start()
    assert over.wait()
    assert called == ["other"]


def test_a_thousand_timers_that_are_set_and_cancelled_need_one_thread() -> None:
    thread = TimerThread()
    before = threading.active_count()
    for _ in range(1_000):
        timer = SharedTimer(600, time.time, thread=thread)
        timer.start()
        timer.cancel()
    assert threading.active_count() <= before + 1
