"""Hold: what was deleted past us is put back, where the bucket still has it."""

from typing import Literal

from footnote.contracts import RemoveRequest
from footnote.ingest.upkeep.settle import find_record
from footnote.ports import BlobStore, Catalog, Uploads
from footnote.store.retention import Rules

type Kept = Literal["free", "restored", "lost"]


def keep_held(
    uploads: Uploads, artifacts: BlobStore, catalog: Catalog, request: RemoveRequest
) -> Kept:
    """Puts a document under hold back whose file was deleted. Tells what came of it.

    `free`: it is under no hold, or was removed before. `lost`: the version that queries see was
    deleted for good, and cannot be put back. Table, index and artifacts keep what was read of it.
    """
    record = find_record(catalog, request.document_id)
    if record is None or record.status == "DELETED":
        return "free"
    if not Rules(artifacts).of(record.revision).why_held(record.revision.path):
        return "free"
    uploads.restore(record.key)
    version = record.live_version or record.version
    return "restored" if uploads.is_kept(record.key, version) else "lost"
