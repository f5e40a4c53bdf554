"""The queues are as fair as AWS documents it, which is enough for few workers too."""

import heapq
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from footnote_executor.queues.fair_shares import IN_FLIGHT, RECENT, FairShares


class Queue:
    """A queue with workers: each takes a message when it is free and keeps it for its time."""

    def __init__(self, workers):
        self.now = 0.0
        self.shares = FairShares(lambda: self.now)
        self.free = workers
        self.numbers = count()
        self.waiting = {}  # group → [(put at, number, seconds)]
        self.busy = []  # (until, number)
        self.done = {}  # group → seconds from put to end
        self.taken = []

    def put(self, group, times, seconds=1.0):
        for _ in range(times):
            self.waiting.setdefault(group, []).append((self.now, next(self.numbers), seconds))

    def step(self):
        """Gives each free worker a message, then lets the next one end."""
        while self.free and self.waiting:
            group = self.shares.choose({one: sent[0][0] for one, sent in self.waiting.items()})
            put_at, number, seconds = self.waiting[group].pop(0)
            if not self.waiting[group]:
                del self.waiting[group]
            self.shares.begin(number, group)
            self.taken.append(group)
            heapq.heappush(self.busy, (self.now + seconds, number, group, put_at))
            self.free -= 1
        self.now, number, group, put_at = heapq.heappop(self.busy)
        self.shares.end(number)
        self.done.setdefault(group, []).append(self.now - put_at)
        self.free += 1

    def steps(self, times):
        for _ in range(times):
            self.step()


@pytest.mark.parametrize("workers", [2, 5, 10, 29, 30, 100])
def test_who_comes_later_with_little_does_not_wait_for_who_came_with_much(workers):
    queue = Queue(workers)
    queue.put("big", 5_000)
    queue.steps(100)
    queue.put("small", 20)
    while len(queue.done.get("small", ())) < 20:
        queue.step()
    # half of the workers at least, and one message that was at work
    assert max(queue.done["small"]) <= 2 + 2 * 20 / workers


def test_few_in_flight_are_noisy_by_the_time_they_take_and_only_by_that():
    """With fewer workers than 30 the first measure never applies."""
    queue = Queue(2)
    queue.put("big", 100, seconds=0.0)  # takes no time: by neither measure noisy
    queue.steps(10)
    queue.put("small", 2)
    queue.step()
    assert "small" not in queue.taken
    slow = Queue(2)
    slow.put("big", 100)
    slow.steps(10)
    slow.put("small", 2)
    slow.step()
    assert slow.taken[-1] == "small"


def test_thirty_in_flight_are_noisy_whatever_time_they_took():
    shares = FairShares(lambda: 0.0)
    for number in range(IN_FLIGHT - 1):
        shares.begin(number, "big")
    assert shares.choose({"big": 0.0, "small": 1.0}) == "big"
    shares.begin("last", "big")
    assert shares.choose({"big": 0.0, "small": 1.0}) == "small"


def test_of_two_that_are_noisy_who_has_fewer_in_flight_is_next():
    queue = Queue(10)
    queue.put("a", 500)
    queue.put("b", 500)
    queue.steps(400)
    last = queue.taken[-200:]
    assert 80 <= last.count("b") <= 120


def test_who_has_nothing_waiting_is_quiet_again():
    queue = Queue(2)
    queue.put("a", 20)
    queue.steps(20)
    queue.put("b", 50)
    queue.steps(5)
    queue.put("a", 1)
    queue.now += RECENT + 1
    queue.step()
    assert queue.taken[-1] == "a" or queue.taken[-2] == "a"


def test_what_was_long_ago_does_not_count():
    now = [0.0]
    shares = FairShares(lambda: now[0])
    shares.begin(1, "a")
    now[0] = 50.0
    shares.end(1)
    assert shares.choose({"a": 0.0, "b": 1.0}) == "b"
    now[0] += RECENT + 1
    shares.choose({"b": 1.0})  # a has nothing waiting: it is forgotten
    assert shares.choose({"a": 0.0, "b": 1.0}) == "a"


def test_threads_may_begin_end_and_choose_at_once():
    shares = FairShares(lambda: 0.0)

    def work(worker):
        for n in range(3_000):
            shares.begin((worker, n), f"tenant-{n % 50}")
            shares.choose({"tenant-1": 0.0, "tenant-2": 1.0})
            shares.end((worker, n))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    for number in range(IN_FLIGHT - 1):
        shares.begin(number, "tenant-1")
    assert shares.choose({"tenant-1": 0.0, "quiet": 1.0}) == "tenant-1"  # nothing else is in flight
    shares.begin("last", "tenant-1")
    assert shares.choose({"tenant-1": 0.0, "quiet": 1.0}) == "quiet"  # and nothing was lost


def test_what_a_tenant_took_long_ago_is_forgotten():
    now = [0.0]
    shares = FairShares(lambda: now[0])
    for n in range(100):
        shares.begin(n, "big")
        now[0] += 0.1
        shares.end(n)
    assert shares.choose({"big": 0.0, "small": 1.0}) == "small"
    now[0] += 2 * RECENT
    assert shares.choose({"big": 0.0, "small": 1.0}) == "small"  # big still has messages waiting
    assert shares.choose({"small": 1.0}) == "small"
    assert shares.choose({"big": 0.0, "small": 1.0}) == "big"
