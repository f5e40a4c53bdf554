"""A language model that is given all the time it needs, and whose calls are timed and counted."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from footnote.model import ModelReply, ModelRequest, Task
from footnote.ports import LLM


class Call(NamedTuple):
    """One call of a model. One that failed has no tokens."""

    task: Task
    seconds: float
    tokens_in: int = 0
    tokens_out: int = 0
    failed: bool = True


class WatchedLLM:
    """Implements LLM with another one, without the deadline of a request."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm
        self.calls: list[Call] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        with self._watch(request) as replies:
            replies.append(self._llm.complete(_unhurried(request)))
        return replies[0]

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        with self._watch(request) as replies:
            for piece in self._llm.stream(_unhurried(request)):
                if isinstance(piece, ModelReply):
                    replies.append(piece)
                yield piece

    @contextmanager
    def _watch(self, request: ModelRequest) -> Iterator[list[ModelReply]]:
        """Yields where the reply is to be put, and notes the call however it ends."""
        replies: list[ModelReply] = []
        started = time.perf_counter()
        try:
            yield replies
        finally:
            seconds = round(time.perf_counter() - started, 1)
            counts = [(one.input_tokens, one.output_tokens, False) for one in replies]
            self.calls.append(Call(request.task, seconds, *(counts[0] if counts else ())))


def _unhurried(request: ModelRequest) -> ModelRequest:
    return request.model_copy(update={"deadline": None})
