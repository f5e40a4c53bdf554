"""Decides whose message is next, by the rules that AWS documents for SQS's fair queues.

A tenant is noisy while it has messages waiting and either at least 30 in flight that are more than
a tenth of all, or more than a tenth of the consumers' recent time. Quiet tenants go first; of noisy
ones, the tenant with the fewest in flight. (Amazon SQS Developer Guide, "How Amazon SQS fair queues
work".) AWS does not say how long "recent" is: here it is the time after which it forgets a tenant.
"""

import time
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Hashable, Mapping
from threading import Lock

IN_FLIGHT = 30
SHARE = 0.1
ALONE = ""  # stands for all messages without a group: each is a tenant that has one message
RECENT = 300.0  # seconds
_NOTHING = 1e-6  # seconds


class FairShares:
    """Keeps what each group has in flight, and what time its messages took.

    Sums are kept and not counted anew for each message: thousands may be in flight. Several threads
    of LocalStack's may begin, end and choose at once.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._lock = Lock()
        self._begun: dict[Hashable, tuple[str, float]] = {}  # message → its group, since when
        self._flying: Counter[str] = Counter()  # group → messages in flight
        self._since: defaultdict[str, float] = defaultdict(float)  # group → sum of when they began
        self._ended: deque[tuple[float, str, float]] = deque()  # (ended at, group, seconds)
        self._spent: defaultdict[str, float] = defaultdict(float)  # group → sum of those seconds
        self._noisy: set[str] = set()

    def begin(self, message: Hashable, group: str) -> None:
        with self._lock:
            self._stop(message)
            now = self._clock()
            self._begun[message] = (group, now)
            self._flying[group] += 1
            self._since[group] += now

    def end(self, message: Hashable) -> None:
        """Notes that a message was deleted or came back."""
        with self._lock:
            if begun := self._stop(message):
                group, since = begun
                now = self._clock()
                self._ended.append((now, group, now - since))
                self._spent[group] += now - since

    def _stop(self, message: Hashable) -> tuple[str, float] | None:
        """Takes a message out of those in flight; returns its group, and since when it was."""
        begun = self._begun.pop(message, None)
        if begun:
            group, since = begun
            self._flying[group] -= 1
            self._since[group] -= since
            if not self._flying[group]:  # also because sums of floats drift
                del self._flying[group], self._since[group]
        return begun

    def choose(self, waiting: Mapping[str, float]) -> str:
        """Returns the group whose oldest message is next. `waiting` maps groups to its age."""
        with self._lock:
            self._mark(waiting)
            return min(
                waiting,
                key=lambda group: (
                    group in self._noisy,
                    self._flying[group] if group in self._noisy else 0,
                    waiting[group],
                ),
            )

    def _mark(self, waiting: Mapping[str, float]) -> None:
        """Marks who is noisy. Who has nothing waiting any more is quiet again."""
        times = self._times()
        in_all, time_in_all = self._flying.total(), sum(times.values())
        self._noisy &= waiting.keys()
        for group in waiting.keys() - {ALONE}:
            count, seconds = self._flying[group], times.get(group, 0.0)
            if (count >= IN_FLIGHT and count > SHARE * in_all) or seconds > SHARE * time_in_all:
                self._noisy.add(group)

    def _times(self) -> dict[str, float]:
        now = self._clock()
        while self._ended and self._ended[0][0] < now - RECENT:
            _, group, seconds = self._ended.popleft()
            self._spent[group] -= seconds
            if self._spent[group] < _NOTHING:  # sums of floats drift
                del self._spent[group]
        times = dict(self._spent)
        for group, count in self._flying.items():
            times[group] = times.get(group, 0.0) + count * now - self._since[group]
        return times
