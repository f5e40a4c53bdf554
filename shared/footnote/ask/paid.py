"""A model is not asked twice for the same: what it said to a try that failed, the next one hears.

Sentences are checked while the model still speaks, so a document that cannot be read just then ends
the try in the middle of a reply that costs money all the same.
"""

from collections.abc import Iterator
from contextlib import suppress

from footnote.errors import FootnoteError, ModelReplyError
from footnote.model import ModelReply, ModelRequest, Value
from footnote.ports import LLM


class Said(Value):
    """A reply: its text as it came, and how it ended; `failure`: of no use, and why."""

    text: str
    reply: ModelReply | None = None
    failure: str = ""

    def again(self) -> Iterator[str | ModelReply]:
        yield self.text
        if self.reply is None:
            raise ModelReplyError(self.failure)
        yield self.reply


class Replies(Value):
    """All that a model said to a try, in order."""

    said: tuple[Said, ...] = ()


class Heard:
    """The pieces of a reply, and what is known of it so far."""

    def __init__(self, pieces: Iterator[str | ModelReply]) -> None:
        self._pieces = pieces
        self._text = ""
        self.said: Said | None = None  # once it is whole

    def __iter__(self) -> "Heard":
        return self

    def __next__(self) -> str | ModelReply:
        try:
            piece = next(self._pieces)
        except ModelReplyError as error:
            self.said = Said(text=self._text, failure=error.message)
            raise
        if isinstance(piece, ModelReply):
            self.said = Said(text=self._text, reply=piece)
        else:
            self._text += piece
        return piece


class Paid:
    """Implements the port LLM with another one, after what that one said to an earlier try."""

    def __init__(self, llm: LLM, earlier: Replies) -> None:
        self._llm = llm
        self._earlier = list(earlier.said)
        self._heard: list[Heard] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        for piece in self._hear(self._llm.complete(request) for _ in range(1)):
            if isinstance(piece, ModelReply):
                return piece
        raise ModelReplyError("the model gave no reply")

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        return self._hear(self._llm.stream(request))

    def replies(self) -> Replies:
        """All replies up to now. Listens to the end of one that nobody listens to any more."""
        for heard in self._heard:
            with suppress(FootnoteError):
                for _ in heard:
                    pass
        return Replies(said=tuple(heard.said for heard in self._heard if heard.said))

    def _hear(self, pieces: Iterator[str | ModelReply]) -> Heard:
        heard = Heard(self._earlier.pop(0).again() if self._earlier else pieces)
        self._heard.append(heard)
        return heard
