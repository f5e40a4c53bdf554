"""Batches: documents that are added together, and their counts by status.

A batch is stored in the artifacts bucket as the ids of its documents. Its counts are read from the
documents table each time. So they stay right when a file is uploaded again, deleted, or comes late.
"""

import re
from collections import Counter
from collections.abc import Sequence

from footnote.errors import NotFoundError
from footnote.model import Record, Value
from footnote.ports import BlobStore

_ID = re.compile(r"[0-9a-f]{32}")


class Batch(Value):
    """Documents of one request at `created` (ISO 8601, UTC), by their ids."""

    id: str
    tenant: str
    groups: tuple[str, ...]
    created: str
    documents: tuple[str, ...]


class Counts(Value):
    """The documents of a batch, counted by status.

    `missing` documents have not been uploaded since the batch was made, or the caller may not read
    them. `reasons` counts FAILED and UNSUPPORTED ones by the code of their error.
    """

    total: int
    ready: int
    failed: int
    unsupported: int
    deleted: int
    at_work: int
    missing: int
    reasons: dict[str, int]


def save(artifacts: BlobStore, batch: Batch) -> None:
    artifacts.put(_key(batch.id), batch.model_dump_json().encode())


def load(artifacts: BlobStore, tenant: str, batch_id: str) -> Batch:
    """Raises NotFoundError, also for another tenant's batch."""
    if _ID.fullmatch(batch_id):
        batch = Batch.model_validate_json(artifacts.get(_key(batch_id)))
        if batch.tenant == tenant:
            return batch
    raise NotFoundError(f"no batch {batch_id[:100]}")


def arrived(batch: Batch, records: Sequence[Record]) -> list[Record]:
    """Returns the records of the batch that were uploaded since it was made.

    A record received earlier holds an older version, which does not count.
    """
    ids = set(batch.documents)
    return [
        record
        for record in records
        if record.document_id in ids and record.received >= batch.created
    ]


def count(batch: Batch, records: Sequence[Record]) -> Counts:
    """Counts the documents of a batch by status. `records` are those that have arrived."""
    status = Counter(record.status for record in records)
    ended = {"READY", "FAILED", "UNSUPPORTED", "DELETED"}
    failures = [
        record for record in records if record.status in {"FAILED", "UNSUPPORTED"} and record.error
    ]
    total = len(batch.documents)
    return Counts(
        total=total,
        ready=status["READY"],
        failed=status["FAILED"],
        unsupported=status["UNSUPPORTED"],
        deleted=status["DELETED"],
        at_work=sum(many for name, many in status.items() if name not in ended),
        missing=total - len(records),
        reasons=dict(Counter(record.error.code for record in failures if record.error)),
    )


def _key(batch_id: str) -> str:
    return f"batches/{batch_id}.json"
