"""Rules in a model's place: when they stand in, why, and the reply that says so."""

import time
from collections.abc import Callable

from footnote.errors import (
    ConfigurationError,
    FootnoteError,
    ModelReplyError,
    SpentError,
    UnavailableError,
)
from footnote.model import ModelCall, ModelReply, Task
from footnote.prompts import digest_of

MODEL = "extractive-1"  # the name that rules have among models
# A wrong key must not keep a question from being answered either. The answer says what happened.
NO_REPLY = (UnavailableError, ConfigurationError)
NO_MODEL = "No language model is configured: the answer is made of the documents' own sentences."
DOWN = "The language model was not available ({}): rules and quotations stood in."
USELESS = "The language model's reply was of no use ({}): rules and quotations stood in."


def reply_by_rule[T](
    by_rule: Callable[[], T], task: Task, error: FootnoteError | None, started: float
) -> tuple[T, ModelReply]:
    """Returns what rules make, and the reply that stands for it; without an error no model is set.

    `started` is when a model was asked, or would have been.
    """
    return by_rule(), stand_in(task, error, started)


def stand_in(task: Task, error: FootnoteError | None, started: float) -> ModelReply:
    """Returns the reply of rules: why they stand in, and what the model's own has cost."""
    spent = error.spent if isinstance(error, UnavailableError | ModelReplyError) else None
    cost = spent or ModelReply(text="", mode="extractive", model=MODEL)
    call = ModelCall(
        task=task,
        model=MODEL,
        prompt=digest_of(task),
        input=cost.input_tokens,
        output=cost.output_tokens,
        usd=cost.usd,
        ms=round((time.perf_counter() - started) * 1000, 1),
    )
    return ModelReply(
        text="",
        mode="extractive",
        model=MODEL,
        input_tokens=cost.input_tokens,
        output_tokens=cost.output_tokens,
        usd=cost.usd,
        priced=cost.priced,
        degraded=(_why(error),),
        call=call,
    )


def _why(error: FootnoteError | None) -> str:
    if error is None:
        return NO_MODEL
    if isinstance(error, SpentError):
        return error.message
    return (USELESS if isinstance(error, ModelReplyError) else DOWN).format(error.message)
