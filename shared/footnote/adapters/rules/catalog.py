"""The rules that both catalogs follow: the fence that orders events, and the cursors of lists.

S3's events come more than once and out of order, but each carries a sequencer that rises per key.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterable

from footnote.adapters.rules.limits import SORT_KEY_BYTES
from footnote.errors import BadRequestError, NotFoundError, SupersededError
from footnote.model import (
    NO_VERSION,
    Facts,
    Metadata,
    Problem,
    Record,
    Revision,
    Status,
    pad_sequencer,
)
from footnote.text.condense import condense, shorten_text

FINAL: frozenset[Status] = frozenset({"READY", "DELETED"})
"""Statuses that end an event for good. FAILED and UNSUPPORTED can be tried again."""
REOPENABLE: tuple[Status, ...] = ("READY", "FAILED", "UNSUPPORTED")
"""Statuses from which work can begin again for the same event."""
LONGEST_TITLE = 1000  # characters; longer than any that a person wrote
LONGEST_CODE = 200
LONGEST_MESSAGE = 2000  # it may name a key of 1,024 bytes, twice
METADATA_BYTES = 100_000
"""Attributes of a version: files, tags and objects bring 60 KB at most (`metadata/attributes`)."""
PAGE_BYTES = 2_500_000
"""Bytes of a page of records. They may double inside a function's reply, which has 6 MB at most."""
EXAMINE = 5000
"""Documents that one page of `documents` looks at: some 5 MB, read in about a second."""
UNFINISHED: tuple[Status, ...] = ("RECEIVED", "PARSING", "CHUNKING", "INDEXING")


def must_store(stored: Record | None, revision: Revision) -> bool:
    """Returns whether this arrival starts work anew. If not, it is a redelivery and work goes on.

    Raises SupersededError in three cases: a newer event is stored, this event is already done, or
    the same version was found in the bucket before its event came. A version that was removed can
    come back, though: its delete marker was deleted, or a newer version was. And a version without
    an id can be put again as it was.
    """
    if stored is None:
        return True
    if pad_sequencer(stored.sequencer) < pad_sequencer(revision.sequencer):
        comes_again = stored.status == "DELETED" or stored.version.startswith(NO_VERSION)
        if stored.version == revision.version and not comes_again:
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


def refuse_other(stored: Record, serving: str | None) -> None:
    """Raises SupersededError where another version than `serving` is live. None is any version."""
    if serving not in (None, stored.live_version):
        raise SupersededError(f"another version of {stored.key} went live: {stored.live_version}")


def bound_facts(facts: Facts) -> Facts:
    """Returns facts that fit into an item, however long a file's own titles or attributes are.

    Texts are cut in the middle. Of warnings of one kind one stays, with their number.
    """
    error = facts.error
    changes: dict[str, object] = {}
    if error:
        changes["error"] = Problem(
            code=shorten_text(error.code, LONGEST_CODE),
            message=shorten_text(error.message, LONGEST_MESSAGE),
            action=shorten_text(error.action, LONGEST_MESSAGE),
        )
    if facts.title:
        changes["title"] = shorten_text(facts.title, LONGEST_TITLE)
    for name in ("media_type", "language"):
        if value := getattr(facts, name):
            changes[name] = value[:LONGEST_CODE]
    if facts.warnings:
        changes["warnings"] = condense(facts.warnings)
    if facts.metadata:
        changes["metadata"] = _bound_metadata(facts.metadata)
    return facts.model_copy(update=changes)


def _bound_metadata(metadata: Metadata) -> Metadata:
    """Returns the first attributes that take no more than METADATA_BYTES as JSON."""
    kept, left = {}, METADATA_BYTES
    for name, value in metadata.items():
        left -= len(json.dumps({name: value}))
        if left < 0:
            break
        kept[name] = value
    return kept


def cut_page(records: Iterable[Record], limit: int, last: str) -> tuple[list[Record], str]:
    """Returns a page of a listing, and the cursor of the next ("" if there is none).

    It ends after `limit` records, or before the one that would make it larger than a function's
    reply may be. If it is not cut, the next page begins after the key `last`.
    """
    page: list[Record] = []
    left = PAGE_BYTES
    for record in records:
        left -= len(record.model_dump_json().encode())
        if page and (len(page) == limit or left < 0):
            return page, encode_cursor(page[-1].key)
        page.append(record)
    return page, encode_cursor(last) if last else ""


def encode_cursor(key: str) -> str:
    """Encodes `key` as the start of the next page, in characters that need no escaping."""
    return urlsafe_b64encode(key.encode()).decode()


def decode_cursor(cursor: str) -> str:
    """Decodes the key in a cursor ("" at the start). Raises BadRequestError for a foreign one."""
    key = open_cursor(cursor)
    if bool(cursor) != (0 < len(key.encode()) <= SORT_KEY_BYTES):
        raise no_cursor(cursor)
    return key


def open_cursor(cursor: str) -> str:
    """Returns the text in a cursor. Raises BadRequestError where there is none."""
    try:
        return urlsafe_b64decode(cursor).decode()
    except ValueError:
        raise no_cursor(cursor) from None


def no_cursor(cursor: str) -> BadRequestError:
    return BadRequestError(
        f"{cursor[:100]!r} is not a page of this list",
        action="Leave `after` out, or take it from the page before.",
    )


def collection_of(key: str) -> str:
    """Returns the collection in the key of a tenant's document."""
    return key.split("/", 2)[1]


def before_collection(tenant: str, collection: str) -> str:
    """Returns a text that sorts before all keys of a collection, and after all earlier keys."""
    return f"{tenant}/{collection}/"


def after_collection(tenant: str, collection: str) -> str:
    """Returns a text that sorts after all keys of a collection, and before all later keys.

    In ASCII the 0 follows the slash.
    """
    return f"{tenant}/{collection}0"
