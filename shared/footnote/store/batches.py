"""Batches: documents that are added together, and what has become of them.

A batch lies in the artifacts bucket as the ids of its documents, and nothing is counted there: how
many are ready is read from the documents table each time. So it stays right when a file is uploaded
again, deleted, or comes late.
"""

import re
from collections import Counter
from collections.abc import Sequence

from footnote.errors import NotFoundError
from footnote.model import Record, Value
from footnote.ports import BlobStore

_ID = re.compile(r"[0-9a-f]{32}")


class Batch(Value):
    """Documents that were asked to be added at `created` (ISO 8601, UTC), by their ids."""

    id: str
    tenant: str
    groups: tuple[str, ...]
    created: str
    documents: tuple[str, ...]


class Counts(Value):
    """How many documents of a batch are where.

    `missing` ones have not been uploaded since the batch was made, or are not for the caller to
    read. `reasons` counts FAILED and UNSUPPORTED ones by the code of their error.
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
    """Returns those that were uploaded since the batch was made: an older version is not of it."""
    wanted = set(batch.documents)
    return [one for one in records if one.document_id in wanted and one.received >= batch.created]


def count(batch: Batch, records: Sequence[Record]) -> Counts:
    """Counts what has become of a batch. `records` are those that have arrived."""
    status = Counter(one.status for one in records)
    ended = {"READY", "FAILED", "UNSUPPORTED", "DELETED"}
    ill = [one for one in records if one.status in {"FAILED", "UNSUPPORTED"} and one.error]
    total = len(batch.documents)
    return Counts(
        total=total,
        ready=status["READY"],
        failed=status["FAILED"],
        unsupported=status["UNSUPPORTED"],
        deleted=status["DELETED"],
        at_work=sum(many for name, many in status.items() if name not in ended),
        missing=total - len(records),
        reasons=dict(Counter(one.error.code for one in ill if one.error)),
    )


def _key(batch_id: str) -> str:
    return f"batches/{batch_id}.json"
