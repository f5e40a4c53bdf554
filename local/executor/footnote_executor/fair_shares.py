"""Decides whose message is next, by the rules that AWS documents for SQS's fair queues.

A tenant is noisy while it has messages waiting and either at least 30 in flight that are more than
a tenth of all, or more than a tenth of the consumers' recent time. Quiet tenants go first; of noisy
ones, the tenant with the fewest in flight. (Amazon SQS Developer Guide, "How Amazon SQS fair queues
work".) AWS does not say how long "recent" is: here it is the time after which it forgets a tenant.
"""

import time
from collections import deque
from collections.abc import Callable, Hashable, Mapping

IN_FLIGHT = 30
SHARE = 0.1
ALONE = ""  # stands for all messages without a group: each is a tenant that has one message
RECENT = 300.0  # seconds


class FairShares:
    """Keeps what each group has in flight, and what time its messages took."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._begun: dict[Hashable, tuple[str, float]] = {}  # message → its group, since when
        self._spent: deque[tuple[float, str, float]] = deque()  # (ended at, group, seconds)
        self._noisy: set[str] = set()

    def begin(self, message: Hashable, group: str) -> None:
        self._begun[message] = (group, self._clock())

    def end(self, message: Hashable) -> None:
        """Notes that a message was deleted or came back."""
        if begun := self._begun.pop(message, None):
            now = self._clock()
            self._spent.append((now, begun[0], now - begun[1]))

    def choose(self, waiting: Mapping[str, float]) -> str:
        """Returns the group whose oldest message is next. `waiting` maps groups to its age."""
        self._mark(waiting)
        flying = self._in_flight()
        return min(
            waiting,
            key=lambda group: (
                group in self._noisy,
                flying.get(group, 0) if group in self._noisy else 0,
                waiting[group],
            ),
        )

    def _mark(self, waiting: Mapping[str, float]) -> None:
        """Marks who is noisy. Who has nothing waiting any more is quiet again."""
        flying, times = self._in_flight(), self._times()
        in_all, time_in_all = sum(flying.values()), sum(times.values())
        self._noisy &= waiting.keys()
        for group in waiting.keys() - {ALONE}:
            count, seconds = flying.get(group, 0), times.get(group, 0.0)
            if (count >= IN_FLIGHT and count > SHARE * in_all) or seconds > SHARE * time_in_all:
                self._noisy.add(group)

    def _in_flight(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for group, _ in self._begun.values():
            counts[group] = counts.get(group, 0) + 1
        return counts

    def _times(self) -> dict[str, float]:
        now = self._clock()
        while self._spent and self._spent[0][0] < now - RECENT:
            self._spent.popleft()
        times: dict[str, float] = {}
        for _, group, seconds in self._spent:
            times[group] = times.get(group, 0.0) + seconds
        for group, since in self._begun.values():
            times[group] = times.get(group, 0.0) + now - since
        return times
