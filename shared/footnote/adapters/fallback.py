"""Implements the port LLM with two others: the second steps in while the first is not available."""

import time
from collections.abc import Callable, Iterator

from footnote.errors import ConfigurationError, FootnoteError, UnavailableError
from footnote.model import ModelReply, ModelRequest
from footnote.ports import LLM

FAILURES = 5  # in a row, then the first is left alone for a while
PAUSE = 30.0  # seconds

# a wrong key must not keep a question from being answered either; the answer says what happened
STEPS_IN = (UnavailableError, ConfigurationError)


class Fallback:
    """Primary, else secondary. Says so in `degraded`, which replaces what the secondary says."""

    def __init__(
        self, primary: LLM, secondary: LLM, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._primary = primary
        self._secondary = secondary
        self._clock = clock
        self._failures = 0
        self._closed_until = 0.0
        self._last = ""

    def complete(self, request: ModelRequest) -> ModelReply:
        if self._clock() < self._closed_until:
            return self._said(self._secondary.complete(request), self._last)
        try:
            reply = self._primary.complete(request)
        except STEPS_IN as error:
            return self._said(self._secondary.complete(request), self._failed(error))
        self._failures = 0
        return reply

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """When the primary fails half-way the secondary writes anew: the last reply's text differs
        from the pieces, which tells the caller that they are void.
        """
        if self._clock() >= self._closed_until:
            try:
                yield from self._primary.stream(request)
            except STEPS_IN as error:
                self._failed(error)
            else:
                self._failures = 0
                return
        for piece in self._secondary.stream(request):
            yield self._said(piece, self._last) if isinstance(piece, ModelReply) else piece

    def _failed(self, error: FootnoteError) -> str:
        self._failures += 1
        if self._failures >= FAILURES:
            self._failures = 0
            self._closed_until = self._clock() + PAUSE
        self._last = error.message
        return error.message

    def _said(self, reply: ModelReply, reason: str) -> ModelReply:
        told = f"The language model was not available ({reason}): rules and quotations stood in."
        return reply.model_copy(update={"degraded": (told,)})
