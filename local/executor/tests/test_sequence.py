"""S3's sequencers rise, whatever the clock does."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from footnote_executor.events.sequence import Sequence


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
