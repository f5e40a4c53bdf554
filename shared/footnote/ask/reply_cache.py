"""A model is not asked twice for the same: what it said to a try that failed, the next one hears.

Sentences are checked while the model still speaks, so a document that cannot be read just then ends
the try in the middle of a reply that costs money all the same.
"""

from collections.abc import Iterator
from contextlib import suppress

from footnote.errors import FootnoteError, ModelReplyError
from footnote.model import ModelReply, ModelRequest, Value, digest
from footnote.ports import LLM
from footnote.prompts import unfenced


class Said(Value):
    """A reply: to what, its text as it came, how it ended. `failure`: of no use, and why; `spent`
    is what that cost.
    """

    asked: str
    text: str
    reply: ModelReply | None = None
    failure: str = ""
    spent: ModelReply | None = None

    def again(self) -> Iterator[str | ModelReply]:
        yield self.text
        if self.reply is None:
            raise ModelReplyError(self.failure, spent=self.spent)
        yield self.reply


class Replies(Value):
    """All that models said to a try, in order."""

    said: tuple[Said, ...] = ()


class Heard:
    """The pieces of a reply, and what is known of it so far."""

    def __init__(self, asked: str, pieces: Iterator[str | ModelReply]) -> None:
        self._asked = asked
        self._pieces = pieces
        self._text = ""
        self.said: Said | None = None  # once it is whole

    def __iter__(self) -> "Heard":
        return self

    def __next__(self) -> str | ModelReply:
        try:
            piece = next(self._pieces)
        except ModelReplyError as error:
            told = {"failure": error.message, "spent": error.spent}
            self.said = Said(asked=self._asked, text=self._text, **told)
            raise
        if isinstance(piece, ModelReply):
            self.said = Said(asked=self._asked, text=self._text, reply=piece)
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
        for piece in self._hear(request, (self._llm.complete(request) for _ in range(1))):
            if isinstance(piece, ModelReply):
                return piece
        raise ModelReplyError("the model gave no reply")

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        return self._hear(request, self._llm.stream(request))

    def replies(self) -> Replies:
        """All replies up to now. Listens to the end of one that nobody listens to any more."""
        for heard in self._heard:
            with suppress(FootnoteError):
                for _ in heard:
                    pass
        said = [heard.said for heard in self._heard if heard.said]
        return Replies(said=(*said, *self._earlier))

    def _hear(self, request: ModelRequest, pieces: Iterator[str | ModelReply]) -> Heard:
        asked = digest(request.task, request.system, unfenced(request.prompt))
        if known := next((said for said in self._earlier if said.asked == asked), None):
            self._earlier.remove(known)
            pieces = known.again()
        self._heard.append(Heard(asked, pieces))
        return self._heard[-1]
