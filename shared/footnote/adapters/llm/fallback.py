"""Implements the port LLM with two others: the second steps in when the first is of no use."""

import re
from collections.abc import Iterator

from footnote.errors import ConfigurationError, FootnoteError, ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest
from footnote.ports import LLM

# A wrong key must not keep a question from being answered either. The answer says what happened.
REPLACED_ERRORS = (UnavailableError, ConfigurationError)
DOWN = "The language model was not available ({}): rules and quotations stood in."
USELESS = "The language model's reply was of no use ({}): rules and quotations stood in."
_CITED = re.compile(r"\[\s*\d[\d\s,;]*\]")


class Fallback:
    """Asks the primary, else the secondary, and says so in `degraded`.

    That replaces the secondary's own `degraded`. The caller judges whether a reply has the shape
    that was asked for; if not, it asks again with `given_up`. A stream that was refused, or cut
    before its first citation, is judged here.
    """

    def __init__(self, primary: LLM, secondary: LLM) -> None:
        self._primary = primary
        self._secondary = secondary

    def complete(self, request: ModelRequest) -> ModelReply:
        told, spent = _why_skipped(request), None
        if not told:
            try:
                return self._primary.complete(request)
            except REPLACED_ERRORS as error:
                told, spent = _why_failed(error), _spent_reply(error)
        return _stand_in(self._secondary.complete(request), told, spent)

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yields the pieces, then the reply.

        When the primary fails half-way, the secondary writes anew and yields its reply only, no
        pieces. The caller sees that the reply's text differs from the pieces, so they are void.
        """
        told, spent, begun = _why_skipped(request), None, False
        if not told:
            try:
                for piece in self._primary.stream(request):
                    yield _check_piece(piece)
                    begun = True
            except (*REPLACED_ERRORS, ModelReplyError) as error:
                told, spent = _why_failed(error), _spent_reply(error)
            else:
                return
        for piece in self._secondary.stream(request):
            if isinstance(piece, ModelReply):
                yield _stand_in(piece, told, spent)
            elif not begun:
                yield piece


def _why_skipped(request: ModelRequest) -> str:
    """Returns why the primary is not asked at all, or "" when it is asked."""
    return USELESS.format(request.given_up) if request.given_up else ""


def _why_failed(error: FootnoteError) -> str:
    """Returns the sentence that `degraded` says of a failure."""
    return (USELESS if isinstance(error, ModelReplyError) else DOWN).format(error.message)


def _check_piece(piece: str | ModelReply) -> str | ModelReply:
    """Returns the piece. Raises ModelReplyError for an answer cut before its first citation."""
    if isinstance(piece, ModelReply) and piece.stopped and not _CITED.search(piece.text):
        raise ModelReplyError(f"it was cut short: {piece.stopped}", spent=piece)
    return piece


def _spent_reply(error: FootnoteError) -> ModelReply | None:
    return error.spent if isinstance(error, UnavailableError | ModelReplyError) else None


def _stand_in(reply: ModelReply, told: str, spent: ModelReply | None) -> ModelReply:
    """Returns the secondary's reply, with why it stands in and what the primary's reply cost."""
    cost = spent or ModelReply(text="", mode=reply.mode, model=reply.model)
    return reply.model_copy(
        update={
            "degraded": (told,),
            "input_tokens": reply.input_tokens + cost.input_tokens,
            "output_tokens": reply.output_tokens + cost.output_tokens,
            "usd": reply.usd + cost.usd,
        }
    )
