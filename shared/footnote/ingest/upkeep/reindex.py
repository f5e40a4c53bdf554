"""Re-indexing: which documents go into a new generation, and whether all of them are in it."""

import json
from collections.abc import Iterable, Mapping, Sequence
from itertools import batched

from footnote.model import Record
from footnote.ports import BlobStore

DOCUMENTS_A_BATCH = 20


def store_batches(
    artifacts: BlobStore, generation: str, attempt: int, document_ids: Sequence[str]
) -> tuple[str, ...]:
    """Stores lists of documents for `rebuild` in the artifacts bucket; returns their keys."""
    keys = []
    for number, batch in enumerate(batched(document_ids, DOCUMENTS_A_BATCH, strict=False)):
        key = f"reindex/{generation}/{attempt}-{number:05d}.json"
        artifacts.put(key, json.dumps(batch).encode())
        keys.append(key)
    return tuple(keys)


def load_batch(artifacts: BlobStore, key: str) -> list[str]:
    """Returns the document ids of a batch."""
    return [str(document_id) for document_id in json.loads(artifacts.get(key))]


def find_incomplete(
    records: Iterable[Record],
    serving: Mapping[tuple[str, str], int],
    built: Mapping[tuple[str, str], int],
) -> list[str]:
    """Returns the ids of live documents with a wrong number of chunks in the new generation.

    It should be as many as were made of them or, when a newer version is on its way, as queries
    see now.
    """
    return [
        record.document_id
        for record in records
        if built.get((record.document_id, record.live_version), 0)
        != expected_chunks(record, serving)
    ]


def expected_chunks(record: Record, serving: Mapping[tuple[str, str], int]) -> int:
    if record.status == "READY" and record.version == record.live_version:
        return record.chunks
    return serving.get((record.document_id, record.live_version), 0)
