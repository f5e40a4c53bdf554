"""How scripted replies look in the two forms that providers speak: Messages, and OpenAI's chat.

A request that the provider would refuse is refused: a wrong one fails its test.
"""

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

LEAST_CACHED = 1024  # tokens; a shorter prefix is read anew each time
MARKS = 4
FIELDS = {
    "model", "messages", "max_tokens", "max_completion_tokens", "stream", "stream_options", "tools",
    "tool_choice", "response_format", "temperature",
}  # fmt: skip


@dataclass(frozen=True)
class Reply:
    """A complete reply; it is sent as server-sent events when the request asks for a stream."""

    text: str = ""
    stop_reason: str = "end_turn"
    thinking: str = ""
    input_tokens: int = 100
    output_tokens: int = 20
    cache_written: int | None = None
    cache_read: int | None = None
    cites: tuple[tuple[str, tuple[tuple[int, int, int], ...]], ...] = ()
    """The text in blocks, each with what it cites: (document, first piece, behind the last)."""
    calls: tuple[tuple[str, Any], ...] = ()
    """Tools that the model calls, with arguments: an object, or a text as the model wrote it."""


@dataclass(frozen=True)
class Status:
    """An error instead of a reply."""

    code: int
    kind: str = "api_error"
    headers: Mapping[str, str] = field(default_factory=dict)
    why: str = "scripted"


@dataclass(frozen=True)
class Frames:
    """A stream in three parts: before the text, the text in pieces, what ends it."""

    start: list[bytes]
    pieces: list[bytes]
    end: list[bytes]

    @property
    def all(self) -> list[bytes]:
        return [*self.start, *self.pieces, *self.end]

    def broken(self) -> list[bytes]:
        return [*self.start, *self.pieces] if self.pieces else self.start[:1]


def said_in(content: str | list[dict[str, Any]] | None) -> str:
    """Returns the text of a message in either form."""
    if content is None or isinstance(content, str):
        return content or ""
    return "".join(
        block.get("text", "")
        or str(block.get("content", ""))
        or "".join(f"{said_in([piece])}\n" for piece in block.get("source", {}).get("content", ()))
        for block in content
    )


def documents_in(body: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the documents of a request of Anthropic's form."""
    contents = [message["content"] for message in body.get("messages", ())]
    blocks = [block for content in contents if isinstance(content, list) for block in content]
    return [block for block in blocks if block["type"] == "document"]


def words(text: str) -> list[str]:
    return re.findall(r"\S+\s*|\s+", text)


class Messages:
    """Anthropic's Messages API, at Anthropic or on Bedrock. With `caches` it keeps prefixes.

    https://platform.claude.com/docs/en/api/messages
    """

    PING = b'event: ping\ndata: {"type": "ping"}\n\n'

    def __init__(self) -> None:
        self.caches = False
        self.cites = True
        self._known: set[str] = set()

    def problem(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Status | None:
        on_bedrock = path == "/anthropic/v1/messages"
        key = headers.get("x-api-key") or headers.get("authorization") or ""
        if on_bedrock and "/bedrock-mantle/aws4_request" not in key:
            return Status(403, "permission_error")
        if not key:
            return Status(401, "authentication_error")
        if not on_bedrock and path != "/v1/messages":
            return Status(404, "not_found_error")
        if on_bedrock and not body.get("model", "").startswith("anthropic."):
            return Status(404, "not_found_error")
        why = self._refuses_documents(body)
        wrong = not body.get("messages") or not body.get("model") or not body.get("max_tokens")
        forced = body.get("tool_choice", {}).get("type") in {"any", "tool"}
        if wrong or why or (forced and "-5-5" in body["model"]) or not self._is_in_turn(body):
            return Status(400, "invalid_request_error", why=why or "scripted")
        return None

    def _refuses_documents(self, body: dict[str, Any]) -> str:
        given = documents_in(body)
        if given and not self.cites:
            return "documents: citations are not supported"
        if given and "format" in body.get("output_config", {}):
            return "citations are not supported with structured outputs"
        right = all(
            one["source"]["type"] == "content"
            and one["source"]["content"]
            and all(piece["type"] == "text" and piece["text"] for piece in one["source"]["content"])
            and one["citations"] == {"enabled": True}
            for one in given
        )
        return "" if right else "messages.0.content: wrong document"

    def _is_in_turn(self, body: dict[str, Any]) -> bool:
        """Tells whether roles alternate, each call has its result, and marks are few."""
        open_calls: set[str] = set()
        marks, before = 0, "assistant"
        for message in body["messages"]:
            blocks = message["content"] if isinstance(message["content"], list) else []
            marks += sum("cache_control" in block for block in blocks)
            results = {one["tool_use_id"] for one in blocks if one["type"] == "tool_result"}
            if message["role"] == before or results != open_calls or not message["content"]:
                return False
            open_calls = {one["id"] for one in blocks if one["type"] == "tool_use"}
            before = message["role"]
        system = body.get("system", [])
        marks += sum("cache_control" in block for block in system if isinstance(system, list))
        return marks <= MARKS and before == "user"

    def refusal(self, status: Status) -> dict[str, Any]:
        return {"type": "error", "error": {"type": status.kind, "message": status.why}}

    def whole(self, reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
        thought = [{"type": "thinking", "thinking": reply.thinking, "signature": "s"}]
        said = [
            {"type": "text", "text": text, "citations": self._citations(cited, body) or None}
            for text, cited in reply.cites or ((reply.text, ()),)
        ]
        calls = [
            {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": given}
            for n, (name, given) in enumerate(reply.calls)
        ]
        written, read, fresh = self._cached(reply, body)
        return {
            "id": "msg_scripted",
            "type": "message",
            "role": "assistant",
            "model": body["model"].removeprefix("anthropic."),
            "content": [
                *(thought if reply.thinking else []),
                *(said if reply.text or reply.cites or not calls else []),
                *calls,
            ],
            "stop_reason": "tool_use" if calls else reply.stop_reason,
            "stop_sequence": None,
            "usage": {
                "input_tokens": fresh,
                "output_tokens": reply.output_tokens,
                "cache_creation_input_tokens": written,
                "cache_read_input_tokens": read,
            },
        }

    def _citations(
        self, cited: tuple[tuple[int, int, int], ...], body: dict[str, Any]
    ) -> list[dict[str, Any]]:
        documents = documents_in(body)
        return [
            {
                "type": "content_block_location",
                "cited_text": said_in(documents[n]["source"]["content"][start:end])
                if n < len(documents)
                else "",
                "document_index": n,
                "document_title": None,
                "file_id": None,
                "start_block_index": start,
                "end_block_index": end,
            }
            for n, start, end in cited
        ]

    def _cached(self, reply: Reply, body: dict[str, Any]) -> tuple[int | None, int | None, int]:
        """Returns tokens written to the cache, read from it, and the others."""
        if not self.caches:
            return reply.cache_written, reply.cache_read, reply.input_tokens
        total, read, longest, digest = 0, 0, 0, hashlib.sha256(body["model"].encode())
        known = set[str]()
        for block in self._blocks(body):
            plain = {name: value for name, value in block.items() if name != "cache_control"}
            text = json.dumps(plain, sort_keys=True)
            digest.update(text.encode())
            total += len(text) // 4
            if digest.hexdigest() in self._known:
                read = total
            if "cache_control" in block and total >= LEAST_CACHED:
                longest = total
                known.add(digest.hexdigest())
        self._known |= known
        return max(longest - read, 0), read, total - max(longest, read)

    def _blocks(self, body: dict[str, Any]) -> Iterator[dict[str, Any]]:
        yield from body.get("tools", [])
        yield from body.get("system", [])
        for message in body["messages"]:
            content = message["content"]
            yield from [{"text": content}] if isinstance(content, str) else content

    def frames(self, reply: Reply, body: dict[str, Any]) -> Frames:
        whole = self.whole(reply, body)
        usage = {**whole["usage"], "output_tokens": 1}
        opened = {**whole, "content": [], "stop_reason": None, "usage": usage}
        start: list[dict[str, Any]] = [{"type": "message_start", "message": opened}]
        pieces: list[dict[str, Any]] = []
        end: list[dict[str, Any]] = []
        for n, (text, cited) in enumerate(reply.cites):
            block = {"type": "text", "text": "", "citations": None}
            pieces.append({"type": "content_block_start", "index": n, "content_block": block})
            deltas: list[dict[str, Any]] = [
                {"type": "text_delta", "text": piece} for piece in words(text)
            ]
            deltas += [
                {"type": "citations_delta", "citation": one} for one in self._citations(cited, body)
            ]
            pieces += [{"type": "content_block_delta", "index": n, "delta": one} for one in deltas]
            pieces.append({"type": "content_block_stop", "index": n})
        if not reply.cites and (reply.text or not reply.calls):
            block = {"type": "text", "text": ""}
            start.append({"type": "content_block_start", "index": 0, "content_block": block})
            end.append({"type": "content_block_stop", "index": 0})
        start.append({"type": "ping"})
        for piece in words(reply.text):
            delta = {"type": "text_delta", "text": piece}
            pieces.append({"type": "content_block_delta", "index": 0, "delta": delta})
        for n, (name, given) in enumerate(reply.calls):
            at = n + bool(reply.text)
            call = {"type": "tool_use", "id": f"toolu_{n}", "name": name, "input": {}}
            end.append({"type": "content_block_start", "index": at, "content_block": call})
            text = given if isinstance(given, str) else json.dumps(given)
            for part in (text[: len(text) // 2], text[len(text) // 2 :]):
                delta = {"type": "input_json_delta", "partial_json": part}
                end.append({"type": "content_block_delta", "index": at, "delta": delta})
            end.append({"type": "content_block_stop", "index": at})
        stop = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
        told = {"output_tokens": reply.output_tokens}
        end += [{"type": "message_delta", "delta": stop, "usage": told}, {"type": "message_stop"}]
        return Frames(*([self.frame(one) for one in part] for part in (start, pieces, end)))

    def frame(self, event: dict[str, Any]) -> bytes:
        return f"event: {event['type']}\ndata: {json.dumps(event)}\n\n".encode()

    def error_frame(self, kind: str) -> bytes:
        return self.frame(self.refusal(Status(200, kind)))

    def schema_of(self, body: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = body.get("output_config", {}).get("format", {}).get("schema", {})
        return found

    def prompt_of(self, body: dict[str, Any]) -> str:
        return said_in(body["messages"][0]["content"])


class Chat:
    """OpenAI's form of chat. `without` are fields that this server does not know: it refuses them.

    https://platform.openai.com/docs/api-reference/chat
    """

    PING = b": PROCESSING\n\n"  # as gateways send while a model thinks
    STOPS: Mapping[str, str] = {
        "end_turn": "stop",
        "max_tokens": "length",
        "refusal": "content_filter",
    }

    AFTER: Mapping[str, frozenset[str]] = {
        "": frozenset({"system", "user"}),
        "system": frozenset({"user"}),
        "user": frozenset({"assistant"}),
        "assistant": frozenset({"user", "tool"}),
        "tool": frozenset({"assistant", "tool"}),
    }

    def __init__(self) -> None:
        self.without: frozenset[str] = frozenset()
        self.key = ""
        self.alias = ""  # the server's own name for each model
        self.tells_usage = True

    def problem(self, path: str, headers: Mapping[str, str], body: dict[str, Any]) -> Status | None:
        if self.key and headers.get("authorization") != f"Bearer {self.key}":
            return Status(401, "invalid_api_key")
        if path != "/v1/chat/completions":
            return Status(404, "not_found")
        if unknown := sorted(set(body) - FIELDS):
            return Status(400, "invalid_request_error", why=f"Unknown parameter: {unknown}")
        if refused := sorted(self.without & set(body)):
            return Status(
                400, "invalid_request_error", why=f"Unsupported parameter: {refused[0]!r}"
            )
        if not body.get("model") or not self._is_in_turn(body):
            return Status(400, "invalid_request_error", why="wrong messages")
        return None

    def _is_in_turn(self, body: dict[str, Any]) -> bool:
        """Tells whether each call has its result directly after it, and roles come in turn.

        Mistral's servers and many templates of vLLM want that: no two users' messages in a row, and
        no user's after a tool's.
        """
        open_calls: set[str] = set()
        before = ""
        for message in body["messages"]:
            if message["role"] not in self.AFTER[before]:
                return False
            before = message["role"]
            if message["role"] == "tool":
                if message["tool_call_id"] not in open_calls:
                    return False
                open_calls.discard(message["tool_call_id"])
                continue
            if open_calls:
                return False
            open_calls = {call["id"] for call in message.get("tool_calls", [])}
        return bool(body["messages"]) and not open_calls

    def refusal(self, status: Status) -> dict[str, Any]:
        return {"error": {"message": status.why, "type": status.kind, "param": None, "code": None}}

    def whole(self, reply: Reply, body: dict[str, Any]) -> dict[str, Any]:
        said: dict[str, Any] = {"role": "assistant", "content": reply.text}
        if reply.thinking:
            said["reasoning_content"] = reply.thinking
        if reply.calls:
            said["tool_calls"] = self._calls(reply)
        return {
            "id": "chatcmpl-scripted",
            "object": "chat.completion",
            "model": self.alias or body["model"],
            "choices": [{"index": 0, "message": said, "finish_reason": self._stop(reply)}],
            **({"usage": self._usage(reply)} if self.tells_usage else {}),
        }

    def _usage(self, reply: Reply) -> dict[str, Any]:
        read = reply.cache_read or 0
        return {
            "prompt_tokens": reply.input_tokens + read,
            "completion_tokens": reply.output_tokens,
            "total_tokens": reply.input_tokens + read + reply.output_tokens,
            "prompt_tokens_details": {"cached_tokens": read},
        }

    def _stop(self, reply: Reply) -> str:
        return "tool_calls" if reply.calls else self.STOPS.get(reply.stop_reason, "length")

    def _calls(self, reply: Reply) -> list[dict[str, Any]]:
        return [
            {
                "id": f"call_{n}",
                "type": "function",
                "function": {
                    "name": name,
                    "arguments": given if isinstance(given, str) else json.dumps(given),
                },
            }
            for n, (name, given) in enumerate(reply.calls)
        ]

    def frames(self, reply: Reply, body: dict[str, Any]) -> Frames:
        def chunk(delta: dict[str, Any], why: str | None = None) -> bytes:
            choice = {"index": 0, "delta": delta, "finish_reason": why}
            return self.frame({**plain, "choices": [choice]})

        plain = {"id": "c", "object": "chat.completion.chunk", "model": self.alias or body["model"]}
        end = []
        for n, call in enumerate(self._calls(reply)):
            text = call["function"]["arguments"]
            first = {**call, "index": n, "function": {**call["function"], "arguments": ""}}
            end.append(chunk({"tool_calls": [first]}))
            halves = (text[: len(text) // 2], text[len(text) // 2 :])
            end += [
                chunk({"tool_calls": [{"index": n, "function": {"arguments": half}}]})
                for half in halves
            ]
        end.append(chunk({}, self._stop(reply)))
        if body.get("stream_options", {}).get("include_usage") and self.tells_usage:
            end.append(self.frame({**plain, "choices": [], "usage": self._usage(reply)}))
        end.append(b"data: [DONE]\n\n")
        start = [chunk({"role": "assistant", "content": ""})]
        start += [chunk({"reasoning_content": piece}) for piece in words(reply.thinking)]
        return Frames(start, [chunk({"content": piece}) for piece in words(reply.text)], end)

    def frame(self, event: dict[str, Any]) -> bytes:
        return f"data: {json.dumps(event)}\n\n".encode()

    def error_frame(self, kind: str) -> bytes:
        return self.frame(self.refusal(Status(200, kind)))

    def schema_of(self, body: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = (
            body.get("response_format", {}).get("json_schema", {}).get("schema", {})
        )
        return found

    def prompt_of(self, body: dict[str, Any]) -> str:
        said = [one for one in body["messages"] if one["role"] == "user"]
        return said_in(said[0]["content"])


type Form = Messages | Chat
