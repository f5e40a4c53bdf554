"""Two LLMs that wrap another: `DeadlineLLM` sets a deadline, `PunctualLLM` keeps to it."""

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from queue import Empty, SimpleQueue
from threading import Event

from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelCall, ModelReply, ModelRequest
from footnote.ports import LLM
from footnote.prompts import digest_of

NO_TIME = "no_time"  # code of an UnavailableError that says nothing about the service
SLACK = 0.3  # seconds, so that a client's own time-out, which knows the cause, comes first


class DeadlineLLM:
    """Gives each request this deadline (epoch seconds) unless its own is earlier.

    Notes in each reply what the trace tells of it, also in one that was of no use.
    """

    def __init__(self, llm: LLM, deadline: float) -> None:
        self._llm = llm
        self._deadline = deadline

    def complete(self, request: ModelRequest) -> ModelReply:
        started = time.perf_counter()
        try:
            return _noted(self._llm.complete(self._with_deadline(request)), request, started)
        except ModelReplyError as error:
            error.spent = error.spent and _noted(error.spent, request, started)
            raise

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        return _noted_stream(self._llm.stream(self._with_deadline(request)), request)

    def _with_deadline(self, request: ModelRequest) -> ModelRequest:
        own = self._deadline if request.deadline is None else request.deadline
        return request.model_copy(update={"deadline": min(own, self._deadline)})


def _noted_stream(
    pieces: Iterator[str | ModelReply], request: ModelRequest
) -> Iterator[str | ModelReply]:
    started = time.perf_counter()
    try:
        for piece in pieces:
            yield _noted(piece, request, started) if isinstance(piece, ModelReply) else piece
    except ModelReplyError as error:
        error.spent = error.spent and _noted(error.spent, request, started)
        raise


def _noted(reply: ModelReply, request: ModelRequest, started: float) -> ModelReply:
    call = ModelCall(
        task=request.task,
        model=reply.model,
        prompt=digest_of(request.task),
        input=reply.input_tokens,
        cached=reply.cached_tokens,
        output=reply.output_tokens,
        usd=reply.usd,
        ms=round((time.perf_counter() - started) * 1000, 1),
    )
    return reply.model_copy(update={"call": call})


class PunctualLLM:
    """Raises UnavailableError at a request's deadline, whatever the wrapped LLM is doing.

    A client's time-outs bound only the silence between two bytes. A server that sends one byte a
    second, or a name that does not resolve, outlasts them all. So the call runs in its own thread.
    """

    def __init__(self, llm: LLM, clock: Callable[[], float] = time.time) -> None:
        self._llm = llm
        self._clock = clock

    def complete(self, request: ModelRequest) -> ModelReply:
        if request.deadline is None:
            return self._llm.complete(request)
        return next(self._items(lambda: iter((self._llm.complete(request),)), request.deadline))

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        if request.deadline is None:
            return self._llm.stream(request)
        return self._items(lambda: self._llm.stream(request), request.deadline)

    def _items[T](self, made: Callable[[], Iterator[T]], deadline: float) -> Iterator[T]:
        """Yields what `made` yields and raises what it raises.

        The thread is abandoned when it is late or the caller stops reading.
        """
        items: SimpleQueue[T | None] = SimpleQueue()
        left = Event()
        pool = ThreadPoolExecutor(1, "model")
        work = pool.submit(_fill, items, made, left)
        pool.shutdown(wait=False)
        try:
            while (item := self._next(items, deadline)) is not None:
                yield item
            work.result()  # raises the error that ended the work, if any
        finally:
            left.set()

    def _next[T](self, items: "SimpleQueue[T | None]", deadline: float) -> T | None:
        try:
            return items.get(timeout=max(deadline + SLACK - self._clock(), 0.0))
        except Empty:
            raise UnavailableError("the language model was not done in time") from None


def _fill[T](items: "SimpleQueue[T | None]", made: Callable[[], Iterator[T]], left: Event) -> None:
    """Puts each item of `made` into the queue, then None. Stops once the reader has left."""
    try:
        for item in made():
            items.put(item)
            if left.is_set():
                return
    finally:
        items.put(None)
