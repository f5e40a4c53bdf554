"""An LLM that wraps another: it asks within the time and money that a question has left."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from footnote.errors import ModelReplyError, SpentError, UnavailableError
from footnote.model import Budget, Ledger, ModelCall, ModelReply, ModelRequest
from footnote.ports import LLM
from footnote.prompts import digest_of
from footnote.text.tokens import estimate_tokens

BY_RULES = "ModelProfile is small: the model wrote the answer, rules planned, graded and checked."
SPENT = "The question's budget of {} was reached: rules and quotations stood in for the model."


class ThriftyLLM:
    """Implements LLM. `ledger` is what was spent before; each reply is added to it.

    A request gets `deadline` (epoch seconds) unless its own is earlier. `pay` is told the dollars
    of each reply at once, also of one that was of no use. Each reply has what the trace tells of
    it.

    At a cap of `budget` SpentError is raised, and where a request's own words are more tokens
    than are left. What a model writes on top is bounded by the request's `max_tokens`, so that is
    by how much a cap may be exceeded. With `only_writes` SpentError is raised for all but answers:
    a small, slow model plans and grades worse than rules, and takes as long for that (the setting
    `ModelProfile`).
    """

    def __init__(
        self,
        llm: LLM,
        deadline: float,
        budget: Budget,
        ledger: Ledger,
        pay: Callable[[float], None],
        *,
        only_writes: bool = False,
    ) -> None:
        self._llm = llm
        self._deadline = deadline
        self._budget = budget
        self._ledger = ledger
        self._pay = pay
        self._only_writes = only_writes

    def complete(self, request: ModelRequest) -> ModelReply:
        with self._counting(request) as count:
            return count(self._llm.complete(self._in_time(request)))

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        with self._counting(request) as count:
            for piece in self._llm.stream(self._in_time(request)):
                yield count(piece) if isinstance(piece, ModelReply) else piece

    def _in_time(self, request: ModelRequest) -> ModelRequest:
        own = self._deadline if request.deadline is None else request.deadline
        return request.model_copy(update={"deadline": min(own, self._deadline)})

    @contextmanager
    def _counting(self, request: ModelRequest) -> Iterator[Callable[[ModelReply], ModelReply]]:
        """Yields what counts a reply and notes its call. What an error has cost is counted too."""
        self._must_last(request)
        started = time.perf_counter()

        def count(reply: ModelReply) -> ModelReply:
            tokens = reply.input_tokens + reply.output_tokens
            self._ledger = self._ledger.plus(Ledger(tokens=tokens, usd=reply.usd))
            self._pay(reply.usd)
            return _noted(reply, request, started)

        try:
            yield count
        except (ModelReplyError, UnavailableError) as error:
            error.spent = error.spent and count(error.spent)
            raise

    def _must_last(self, request: ModelRequest) -> None:
        if self._only_writes and request.task != "synthesize":
            raise SpentError(BY_RULES)
        left = self._ledger.left(self._budget)
        size = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        if left["usd"] <= 0:
            raise SpentError(SPENT.format(self._budget.say("usd")))
        if size > left["tokens"]:
            raise SpentError(SPENT.format(self._budget.say("tokens")))


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
