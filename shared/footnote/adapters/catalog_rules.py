"""The rules that both catalogs follow: the fence that orders events, cursors, time stamps.

S3's events come more than once and out of order; each carries a sequencer that rises per key.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from footnote.errors import BadRequestError, NotFoundError, SupersededError
from footnote.model import Record, Revision, Status, fence

DONE: frozenset[Status] = frozenset({"READY", "DELETED"})
"""Nothing more can come of the event; FAILED and UNSUPPORTED can be tried again."""
OVER: tuple[Status, ...] = ("READY", "FAILED", "UNSUPPORTED")
"""From here work can begin again for the same event."""
UNFINISHED: tuple[Status, ...] = ("RECEIVED", "PARSING", "CHUNKING", "INDEXING")


def must_store(stored: Record | None, revision: Revision) -> bool:
    """Whether this arrival starts work anew; False: it is a redelivery and work goes on.

    Raises SupersededError when a newer event is stored, when this one is done already, or when
    the file was found in the bucket before this, its event, came.
    """
    if stored is None:
        return True
    if fence(stored.sequencer) < fence(revision.sequencer):
        if stored.version == revision.version:
            raise SupersededError(
                f"this version of {revision.key} was found in the bucket before: {stored.status}",
                action="Nothing: work on it has begun without its event.",
            )
        return True
    refuse_older(stored, revision)
    if stored.status in DONE:
        raise SupersededError(
            f"this event of {revision.key} was worked off before: {stored.status}",
            action="Nothing: the document is as this event wants it.",
        )
    return stored.status in ("FAILED", "UNSUPPORTED")


def must_be_current(stored: Record, revision: Revision) -> None:
    """Refuse work for an event that is not the stored one."""
    refuse_older(stored, revision)
    if fence(stored.sequencer) < fence(revision.sequencer):
        raise NotFoundError(f"no arrival of {revision.key} {revision.sequencer} was recorded")


def must_be_open(stored: Record, status: Status) -> None:
    """Refuse a straggler that would take a finished document back to an earlier status."""
    if stored.status in DONE and stored.status != status:
        raise SupersededError(
            f"{stored.key} is {stored.status}, it cannot become {status} by the same event",
            action="Nothing: another delivery of the same event finished the work.",
        )


def must_be_over(stored: Record) -> None:
    """Refuse to open again what is at work or deleted."""
    if stored.status not in OVER:
        raise SupersededError(f"{stored.key} is {stored.status}, not one of {', '.join(OVER)}")


def refuse_older(stored: Record, revision: Revision) -> None:
    if fence(stored.sequencer) > fence(revision.sequencer):
        raise SupersededError(f"a newer event of {revision.key} is stored: {stored.status}")


def cursor(key: str) -> str:
    """Where the page after `key` starts, in characters that need no escaping anywhere."""
    return urlsafe_b64encode(key.encode()).decode()


def after_key(given: str) -> str:
    """The key in a cursor; "" at the start. Raises BadRequestError for one we did not make."""
    try:
        return urlsafe_b64decode(given).decode()
    except ValueError:
        raise BadRequestError(
            f"{given[:100]!r} is not a page of this list",
            action="Leave `after` out, or take it from the page before.",
        ) from None
