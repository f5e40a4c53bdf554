"""Resumes a document whose work has stopped, from the last artifact that is stored."""

from collections.abc import Sequence

from footnote.contracts import ChunkRequest, IndexRequest, ParseRequest
from footnote.model import Record
from footnote.ports import BlobStore
from footnote.store.keys import chunks_keys, document_key


def resume(
    record: Record, artifacts: BlobStore
) -> Sequence[ParseRequest | ChunkRequest | IndexRequest]:
    """Returns the messages that lead from where a document is to its end; all of one queue.

    Each step records facts when it has stored its artifacts: these tell where the document is. The
    status does not, as it may be FAILED.
    """
    event = record.revision.identity
    if record.parts:
        chunks = chunks_keys(artifacts, record.revision)
        left = [part for part in range(record.parts) if part not in record.parts_done]
        if len(chunks) == record.parts:
            return [
                IndexRequest(**event, chunks_key=chunks[part], part=part, parts=record.parts)
                for part in left or [0]  # all are in, but the version was not published
            ]
    stored = document_key(record.revision)
    if record.media_type and artifacts.keys(stored):
        return [ChunkRequest(**event, document_key=stored)]
    return [ParseRequest(**event, size=record.size)]
