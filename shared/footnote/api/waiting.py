"""How long a request may wait for an answer, counted from when API Gateway received it."""

import math
import time
from typing import Protocol

POLL = 0.05  # seconds between two looks at a question
SLOWER = 0.1  # share of the time a request has waited, if longer than POLL: fifty may wait at once


class Pausing(Protocol):
    """What may wait."""

    def pause(self) -> bool:
        """Waits until it is time to look again. Returns False when the time is over."""
        ...


class Waiting:
    """The rest of the time that a request may wait, of `seconds`.

    `received` is when API Gateway took it, in milliseconds since 1970, or None if unknown. A
    request that found no free process has waited in line already. It looks once and replies, so
    that those behind it get an answer too. `often`: the most seconds between two looks.
    """

    def __init__(self, seconds: float, received: float | None, *, often: float = math.inf) -> None:
        in_line = 0.0 if received is None else max(0.0, time.time() - received / 1000)
        self._often = often
        self._began = time.monotonic()
        self._until = self._began + seconds - in_line

    def pause(self) -> bool:
        """Waits until it is time to look again. Returns False when the time is over."""
        now = time.monotonic()
        if now >= self._until:
            return False
        pause = min(max(POLL, SLOWER * (now - self._began)), self._often)
        time.sleep(min(pause, self._until - now))
        return True
