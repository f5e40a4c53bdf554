"""Implements the port LLM with the Anthropic API: JSON by structured outputs, answers streamed."""

import json
import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

import anthropic
from anthropic.types import Message, MessageParam, Usage

from footnote.adapters.anthropic_errors import ends_well, retry_after, translated
from footnote.errors import ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest

ATTEMPTS = 4
FIRST_WAIT = 0.5  # seconds; doubles, with full jitter
LONGEST_WAIT = 8.0  # a service that wants more is not available as far as a question goes
TIMEOUT = 60.0
# of the input's price, for what is written to Anthropic's prompt cache (five minutes) and read from
# it: platform.claude.com/docs/en/build-with-claude/prompt-caching
CACHE_WRITE, CACHE_READ = 1.25, 0.1
THINKING_ROOM = 4_000  # output tokens for a model that thinks before it writes


class Model(NamedTuple):
    """Dollars per million tokens, and how to have it answer at once; None: it thinks first."""

    input_usd: float
    output_usd: float
    thinking: Mapping[str, str] | None = None


# platform.claude.com/docs/en/about-claude/pricing, November 2026; the dearer price that Haiku 5.5
# has for prompts over 100,000 tokens does not come up here. Forced tool use is refused by these
# models; structured outputs are not.
MODELS: Mapping[str, Model] = {
    "claude-haiku-5-5": Model(0.10, 0.50, {"type": "disabled"}),
    "claude-sonnet-5-5": Model(2.0, 10.0, {"type": "between_tools"}),
    "claude-opus-5-5": Model(4.0, 20.0),
    "claude-haiku-4-5": Model(1.0, 5.0, {"type": "disabled"}),
}
PLANNER = "claude-haiku-5-5"
WRITER = "claude-sonnet-5-5"


class AnthropicLLM:
    """`planner_model` plans, grades and judges, `writer_model` writes and mends, `context_model`
    writes contextual lines. Retries are made here only.
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
        self._models = models
        self._sleep = sleep

    def complete(self, request: ModelRequest) -> ModelReply:
        """The whole reply. Raises ModelReplyError when it was refused or cut short."""
        arguments = self._arguments(request)

        def once() -> Message:
            with translated():
                message = self._client.messages.create(**arguments)
            if not isinstance(message, Message):  # a proxy's page: the SDK hands it on as text
                raise ModelReplyError("the Anthropic API did not answer with a message")
            return message

        message = self._patiently(once)
        if message.stop_reason in {"refusal", "max_tokens", "model_context_window_exceeded"}:
            raise ModelReplyError(
                f"the model stopped early: {message.stop_reason}",
                code="stopped_early",
                usd=self._reply(message, "").usd,
            )
        return self._reply(message, "".join(b.text for b in message.content if b.type == "text"))

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Pieces, then the reply. A failure before the first piece is retried, a later one is not:
        the words are out, so the caller decides what becomes of them.
        """
        pieces = self._patiently(lambda: self._opened(request))
        yield from pieces

    def _opened(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """The stream, once its first piece has come."""
        pieces = self._pieces(request)
        first = next(pieces)

        def all_pieces() -> Iterator[str | ModelReply]:
            yield first
            yield from pieces

        return all_pieces()

    def _pieces(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        with translated(), self._client.messages.stream(**self._arguments(request)) as stream:
            text = ""
            for piece in stream.text_stream:
                text += piece
                yield piece
            message = stream.get_final_message()
        if message.stop_reason == "refusal":
            raise ModelReplyError("the model refused to answer")
        ends_well(message)
        yield self._reply(message, text)

    def _patiently[T](self, call: Callable[[], T]) -> T:
        """The call's result; a service that is busy or down is asked again, a few times."""
        for attempt in range(1, ATTEMPTS):
            try:
                return call()
            except UnavailableError as error:
                wait = retry_after(error)
                if wait is None:
                    wait = random.uniform(0, FIRST_WAIT * 2**attempt)  # noqa: S311 - jitter, no secret
                if wait > LONGEST_WAIT:
                    raise
                self._sleep(wait)
        return call()

    def _arguments(self, request: ModelRequest) -> dict[str, Any]:
        name = self._names[request.task]
        thinking = self._models[name].thinking if name in self._models else None
        message: MessageParam = {"role": "user", "content": request.prompt}
        arguments: dict[str, Any] = {
            "model": name,
            "system": request.system,
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
        cut = message.stop_reason == "max_tokens"
        said = ("The answer was cut: the model reached its limit of tokens.",) if cut else ()
        price = self._price(message)
        if price is None:
            said = (*said, f"No price is known for {message.model}: its cost is not counted.")
        return ModelReply(
            text=text,
            mode="anthropic",
            model=message.model,
            input_tokens=_read(message.usage),
            output_tokens=message.usage.output_tokens,
            usd=_usd(message.usage, price) if price else 0.0,
            degraded=said,
        )

    def _price(self, message: Message) -> Model | None:
        """By the name that was asked for or its dated form ("claude-haiku-4-5-20251001")."""
        return next((m for name, m in self._models.items() if message.model.startswith(name)), None)


def _read(usage: Usage) -> int:
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return usage.input_tokens + cached


def _usd(usage: Usage, price: Model) -> float:
    cached = CACHE_WRITE * (usage.cache_creation_input_tokens or 0)
    cached += CACHE_READ * (usage.cache_read_input_tokens or 0)
    spent = (usage.input_tokens + cached) * price.input_usd + usage.output_tokens * price.output_usd
    return round(spent / 1_000_000, 6)
