"""Annotating: copies the sidecar in the bucket to the table, then to the index.

Events of sidecars come late, twice and in any order. So the step trusts no event and reads the
bucket. `annotation`, a number in the record, makes that safe. A writer reads it before the bucket,
and writes it back, one higher, only if no other writer came between. So each writer has read the
bucket after the writer before it, and the last one has seen the newest sidecar.

In the index, a chunk takes an annotation only if its own number is lower. A writer of
whole chunks reads the record again afterwards. A writer of annotations changes the record
first. So one of the two sees the other.
"""

from footnote.errors import ConflictError, NotFoundError, UnavailableError
from footnote.metadata.attributes import merge_attributes
from footnote.metadata.sidecar import sidecar_at
from footnote.model import Annotation, Metadata, Record, Revision, document_id
from footnote.ports import BlobStore, Catalog, SearchIndex, Uploads
from footnote.store.artifacts import load_metadata
from footnote.store.keys import metadata_key

_ATTEMPTS = 5


def note_sidecar(uploads: Uploads, catalog: Catalog, key: str) -> Record | None:
    """Updates the record to the sidecar in the bucket. Returns None if there is no document.

    Raises UnavailableError if others keep changing the record.
    """
    for _ in range(_ATTEMPTS):
        try:
            record = catalog.get(document_id(key))
        except NotFoundError:
            return None
        if record.status == "DELETED":
            return None
        there = sidecar_at(uploads, key)
        if there == record.sidecar:
            return record
        try:
            return catalog.annotate(record, there)
        except ConflictError:
            continue
    raise UnavailableError(f"the sidecar of {key} is being changed; it was not noted")


def annotation(artifacts: BlobStore, record: Record, revision: Revision) -> Annotation:
    """Returns the attributes of a revision's chunks: its own, and the sidecar's, which win."""
    return Annotation(
        number=record.annotation,
        metadata=merge_attributes((record.sidecar.attributes, _own_metadata(artifacts, revision))),
        acl=record.sidecar.acl,
    )


def _own_metadata(artifacts: BlobStore, revision: Revision) -> Metadata:
    try:
        return load_metadata(artifacts.get(metadata_key(revision)))
    except NotFoundError:  # superseded just now
        return {}


def catch_up(
    catalog: Catalog, artifacts: BlobStore, index: SearchIndex, revision: Revision, number: int
) -> None:
    """Annotates chunks anew if the annotation has changed since they were written with `number`."""
    record = catalog.get(revision.document_id)
    if record.annotation != number:
        index.annotate(revision, annotation(artifacts, record, revision))
