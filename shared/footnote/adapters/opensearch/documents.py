"""Converts chunks and nodes to documents of the index, and its hits back. Pure functions."""

import json
from collections.abc import Collection, Mapping
from typing import Any

from footnote.adapters.opensearch.mapping import (
    ID,
    MENTIONS,
    NAMES,
    NEWER_FIELDS,
    READ,
    STATEMENT,
    language_field,
)
from footnote.adapters.rules.search import exact_terms
from footnote.metadata.filters import attribute_terms
from footnote.model import (
    Annotation,
    Candidate,
    Chunk,
    Hit,
    Indexed,
    IndexedChunk,
    IndexedNode,
    pad_sequencer,
)
from footnote.text.characters import replace_surrogates
from footnote.wire import Json

EVERYONE = "*"  # in the field `acl`; no group has this name


def to_source(indexed: IndexedChunk, field: str | None, now: str) -> Json:
    """Converts a chunk to a document of the index. Without `field` its vector is left out."""
    chunk = indexed.chunk
    source: Json = {
        ID: chunk.id,
        **_shared_fields(indexed, now),
        "ordinal": chunk.ordinal,
        "pages": list(chunk.pages),
        "labels": list(chunk.labels),
        "start": chunk.start,
        "end": chunk.end,
        "language": chunk.language,
        "exact": exact_terms(chunk.text),
        "words": {language_field(chunk.language): _words(chunk)},
    }
    if chunk.above:
        source["above"] = chunk.above.model_dump()
    if chunk.read != "text":
        source[READ] = chunk.read
    # A zero vector has no direction: cosine cannot compare it, and the server refuses it.
    return {**source, field: indexed.vector} if field and any(indexed.vector) else source


def without_newer(source: Json, taken: Collection[str]) -> Json:
    """Returns a document without the newer fields, except those that its generation takes."""
    return {
        name: value for name, value in source.items() if name not in NEWER_FIELDS or name in taken
    }


def to_node_source(indexed: IndexedNode, now: str) -> Json:
    """Converts a node to a document of the index. It has no `ordinal`, as only chunks have."""
    node = indexed.node
    source: Json = {
        ID: node.id,
        **_shared_fields(indexed, now),
        "pages": list(node.pages),
        "start": node.start,
        "end": node.end,
        "language": node.language,
    }
    if node.kind == "document":
        named = source | {NAMES: list(node.names)}
        return named | {MENTIONS: list(node.mentions)} if node.mentions else named
    words = {"context": node.context, "body": node.text}
    source[node.kind] = {language_field(node.language): words}
    return source | {STATEMENT: node.statement} if node.statement else source


def _shared_fields(indexed: Indexed, now: str) -> Json:
    """Returns the fields that chunks and nodes share, by which they are found and removed."""
    revision = indexed.revision
    return {
        **annotation_fields(indexed.annotation),
        "tenant": revision.tenant,
        "collection": revision.collection,
        "path": revision.path,
        "document_id": revision.document_id,
        "version": revision.version,
        "sequencer": pad_sequencer(revision.sequencer),
        "indexed_at": now,
    }


def annotation_fields(annotation: Annotation) -> Json:
    """Returns the fields of a chunk that its document's sidecar may change."""
    return {
        "annotation": annotation.number,
        "acl": [EVERYONE] if annotation.acl is None else list(annotation.acl),
        "attributes": [replace_surrogates(term) for term in attribute_terms(annotation.metadata)],
        "metadata": replace_surrogates(json.dumps(dict(annotation.metadata))),
    }


def _words(chunk: Chunk) -> Json:
    return {
        "title": chunk.title,
        "section": list(chunk.section),
        "context": chunk.context,
        "body": chunk.text,
    }


def lacks_id(hit: Mapping[str, Any]) -> bool:
    """Tells whether a hit has no id, because its generation has no column of ids."""
    return "_id" not in hit and ID not in hit.get("fields", ())


def to_candidate(hit: Mapping[str, Any], field: str) -> Candidate:
    """Makes a candidate of a leg's hit. The field `field` holds the vectors.

    A search makes hundreds. So arguments go by position, and fields are read only if they came.
    """
    shown, score = hit.get("fields", {}), hit["_score"] or 0.0
    chunk_id = hit["_id"] if "_id" in hit else shown[ID][0]
    if "document_id" not in shown:
        return Candidate(chunk_id, score)
    [document_id], [version] = shown["document_id"], shown["version"]
    [start], [end] = shown["start"], shown["end"]
    pages = tuple(shown["pages"]) if "pages" in shown else ()
    if "_source" not in hit:
        return Candidate(chunk_id, score, document_id, version, start, end, pages)
    stored = hit["_source"]
    vector, labels = stored.get(field), tuple(stored.get("labels", ()))
    return Candidate(chunk_id, score, document_id, version, start, end, pages, vector, labels)


def to_hit(hit: Mapping[str, Any], rank: int = 0) -> Hit:
    source = hit["_source"]
    (words,) = source["words"].values()
    chunk = Chunk(
        id=hit["_id"],
        ordinal=source["ordinal"],
        text=words["body"],
        start=source["start"],
        end=source["end"],
        pages=source["pages"],
        labels=source.get("labels", ()),
        section=words["section"],
        title=words["title"],
        context=words["context"],
        language=source["language"],
        above=source.get("above"),
        read=source.get(READ, "text"),
    )
    return Hit(
        rank=rank,
        score=0.0,
        document_id=source["document_id"],
        document=source["path"],
        collection=source["collection"],
        version=source["version"],
        chunk=chunk,
        metadata=json.loads(source["metadata"]),
    )
