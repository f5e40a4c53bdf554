"""Decides which version of a document queries see. The catalog decides; the index follows."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from footnote.errors import NotFoundError, SupersededError
from footnote.model import TERMINAL, Record, Revision, Upload, pad_sequencer
from footnote.ports import BlobStore, Catalog, Uploads
from footnote.store import keys


def is_live(catalog: Catalog, revision: Revision) -> bool:
    """Tells whether queries see this revision's version."""
    live = catalog.live_versions([revision.document_id])
    return live.get(revision.document_id) == revision.version


def published_record(catalog: Catalog, revision: Revision) -> Record | None:
    """Returns the document's record if this event has been published, else None.

    Raises SupersededError when the catalog holds a newer event.
    """
    record = catalog.get(revision.document_id)
    if pad_sequencer(record.sequencer) > pad_sequencer(revision.sequencer):
        raise SupersededError(f"a newer event of {revision.key} is stored: {record.status}")
    done = record.status == "READY" and pad_sequencer(record.sequencer) == pad_sequencer(
        revision.sequencer
    )
    return record if done else None


def must_be_there(uploads: Uploads, revision: Revision) -> Upload:
    """Returns the upload that is at the revision's key.

    Raises SupersededError when the file was replaced or deleted since the
    event: the bucket is right.
    """
    there = uploads.current(revision.key)
    if there is None or there.version != revision.version:
        raise SupersededError(
            f"{revision.key} holds {'another version' if there else 'nothing'} by now",
            action="Nothing: what is there has an event of its own, or a sweep finds it.",
        )
    return there


def is_in_work(catalog: Catalog, revision: Revision) -> bool:
    """Tells whether the record is this event's, and work on it has not ended."""
    with suppress(NotFoundError):
        record = catalog.get(revision.document_id)
        mine = pad_sequencer(record.sequencer) == pad_sequencer(revision.sequencer)
        return mine and record.status not in TERMINAL
    return False


@contextmanager
def clear_when_gone(catalog: Catalog, artifacts: BlobStore, revision: Revision) -> Iterator[None]:
    """Deletes this event's artifacts if the block finds that the event is over.

    A removal deletes the artifacts that it finds; later ones would wait for a sweep. Raises
    SupersededError, also where the step misses an artifact for that reason.
    """
    try:
        yield
    except (SupersededError, NotFoundError) as error:
        if not _is_gone(catalog, revision):
            raise
        keys.remove_own(artifacts, revision)
        raise SupersededError(f"{revision.key} was deleted or replaced meanwhile") from error


def _is_gone(catalog: Catalog, revision: Revision) -> bool:
    """Tells whether a newer event has come and queries do not see this one's version."""
    with suppress(NotFoundError):
        record = catalog.get(revision.document_id)
        is_newer = pad_sequencer(record.sequencer) > pad_sequencer(revision.sequencer)
        return is_newer and record.live_version != revision.version
    return False


def live_revision(artifacts: BlobStore, record: Record) -> Revision:
    """Returns the revision that queries see: the newest, or the one before it until then.

    Raises NotFoundError when the artifacts of an older one are gone.
    """
    if record.version == record.live_version:
        return record.revision
    sequencer = keys.sequencer_of(artifacts, record.document_id, record.live_version)
    return Revision(key=record.key, version=record.live_version, sequencer=sequencer)


def revisions(artifacts: BlobStore, record: Record) -> list[Revision]:
    """Returns the revisions that may have chunks: the newest, and the one that queries still see.

    They are usually the same.
    """
    present = [record.revision]
    if record.live_version not in ("", record.version):
        with suppress(NotFoundError):  # it was replaced meanwhile
            present.append(live_revision(artifacts, record))
    return present
