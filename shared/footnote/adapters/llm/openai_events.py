"""What comes back from servers of OpenAI's form: events of a stream, and calls of tools."""

from collections.abc import Sequence

from footnote.adapters.calls.http_json import reason_in
from footnote.adapters.llm.replies import read_arguments
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ToolCall
from footnote.wire import Json

THOUGHTS = ("reasoning_content", "reasoning")  # fields in which servers hand on a model's thoughts


def has_thoughts(message: Json) -> bool:
    """Tells whether a message, or a piece of one, has thoughts apart from its text."""
    return any(message.get(field) for field in THOUGHTS)


def text_of(content: object) -> str:
    """Returns the text of a message's content. Some servers have it in parts, thoughts among them.

    https://docs.mistral.ai/capabilities/reasoning
    """
    if not isinstance(content, list):
        return str(content or "")
    return "".join(str(part["text"]) for part in content if part.get("type") == "text")


def must_be_no_error(answer: Json, stop_reason: object = None) -> None:
    """Raises UnavailableError for an error that comes as if all was well, as gateways send it."""
    if answer.get("error"):
        raise UnavailableError(f"the model's server reported an error: {reason_in(answer)}")
    if stop_reason == "error":
        raise UnavailableError("the model's server reported an error in its answer")


class Heard:
    """What has come of a stream."""

    def __init__(self) -> None:
        self.text = self.stop_reason = self.model = ""
        self.refused = self.thinks = False
        self.usage: Json = {}
        self._calls: dict[int, Json] = {}

    def take(self, event: Json) -> str:
        """Notes an event and returns its piece of the text. Raises UnavailableError for errors.

        The event of a server that does not stream has a whole message.
        """
        must_be_no_error(event)
        self.model = str(event.get("model") or self.model)
        self.usage = event.get("usage") or self.usage
        if not event.get("choices"):
            return ""
        choice = event["choices"][0]
        self.stop_reason = choice.get("finish_reason") or self.stop_reason
        must_be_no_error({}, self.stop_reason)
        delta = choice.get("delta") or choice.get("message") or {}
        self.refused = self.refused or bool(delta.get("refusal"))
        self.thinks = self.thinks or has_thoughts(delta)
        for n, piece in enumerate(delta.get("tool_calls") or []):
            self._add_to_call(n, piece)
        text = text_of(delta.get("content"))
        self.text += text
        return text

    def _add_to_call(self, n: int, piece: Json) -> None:
        empty = {"id": "", "function": {"name": "", "arguments": ""}}
        call = self._calls.setdefault(int(piece.get("index") or n), empty)
        given = piece.get("function") or {}
        call["id"] = piece.get("id") or call["id"]
        call["function"]["name"] += given.get("name") or ""
        call["function"]["arguments"] += given.get("arguments") or ""

    def must_be_whole(self) -> None:
        """Raises UnavailableError where the stream stopped without a reason, so was cut."""
        if not self.stop_reason:
            raise UnavailableError("the model's server cut its answer short")

    def end(self) -> Json:
        """Returns the model's name and what the stream used, as a whole answer has them."""
        return {"model": self.model, "usage": self.usage}

    def calls(self) -> list[Json]:
        return [self._calls[n] for n in sorted(self._calls)]


def to_calls(calls: Sequence[Json], spent: ModelReply) -> tuple[ToolCall, ...]:
    """Reads calls of tools. Some servers give them no id: they get their place."""
    return tuple(_to_call(call, n, spent) for n, call in enumerate(calls))


def _to_call(call: Json, n: int, spent: ModelReply) -> ToolCall:
    given = call["function"]
    written = given.get("arguments")
    arguments = dict(written) if isinstance(written, dict) else read_arguments(written or "")
    if arguments is None:
        raise ModelReplyError(
            f"the model called {str(given['name'])[:60]!r} with arguments that are no JSON object",
            spent=spent,
        )
    return ToolCall(id=str(call.get("id") or f"call-{n}"), name=given["name"], arguments=arguments)
