"""Implements the port LLM with any server of OpenAI's form: Ollama, vLLM, gateways, OpenAI itself.

https://platform.openai.com/docs/api-reference/chat/create. Servers have parts of it. What one
refuses is left out from then on (`Lack`), and each reply that would have had it says so.
"""

import json
import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Literal

from footnote.adapters.calls.http_json import HttpJson, RefusalError
from footnote.adapters.calls.lateness import LATE, NO_TIME
from footnote.adapters.llm.prices import PRICES, Price, Tokens, counted
from footnote.adapters.llm.replies import (
    estimate_cost,
    must_be_given,
    must_be_whole,
    must_say_something,
    read_arguments,
)
from footnote.errors import ConfigurationError, ModelReplyError, UnavailableError
from footnote.model import Message, ModelReply, ModelRequest, ToolCall
from footnote.prompts.tasks import TASKS, Role
from footnote.text.surrogates import replace_surrogates
from footnote.wire import Json

URL = "https://api.openai.com/v1"
LEAST = 0.2  # seconds; in less, an attempt is not worth its tokens
READ_SECONDS = 60.0  # of silence: a model of one's own may have to be loaded first
REFUSALS = frozenset({400, 404, 422, 501})  # statuses with which servers refuse a field

type Lack = Literal["schema", "tools", "usage", "max_tokens"]
SIGNS: Mapping[Lack, tuple[str, ...]] = {
    "schema": ("response_format", "json_schema", "guided", "structured output"),
    "tools": ("tool",),
    "usage": ("stream_options", "include_usage"),
    "max_tokens": ("unsupported parameter: 'max_tokens'", "use 'max_completion_tokens'"),
}
"""Words by which a refusal tells what the server cannot do.

`max_tokens` alone would also be in a refusal of a prompt that is too long.
"""
SAID: Mapping[Lack, str] = {
    "schema": "The model's server takes no JSON schema: JSON was asked for in words.",
    "usage": "The model's server does not say what a stream used: its tokens are not counted.",
}
BRIDGE = "I have read that."
"""Said by the model between results of tools and what the user says next.

Mistral's servers, and templates of chats that want user and assistant in turn, refuse a user's
message after a tool's (vllm-project/vllm#6862, run-llama/llama_index#11731).
"""
IN_WORDS = "\n\nReply with JSON alone, without a fence around it, that follows this schema:\n"


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
        self._lacks: set[Lack] = set()

    def complete(self, request: ModelRequest) -> ModelReply:
        """Returns the whole reply. Raises ModelReplyError when it was refused or cut short."""
        seconds = self._seconds(request)
        answer = self._adapted(
            request, lambda body: self._api.post("/chat/completions", body, seconds)
        )
        try:
            choice = answer["choices"][0]
            said = choice["message"]
            calls = said.get("tool_calls") or []
            refused = bool(said.get("refusal")) or choice.get("finish_reason") == "content_filter"
            reply = self._reply(
                request, answer, said.get("content") or "", calls, choice.get("finish_reason") or ""
            )
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise UnavailableError("the model's server answered in another form") from error
        return must_be_whole(reply, refused=refused)

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yields pieces, then the reply.

        Raises ModelReplyError when the answer was refused or is empty. An answer that was cut is
        returned, and its `degraded` says so.
        """
        seconds = self._seconds(request)
        events = self._adapted(request, lambda body: self._opened(_as_stream(body), seconds))
        heard = _Heard()
        try:
            for event in events:
                self._must_be_in_time(request)
                if piece := heard.take(event):
                    yield piece
        except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise UnavailableError("the model's server answered in another form") from error
        except UnavailableError as error:
            error.spent = self._spent(request, heard)
            raise
        if not heard.why:
            cut = UnavailableError("the model's server cut its answer short")
            cut.spent = self._spent(request, heard)
            raise cut
        told = {"model": heard.model, "usage": heard.usage}
        reply = self._reply(request, told, heard.text, heard.calls(), heard.why)
        yield must_say_something(reply, refused=heard.why == "content_filter" or heard.refused)

    def estimate(self, request: ModelRequest, text: str = "") -> ModelReply:
        """Returns what a call is likely to cost that was left when it had said `text`."""
        model = self._names[TASKS[request.task].role]
        return estimate_cost(request, text, mode="openai", model=model, prices=self._prices)

    def lacks(self) -> list[str]:
        """Returns what the server has refused so far."""
        return sorted(self._lacks)

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
        while True:
            try:
                return send(self._body(request))
            except ConfigurationError as error:
                lack = _lack_in(error)
                if lack == "tools" and request.tools:
                    # of this request only: the server does all else, so its breaker stays closed
                    raise ModelReplyError(error.message, code="no_tools") from error
                if lack is None or lack in self._lacks:
                    raise
                self._lacks.add(lack)

    def _opened(self, body: Json, seconds: float | None) -> Iterator[Json]:
        """Returns a stream whose first event has come: so a refusal comes before any piece."""
        if "usage" in self._lacks:
            body = {name: value for name, value in body.items() if name != "stream_options"}
        events = self._api.events("/chat/completions", body, seconds)
        first = next(events, None)

        def all_events() -> Iterator[Json]:
            if first is not None:
                yield first
            yield from events

        return all_events()

    def _body(self, request: ModelRequest) -> Json:
        limit = "max_completion_tokens" if "max_tokens" in self._lacks else "max_tokens"
        system = request.system
        if request.shape:
            system += IN_WORDS + json.dumps(request.shape)
        body: Json = {
            "model": self._names[TASKS[request.task].role],
            "messages": [
                {"role": "system", "content": replace_surrogates(system)},
                *(said for one in request.messages for said in _messages(one)),
            ],
            limit: request.max_tokens,
        }
        if request.shape and "schema" not in self._lacks:
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

    def _reply(
        self, request: ModelRequest, told: Json, text: str, calls: Sequence[Json], why: str
    ) -> ModelReply:
        """Makes the reply. Raises ModelReplyError for calls that cannot be made."""
        model = str(told.get("model") or self._names[TASKS[request.task].role])
        used = told.get("usage") or {}
        read = int((used.get("prompt_tokens_details") or {}).get("cached_tokens") or 0)
        tokens = Tokens(
            fresh=int(used.get("prompt_tokens") or 0) - read,
            written=0,
            read=read,
            output=int(used.get("completion_tokens") or 0),
        )
        usd, unknown = counted(model, tokens, self._prices)
        lacks = ["schema"] if request.shape and "schema" in self._lacks else []
        lacks += [] if used else ["usage"]
        reply = ModelReply(
            text=text,
            mode="openai",
            model=model,
            input_tokens=tokens.input,
            cached_tokens=tokens.read,
            output_tokens=tokens.output,
            usd=usd,
            degraded=tuple(
                said for said in (unknown, *(SAID[lack] for lack in SAID if lack in lacks)) if said
            ),
            stopped=why if why == "length" else "",
        )
        made = tuple(_to_call(call, n, reply) for n, call in enumerate(calls))
        must_be_given(made, request, reply)
        return reply.model_copy(update={"calls": made})

    def _spent(self, request: ModelRequest, heard: "_Heard") -> ModelReply | None:
        """Returns what a stream that broke has cost; servers tell it at the end, or never."""
        if not heard.model:
            return None
        if not heard.usage:
            return self.estimate(request, heard.text)
        return self._reply(
            request, {"model": heard.model, "usage": heard.usage}, heard.text, (), ""
        )


class _Heard:
    """What has come of a stream."""

    def __init__(self) -> None:
        self.text = self.why = self.model = ""
        self.refused = False
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
        self.why = choice.get("finish_reason") or self.why
        delta = choice.get("delta") or {}
        self.refused = self.refused or bool(delta.get("refusal"))
        for call in delta.get("tool_calls") or []:
            known = self._calls.setdefault(
                int(call.get("index") or 0), {"id": "", "function": {"name": "", "arguments": ""}}
            )
            given = call.get("function") or {}
            known["id"] = call.get("id") or known["id"]
            known["function"]["name"] += given.get("name") or ""
            known["function"]["arguments"] += given.get("arguments") or ""
        piece = str(delta.get("content") or "")
        self.text += piece
        return piece

    def calls(self) -> list[Json]:
        return [self._calls[n] for n in sorted(self._calls)]


def _as_stream(body: Json) -> Json:
    return {**body, "stream": True, "stream_options": {"include_usage": True}}


def _messages(one: Message) -> Iterator[Json]:
    """Yields a turn as this form has it: each result of a tool is a message of its own."""
    for result in one.results:
        text = f"error: {result.text}" if result.failed else result.text
        yield {"role": "tool", "tool_call_id": result.id, "content": replace_surrogates(text)}
    if one.results and one.text:
        yield {"role": "assistant", "content": BRIDGE}
    if one.text or one.calls:
        said: Json = {"role": one.role, "content": replace_surrogates(one.text)}
        if one.calls:
            said["tool_calls"] = [
                {
                    "id": call.id,
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(dict(call.arguments))},
                }
                for call in one.calls
            ]
        yield said


def _to_call(call: Json, n: int, spent: ModelReply) -> ToolCall:
    """Reads a call. Some servers give it no id: it gets its place."""
    given = call["function"]
    arguments = given.get("arguments")
    found = dict(arguments) if isinstance(arguments, dict) else read_arguments(arguments or "")
    if found is None:
        raise ModelReplyError(
            f"the model called {str(given['name'])[:60]!r} with arguments that are no JSON object",
            spent=spent,
        )
    return ToolCall(id=str(call.get("id") or f"call-{n}"), name=given["name"], arguments=found)


def _lack_in(error: ConfigurationError) -> Lack | None:
    """Returns what a refusal says that the server cannot do."""
    cause = error.__cause__
    if not isinstance(cause, RefusalError) or cause.status not in REFUSALS:
        return None
    told = error.message.casefold()
    return next((lack for lack, signs in SIGNS.items() if any(s in told for s in signs)), None)
