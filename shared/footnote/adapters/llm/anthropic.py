"""Implements the port LLM with Anthropic's Messages API: at Anthropic, or on Amazon Bedrock.

JSON comes by structured outputs, answers are streamed. It asks once: the chain asks again
(`adapters/calls/chain.py`).
"""

import math
import re
import time
import weakref
from collections.abc import Callable, Iterator, Mapping

import anthropic
from anthropic.types import Message, Usage

from footnote.adapters.calls.lateness import LATE, NO_TIME
from footnote.adapters.llm.anthropic_citations import CitedText, citable_in
from footnote.adapters.llm.anthropic_errors import (
    must_be_message,
    must_end_well,
    translate_errors,
)
from footnote.adapters.llm.anthropic_http import BoundedClient
from footnote.adapters.llm.anthropic_requests import Sent, calls_of, thoughts_of, to_arguments
from footnote.adapters.llm.prices import PRICES, Price, Tokens, counted, to_count
from footnote.adapters.llm.replies import (
    MALFORMED,
    NOT_TOLD,
    estimate_cost,
    must_be_arguments,
    must_be_given,
    must_be_whole,
    must_say_something,
)
from footnote.errors import ConfigurationError, ModelReplyError, UnavailableError
from footnote.model import Mode, ModelReply, ModelRequest
from footnote.prompts.tasks import TASKS, Role

TIMEOUT = 60.0  # seconds for one attempt where no deadline bounds it
CONNECT_SECONDS = 5.0
LEAST = 0.2  # seconds; in less, an attempt is not worth its tokens
CUT = frozenset({"max_tokens", "model_context_window_exceeded"})
_REFUSES_CITATIONS = re.compile("citation|document", re.IGNORECASE)

type Client = anthropic.Anthropic | anthropic.AnthropicBedrockMantle


def anthropic_client(key: str, base_url: str = "") -> Client:
    return anthropic.Anthropic(
        api_key=key, base_url=base_url or None, max_retries=0, http_client=BoundedClient()
    )


def bedrock_client(region: str, key: str = "", base_url: str = "") -> Client:
    """Returns Bedrock's Messages API of a region. Without a key a request is signed as the role.

    https://platform.claude.com/docs/en/build-with-claude/claude-in-amazon-bedrock
    """
    if not region:
        raise ConfigurationError(
            "Claude on Bedrock is a model provider, but no region is named",
            action="Set ModelRegion and deploy again.",
        )
    return anthropic.AnthropicBedrockMantle(
        api_key=key or None,
        aws_region=region,
        base_url=base_url or None,
        max_retries=0,
        http_client=BoundedClient(),
    )


class AnthropicLLM:
    """Asks the model that `names` has for the task's role. `mode` says where: it is in replies."""

    def __init__(
        self,
        client: Client,
        names: Mapping[Role, str],
        *,
        mode: Mode = "anthropic",
        prices: Mapping[str, Price] = PRICES,
        timeout: float = TIMEOUT,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._client = client
        # the client is in a circle with its resources: the collector may take its sockets first
        weakref.finalize(self, client.close)
        self._names = names
        self._mode: Mode = mode
        self._prices = prices
        self._timeout = timeout
        self._clock = clock
        # nothing says that Bedrock's form of the API takes such documents
        self._cites = mode == "anthropic"

    def complete(self, request: ModelRequest) -> ModelReply:
        """Returns the whole reply. Raises ModelReplyError when it was refused or cut short."""
        arguments = self._arguments(request)
        with translate_errors():
            message = must_be_message(self._client.messages.create(**arguments))
            text = "".join(block.text for block in message.content if block.type == "text")
            reply = self._reply(request, message, text)
        must_be_given(reply.calls, request, reply)
        return must_be_whole(reply, request, refused=message.stop_reason == "refusal")

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        """Yields pieces, then the reply.

        Raises ModelReplyError when the answer was refused or is empty. An answer that was cut is
        returned, and its `degraded` says so.
        """
        text, message = "", None
        try:
            for event in self._events(request):
                if isinstance(event, Message):
                    message = event
                else:
                    text += event
                    yield event
            message = must_end_well(message)
            with translate_errors():
                reply = self._reply(request, message, text)
        except (UnavailableError, ModelReplyError) as error:
            error.spent = self._spent(request, message, text)
            raise
        must_be_given(reply.calls, request, reply)
        yield must_say_something(reply, request, refused=message.stop_reason == "refusal")

    def estimate(self, request: ModelRequest, text: str = "") -> ModelReply:
        """Returns what a call is likely to cost that was left when it had said `text`."""
        model = self._names[TASKS[request.task].role]
        return estimate_cost(request, text, mode=self._mode, model=model, prices=self._prices)

    def _events(self, request: ModelRequest) -> Iterator[str | Message]:
        """Yields the message at its start, then its text in pieces, then the finished message.

        A server that refuses documents to cite is asked for markers from then on.
        """
        cites = self._cites and bool(citable_in(request))
        try:
            yield from self._asked(request, cites=cites)
        except ConfigurationError as error:
            if not cites or not _REFUSES_CITATIONS.search(error.message):
                raise
            self._cites = False
            yield from self._asked(request, cites=False)

    def _asked(self, request: ModelRequest, *, cites: bool) -> Iterator[str | Message]:
        arguments = self._arguments(request, whole=False, cites=cites)
        with translate_errors(), self._client.messages.stream(**arguments) as stream:
            begun, call_arguments, text = False, "", CitedText(request if cites else None)
            for event in stream:
                if self._left(request) <= 0:
                    raise UnavailableError(
                        "the Anthropic API did not end its answer in time", code=LATE
                    )
                if event.type == "message_start":
                    begun = True
                    yield event.message
                elif event.type == "text":
                    if plain := text.take(event.text):
                        yield plain
                elif event.type == "input_json":
                    call_arguments += event.partial_json
                elif event.type == "content_block_stop":
                    must_be_arguments(call_arguments)
                    call_arguments = ""
                    block = event.content_block
                    cited = block.citations if block.type == "text" else None
                    if markers := text.end_block(cited or ()):
                        yield markers
            if begun:
                yield stream.get_final_message()

    def _arguments(self, request: ModelRequest, *, whole: bool = True, cites: bool = False) -> Sent:
        """Returns what is sent, with time-outs: to connect, for silence, for all of it (`pool`).

        A reply that comes `whole` is silent until it has come.
        """
        if (left := self._left(request)) < LEAST:
            raise UnavailableError("no time was left for the language model", code=NO_TIME)
        seconds = min(left, self._timeout, request.patience or math.inf)
        connect = min(CONNECT_SECONDS, seconds)
        model = self._names[TASKS[request.task].role]
        arguments = to_arguments(request, model, self._mode, cites=cites)
        most = seconds if whole else left
        pool = None if math.isinf(most) else most
        return {**arguments, "timeout": anthropic.Timeout(seconds, connect=connect, pool=pool)}

    def _left(self, request: ModelRequest) -> float:
        return math.inf if request.deadline is None else request.deadline - self._clock()

    def _spent(
        self, request: ModelRequest, message: Message | None, text: str
    ) -> ModelReply | None:
        """Returns what a stream that broke has cost, as far as its message can be read."""
        try:
            return self._reply(request, message, text) if message else None
        except MALFORMED:
            return None

    def _reply(self, request: ModelRequest, message: Message, text: str) -> ModelReply:
        used = message.usage or Usage(input_tokens=0, output_tokens=0)
        tokens = Tokens(
            fresh=to_count(used.input_tokens),
            written=to_count(used.cache_creation_input_tokens),
            read=to_count(used.cache_read_input_tokens),
            output=to_count(used.output_tokens),
        )
        asked = self._names[TASKS[request.task].role]
        model = str(message.model or asked)
        usd, unknown = counted(model, tokens, self._prices, asked=asked)
        silent = "" if tokens.input + tokens.output else NOT_TOLD
        calls = calls_of(message)
        return ModelReply(
            text=text,
            mode=self._mode,
            model=model,
            calls=calls,
            kept=thoughts_of(message) if calls else (),
            input_tokens=tokens.input,
            cached_tokens=tokens.read,
            output_tokens=tokens.output,
            usd=usd,
            priced=not unknown,
            degraded=tuple(filter(None, (unknown, silent))),
            stopped=message.stop_reason if message.stop_reason in CUT else "",
        )
