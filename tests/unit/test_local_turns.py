"""Turns: each group that waits is served as often as the others."""

import heapq

from local.executor.footnote_executor.turns import Turns


class Queue:
    """The queue that the plugin makes of LocalStack's: a heap ordered by turn, then by age."""

    def __init__(self):
        self.turns = Turns()
        self.heap = []
        self.count = 0

    def put(self, group, times=1):
        for _ in range(times):
            self.count += 1
            heapq.heappush(self.heap, (self.turns.number(group), self.count, group))

    def take(self, times=1):
        taken = []
        for _ in range(times):
            turn, _, group = heapq.heappop(self.heap)
            self.turns.advance_to(turn)
            taken.append(group)
        return taken


def test_who_comes_later_with_little_does_not_wait_for_who_came_with_much():
    queue = Queue()
    queue.put("big", 100)
    assert queue.take(10) == ["big"] * 10
    queue.put("small", 3)
    assert queue.take(7) == ["small", "big", "small", "big", "small", "big", "big"]


def test_three_that_wait_are_served_in_turn():
    queue = Queue()
    for group in ("a", "b", "c"):
        queue.put(group, 10)
    assert queue.take(6) == ["a", "b", "c", "a", "b", "c"]


def test_messages_of_one_group_stay_in_their_order():
    queue = Queue()
    queue.put("a", 50)
    assert [number for _, number, _ in (heapq.heappop(queue.heap) for _ in range(50))] == [
        *range(1, 51)
    ]


def test_who_was_away_has_saved_no_turns_up():
    queue = Queue()
    queue.put("a", 2)
    queue.put("b", 40)
    queue.take(30)
    queue.put("a", 20)
    taken = queue.take(10)
    assert (taken.count("a"), taken.count("b")) == (5, 5)


def test_a_message_without_a_group_goes_before_who_waits_for_the_second_turn():
    queue = Queue()
    queue.put("big", 10)
    queue.take()
    queue.put(None)
    assert queue.take(2) == [None, "big"]


def test_groups_that_have_nothing_waiting_are_forgotten():
    queue = Queue()
    for n in range(1000):
        queue.put(f"g{n}")
    queue.take(1000)
    queue.put("a", 3)
    queue.take(3)
    assert list(queue.turns._last) == ["a"]
