"""The rules that both catalogs follow: the fence that orders events, and the cursors of lists.

S3's events come more than once and out of order, but each carries a sequencer that rises per key.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode

from footnote.errors import BadRequestError, NotFoundError, SupersededError
from footnote.model import Record, Revision, Status, pad_sequencer

FINAL: frozenset[Status] = frozenset({"READY", "DELETED"})
"""Statuses that end an event for good. FAILED and UNSUPPORTED can be tried again."""
REOPENABLE: tuple[Status, ...] = ("READY", "FAILED", "UNSUPPORTED")
"""Statuses from which work can begin again for the same event."""
EXAMINE = 5000
"""Documents that one page of `documents` looks at: some 5 MB, read in about a second."""
UNFINISHED: tuple[Status, ...] = ("RECEIVED", "PARSING", "CHUNKING", "INDEXING")


def must_store(stored: Record | None, revision: Revision) -> bool:
    """Returns whether this arrival starts work anew. If not, it is a redelivery and work goes on.

    Raises SupersededError in three cases: a newer event is stored, this event is already done, or
    the same version was found in the bucket before its event came.
    """
    if stored is None:
        return True
    if pad_sequencer(stored.sequencer) < pad_sequencer(revision.sequencer):
        if stored.version == revision.version:
            raise SupersededError(
                f"this version of {revision.key} was found in the bucket before: {stored.status}",
                action="Nothing: work on it has begun without its event.",
            )
        return True
    refuse_older(stored, revision)
    if stored.status in FINAL:
        raise SupersededError(
            f"this event of {revision.key} was worked off before: {stored.status}",
            action="Nothing: the document is as this event wants it.",
        )
    return stored.status in ("FAILED", "UNSUPPORTED")


def must_be_current(stored: Record, revision: Revision) -> None:
    """Refuses work for an event that is not the stored one.

    Raises SupersededError when a newer event is stored, NotFoundError when this one never was.
    """
    refuse_older(stored, revision)
    if pad_sequencer(stored.sequencer) < pad_sequencer(revision.sequencer):
        raise NotFoundError(f"no arrival of {revision.key} {revision.sequencer} was recorded")


def must_be_open(stored: Record, status: Status) -> None:
    """Refuses a late delivery that would take a finished document back to an earlier status.

    Raises SupersededError.
    """
    if stored.status in FINAL and stored.status != status:
        raise SupersededError(
            f"{stored.key} is {stored.status}, it cannot become {status} by the same event",
            action="Nothing: another delivery of the same event finished the work.",
        )


def must_be_reopenable(stored: Record) -> None:
    """Refuses to reopen a document that is at work or deleted. Raises SupersededError."""
    if stored.status not in REOPENABLE:
        raise SupersededError(
            f"{stored.key} is {stored.status}, not one of {', '.join(REOPENABLE)}"
        )


def refuse_older(stored: Record, revision: Revision) -> None:
    if pad_sequencer(stored.sequencer) > pad_sequencer(revision.sequencer):
        raise SupersededError(f"a newer event of {revision.key} is stored: {stored.status}")


def encode_cursor(key: str) -> str:
    """Encodes `key` as the start of the next page, in characters that need no escaping."""
    return urlsafe_b64encode(key.encode()).decode()


def decode_cursor(given: str) -> str:
    """Decodes the key in a cursor ("" at the start). Raises BadRequestError for a foreign one."""
    try:
        return urlsafe_b64decode(given).decode()
    except ValueError:
        raise BadRequestError(
            f"{given[:100]!r} is not a page of this list",
            action="Leave `after` out, or take it from the page before.",
        ) from None


def collection_of(key: str) -> str:
    """Returns the collection in the key of a tenant's document."""
    return key.split("/", 2)[1]


def after_collection(tenant: str, collection: str) -> str:
    """Returns what follows all keys of a collection and precedes those of the next, in key order.

    In the alphabet 0 follows the slash.
    """
    return f"{tenant}/{collection}0"
