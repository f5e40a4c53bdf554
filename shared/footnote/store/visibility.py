"""Which version of a document queries see: the catalog's word is final, the index only follows."""

from contextlib import suppress

from footnote.errors import NotFoundError, SupersededError
from footnote.model import Record, Revision, Upload, fence
from footnote.ports import BlobStore, Catalog, Uploads
from footnote.store.keys import sequencer_of


def is_live(catalog: Catalog, revision: Revision) -> bool:
    """Whether queries see exactly this revision's version."""
    live = catalog.live_versions([revision.document_id])
    return live.get(revision.document_id) == revision.version


def published(catalog: Catalog, revision: Revision) -> Record | None:
    """The document's record when this very event's work is done. Raises SupersededError when a
    newer one came.
    """
    record = catalog.get(revision.document_id)
    if fence(record.sequencer) > fence(revision.sequencer):
        raise SupersededError(f"a newer event of {revision.key} is stored: {record.status}")
    done = record.status == "READY" and fence(record.sequencer) == fence(revision.sequencer)
    return record if done else None


def must_be_there(uploads: Uploads, revision: Revision) -> Upload:
    """What is there. Refuses the event of a file that has been replaced or deleted since: the
    bucket is right.
    """
    there = uploads.current(revision.key)
    if there is None or there.version != revision.version:
        raise SupersededError(
            f"{revision.key} holds {'another version' if there else 'nothing'} by now",
            action="Nothing: what is there has an event of its own, or a sweep finds it.",
        )
    return there


def must_be_gone(uploads: Uploads, catalog: Catalog, revision: Revision) -> None:
    """Refuse the removal of an older version than the one that is there and in the table."""
    there = uploads.current(revision.key)
    if there is None:
        return
    try:
        known = catalog.get(revision.document_id)
    except NotFoundError:
        return
    if known.version == there.version and known.status != "DELETED":
        raise SupersededError(f"{revision.key} was put again; its newest version is known")


def live_revision(artifacts: BlobStore, record: Record) -> Revision:
    """The revision that queries see: the newest one, or the one it has not replaced yet.

    Raises NotFoundError when its artifacts are gone.
    """
    if record.version == record.live_version:
        return record.revision
    sequencer = sequencer_of(artifacts, record.document_id, record.live_version)
    return Revision(key=record.key, version=record.live_version, sequencer=sequencer)


def revisions(artifacts: BlobStore, record: Record) -> list[Revision]:
    """Those that may have chunks: the newest, and the one that queries see meanwhile."""
    found = [record.revision]
    if record.live_version not in ("", record.version):
        with suppress(NotFoundError):  # replaced just now
            found.append(live_revision(artifacts, record))
    return found
