"""Makes candidates and hits of the chunks and nodes in the memory index. Pure functions."""

from footnote.model import Candidate, Hit, IndexedChunk, IndexedNode, LegsQuery


def candidate(indexed: IndexedChunk, score: float, query: LegsQuery) -> Candidate:
    return Candidate(
        chunk_id=indexed.chunk.id,
        score=score,
        document_id=indexed.revision.document_id,
        version=indexed.revision.version,
        start=indexed.chunk.start,
        end=indexed.chunk.end,
        pages=indexed.chunk.pages if query.with_pages else (),
        vector=indexed.vector if query.with_vectors else None,
        labels=indexed.chunk.labels if query.with_pages else (),
    )


def node_candidate(indexed: IndexedNode, score: float, query: LegsQuery) -> Candidate:
    node, revision = indexed.node, indexed.revision
    return Candidate(
        chunk_id=node.id,
        score=score,
        document_id=revision.document_id,
        version=revision.version,
        start=node.start,
        end=node.end,
        pages=node.pages if query.with_pages else (),
    )


def hit_of(indexed: IndexedChunk, rank: int = 0) -> Hit:
    return Hit(
        rank=rank,
        score=0.0,
        document_id=indexed.revision.document_id,
        document=indexed.revision.path,
        collection=indexed.revision.collection,
        version=indexed.revision.version,
        chunk=indexed.chunk,
        metadata=indexed.annotation.metadata,
    )
