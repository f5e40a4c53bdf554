"""A cache of model replies: the replies to a try that failed are replayed to the next try.

Sentences are checked while the model is still streaming. A document that cannot be read just then
ends the try in the middle of a reply, which is paid for all the same.
"""

from collections.abc import Iterator
from contextlib import suppress

from footnote.errors import FootnoteError, ModelReplyError, UnavailableError
from footnote.model import ModelReply, ModelRequest, Value, digest
from footnote.ports import LLM
from footnote.prompts import strip_fences


class CachedReply(Value):
    """A recorded reply: the digest of its request, its text as it came, and how it ended.

    `failure` says why the reply was of no use, `down` that it never came to an end. `spent` is the
    cost of such a reply.
    """

    asked: str
    text: str
    reply: ModelReply | None = None
    failure: str = ""
    down: bool = False
    spent: ModelReply | None = None

    def replay(self) -> Iterator[str | ModelReply]:
        yield self.text
        if self.reply:
            yield self.reply
        elif self.down:
            error = UnavailableError(self.failure)
            error.spent = self.spent
            raise error
        else:
            raise ModelReplyError(self.failure, spent=self.spent)


class Replies(Value):
    """All replies of models to one try, in order."""

    said: tuple[CachedReply, ...] = ()


class RecordedStream:
    """An iterator over the pieces of a reply that records them as they pass."""

    def __init__(self, asked: str, pieces: Iterator[str | ModelReply]) -> None:
        self._asked = asked
        self._pieces = pieces
        self._text = ""
        self.said: CachedReply | None = None  # set once the reply is whole

    def __iter__(self) -> "RecordedStream":
        return self

    def __next__(self) -> str | ModelReply:
        try:
            piece = next(self._pieces)
        except (ModelReplyError, UnavailableError) as error:
            down = isinstance(error, UnavailableError)
            if not down or error.spent:  # a service that was not there has said nothing
                end = {"failure": error.message, "down": down, "spent": error.spent}
                self.said = CachedReply(asked=self._asked, text=self._text, **end)
            raise
        if isinstance(piece, ModelReply):
            self.said = CachedReply(asked=self._asked, text=self._text, reply=piece)
        else:
            self._text += piece
        return piece


class ReplayingLLM:
    """Implements the port LLM: replays the replies to an earlier try, and asks `llm` for the rest.

    A reply is replayed to a request of the same task and texts. The fences' random words do not
    count.
    """

    def __init__(self, llm: LLM, earlier: Replies) -> None:
        self._llm = llm
        self._earlier = list(earlier.said)
        self._streams: list[RecordedStream] = []

    def complete(self, request: ModelRequest) -> ModelReply:
        for piece in self._record(request, (self._llm.complete(request) for _ in range(1))):
            if isinstance(piece, ModelReply):
                return piece
        raise ModelReplyError("the model gave no reply")

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        return self._record(request, self._llm.stream(request))

    def replies(self) -> Replies:
        """Returns all replies so far. Reads to its end a reply that nobody reads any more."""
        for stream in self._streams:
            with suppress(FootnoteError):
                for _ in stream:
                    pass
        replies = [stream.said for stream in self._streams if stream.said]
        return Replies(said=(*replies, *self._earlier))

    def _record(self, request: ModelRequest, pieces: Iterator[str | ModelReply]) -> RecordedStream:
        texts = (strip_fences(repr(message.model_dump())) for message in request.messages)
        asked = digest(request.task, request.system, *texts)
        if known := next((reply for reply in self._earlier if reply.asked == asked), None):
            self._earlier.remove(known)
            pieces = known.replay()
        self._streams.append(RecordedStream(asked, pieces))
        return self._streams[-1]
