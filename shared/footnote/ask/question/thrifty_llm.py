"""An LLM that wraps another: it asks while the question's tokens and dollars last."""

from collections.abc import Callable, Iterator

from footnote.ask.question.stand_in import NO_MONEY
from footnote.errors import FootnoteError, ModelReplyError, UnavailableError
from footnote.model import Budget, Ledger, ModelReply, ModelRequest
from footnote.ports import LLM
from footnote.text.tokens import estimate_tokens

SPENT = "The question's budget of {} was reached: rules and quotations stood in for the model."


def tell_nobody(_usd: float) -> None:
    """Stands for nobody who wants to know what was paid."""


class ThriftyLLM:
    """Implements LLM. `ledger` is what was spent before; each reply is added to it.

    `pay` is told the dollars of each reply at once, also of one that was of no use.

    A request whose own words are more tokens than are left is not sent either. What a model writes
    on top is bounded by the request's `max_tokens`, so that is by how much a cap may be exceeded.
    """

    def __init__(
        self,
        llm: LLM,
        budget: Budget,
        ledger: Ledger,
        pay: Callable[[float], None] = tell_nobody,
    ) -> None:
        self._llm = llm
        self._budget = budget
        self._ledger = ledger
        self._pay = pay

    def complete(self, request: ModelRequest) -> ModelReply:
        self._must_last(request)
        try:
            return self._count(self._llm.complete(request))
        except FootnoteError as error:
            self._count_spent(error)
            raise

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        self._must_last(request)
        try:
            for piece in self._llm.stream(request):
                yield self._count(piece) if isinstance(piece, ModelReply) else piece
        except FootnoteError as error:
            self._count_spent(error)
            raise

    def _must_last(self, request: ModelRequest) -> None:
        """Raises UnavailableError where a cap is reached, or is less than the request says."""
        left = self._ledger.left(self._budget)
        size = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        if left["usd"] <= 0:
            raise UnavailableError(SPENT.format(self._budget.say("usd")), code=NO_MONEY)
        if size > left["tokens"]:
            raise UnavailableError(SPENT.format(self._budget.say("tokens")), code=NO_MONEY)

    def _count(self, reply: ModelReply) -> ModelReply:
        tokens = reply.input_tokens + reply.output_tokens
        self._ledger = self._ledger.plus(Ledger(tokens=tokens, usd=reply.usd))
        self._pay(reply.usd)
        return reply

    def _count_spent(self, error: FootnoteError) -> None:
        if isinstance(error, ModelReplyError | UnavailableError) and error.spent:
            self._count(error.spent)
