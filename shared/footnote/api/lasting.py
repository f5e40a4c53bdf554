"""Replies that last as long as a question is worked on, in the function that streams."""

import time
from collections.abc import Iterator
from threading import Event as Signal
from typing import NamedTuple

from footnote.api.request import may_wait
from footnote.api.waiting import Waiting
from footnote.ask.question.streams import Place
from footnote.errors import LimitedError, UnavailableError
from footnote.model import Event, QuestionRecord
from footnote.service import Service

OFTEN = 1.0  # seconds between two looks at a question, at most
BEAT = 15.0  # seconds after which an empty line is sent: proxies end what is silent for a minute
NOTHING = ":\n\n"  # a comment, which readers of events pass over


class Lasting:
    """The time of a reply that lasts, and its place among those that may, given back at its end.

    The time is over as soon as `gone` is set: nobody reads the reply any more.
    """

    def __init__(
        self, waiting: Waiting, place: Place | None = None, gone: Signal | None = None
    ) -> None:
        self._waiting = waiting
        self._place = place
        self._gone = gone
        self._spoke = time.monotonic()

    def pause(self) -> bool:
        """Waits until it is time to look again. Returns False when the time is over."""
        if self._gone and self._gone.is_set():
            return False
        if self._place:
            self._place.keep()
        return self._waiting.pause()

    @property
    def has_place(self) -> bool:
        return self._place is not None

    def __enter__(self) -> None:
        """Nothing is to be done: the place is taken."""

    def __exit__(self, *_: object) -> None:
        if self._place:
            self._place.leave()

    def or_beat(self, text: str) -> str:
        """Returns the text to send, or a line without meaning where none was sent for long."""
        now = time.monotonic()
        if not text and now - self._spoke < BEAT:
            return ""
        self._spoke = now
        return text or NOTHING


class Look(NamedTuple):
    """A question, and what its trace has had since the last look."""

    record: QuestionRecord
    events: list[Event]

    @property
    def has_ended(self) -> bool:
        return self.record.status != "RUNNING"


def may_last(me: Service) -> Lasting | None:
    """Begins a reply that lasts; None where replies are sent whole, or too many last already."""
    if not me.longest_reply or not (place := me.streams.take()):
        return None
    return Lasting(may_wait(me.longest_reply, often=OFTEN), place)


def must_last(me: Service) -> Lasting:
    """Begins a reply that lasts as long as it may here.

    Raises LimitedError where too many last already, UnavailableError where none may last.
    """
    if lasting := may_last(me):
        return lasting
    if not me.longest_reply and me.longest_wait:
        return Lasting(may_wait(me.longest_wait))
    if not me.longest_reply:
        raise UnavailableError(
            "requests may not wait for answers here, and this form of chat must",
            code="no_waiting",
            action="An operator sets Streams to 2 and deploys again; or use POST /questions.",
        )
    error = LimitedError(
        "as many answers are waited for as may be at once",
        code="busy",
        action="Try again in 2 s, or have an operator raise Streams; or use POST /questions.",
    )
    error.seconds = 2
    raise error


def follow(me: Service, question_id: str, lasting: Lasting, after: str = "") -> Iterator[Look]:
    """Yields looks at a question until it has ended or the time is over."""
    while True:
        # the record is read first: all events that precede its end are in the trace by then
        record = me.questions.get(question_id)
        look = Look(record, me.questions.events(question_id, after))
        after = look.events[-1].id if look.events else after
        yield look
        if look.has_ended or not lasting.pause():
            return
