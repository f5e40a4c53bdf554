"""Takes the time until the first words of an answer that stand."""

import time
from collections.abc import Mapping

from footnote.ask.question.handoff import Progress
from footnote.ask.write.draft import Emit


class FirstWord:
    """Passes events on, and takes the time until the first words that stand.

    `waited_ms`: the milliseconds from asking until the writing began.
    """

    def __init__(self, emit: Emit, waited_ms: float = 0.0) -> None:
        self._emit = emit
        self._waited = waited_ms
        self._started = time.perf_counter()
        self._took: float | None = None

    def emit(self, kind: str, data: Mapping[str, object]) -> None:
        self._emit(kind, data)
        if kind == "words" and self._took is None:
            self._took = self._waited + (time.perf_counter() - self._started) * 1000
        elif kind == "restart":  # the words so far are void
            self._took = None

    def noted(self, progress: Progress) -> Progress:
        """Returns the progress with the milliseconds from asking to those words."""
        return progress if self._took is None else progress.timed("first_word", self._took)
