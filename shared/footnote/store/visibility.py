"""Tells which version of a document queries see, and loads that version for answers.

The catalog decides; the index follows.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from footnote.errors import NotFoundError, SupersededError
from footnote.model import (
    TERMINAL,
    Document,
    Page,
    Record,
    Revision,
    Upload,
    WordBox,
    may_read,
    pad_sequencer,
)
from footnote.ports import BlobStore, Catalog, Uploads
from footnote.store import keys
from footnote.store.artifacts import load_document, unpack_words


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

    Raises SupersededError when the file was replaced or deleted since the event: the bucket is
    right.
    """
    upload = uploads.current(revision.key)
    if upload is None or upload.version != revision.version:
        raise SupersededError(
            f"{revision.key} holds {'another version' if upload else 'nothing'} by now",
            action="Nothing: what is there has an event of its own, or a sweep finds it.",
        )
    return upload


def is_in_work(catalog: Catalog, revision: Revision) -> bool:
    """Tells whether the record is this event's, and work on it has not ended."""
    with suppress(NotFoundError):
        record = catalog.get(revision.document_id)
        is_own = pad_sequencer(record.sequencer) == pad_sequencer(revision.sequencer)
        return is_own and record.status not in TERMINAL
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


class StoredDocuments:
    """Loads documents and word boxes by id and version, each document once.

    It finds live documents that these groups may read. It raises NotFoundError for a document that
    is deleted, replaced or closed to them while a question is answered.
    """

    def __init__(self, artifacts: BlobStore, catalog: Catalog, groups: Sequence[str]) -> None:
        self._artifacts = artifacts
        self._catalog = catalog
        self._groups = groups
        self._documents: dict[tuple[str, str], tuple[Revision, Document]] = {}

    def document(self, document_id: str, version: str) -> Document:
        """Returns a document. Raises NotFoundError if it is not live, or not readable."""
        return self._load(document_id, version)[1]

    def words(self, document_id: str, version: str, page: Page) -> Sequence[WordBox]:
        """Returns the words of a page with their boxes. Formats without a layout have none."""
        if page.words_at is None:
            return ()
        revision, _ = self._load(document_id, version)
        return unpack_words(self._artifacts.get(keys.words_key(revision), page.words_at))

    def _load(self, document_id: str, version: str) -> tuple[Revision, Document]:
        if (document_id, version) not in self._documents:
            record = self._catalog.get(document_id)
            readable = may_read(record.sidecar.acl, self._groups)
            if record.live_version != version or not readable:
                raise NotFoundError(f"version {version} of {record.revision.path} is not live")
            revision = live_revision(self._artifacts, record)
            document = load_document(self._artifacts.get(keys.document_key(revision)))
            self._documents[document_id, version] = revision, document
        return self._documents[document_id, version]
