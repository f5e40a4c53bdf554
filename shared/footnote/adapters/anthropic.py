"""Implements the port LLM with the Anthropic API: structured outputs for JSON, streamed answers."""

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import anthropic
from anthropic.types import Message, MessageParam

from footnote.adapters.anthropic_errors import must_end_well, retry_after, translate_errors
from footnote.adapters.anthropic_models import MODELS, Model, cost, count_input_tokens, price_of
from footnote.adapters.timed_llm import NO_TIME
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest
from footnote.text.surrogates import replace_surrogates

ATTEMPTS = 4
FIRST_WAIT = 0.5  # seconds; the wait doubles, with full jitter
LONGEST_WAIT = 8.0  # seconds; a service that asks for more counts as unavailable
TIMEOUT = 60.0  # seconds for one attempt where no deadline bounds it
CONNECT_SECONDS = 5.0
LEAST = 0.2  # seconds; in less, an attempt is not worth its tokens
THINKING_ROOM = 4_000  # output tokens for a model that thinks before it writes
PLANNER = "claude-haiku-5-5"
WRITER = "claude-sonnet-5-5"
CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
NO_MESSAGE = "the Anthropic API did not answer with a message"
STOPPED = "stopped_early"
CUT_SHORT = "The answer was cut: the model reached its limit of tokens."


class AnthropicLLM:
    """Implements the port LLM with up to three Anthropic models.

    `planner_model` plans, grades and judges. `writer_model` writes and mends. `context_model`
    writes contextual lines. Retries are made here only. Each attempt but the last has half of the
    time that is left until the request's deadline, so one connection that hangs is not the end.
    """

    def __init__(
        self,
        api_key: str,
        *,
        base_url: str | None = None,
        planner_model: str | None = None,
        writer_model: str | None = None,
        context_model: str | None = None,
        timeout: float = TIMEOUT,
        models: Mapping[str, Model] = MODELS,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = anthropic.Anthropic(
            api_key=api_key, base_url=base_url, max_retries=0, timeout=timeout
        )
        planner = planner_model or PLANNER
        self._names = {
            "plan": planner,
            "grade": planner,
            "judge": planner,
            "synthesize": writer_model or WRITER,
            "repair": writer_model or WRITER,
            "context": context_model or PLANNER,
        }
        self._timeout = timeout
        self._models = models
        self._sleep = sleep
        self._clock = clock

    def complete(self, request: ModelRequest) -> ModelReply:
        """Returns the whole reply. Raises ModelReplyError when it was refused or cut short."""
        arguments = self._arguments(request)

        def once(seconds: float) -> Message:
            with translate_errors():
                message = self._client.messages.create(**arguments, timeout=_timeouts(seconds))
            if not isinstance(message, Message):  # the SDK hands on a proxy's page as text
                raise ModelReplyError(NO_MESSAGE)
            return message

        message = self._retry(once, request.deadline)
        text = "".join(block.text for block in message.content if block.type == "text")
        reply = self._reply(message, text)
        if message.stop_reason in {"refusal", *CUT}:
            why = f"the model stopped early: {message.stop_reason}"
            raise ModelReplyError(why, code=STOPPED, spent=reply)
        return reply

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yields pieces, then the reply.

        A failure before the first piece is retried. A later one is not: the caller has the words
        and decides what becomes of them. Raises ModelReplyError when the answer was refused or is
        empty. An answer that was cut is returned, and its `degraded` says so.
        """
        yield from self._retry(lambda seconds: self._opened(request, seconds), request.deadline)

    def _opened(self, request: ModelRequest, seconds: float) -> Iterator[str | ModelReply]:
        """Waits for the stream's first piece and returns the whole stream."""
        pieces = self._pieces(request, seconds)
        first = next(pieces)

        def all_pieces() -> Iterator[str | ModelReply]:
            yield first
            yield from pieces

        return all_pieces()

    def _pieces(self, request: ModelRequest, seconds: float) -> Iterator[str | ModelReply]:
        text, message = "", None
        try:
            for event in self._events(request, seconds):
                if isinstance(event, Message):
                    message = event
                else:
                    text += event
                    yield event
            if message:
                must_end_well(message)
        except UnavailableError as error:
            error.spent = self._reply(message, text) if message else None
            raise
        if message is None:  # a proxy's page has no events
            raise ModelReplyError(NO_MESSAGE)
        yield self._ended(message, text)

    def _events(self, request: ModelRequest, seconds: float) -> Iterator[str | Message]:
        """Yields the message at its start, then its text in pieces, then the finished message."""
        arguments = {**self._arguments(request), "timeout": _timeouts(seconds)}
        with translate_errors(), self._client.messages.stream(**arguments) as stream:
            begun = False
            for event in stream:
                if self._left(request.deadline) <= 0:
                    raise UnavailableError("the Anthropic API did not end its answer in time")
                if event.type == "message_start":
                    begun = True
                    yield event.message
                elif event.type == "text":
                    yield event.text
            if begun:
                yield stream.get_final_message()

    def _ended(self, message: Message, text: str) -> ModelReply:
        reply = self._reply(message, text)
        if message.stop_reason == "refusal":
            raise ModelReplyError("the model refused to answer", code=STOPPED, spent=reply)
        if not text.strip():
            raise ModelReplyError("the model's answer was empty", code=STOPPED, spent=reply)
        if message.stop_reason not in CUT:
            return reply
        said = {"stopped": message.stop_reason, "degraded": (*reply.degraded, CUT_SHORT)}
        return reply.model_copy(update=said)

    def _retry[T](self, call: Callable[[float], T], deadline: float | None) -> T:
        """Returns the result of `call`, which is given the seconds that it may take.

        Asks a service that is busy or down again: at most `ATTEMPTS` calls, and while there is
        time.
        """
        for attempt in range(1, ATTEMPTS):
            try:
                return call(self._seconds(deadline, share=0.5))
            except UnavailableError as error:
                left = self._left(deadline)
                wait = retry_after(error)
                if wait is None:
                    most = min(FIRST_WAIT * 2**attempt, left / 4)
                    wait = random.uniform(0, max(most, 0))  # noqa: S311 - jitter, no secret
                if wait > LONGEST_WAIT or left - wait < LEAST:
                    raise
                self._sleep(wait)
        return call(self._seconds(deadline, share=1.0))

    def _seconds(self, deadline: float | None, share: float) -> float:
        """Returns how long an attempt may take. Raises UnavailableError under `LEAST` seconds."""
        left = self._left(deadline)
        if left < LEAST:
            raise UnavailableError("no time was left for the language model", code=NO_TIME)
        return min(left * share, self._timeout)

    def _left(self, deadline: float | None) -> float:
        return math.inf if deadline is None else deadline - self._clock()

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        if request.given_up:
            raise ModelReplyError(request.given_up)
        name = self._names[request.task]
        thinking = self._models[name].thinking if name in self._models else None
        message: MessageParam = {"role": "user", "content": replace_surrogates(request.prompt)}
        arguments: dict[str, Any] = {
            "model": name,
            "system": replace_surrogates(request.system),
            "messages": [message],
            "max_tokens": request.max_tokens + (0 if thinking else THINKING_ROOM),
        }
        if thinking:
            arguments["thinking"] = dict(thinking)
        if request.tool:
            schema = anthropic.transform_schema(json.loads(json.dumps(request.tool["schema"])))
            arguments["output_config"] = {"format": {"type": "json_schema", "schema": schema}}
        return arguments

    def _reply(self, message: Message, text: str) -> ModelReply:
        price = price_of(message, self._models)
        unknown = f"No price is known for {message.model}: its cost is not counted."
        return ModelReply(
            text=text,
            mode="anthropic",
            model=message.model,
            input_tokens=count_input_tokens(message.usage),
            output_tokens=message.usage.output_tokens,
            usd=cost(message.usage, price) if price else 0.0,
            degraded=() if price else (unknown,),
        )


def _timeouts(seconds: float) -> anthropic.Timeout:
    """Returns an attempt's time-outs: one to connect, one for the silence between two bytes."""
    return anthropic.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
