"""Takes the time until the first words of an answer that stand."""

import time
from collections.abc import Mapping

from footnote.ask.question.handoff import Progress
from footnote.ask.write.draft import Emit


class FirstWord:
    """Passes events on, and takes the time until the first words that stand."""

    def __init__(self, emit: Emit) -> None:
        self._emit = emit
        self._started = time.perf_counter()
        self._took: float | None = None

    def emit(self, kind: str, data: Mapping[str, object]) -> None:
        self._emit(kind, data)
        if kind == "words" and self._took is None:
            self._took = (time.perf_counter() - self._started) * 1000
        elif kind == "restart":  # the words so far are void
            self._took = None

    def noted(self, progress: Progress) -> Progress:
        """Returns the progress with the milliseconds from the start of writing to those words."""
        return progress if self._took is None else progress.timed("first_word", self._took)
