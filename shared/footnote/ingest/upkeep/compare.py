"""Decides what to repair when bucket, table, index and artifacts disagree. Pure.

The bucket is right: queries should see what is in it now.
"""

from footnote.metadata.sidecar import document_of
from footnote.model import Record, Revision, Status, Upload, digest, pad_sequencer
from footnote.store.keys import event_folder, is_carried

STAGE: dict[Status, str] = {
    "RECEIVED": "parse",
    "PARSING": "parse",
    "CHUNKING": "chunk",
    "INDEXING": "index",
}
"""The queue whose step works on a document of this status."""
_DIGITS = 32  # of `pad_sequencer`: more than S3's sequencers have
_COUNT = 8  # digits behind them: a count of changes without an event


def sequencer_above(stored: str, version: str = "") -> str:
    """Makes a sequencer for a change that came without an event.

    It is above the stored one ("": none), and below every one that S3 gives to a later event. It
    differs from the stored one only in digits behind S3's: a count, and a digest of the version. So
    two workers that see different versions make different sequencers.
    """
    earlier = int(stored[_DIGITS : _DIGITS + _COUNT] or "0", 16)
    return f"{pad_sequencer(stored)[:_DIGITS]}{earlier + 1:0{_COUNT}X}{digest(version)[:8]}"


def later_sequencer(record: Record | None, event: Revision) -> str:
    """Returns the later of the record's sequencer and the event's."""
    stored = record.sequencer if record else ""
    return max(stored, event.sequencer, key=pad_sequencer)


def is_missed(record: Record | None, upload: Upload) -> bool:
    """Tells whether the table lacks the file that is in the bucket."""
    if upload.key.endswith("/") or document_of(upload.key):
        return False  # a folder marker of the console and a sidecar are no documents
    return record is None or record.status == "DELETED" or record.version != upload.version


def is_orphaned(record: Record | None, revision: Revision) -> bool:
    """Tells whether queries neither see nor will see chunks of this event."""
    if record is None:
        return True
    return revision.version != record.live_version and not _is_current(record, revision)


def is_useless(record: Record | None, folder: str) -> bool:
    """Tells whether artifacts in this folder (`<sequencer>-<version hash>`)
    belong to no version in use.

    What is laid beside a file waits for it to be read.
    """
    if record is None:
        return True
    if is_carried(folder):
        return STAGE.get(record.status) != "parse"
    if record.live_version and folder.endswith(f"-{digest(record.live_version)}"):
        return False
    return record.status == "DELETED" or folder != event_folder(record.revision)


def _is_current(record: Record, revision: Revision) -> bool:
    """Tells whether the record holds this event, FAILED included.

    A message that was given up may be delivered again, and needs its chunks.
    """
    return record.status != "DELETED" and pad_sequencer(record.sequencer) == pad_sequencer(
        revision.sequencer
    )
