"""Decides for each request of a function whether it passes or meets a fault, and which."""

import random
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Literal
from urllib.parse import unquote

from tests.chaos.wire import HALVES, REFUSALS, Call, Reply, Service

Fate = Literal[
    "fine",
    "throttled",
    "broken",
    "half done",
    "reset before",
    "reset after",
    "slow",
    "killed before",
    "killed after",
]
WEIGHTS: dict[Fate, float] = {
    "throttled": 4,
    "broken": 3,
    "half done": 10,
    "reset before": 2,
    "reset after": 2,
    "slow": 0.2,
    "killed before": 2.5,
    "killed after": 2.5,
}
# This share of faults meets all attempts of an SDK at a call, the rest only the first attempt.
LASTING = 0.5
# Seconds, one more than the clients wait: 20, and 10 for OpenSearch.
SLOW = {"s3": 21.0, "dynamodb": 21.0, "sqs": 21.0, "opensearch": 11.0}
MORE = {("opensearch", "POST _bulk"): 4}  # times the rate: there are few, and they matter most
SPARED = 1.5  # a fault comes at the latest after this many times 1 / rate calls in a row
ANSWERED = ("throttled", "broken")


class Fates:
    """Decides each call's fate from a seed and counts; the order of parallel calls may vary."""

    def __init__(self, seed: int, rate: float = 0.05) -> None:
        self.rate = rate
        self.calm = False
        self.doomed: dict[str, Fate] = {}  # words in a request's line → its fate, each time
        self.counts: Counter[tuple[Service, str]] = Counter()
        self.calls = 0
        self._chance = random.Random(seed)
        self._decided: dict[str, Fate] = {}
        self._spared: Counter[Service] = Counter()  # calls since the last fault
        self._lock = threading.Lock()

    def of(self, call: Call) -> Fate:
        with self._lock:
            self.calls += 1
            fate = self._doom(call) or self._earlier(call) or self._new(call)
            if fate != "fine":
                self.counts[call.service, fate] += 1
            return fate

    def _doom(self, call: Call) -> Fate | None:
        line = f"{call.method} {unquote(call.path)}"
        return next((fate for words, fate in self.doomed.items() if words in line), None)

    def _earlier(self, call: Call) -> Fate | None:
        return self._decided.get(call.call_id) if call.call_id else None

    def _new(self, call: Call) -> Fate:
        more = MORE.get((call.service, call.operation), 1)
        if self.calm or not (self._chance.random() < self.rate * more or self._is_due(call)):
            return "fine"
        self._spared[call.service] = 0
        known = dict(WEIGHTS)
        if (call.service, call.operation) not in HALVES:
            del known["half done"]
        if call.operation == "POST _bulk":
            del known["slow"]  # the client waits a minute for a bulk request
        [fate] = self._chance.choices(list(known), list(known.values()))
        if call.call_id:
            lasting = fate in ANSWERED and self._chance.random() < LASTING
            self._decided[call.call_id] = fate if lasting else "fine"
        return fate

    def _is_due(self, call: Call) -> bool:
        """Returns whether the service was spared for too long: a short run needs faults at each."""
        self._spared[call.service] += 1
        return self._spared[call.service] * self.rate >= SPARED

    def refusal(self, call: Call, fate: Fate) -> Reply:
        with self._lock:
            return self._chance.choice(REFUSALS[call.service, fate])

    def dice(self) -> random.Random:
        """Returns a generator of its own for the chances inside one call."""
        with self._lock:
            return random.Random(self._chance.random())

    @contextmanager
    def at_rate(self, rate: float) -> Iterator[None]:
        before, self.rate = self.rate, rate
        try:
            yield
        finally:
            self.rate = before

    def told(self) -> Sequence[str]:
        """Returns a line per service: which faults it met, and how often."""
        lines = []
        for service in SLOW:
            mine = {fate: n for (one, fate), n in sorted(self.counts.items()) if one == service}
            kinds = ", ".join(f"{fate} {n}" for fate, n in mine.items())
            lines.append(f"{service}: {sum(mine.values())} faults ({kinds})")
        return lines
