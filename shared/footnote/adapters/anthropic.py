"""Implements the port LLM with the Anthropic API: JSON by structured outputs, answers streamed."""

import json
import math
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import anthropic
from anthropic.types import Message, MessageParam

from footnote.adapters.anthropic_errors import ends_well, retry_after, translated
from footnote.adapters.anthropic_models import MODELS, Model, cost, price_of, tokens_read
from footnote.adapters.exact_terms import encodable
from footnote.adapters.timed_llm import NO_TIME
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest

ATTEMPTS = 4
FIRST_WAIT = 0.5  # seconds; doubles, with full jitter
LONGEST_WAIT = 8.0  # a service that wants more is not available as far as a question goes
TIMEOUT = 60.0  # of one attempt, where no deadline bounds it
CONNECT_SECONDS = 5.0
LEAST = 0.2  # seconds that an attempt needs to be worth its tokens
THINKING_ROOM = 4_000  # output tokens for a model that thinks before it writes
PLANNER = "claude-haiku-5-5"
WRITER = "claude-sonnet-5-5"
CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
NO_MESSAGE = "the Anthropic API did not answer with a message"
STOPPED = "stopped_early"
CUT_SHORT = "The answer was cut: the model reached its limit of tokens."


class AnthropicLLM:
    """`planner_model` plans, grades and judges, `writer_model` writes and mends, `context_model`
    writes contextual lines. Retries are made here only. Each attempt but the last has half of the
    time that is left until the request's deadline, so that one connection that hangs is not the
    end.
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
        """The whole reply. Raises ModelReplyError when it was refused or cut short."""
        arguments = self._arguments(request)

        def once(seconds: float) -> Message:
            with translated():
                message = self._client.messages.create(**arguments, timeout=_within(seconds))
            if not isinstance(message, Message):  # a proxy's page: the SDK hands it on as text
                raise ModelReplyError(NO_MESSAGE)
            return message

        message = self._patiently(once, request.deadline)
        text = "".join(block.text for block in message.content if block.type == "text")
        reply = self._reply(message, text)
        if message.stop_reason in {"refusal", *CUT}:
            why = f"the model stopped early: {message.stop_reason}"
            raise ModelReplyError(why, code=STOPPED, spent=reply)
        return reply

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Pieces, then the reply. A failure before the first piece is retried, a later one is not:
        the words are out, so the caller decides what becomes of them. Raises ModelReplyError when
        the answer was refused or is empty; one that was cut is given, and says so.
        """
        yield from self._patiently(lambda seconds: self._opened(request, seconds), request.deadline)

    def _opened(self, request: ModelRequest, seconds: float) -> Iterator[str | ModelReply]:
        """The stream, once its first piece has come."""
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
                ends_well(message)
        except UnavailableError as error:
            error.spent = self._reply(message, text) if message else None
            raise
        if message is None:  # a proxy's page has no events
            raise ModelReplyError(NO_MESSAGE)
        yield self._ended(message, text)

    def _events(self, request: ModelRequest, seconds: float) -> Iterator[str | Message]:
        """The message as it begins, its text, the message as it ends."""
        arguments = {**self._arguments(request), "timeout": _within(seconds)}
        with translated(), self._client.messages.stream(**arguments) as stream:
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

    def _patiently[T](self, call: Callable[[float], T], deadline: float | None) -> T:
        """The result of `call(seconds it may take)`; a service that is busy or down is asked again,
        a few times and while there is time.
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
        """What an attempt may take. Raises UnavailableError when that is nothing."""
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
        message: MessageParam = {"role": "user", "content": encodable(request.prompt)}
        arguments: dict[str, Any] = {
            "model": name,
            "system": encodable(request.system),
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
            input_tokens=tokens_read(message.usage),
            output_tokens=message.usage.output_tokens,
            usd=cost(message.usage, price) if price else 0.0,
            degraded=() if price else (unknown,),
        )


def _within(seconds: float) -> anthropic.Timeout:
    """For an attempt: to connect, and between two bytes."""
    return anthropic.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
