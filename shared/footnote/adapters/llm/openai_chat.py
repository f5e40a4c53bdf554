"""Implements the port LLM with any server of OpenAI's form: Ollama, vLLM, gateways, OpenAI itself.

https://platform.openai.com/docs/api-reference/chat/create. Servers have parts of it. What one
refuses for a model is left out from then on (`Lack`), and replies that would have had it say so. A
model that has thought is given room for that from then on.
"""

import math
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from footnote.adapters.calls.http_json import HttpJson
from footnote.adapters.calls.lateness import LATE, NO_TIME
from footnote.adapters.llm.openai_events import (
    Heard,
    has_thoughts,
    must_be_no_error,
    text_of,
    to_calls,
)
from footnote.adapters.llm.openai_requests import SAID, Lack, as_stream, lack_in, to_body
from footnote.adapters.llm.prices import PRICES, Price, Tokens, counted, to_count
from footnote.adapters.llm.replies import (
    MALFORMED,
    ended_in_thoughts,
    estimate_cost,
    must_be_given,
    must_be_whole,
    must_say_something,
    sum_of,
)
from footnote.errors import ConfigurationError, ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest
from footnote.prompts.tasks import TASKS, Role
from footnote.wire import Json

URL = "https://api.openai.com/v1"
PATH = "/chat/completions"
OTHER_FORM = "the model's server answered in another form"
LEAST = 0.2  # seconds; in less, an attempt is not worth its tokens
READ_SECONDS = 60.0  # of silence, where no deadline bounds it


class OpenAiChat:
    """Asks the model that `names` has for the task's role. It asks once: the chain asks again."""

    def __init__(
        self,
        api: HttpJson,
        names: Mapping[Role, str],
        *,
        prices: Mapping[str, Price] = PRICES,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._api = api
        self._names = names
        self._prices = prices
        self._clock = clock
        self._lacks = defaultdict[str, set[Lack]](set)
        self._thinking: set[str] = set()  # models that think before they write

    def complete(self, request: ModelRequest) -> ModelReply:
        """Returns the whole reply. Raises ModelReplyError when it was refused or cut short."""
        may_get_room = self._may_get_room(request)
        reply, refused = self._complete(request)
        if may_get_room and ended_in_thoughts(reply):
            self._note_thoughts(request, thinks=True)
            more, refused = self._complete(request)
            reply = sum_of([reply, more])
        return must_be_whole(reply, request, refused=refused)

    def _complete(self, request: ModelRequest) -> tuple[ModelReply, bool]:
        """Returns what the model said, and whether it or its server refused to say more."""
        seconds = self._seconds(request)
        answer = self._adapted(request, lambda body: self._api.post(PATH, body, seconds))
        try:
            must_be_no_error(answer)
            choice = answer["choices"][0]
            message = choice["message"]
            reason = choice.get("finish_reason") or ""
            must_be_no_error({}, reason)
            calls = message.get("tool_calls") or []
            self._note_thoughts(request, thinks=has_thoughts(message))
            reply = self._reply(request, answer, text_of(message.get("content")), calls, reason)
        except MALFORMED as error:
            raise UnavailableError(OTHER_FORM) from error
        return reply, bool(message.get("refusal")) or reason == "content_filter"

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yields pieces, then the reply.

        Raises ModelReplyError when the answer was refused or is empty. An answer that was cut is
        returned, and its `degraded` says so.
        """
        seconds, heard, may_get_room = self._seconds(request), Heard(), self._may_get_room(request)
        events = self._adapted(request, lambda body: self._opened(request, body, seconds))
        try:
            for event in events:
                self._must_be_in_time(request)
                if piece := heard.take(event):
                    yield piece
            heard.must_be_whole()
            reply = self._heard(request, heard)
        except MALFORMED as error:
            raise UnavailableError(OTHER_FORM) from error
        except UnavailableError as error:
            error.spent = self._spent(request, heard)
            raise
        self._note_thoughts(request, thinks=heard.thinks)
        if may_get_room and ended_in_thoughts(reply) and not heard.text:
            self._note_thoughts(request, thinks=True)
            for more in self.stream(request):
                yield sum_of([reply, more]) if isinstance(more, ModelReply) else more
            return
        refused = heard.stop_reason == "content_filter" or heard.refused
        yield must_say_something(reply, request, refused=refused)

    def estimate(self, request: ModelRequest, text: str = "") -> ModelReply:
        """Returns what a call is likely to cost that was left when it had said `text`."""
        model = self._model(request)
        return estimate_cost(request, text, mode="openai", model=model, prices=self._prices)

    def lacks(self) -> list[str]:
        """Returns what was refused so far, whichever model it was."""
        return sorted(set[str]().union(*self._lacks.values()))

    def _model(self, request: ModelRequest) -> str:
        return self._names[TASKS[request.task].role]

    def _seconds(self, request: ModelRequest) -> float | None:
        """Returns the seconds for which silence is borne; None where no deadline bounds it."""
        left = self._left(request)
        if left < LEAST:
            raise UnavailableError("no time was left for the language model", code=NO_TIME)
        seconds = min(left, request.patience or math.inf)
        return None if math.isinf(seconds) else seconds

    def _must_be_in_time(self, request: ModelRequest) -> None:
        if self._left(request) <= 0:
            raise UnavailableError("the model's server did not end its answer in time", code=LATE)

    def _left(self, request: ModelRequest) -> float:
        return math.inf if request.deadline is None else request.deadline - self._clock()

    def _adapted[T](self, request: ModelRequest, send: Callable[[Json], T]) -> T:
        """Returns what `send` returns; asks again without what the server has refused."""
        model = self._model(request)
        lacks = self._lacks[model]
        while True:
            thinks = model in self._thinking
            try:
                return send(to_body(request, model, lacks, thinks=thinks))
            except ConfigurationError as error:
                lack = lack_in(error, has_room=thinks and "room" not in lacks)
                if lack == "tools" and request.tools:
                    # of this request only: the server does all else, so its breaker stays closed
                    raise ModelReplyError(error.message, code="no_tools") from error
                if lack is None or lack in lacks:
                    raise
                lacks.add(lack)

    def _opened(self, request: ModelRequest, body: Json, seconds: float | None) -> Iterator[Json]:
        """Returns a stream whose first event has come: so a refusal comes before any piece."""
        lacks = self._lacks[self._model(request)]
        left = self._left(request)
        events = self._api.events(
            PATH, as_stream(body, lacks), seconds, None if math.isinf(left) else left
        )
        first = next(events, None)

        def all_events() -> Iterator[Json]:
            if first is not None:
                yield first
            yield from events

        return all_events()

    def _note_thoughts(self, request: ModelRequest, *, thinks: bool) -> None:
        if thinks:
            self._thinking.add(self._model(request))

    def _may_get_room(self, request: ModelRequest) -> bool:
        """Tells whether the model has no room for thoughts yet, and could have some."""
        model = self._model(request)
        return model not in self._thinking and "room" not in self._lacks[model]

    def _reply(
        self, request: ModelRequest, end: Json, text: str, calls: Sequence[Json], stop_reason: str
    ) -> ModelReply:
        """Makes the reply; `end` has the model's name and what was used.

        Raises ModelReplyError for calls that cannot be made.
        """
        asked = self._model(request)
        model = str(end.get("model") or asked)
        used = end.get("usage") or {}
        tokens = _tokens_in(used) if isinstance(used, dict) else Tokens(0, 0, 0, 0)
        usd, unknown = counted(model, tokens, self._prices, asked=asked)
        lacks = ["schema"] if request.shape and "schema" in self._lacks[asked] else []
        lacks += [] if tokens.input + tokens.output else ["usage"]
        reply = ModelReply(
            text=text,
            mode="openai",
            model=model,
            input_tokens=tokens.input,
            cached_tokens=tokens.read,
            output_tokens=tokens.output,
            usd=usd,
            priced=not unknown,
            degraded=tuple(
                filter(None, (unknown, *(SAID[lack] for lack in SAID if lack in lacks)))
            ),
            stopped=stop_reason if stop_reason == "length" else "",
        )
        tool_calls = to_calls(calls, reply)
        must_be_given(tool_calls, request, reply)
        return reply.model_copy(update={"calls": tool_calls})

    def _spent(self, request: ModelRequest, heard: Heard) -> ModelReply | None:
        """Returns what a stream that broke has cost; servers tell it at the end, or never."""
        if not heard.model:
            return None
        if not heard.usage:
            return self.estimate(request, heard.text)
        return self._reply(request, heard.end(), heard.text, (), "")

    def _heard(self, request: ModelRequest, heard: Heard) -> ModelReply:
        return self._reply(request, heard.end(), heard.text, heard.calls(), heard.stop_reason)


def _tokens_in(used: Json) -> Tokens:
    """Reads what was used. A server that tells no details has cached nothing."""
    details = used.get("prompt_tokens_details")
    whole = to_count(used.get("prompt_tokens"))
    read = min(to_count(details.get("cached_tokens")) if isinstance(details, dict) else 0, whole)
    output = to_count(used.get("completion_tokens"))
    return Tokens(fresh=whole - read, written=0, read=read, output=output)
