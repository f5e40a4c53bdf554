"""Handles a message whose step failed: delays it, or gives it up with a reason."""

import random

from footnote.contracts import QUEUES, AnnotateRequest, Message, ParseRequest, RemoveRequest
from footnote.errors import NotFoundError
from footnote.metadata.sidecar import UNREAD_SIDECAR, document_of
from footnote.model import TERMINAL, Facts, Problem, Status, pad_sequencer
from footnote.ports import Catalog, Queues

MAX_DELAY = 900  # seconds, the most that SQS delays a message


def put_off(queues: Queues, request: Message, first: int) -> int:
    """Queues a message again with a delay. Returns the seconds until it comes.

    `first` is the delay in seconds before the second try. The message's visibility is not used for
    this: it would use up receives, which are for steps that were killed.
    """
    delay = pause(request.waits, first)
    again = request.model_copy(update={"waits": request.waits + 1})
    queues.send(QUEUES[type(request)], [again], delay)
    return delay


def pause(waits: int, first: int) -> int:
    """Returns the seconds before the next try: doubled with each try, plus or minus half.

    The random half keeps messages from returning at the same moment.
    """
    mean = min(MAX_DELAY, first << min(waits, 20))
    return min(MAX_DELAY, round(mean * random.uniform(0.5, 1.5)))  # noqa: S311 - no secret


def give_up(catalog: Catalog, request: Message, problem: Problem) -> Status | None:
    """Records why a document will not be READY, or why its removal is not complete.

    Returns the status that it records. It records nothing for a sidecar: its document stays as it
    was, and a sweep looks after it.
    """
    if isinstance(request, AnnotateRequest) or document_of(request.key):
        return None
    status: Status = "DELETED" if isinstance(request, RemoveRequest) else "FAILED"
    if isinstance(request, ParseRequest):  # the table may not have the document yet
        catalog.receive(request, request.size, UNREAD_SIDECAR)
    catalog.advance(request, status, Facts(error=problem))
    return status


def has_ended(catalog: Catalog, request: Message) -> bool:
    """Tells whether this event's work has ended: done, or failed with its own reason."""
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

    A part of a PDF becomes about ten smaller parts, so that only the pages that stop the step are
    lost. A part of one page becomes a lost page. A whole PDF is read again with each page as a
    part. Any other message gets none.
    """
    if not isinstance(request, ParseRequest) or request.lost:
        return []
    if request.part is None:
        # judged by its name: opening the file might stop this step too
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
    """Returns the problem of a message whose step was stopped before it could report one."""
    return Problem(
        code="stopped",
        message=f"{request.path}: the {step} step was stopped {receives} times before it ended "
        "(out of time or memory), or could not be started",
        action=f"Look at the log of the {step} step, give it more time or memory or split the "
        "file, then run `footnote retry`.",
    )


def malformed_problem(step: str, request: Message, receives: int) -> Problem:
    """Returns the problem of a message that its step does not understand."""
    return Problem(
        code="bad_message",
        message=f"{request.path}: the {step} step could not make sense of a message about it, "
        f"{receives} times",
        action="Run `footnote retry`; the message is in the step's dead-letter queue.",
    )
