"""Builds the index's other requests: chunks by id, what is in a scope, what an event wrote."""

from collections.abc import Iterator, Sequence

from footnote.adapters.opensearch.documents import annotation_fields
from footnote.adapters.opensearch.scope import scope_filter
from footnote.adapters.rules.search import exact_terms
from footnote.model import Annotation, Hit, Revision, Scope, pad_sequencer
from footnote.text.joined_words import joined_words, spellings
from footnote.text.surrogates import replace_surrogates
from footnote.wire import Json


def read_body(chunk_ids: Sequence[str], scope: Scope) -> Json:
    """Returns the request for chunks by id. Raises ForbiddenError without a tenant."""
    inside = [{"ids": {"values": list(chunk_ids)}}, *scope_filter(scope)]
    return {"size": len(chunk_ids), "_source": SOURCE, "query": {"bool": {"filter": inside}}}


def vectors_body(chunk_ids: Sequence[str], scope: Scope, field: str) -> Json:
    """Returns the request for the vectors of chunks. Raises ForbiddenError without a tenant."""
    return read_body(chunk_ids, scope) | {"_source": [field]}


def presence_body(word: str, scope: Scope) -> Json:
    """Returns the request for one chunk that has a word: the first that a shard comes upon.

    Nobody asks how well it fits. So no language's words are scored together, and the fields are
    named by patterns: of those the server looks only at the ones that the generation has.
    """
    inside = scope_filter(scope)
    asked = replace_surrogates(word)
    joined = joined_words(asked)
    alone = " ".join(one for one in asked.split() if not joined_words(one))
    has: list[Json] = [
        {"multi_match": {"query": alone, "type": "most_fields", "fields": _ANY_WORDS}}
    ]
    has += [
        {"multi_match": {"query": spelling, "type": "phrase", "fields": _IN_ORDER}}
        for one in joined
        for spelling in spellings(one)
    ]
    has += [{"term": {"exact": term}} for term in exact_terms(asked)]
    either: Json = {"bool": {"should": has, "minimum_should_match": 1}}
    found: Json = {"bool": {"filter": [either, *inside]}}
    return {"size": 1, "terminate_after": 1, "_source": False, "query": found}


_IN_ORDER = [f"words.*.{name}" for name in ("title", "context", "body")]
_ANY_WORDS = [*_IN_ORDER, "words.*.body.parts"]  # of parts of compounds no order is known


def languages_body(scope: Scope) -> Json:
    """Returns the request for the languages of a scope's chunks, and how many are in each."""
    return {
        "size": 0,
        "query": {"bool": {"filter": [IS_CHUNK, *scope_filter(scope)]}},
        "aggs": {"languages": {"terms": {"field": "language", "size": _LANGUAGES}}},
    }


_LANGUAGES = 100  # more than `detect_language` knows


SOURCE: Json = {
    "excludes": [
        "vector_*",
        "exact",
        "attributes",
        "acl",
        "annotation",
        "indexed_at",
        "sequencer",
    ],
}


def neighbours_body(hit: Hit, before: int, after: int) -> Json:
    first, last = hit.chunk.ordinal - before, hit.chunk.ordinal + after
    clauses: list[Json] = [
        {"term": {"document_id": hit.document_id}},
        {"term": {"version": hit.version}},
        {"range": {"ordinal": {"gte": first, "lte": last}}},
    ]
    itself = {"term": {"ordinal": hit.chunk.ordinal}}
    return {
        "size": before + after,
        "_source": SOURCE,
        "query": {"bool": {"filter": clauses, "must_not": [itself]}},
        "sort": [{"ordinal": "asc"}],
    }


def of_revision(revision: Revision) -> Json:
    """Selects the chunks and nodes that this event wrote."""
    return _of_document(revision, *_event_terms(revision))


def _event_terms(revision: Revision) -> Iterator[Json]:
    event = {"sequencer": pad_sequencer(revision.sequencer), "version": revision.version}
    return ({"term": {name: event[name]}} for name in event)


def of_annotation(revision: Revision, number: int) -> Json:
    """Selects an event's chunks that have exactly this annotation."""
    return _of_document(revision, *_event_terms(revision), {"term": {"annotation": number}})


def chunks_of(body: Json) -> Json:
    """Narrows a selection to chunks: a node has no ordinal."""
    return {"query": {"bool": {"filter": [body["query"], IS_CHUNK]}}}


IS_CHUNK: Json = {"exists": {"field": "ordinal"}}


def older_than(revision: Revision) -> Json:
    """Selects the chunks and nodes of the document's earlier events."""
    return _of_document(
        revision, {"range": {"sequencer": {"lt": pad_sequencer(revision.sequencer)}}}
    )


def _of_document(revision: Revision, *clauses: Json) -> Json:
    of_document: Json = {"term": {"document_id": revision.document_id}}
    return {"query": {"bool": {"filter": [of_document, *clauses]}}}


def annotate_body(revision: Revision, annotation: Annotation) -> Json:
    """Returns the request that annotates an event's chunks which have an earlier annotation."""
    earlier: Json = {"range": {"annotation": {"lt": annotation.number}}}
    script = {
        "lang": "painless",
        "source": _ANNOTATE,
        "params": {"fields": annotation_fields(annotation)},
    }
    return _of_document(revision, *_event_terms(revision), earlier) | {"script": script}


_ANNOTATE = (
    "if (ctx._source.annotation >= params.fields.annotation) { ctx.op = 'noop' }"
    " else { ctx._source.putAll(params.fields) }"
)
