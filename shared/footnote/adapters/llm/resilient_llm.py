"""The port LLM over a chain of providers: limit, retries, breaker, the next one, all in time."""

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from footnote.adapters.calls.chain import Chain, Route
from footnote.adapters.calls.lateness import LATE, yield_until
from footnote.adapters.llm.replies import sum_of
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest
from footnote.ports import LLM

SECONDS = 60.0  # for a request that has no deadline, all its retries included
WAITS = (1.0, 2.0, 4.0)  # seconds before each retry; the jitter takes 0 to all of them
LONGEST_WAIT = 8.0  # seconds; a service that asks for more counts as unavailable
_BYTES_A_TOKEN = 4  # of English; only the limit of tokens a minute goes by it


class Provider(LLM, Protocol):
    """The models of one place."""

    def estimate(self, request: ModelRequest, text: str = "") -> ModelReply:
        """Returns what a call is likely to cost that was left when it had said `text`."""


def say_nothing(_reply: ModelReply) -> None:
    """Stands for nobody who wants to know what was used."""


class ResilientLLM:
    """Asks the first provider that answers. Another one is asked only while nothing was heard.

    A stream counts as answered with its first piece. What breaks later is raised: words of two
    models are never mixed. A reply of no use is the caller's matter, who may ask once more. At a
    request's deadline UnavailableError is raised, whatever the provider is doing. What the call
    costs that is left then, the error has as an estimate: the provider bills it all the same.
    `tell` gets each whole reply, with what it has cost.
    """

    def __init__(
        self,
        chain: Chain[Provider, ModelReply],
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.time,
        tell: Callable[[ModelReply], None] = say_nothing,
    ) -> None:
        self._chain = chain
        self._seconds = seconds
        self._clock = clock
        self._tell = tell

    def complete(self, request: ModelRequest) -> ModelReply:
        _, reply, spent = self._first(request, lambda llm, asked: llm.complete(asked))
        return self._add_up([*spent, reply])

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yields pieces of one provider's text and, last, the whole reply."""
        route, pieces, spent = self._first(
            request, lambda llm, asked: _opened(llm.stream(asked)), whole=False
        )
        door, text = route.door(request.task), ""
        if request.deadline is not None:
            pieces = yield_until(pieces, request.deadline, self._clock)
        try:
            for piece in pieces:
                if isinstance(piece, ModelReply):
                    yield self._add_up([*spent, piece])
                else:
                    text += piece
                    yield piece
        except UnavailableError as error:
            door.fail(error)
            error.spent = error.spent or route.provider.estimate(request, text)
            _add_to(error, spent)
            raise
        except BaseException as error:  # the words are of no use, or nobody reads on: it is up
            door.forget()
            if isinstance(error, ModelReplyError):
                _add_to(error, spent)
            raise
        door.succeed()

    def _add_up(self, replies: Sequence[ModelReply]) -> ModelReply:
        """Tells what a reply and the attempts before it have used, and returns their sum."""
        for reply in replies:
            self._tell(reply)
        return sum_of(replies)

    def _first[S](
        self,
        request: ModelRequest,
        ask: Callable[[Provider, ModelRequest], S],
        *,
        whole: bool = True,
    ) -> tuple[Route[Provider], S, list[ModelReply]]:
        """Returns the first answer, and what attempts before it have cost. An error carries it."""
        attempts: list[_Attempt] = []

        def make_attempt(llm: Provider, seconds: float) -> S:
            attempts.append(attempt := _Attempt(llm))
            try:
                return ask(llm, request.model_copy(update={"patience": seconds}))
            except UnavailableError as error:
                late = error.code == LATE
                attempt.cost = error.spent or (llm.estimate(request) if late else None)
                raise
            finally:
                attempt.has_ended = True

        def spent() -> list[ModelReply]:
            """Returns what failed attempts have cost. One that goes on was left as it was late."""
            costs = (one.cost if one.has_ended else one.llm.estimate(request) for one in attempts)
            return [cost for cost in costs if cost]

        seconds = self._seconds if request.deadline is None else request.deadline - self._clock()
        try:
            route, said = self._chain.first(
                _tokens(request), seconds, make_attempt, task=request.task, whole=whole
            )
        except UnavailableError as error:  # it tells of all attempts
            error.spent = sum_of(costs) if (costs := spent()) else None
            raise
        except ModelReplyError as error:
            _add_to(error, spent())
            raise
        return route, said, spent()


@dataclass
class _Attempt:
    """One call to a provider, and what it has cost if it failed."""

    llm: Provider
    cost: ModelReply | None = None
    has_ended: bool = False


def _opened(pieces: Iterator[str | ModelReply]) -> Generator[str | ModelReply]:
    """Waits for the first piece and returns the whole stream."""
    first = next(pieces)

    def all_pieces() -> Generator[str | ModelReply]:
        yield first
        yield from pieces

    return all_pieces()


def _add_to(error: UnavailableError | ModelReplyError, before: Sequence[ModelReply]) -> None:
    """Adds what earlier attempts have cost to what an error says was spent."""
    if every := [*before, *([error.spent] if error.spent else [])]:
        error.spent = sum_of(every)


def _tokens(request: ModelRequest) -> int:
    said = len(request.system) + len(request.prompt)
    return said // _BYTES_A_TOKEN + request.max_tokens
