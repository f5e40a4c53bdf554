"""An LLM that wraps another: it asks while the question's tokens and dollars last, then rules."""

from collections.abc import Callable, Iterator

from footnote.errors import FootnoteError, ModelReplyError, UnavailableError
from footnote.model import Budget, Cap, Ledger, ModelReply, ModelRequest
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
        rules: LLM,
        budget: Budget,
        ledger: Ledger,
        pay: Callable[[float], None] = tell_nobody,
    ) -> None:
        self._llm = llm
        self._rules = rules
        self._budget = budget
        self._ledger = ledger
        self._pay = pay

    def complete(self, request: ModelRequest) -> ModelReply:
        if cap := self._reached(request):
            return self._said(self._rules.complete(request), cap)
        try:
            return self._count(self._llm.complete(request))
        except FootnoteError as error:
            self._count_spent(error)
            raise

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        cap = self._reached(request)
        try:
            for piece in (self._rules if cap else self._llm).stream(request):
                if isinstance(piece, ModelReply):
                    yield self._said(piece, cap) if cap else self._count(piece)
                else:
                    yield piece
        except FootnoteError as error:
            self._count_spent(error)
            raise

    def _reached(self, request: ModelRequest) -> Cap | None:
        left = self._ledger.left(self._budget)
        if left["usd"] <= 0:
            return "usd"
        size = estimate_tokens(request.system) + estimate_tokens(request.prompt)
        return "tokens" if size > left["tokens"] else None

    def _count(self, reply: ModelReply) -> ModelReply:
        tokens = reply.input_tokens + reply.output_tokens
        self._ledger = self._ledger.plus(Ledger(tokens=tokens, usd=reply.usd))
        self._pay(reply.usd)
        return reply

    def _count_spent(self, error: FootnoteError) -> None:
        if isinstance(error, ModelReplyError | UnavailableError) and error.spent:
            self._count(error.spent)

    def _said(self, reply: ModelReply, cap: Cap) -> ModelReply:
        return reply.model_copy(update={"degraded": (SPENT.format(self._budget.say(cap)),)})
