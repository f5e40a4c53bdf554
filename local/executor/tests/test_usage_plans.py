"""What a usage plan lets through: burst, rate and the day's quota."""

from footnote_executor.apigateway.token_bucket import TokenBucket


class Clock:
    """A clock that the test sets."""

    def __init__(self, now: float) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


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
