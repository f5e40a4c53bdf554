"""Resumes a document whose work has stopped, from its last stored artifact."""

from collections.abc import Sequence

from footnote.contracts import ChunkRequest, IndexRequest, ParseRequest
from footnote.model import Record
from footnote.ports import BlobStore
from footnote.store.keys import chunks_keys, document_key


def resume(
    record: Record, artifacts: BlobStore
) -> Sequence[ParseRequest | ChunkRequest | IndexRequest]:
    """Returns the messages that finish a document's work. All are for one queue.

    Each step records facts when it has stored its artifacts, so the facts tell which step is next.
    The status does not: it may be FAILED.
    """
    event = record.revision.identity
    if record.parts:
        chunks = chunks_keys(artifacts, record.revision)
        missing = [part for part in range(record.parts) if part not in record.parts_done]
        if len(chunks) == record.parts:
            return [
                IndexRequest(**event, chunks_key=chunks[part], part=part, parts=record.parts)
                for part in missing or [0]  # all are done, but the version was not published
            ]
    stored = document_key(record.revision)
    if record.media_type and artifacts.keys(stored):
        return [ChunkRequest(**event, document_key=stored)]
    return [ParseRequest(**event, size=record.size)]
