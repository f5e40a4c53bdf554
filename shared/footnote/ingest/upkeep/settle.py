"""Settling: after a removal, the table follows the bucket.

Events of removals come late, twice and in any order. Some uncover an older version for which no
other event comes. So the step trusts no event and reads the bucket.

Why that ends well, whatever comes between two calls: every writer of the record looks at the bucket
afterwards (here, and in the parse step). If the bucket changes after that look, the event of that
change reads the record later still, and sees what was written. So one of the two settles it.
"""

from contextlib import suppress

from footnote.contracts import ParseRequest, RemoveRequest
from footnote.errors import NotFoundError, SupersededError, UnavailableError
from footnote.ingest.upkeep.compare import is_missed, later_sequencer, sequencer_above
from footnote.model import NO_VERSION, TERMINAL, Record, Revision, Upload
from footnote.ports import Catalog, Uploads

_ATTEMPTS = 5  # looks at the bucket; another change came in between each two


def settle(
    uploads: Uploads, catalog: Catalog, request: RemoveRequest
) -> tuple[Record | None, list[ParseRequest]]:
    """Makes the record a tombstone if the key is empty, or if the version that it serves is gone.

    Returns the record, and a message for a present file that no step works on. Raises
    UnavailableError if the key keeps changing.
    """
    for _ in range(_ATTEMPTS):
        record = find_record(catalog, request.document_id)
        there = uploads.current(request.key)
        is_deleted = record is not None and record.status == "DELETED"
        if there is None and is_deleted:
            return record, []
        if there is not None and not (record and is_serving_removed(record, request, there)):
            return record, _to_parse(record, request, there)
        with suppress(SupersededError):  # another change came first: look again
            catalog.remove(_tombstone(record, request), record.live_version if record else "")
    raise UnavailableError(f"{request.key} keeps changing; its removal was not noted")


def is_serving_removed(record: Record, request: RemoveRequest, there: Upload) -> bool:
    """Tells whether the version that queries see was deleted for good.

    It must go at once, and not wait until the present file has been read: that may never happen.
    """
    live = record.live_version
    removed = request.version == live or (
        request.version == NO_VERSION and live.startswith(f"{NO_VERSION}:")
    )
    return bool(live) and removed and live != there.version


def find_record(catalog: Catalog, document_id: str) -> Record | None:
    try:
        return catalog.get(document_id)
    except NotFoundError:
        return None


def _tombstone(record: Record | None, request: RemoveRequest) -> Revision:
    sequencer = later_sequencer(record, request)
    if record and sequencer == record.sequencer:
        sequencer = sequencer_above(sequencer, request.version)
    return Revision(key=request.key, version=request.version, sequencer=sequencer)


def _to_parse(record: Record | None, request: RemoveRequest, there: Upload) -> list[ParseRequest]:
    """Returns a message for the present file if the table lacks it.

    It also returns one if work on the file has not ended: the worker may have stopped when it found
    no file. If it did not stop, this is one more delivery of the same message.
    """
    if is_missed(record, there):
        sequencer = sequencer_above(later_sequencer(record, request), there.version)
        event = there.revision.model_copy(update={"sequencer": sequencer})
        return [ParseRequest(**event.identity, size=there.size)]
    if record and record.status not in TERMINAL:
        return [ParseRequest(**record.revision.identity, size=there.size)]
    return []
