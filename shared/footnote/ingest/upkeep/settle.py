"""Settling: after a removal the table follows what the bucket holds now.

Events of removals come late, twice and in any order, and some uncover an older version for which no
other event comes. So none is believed: the bucket is read.

Why it ends well, whatever comes between two calls: whoever has written the record looks at the
bucket afterwards (here, and in the parse step). If the bucket's last change comes after that look,
the event of that change reads the record later still, and sees what was written. So one of the two
settles it.
"""

from contextlib import suppress

from footnote.contracts import ParseRequest, RemoveRequest
from footnote.errors import NotFoundError, SupersededError, UnavailableError
from footnote.ingest.upkeep.compare import is_missed, later_sequencer, sequencer_above
from footnote.model import NO_VERSION, TERMINAL, Record, Revision, Upload
from footnote.ports import Catalog, Uploads

_ATTEMPTS = 5  # each but the first means that another change came in between


def settle(
    uploads: Uploads, catalog: Catalog, request: RemoveRequest
) -> tuple[Record | None, list[ParseRequest]]:
    """Makes the record a tombstone if nothing is at the key, or if the version that it serves left.

    Returns the record, and a message for a file that is there and that nobody works on. Raises
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
    """Tells whether queries see the very version that was deleted for good.

    It must go at once, and not only when what is there now has been read: that may never be.
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
    """Returns a message for the file that is there if the table does not know it.

    Also if work on it has not ended: whoever worked on it may have looked when it was not there,
    and stopped. Where nobody stopped, this is one more delivery of the same message.
    """
    if is_missed(record, there):
        sequencer = sequencer_above(later_sequencer(record, request), there.version)
        event = there.revision.model_copy(update={"sequencer": sequencer})
        return [ParseRequest(**event.identity, size=there.size)]
    if record and record.status not in TERMINAL:
        return [ParseRequest(**record.revision.identity, size=there.size)]
    return []
