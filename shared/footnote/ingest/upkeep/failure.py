"""Handles a message whose step failed: puts it off, gives it up with a reason, or buries it."""

import random

from footnote.contracts import QUEUES, AnnotateRequest, Message, ParseRequest, RemoveRequest
from footnote.errors import NotFoundError
from footnote.metadata.sidecar import UNREAD_SIDECAR, document_of
from footnote.model import TERMINAL, Facts, Problem, Status, pad_sequencer
from footnote.ports import Catalog, Queues

MAX_DELAY = 900  # seconds, the most that SQS delays a message


def put_off(queues: Queues, request: Message, first: int) -> int:
    """Queues a message anew and returns the seconds until it comes.

    `first`: seconds before the second try. The message's visibility is not used for this: that
    would use up receives, which are for steps that were killed.
    """
    delay = pause(request.waits, first)
    again = request.model_copy(update={"waits": request.waits + 1})
    queues.send(QUEUES[type(request)], [again], delay)
    return delay


def pause(waits: int, first: int) -> int:
    """Returns the seconds before the next try: doubled by each try, plus or minus half.

    The random half keeps messages from returning at the same moment.
    """
    mean = min(MAX_DELAY, first << min(waits, 20))
    return min(MAX_DELAY, round(mean * random.uniform(0.5, 1.5)))  # noqa: S311 - no secret


def give_up(catalog: Catalog, request: Message, problem: Problem) -> None:
    """Records why a document is not going to be READY, or why its removal is not complete.

    Records nothing for a sidecar: its document is as it was, and a sweep looks after it.
    """
    if isinstance(request, AnnotateRequest) or document_of(request.key):
        return
    status: Status = "DELETED" if isinstance(request, RemoveRequest) else "FAILED"
    if isinstance(request, ParseRequest):  # the table may not know the document yet
        catalog.receive(request, request.size, UNREAD_SIDECAR)
    catalog.advance(request, status, Facts(error=problem))


def has_ended(catalog: Catalog, request: Message) -> bool:
    """Tells whether this event's work is over: done, or ended with a reason of its own."""
    try:
        record = catalog.get(request.document_id)
    except NotFoundError:
        return False
    return (
        pad_sequencer(record.sequencer) == pad_sequencer(request.sequencer)
        and record.status in TERMINAL
    )


def divide(request: Message) -> list[ParseRequest]:
    """Returns the messages that replace one on which the parse step was stopped.

    A part of a PDF becomes smaller parts, each about a tenth of it, so that only the pages that
    stop the step are lost. A part of a single page becomes a lost page. A whole PDF is to be read
    with each page as a part. Returns nothing for any other message.
    """
    if not isinstance(request, ParseRequest) or request.lost:
        return []
    if request.part is None:
        # by its name: a step that opens it here may be stopped as well
        if request.of or request.page_by_page or not request.key.lower().endswith(".pdf"):
            return []
        return [request.model_copy(update={"page_by_page": True, "waits": 0})]
    first, last = request.part
    if first == last:
        return [request.model_copy(update={"lost": True, "waits": 0})]
    size = max(1, (last - first + 1) // 10)
    return [
        request.model_copy(update={"part": (start, min(start + size - 1, last)), "waits": 0})
        for start in range(first, last + 1, size)
    ]


def stopped_problem(step: str, request: Message, receives: int) -> Problem:
    """Says why a message is buried: its step was stopped before it could say what is wrong."""
    return Problem(
        code="stopped",
        message=f"{request.path}: the {step} step was stopped {receives} times before it ended "
        "(out of time or memory), or could not be started",
        action=f"Look at the log of the {step} step, give it more time or memory or split the "
        "file, then run `footnote retry`.",
    )


def malformed_problem(step: str, request: Message, receives: int) -> Problem:
    """Says why a document FAILED: the step does not understand a message about it."""
    return Problem(
        code="bad_message",
        message=f"{request.path}: the {step} step could not make sense of a message about it, "
        f"{receives} times",
        action="Run `footnote retry`; the message is in the step's dead-letter queue.",
    )
