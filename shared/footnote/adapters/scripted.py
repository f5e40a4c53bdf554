"""A language model for tests: gives the replies it was told to give and keeps what it was asked."""

import re
from collections.abc import Iterable, Iterator

from footnote.errors import ModelReplyError
from footnote.model import ModelReply, ModelRequest

type Scripted = str | ModelReply | Exception


class ScriptedLLM:
    """Implements the port LLM. A string is the text of a reply; an exception is raised."""

    def __init__(self, replies: Iterable[Scripted]) -> None:
        self._replies = list(replies)
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        if request.given_up:
            raise ModelReplyError(request.given_up)
        self.requests.append(request)
        reply = self._replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            return ModelReply(text=reply, mode="anthropic", model="scripted")
        return reply

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        reply = self.complete(request)
        yield from re.findall(r"\S+\s*|\s+", reply.text)
        yield reply
