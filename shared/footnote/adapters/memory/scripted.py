"""A language model for tests: gives prepared replies and records the requests."""

import re
from collections.abc import Iterable, Iterator

from footnote.adapters.llm.replies import must_be_given
from footnote.errors import ModelReplyError
from footnote.model import ModelReply, ModelRequest

type Scripted = str | ModelReply | Exception


class ScriptedLLM:
    """Implements the port LLM. A scripted string is the text of a reply; an exception is raised.

    A scripted reply may call tools. It is checked as a provider's is.

    `judge` and `repair` hold the replies to those two tasks, which the check of sentences asks for,
    `extract` those to the one that fills the data of a schema. All other tasks take from `replies`
    in turn. A task with no reply left raises ModelReplyError.
    """

    def __init__(
        self,
        replies: Iterable[Scripted],
        judge: Iterable[Scripted] = (),
        repair: Iterable[Scripted] = (),
        extract: Iterable[Scripted] = (),
    ) -> None:
        self._replies = list(replies)
        self._of_task = {
            "judge": list(judge),
            "repair": list(repair),
            "extract": list(extract),
        }
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
        must_be_given(reply.calls, request, reply)
        return reply

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        reply = self.complete(request)
        yield from re.findall(r"\S+\s*|\s+", reply.text)
        yield reply
