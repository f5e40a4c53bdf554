"""What comes back from servers of OpenAI's form: events of a stream, and calls of tools."""

from collections.abc import Sequence

from footnote.adapters.llm.replies import read_arguments
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ToolCall
from footnote.wire import Json

THOUGHTS = ("reasoning_content", "reasoning")  # fields in which servers hand on a model's thoughts


def has_thoughts(message: Json) -> bool:
    """Tells whether a message, or a piece of one, has thoughts apart from its text."""
    return any(message.get(field) for field in THOUGHTS)


class Heard:
    """What has come of a stream."""

    def __init__(self) -> None:
        self.text = self.stop_reason = self.model = ""
        self.refused = self.thinks = False
        self.usage: Json = {}
        self._calls: dict[int, Json] = {}

    def take(self, event: Json) -> str:
        """Notes an event and returns its piece of the text. Raises UnavailableError for errors."""
        if event.get("error"):
            raise UnavailableError("the model's server reported an error in its answer")
        self.model = str(event.get("model") or self.model)
        self.usage = event.get("usage") or self.usage
        if not event.get("choices"):
            return ""
        choice = event["choices"][0]
        self.stop_reason = choice.get("finish_reason") or self.stop_reason
        delta = choice.get("delta") or {}
        self.refused = self.refused or bool(delta.get("refusal"))
        self.thinks = self.thinks or has_thoughts(delta)
        for piece in delta.get("tool_calls") or []:
            self._add_to_call(piece)
        text = str(delta.get("content") or "")
        self.text += text
        return text

    def _add_to_call(self, piece: Json) -> None:
        empty = {"id": "", "function": {"name": "", "arguments": ""}}
        call = self._calls.setdefault(int(piece.get("index") or 0), empty)
        given = piece.get("function") or {}
        call["id"] = piece.get("id") or call["id"]
        call["function"]["name"] += given.get("name") or ""
        call["function"]["arguments"] += given.get("arguments") or ""

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
