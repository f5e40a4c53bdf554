"""A request as servers of OpenAI's form take it, and what a model or its server may lack."""

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Literal

from footnote.adapters.calls.http_json import RefusalError
from footnote.adapters.llm.replies import NOT_TOLD
from footnote.adapters.llm.reply_text import THINKING_ROOM
from footnote.errors import ConfigurationError
from footnote.model import Message, ModelRequest
from footnote.prompts.tasks import TASKS
from footnote.text.characters import replace_surrogates
from footnote.wire import Json

REFUSALS = frozenset({400, 404, 422, 501})  # statuses with which servers refuse a field

type Lack = Literal["temperature", "schema", "tools", "usage", "max_tokens", "room"]
SIGNS: Mapping[Lack, tuple[str, ...]] = {
    "temperature": ("temperature",),
    "schema": ("response_format", "json_schema", "guided", "structured output"),
    "tools": ("tool",),
    "usage": ("stream_options", "include_usage"),
    "max_tokens": ("unsupported parameter: 'max_tokens'", "use 'max_completion_tokens'"),
    "room": ("context length", "context size", "context window", "max_tokens"),
}
"""Words by which a refusal tells what the model cannot do.

`max_tokens` alone is also in a refusal of a prompt that is too long. `room` is lacked only by a
model that was given room for its thoughts.
"""
SAID: Mapping[Lack, str] = {
    "schema": "The model's server takes no JSON schema: JSON was asked for in words.",
    "usage": NOT_TOLD,
}
BRIDGE = "I have read that."
"""Said by the model between results of tools and what the user says next.

Mistral's servers, and templates of chats that want user and assistant in turn, refuse a user's
message after a tool's (vllm-project/vllm#6862, run-llama/llama_index#11731).
"""
IN_WORDS = "\n\nReply with JSON alone, without a fence around it, that follows this schema:\n"


def to_body(request: ModelRequest, model: str, lacks: Collection[Lack], *, thinks: bool) -> Json:
    """Returns what is posted. A model that `thinks` before it writes has room for that."""
    task = TASKS[request.task]
    room = THINKING_ROOM if thinks and "room" not in lacks else 0
    limit = "max_completion_tokens" if "max_tokens" in lacks else "max_tokens"
    system = request.system
    if request.shape:
        system += IN_WORDS + json.dumps(request.shape)
    body: Json = {
        "model": model,
        "messages": [
            {"role": "system", "content": replace_surrogates(system)},
            *(message for turn in request.messages for message in _messages(turn)),
        ],
        limit: request.max_tokens + room,
    }
    if task.temperature is not None and "temperature" not in lacks:
        body["temperature"] = task.temperature
    if request.shape and "schema" not in lacks:
        schema = {"name": request.task, "schema": dict(request.shape)}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    if request.tools:
        body["tools"] = [
            {
                "type": "function",
                "function": {
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": dict(tool.arguments),
                },
            }
            for tool in request.tools
        ]
    return body


def as_stream(body: Json, lacks: Collection[Lack]) -> Json:
    """Returns the same request for a stream that ends with what it used."""
    options = {} if "usage" in lacks else {"stream_options": {"include_usage": True}}
    return {**body, "stream": True, **options}


def lack_in(error: ConfigurationError, *, has_room: bool) -> Lack | None:
    """Returns what a refusal says that the model cannot do. Only one with room may lack it."""
    cause = error.__cause__
    if not isinstance(cause, RefusalError) or cause.status not in REFUSALS:
        return None
    told = error.message.casefold()
    lacks = (lack for lack, signs in SIGNS.items() if any(sign in told for sign in signs))
    return next((lack for lack in lacks if lack != "room" or has_room), None)


def _messages(turn: Message) -> Iterator[Json]:
    """Yields a turn as this form has it: each result of a tool is a message of its own."""
    for result in turn.results:
        text = f"error: {result.text}" if result.failed else result.text
        yield {"role": "tool", "tool_call_id": result.id, "content": replace_surrogates(text)}
    if turn.results and turn.text:
        yield {"role": "assistant", "content": BRIDGE}
    if turn.text or turn.calls:
        message: Json = {"role": turn.role, "content": replace_surrogates(turn.text)}
        if turn.calls:
            message["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
                }
                for call in turn.calls
            ]
        yield message
