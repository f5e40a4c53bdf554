"""A request as the Messages API takes it, and its cacheable blocks.

https://platform.claude.com/docs/en/build-with-claude/prompt-caching: the cache covers tools, then
system, then messages, up to a mark. There are four marks at most.
"""

import json
from collections.abc import Mapping
from typing import Any

import anthropic
from anthropic.types import Message as SdkMessage

from footnote.adapters.llm.anthropic_citations import documents_of
from footnote.adapters.llm.anthropic_models import thinking_of
from footnote.adapters.llm.reply_text import THINKING_ROOM
from footnote.model import Message, ModelRequest, ToolCall
from footnote.text.characters import replace_surrogates

MARK = {"type": "ephemeral"}
BLOCK_MARKS = 2  # in messages; one more is the system's, one the end's where tools go on

type Sent = dict[str, Any]


def to_arguments(request: ModelRequest, model: str, mode: str, *, cites: bool = False) -> Sent:
    """Returns the arguments of the SDK's `messages.create`; `cites`: with citations of its own.

    The system's text is marked: all requests of a task have it. With tools the end is marked too,
    as the next request begins with all of this one. No temperature is sent: the API refuses it from
    the 5 line on (platform.claude.com/docs/models/haiku-5-5/migration-guide).
    """
    thinking = thinking_of(model)
    messages = [_message(turn, mode, cites=cites) for turn in request.messages]
    arguments: Sent = {
        "model": model,
        "system": [_text(request.system, cached=True)] if request.system else [],
        "messages": _with_marks(messages, at_end=bool(request.tools)),
        "max_tokens": request.max_tokens + (0 if thinking else THINKING_ROOM),
    }
    if thinking:
        arguments["thinking"] = dict(thinking)
    if request.shape:
        schema = anthropic.transform_schema(_plain(request.shape))
        arguments["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
    if request.tools:
        arguments["tools"] = [
            {
                "name": tool.name,
                "description": tool.description,
                "input_schema": _plain(tool.arguments),
            }
            for tool in request.tools
        ]
    return arguments


def calls_of(message: SdkMessage) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(id=block.id, name=block.name, arguments=dict(block.input))
        for block in message.content
        if block.type == "tool_use" and isinstance(block.input, dict)
    )


def thoughts_of(message: SdkMessage) -> tuple[Mapping[str, object], ...]:
    """Returns the model's thoughts: signed, they must go back before the calls they led to."""
    return tuple(
        block.to_dict()
        for block in message.content
        if block.type in {"thinking", "redacted_thinking"}
    )


def _message(turn: Message, mode: str, *, cites: bool) -> Sent:
    content: list[Sent] = [
        {
            "type": "tool_result",
            "tool_use_id": result.id,
            "content": replace_surrogates(result.text),
            "is_error": result.failed,
        }
        for result in turn.results
    ]
    content += [_plain(block) for block in turn.kept] if turn.kept_for == mode else []
    content += documents_of(turn) if cites else ()
    content += [
        _text(block.text, cached=block.cached)
        for block in turn.blocks
        if block.text and not (cites and block.citable)
    ]
    content += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": _plain(call.arguments)}
        for call in turn.calls
    ]
    return {"role": turn.role, "content": content}


def _text(text: str, *, cached: bool = False) -> Sent:
    plain = {"type": "text", "text": replace_surrogates(text)}
    return {**plain, "cache_control": MARK} if cached else plain


def _with_marks(messages: list[Sent], *, at_end: bool) -> list[Sent]:
    """Marks the end if wanted, and leaves the last `BLOCK_MARKS` of the other marks."""
    blocks = [block for message in messages for block in message["content"]]
    marked = [block for block in blocks if "cache_control" in block]
    for block in marked[:-BLOCK_MARKS]:
        del block["cache_control"]
    if at_end and blocks:
        blocks[-1]["cache_control"] = MARK
    return messages


def _plain(value: Mapping[str, object]) -> Sent:
    """Returns a copy of plain dicts and lists, which is what the SDK takes."""
    copy: Sent = json.loads(json.dumps(value))
    return copy
