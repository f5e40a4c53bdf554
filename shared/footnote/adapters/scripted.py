"""A language model for tests: gives the replies it was told to give and keeps what it was asked."""

import re
from collections.abc import Iterable, Iterator

from footnote.errors import ModelReplyError
from footnote.model import ModelReply, ModelRequest

type Scripted = str | ModelReply | Exception


class ScriptedLLM:
    """Implements the port LLM. A string is the text of a reply; an exception is raised.

    `judge` and `repair` are the replies to these two tasks, which the check of sentences asks for;
    all others take from `replies` in turn. A task without a reply left gets a ModelReplyError.
    """

    def __init__(
        self,
        replies: Iterable[Scripted],
        judge: Iterable[Scripted] = (),
        repair: Iterable[Scripted] = (),
    ) -> None:
        self._replies = list(replies)
        self._of_task = {"judge": list(judge), "repair": list(repair)}
        self.requests: list[ModelRequest] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        self.requests.append(request)
        replies = self._of_task.get(request.task, self._replies)
        if not replies:
            raise ModelReplyError(f"the script has no reply left for {request.task!r}")
        reply = replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, str):
            return ModelReply(text=reply, mode="anthropic", model="scripted")
        return reply

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        reply = self.complete(request)
        yield from re.findall(r"\S+\s*|\s+", reply.text)
        yield reply
