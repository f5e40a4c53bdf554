"""What all language model adapters have in common: which replies are of no use, and why."""

import json
from collections.abc import Mapping, Sequence

from footnote.adapters.llm.prices import Price, Tokens, counted
from footnote.adapters.llm.reply_text import cut_thoughts, has_written_call, json_in
from footnote.errors import ModelReplyError
from footnote.model import Mode, ModelReply, ModelRequest, ToolCall
from footnote.text.tokens import estimate_tokens

STOPPED = "stopped_early"
CUT_SHORT = "The answer was cut: the model reached its limit of tokens."
NOT_TOLD = "The model's server does not say what it used: its tokens are not counted."
MALFORMED = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError,
    ValueError,
)  # fmt: skip
"""What reading a reply raises that has another form than it ought to."""
AS_TEXT = "The model writes tool calls as text, so none of its calls was made."


def must_be_whole(reply: ModelReply, request: ModelRequest, *, refused: bool) -> ModelReply:
    """Returns a reply that is not streamed; of one with a shape, the JSON alone.

    Raises ModelReplyError for one that was refused or cut.
    """
    if refused or reply.stopped:
        why = f"the model stopped early: {'refusal' if refused else reply.stopped}"
        raise ModelReplyError(why, code=STOPPED, spent=reply)
    if request.shape:
        reply = reply.model_copy(update={"text": json_in(reply.text, request.shape)})
    return _note_written_calls(reply, request)


def must_say_something(reply: ModelReply, request: ModelRequest, *, refused: bool) -> ModelReply:
    """Returns the reply that ends a stream, with a note where it was cut.

    Raises ModelReplyError where it was refused or is empty.
    """
    if refused:
        raise ModelReplyError("the model refused to answer", code=STOPPED, spent=reply)
    if not reply.text.strip() and not reply.calls:
        raise ModelReplyError("the model's answer was empty", code=STOPPED, spent=reply)
    if reply.stopped:
        reply = reply.model_copy(update={"degraded": (*reply.degraded, CUT_SHORT)})
    return _note_written_calls(reply, request)


def _note_written_calls(reply: ModelReply, request: ModelRequest) -> ModelReply:
    """Returns the reply, with a note where it has a call of a tool among its words."""
    tools = [tool.name for tool in request.tools]
    if reply.calls or not tools or not has_written_call(reply.text, tools):
        return reply
    return reply.model_copy(update={"degraded": (*reply.degraded, AS_TEXT)})


def ended_in_thoughts(reply: ModelReply) -> bool:
    """Tells whether a reply reached its limit of tokens before it said anything."""
    return bool(reply.stopped) and not reply.calls and not cut_thoughts(reply.text).strip()


def sum_of(replies: Sequence[ModelReply]) -> ModelReply:
    """Returns the last reply, with what all of them have cost."""
    if len(replies) == 1:
        return replies[0]
    return replies[-1].model_copy(
        update={
            "input_tokens": sum(reply.input_tokens for reply in replies),
            "cached_tokens": sum(reply.cached_tokens for reply in replies),
            "output_tokens": sum(reply.output_tokens for reply in replies),
            "usd": round(sum(reply.usd for reply in replies), 9),
            "priced": all(reply.priced for reply in replies),
        }
    )


def estimate_cost(
    request: ModelRequest, text: str, *, mode: Mode, model: str, prices: Mapping[str, Price]
) -> ModelReply:
    """Returns a reply that was left before its end. Its tokens are estimates: nobody told them."""
    words = estimate_tokens(request.system) + estimate_tokens(request.prompt)
    tokens = Tokens(fresh=words, written=0, read=0, output=estimate_tokens(text))
    usd, unknown = counted(model, tokens, prices)
    return ModelReply(
        text=text,
        mode=mode,
        model=model,
        input_tokens=tokens.input,
        output_tokens=tokens.output,
        usd=usd,
        priced=not unknown,
    )


def must_be_given(calls: Sequence[ToolCall], request: ModelRequest, spent: ModelReply) -> None:
    """Raises ModelReplyError where the model calls a tool that it was not given."""
    given = {tool.name for tool in request.tools}
    if wrong := sorted({call.name[:60] for call in calls} - given):
        called, tools = ", ".join(map(repr, wrong)), ", ".join(sorted(given)) or "no tool"
        raise ModelReplyError(
            f"the model called {called}; it was given {tools}", code="wrong_tool", spent=spent
        )


def must_be_arguments(text: str) -> None:
    """Raises ModelReplyError for a call's arguments, as the model wrote them, that are no object.

    An SDK that reads them while they come makes of them what it can.
    """
    if read_arguments(text) is None:
        raise ModelReplyError("the model called a tool with arguments that are no JSON object")


def read_arguments(text: str) -> dict[str, object] | None:
    """Returns a call's arguments that come as JSON, None where they are no object."""
    try:
        arguments = json.loads(text or "{}")
    except ValueError:
        return None
    return arguments if isinstance(arguments, dict) else None
