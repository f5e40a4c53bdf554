"""How long a request may wait for an answer: from when it was received, not from when it began."""

import time

POLL = 0.05  # seconds between two looks at a question
SLOWER = 0.1  # share of what a request has waited, where that is longer: fifty may wait at once


class Waiting:
    """The time that is left to a request which may wait for `seconds`.

    `received` is when API Gateway took it, in milliseconds since 1970, or None where that is not
    told. A request that found no process free has waited in line already. It looks once and
    replies, so that those behind it get an answer too.
    """

    def __init__(self, seconds: float, received: float | None) -> None:
        in_line = 0.0 if received is None else max(0.0, time.time() - received / 1000)
        self._began = time.monotonic()
        self._until = self._began + seconds - in_line

    def pause(self) -> bool:
        """Waits until it is time to look again. Returns False where the time is over."""
        now = time.monotonic()
        if now >= self._until:
            return False
        time.sleep(min(max(POLL, SLOWER * (now - self._began)), self._until - now))
        return True
