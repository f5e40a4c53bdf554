"""Messages to and from a language model: turns, tools, requests and replies."""

from collections.abc import Mapping
from typing import Literal

from pydantic import Field

from footnote.model.asking import Mode
from footnote.model.identity import Value

type Task = Literal[
    "plan",
    "condense",
    "read",
    "work",
    "grade",
    "synthesize",
    "judge",
    "repair",
    "extract",
    "draft",
    "context",
]
"""The kinds of work for a model. `prompts/tasks.py` has a row for each."""


class Citable(Value):
    """A passage that a reply may cite by its pieces: its number, what is said of it, the pieces.

    Each piece is its number in the passage and its text.
    """

    number: int
    about: str
    pieces: tuple[tuple[int, str], ...]


class Block(Value):
    """A piece of a message.

    `cached` tells that the request up to this block's end will come again soon. A provider with a
    cache then stores it, and reads it for less. `citable` is the same as `text`, for a provider
    that has citations of its own: it puts them into its reply as markers, like [3.2].
    """

    text: str
    cached: bool = False
    citable: tuple[Citable, ...] = ()


class Tool(Value):
    """A tool that the model may call. `arguments` is the JSON schema of its arguments."""

    name: str
    description: str
    arguments: Mapping[str, object]


class ToolCall(Value):
    """A call that the model asks for. `id` is the provider's; the call's result carries it."""

    id: str
    name: str
    arguments: Mapping[str, object] = Field(default_factory=dict)


class ToolResult(Value):
    """The result of a call. `text` is data for the model. `failed` tells that it is an error."""

    id: str
    text: str
    failed: bool = False


class Message(Value):
    """One turn. Only the assistant calls tools, and the user's next turn has all their results.

    `kept` goes back unread to the provider that wrote it (`kept_for`): its signed thoughts.
    """

    role: Literal["user", "assistant"]
    blocks: tuple[Block, ...] = ()
    calls: tuple[ToolCall, ...] = ()
    results: tuple[ToolResult, ...] = ()
    kept: tuple[Mapping[str, object], ...] = ()
    kept_for: str = ""

    @property
    def text(self) -> str:
        return "".join(block.text for block in self.blocks)


def user_says(text: str) -> tuple[Message, ...]:
    """Returns the messages of a request that is one text."""
    return (Message(role="user", blocks=(Block(text=text),)),)


def say_more(messages: tuple[Message, ...], text: str) -> tuple[Message, ...]:
    """Returns the messages with the user's next text.

    If the last turn is the user's, the text is added to it: many servers refuse two in a row.
    """
    if not messages or messages[-1].role != "user":
        return (*messages, *user_says(text))
    last, block = messages[-1], Block(text=f"\n\n{text}")
    return (*messages[:-1], last.model_copy(update={"blocks": (*last.blocks, block)}))


class ModelRequest(Value):
    """A task for a language model.

    `system` is the same in all requests of a task. `shape` is the JSON schema that the reply must
    follow. `deadline` is the time until which the reply is wanted, in epoch seconds; `patience` is
    how many seconds a provider may take to begin it.
    """

    task: Task
    system: str
    messages: tuple[Message, ...]
    shape: Mapping[str, object] | None = None
    tools: tuple[Tool, ...] = ()
    max_tokens: int = 2000
    deadline: float | None = None
    patience: float | None = None

    @property
    def prompt(self) -> str:
        """All texts of the user's turns, with the results of tools."""
        turns = (
            "\n".join((message.text, *(result.text for result in message.results)))
            for message in self.messages
            if message.role == "user"
        )
        return "\n\n".join(text.strip("\n") for text in turns)

    def then(self, *messages: Message) -> "ModelRequest":
        """Returns the request with more messages after its own."""
        return self.model_copy(update={"messages": (*self.messages, *messages)})


class ModelCall(Value):
    """A model's reply for the trace: its model, the prompt's hash, its tokens, cost and time.

    `input` counts all tokens that it read; `cached` of them came from the provider's cache.
    """

    task: Task
    model: str
    prompt: str
    input: int = 0
    cached: int = 0
    output: int = 0
    usd: float = 0.0
    ms: float = 0.0


class ModelReply(Value):
    """A model's reply. `text` is prose, or JSON that follows the request's shape.

    `calls` are the tools that it wants called before it goes on; `kept` must go back to the
    provider with their results. `input_tokens` counts all tokens that it read; `cached_tokens` of
    them came from the provider's cache. `usd` lacks what is not `priced`: no price is known for it.
    `stopped` is the provider's word for why the reply is incomplete. `call` is its entry for the
    trace, if its time was taken.
    """

    text: str
    mode: Mode
    model: str
    calls: tuple[ToolCall, ...] = ()
    kept: tuple[Mapping[str, object], ...] = ()
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    usd: float = 0.0
    priced: bool = True
    degraded: tuple[str, ...] = ()
    stopped: str = ""
    call: "ModelCall | None" = None

    def as_message(self) -> Message:
        """Returns the reply as the assistant's turn of the next request."""
        blocks = (Block(text=self.text),) if self.text else ()
        return Message(
            role="assistant",
            blocks=blocks,
            calls=self.calls,
            kept=self.kept,
            kept_for=self.mode,
        )
