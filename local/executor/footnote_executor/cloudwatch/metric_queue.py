"""Collects metrics and hands them on together, in one thread: a request for many, not for each."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

LOG = logging.getLogger(__name__)
SECONDS = 1.0  # how long metrics are collected before they are sent
MOST = 100_000  # metrics that wait; of more the oldest are dropped
BATCH = 1_000  # what PutMetricData takes at once

type Metric = dict[str, Any]
type Place = tuple[str, str, str]
"""Account, region, namespace."""
type Send = Callable[[Place, list[Metric]], None]


class MetricQueue:
    """A queue of metrics with one thread that empties it; the thread starts with the first."""

    def __init__(self, send: Send, seconds: float = SECONDS, most: int = MOST) -> None:
        self._send, self._seconds = send, seconds
        self._waiting: deque[tuple[Place, Metric]] = deque(maxlen=most)
        self._lock, self._some = threading.Lock(), threading.Event()
        self._thread: threading.Thread | None = None

    def put(self, place: Place, metrics: list[Metric]) -> None:
        """Takes metrics at once and returns; they are sent within about a second."""
        with self._lock:
            self._waiting.extend((place, metric) for metric in metrics)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="metrics", daemon=True)
                self._thread.start()
        self._some.set()

    def send_waiting(self) -> None:
        """Sends all that waits; a batch that cannot be sent is logged and dropped."""
        places: dict[Place, list[Metric]] = {}
        with self._lock:
            for place, metric in self._waiting:
                places.setdefault(place, []).append(metric)
            self._waiting.clear()
        for place, metrics in places.items():
            for first in range(0, len(metrics), BATCH):
                try:
                    self._send(place, metrics[first : first + BATCH])
                except Exception as error:  # noqa: BLE001 - the thread serves all later ones too
                    LOG.warning("could not publish metrics of %s: %r", place[2], error)

    def _run(self) -> None:
        while True:
            self._some.wait()
            time.sleep(self._seconds)
            self._some.clear()
            self.send_waiting()
