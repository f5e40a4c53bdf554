"""The pure parts of the LocalStack plugins: sequencers, usage plans, templates, metrics."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from local.executor.footnote_executor.body_template import literal_headers, render
from local.executor.footnote_executor.emf import metric_data, metric_records
from local.executor.footnote_executor.sequence import Sequence
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
            "CloudWatchMetrics": [
                {
                    "Namespace": "footnote",
                    "Dimensions": [["service"], ["service", "step"]],
                    "Metrics": [{"Name": "pages", "Unit": "Count"}, {"Name": "absent"}],
                }
            ]
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
    figures = {"MetricName": "pages", "Values": [3, 4], "Unit": "Count"}
    assert list(metric_data(record)) == [
        (
            "footnote",
            [
                {**figures, "Dimensions": [service]},
                {**figures, "Dimensions": [service, {"Name": "step", "Value": "pdf"}]},
            ],
        )
    ]
