"""Builds all requests but those of legs: chunks by id, words in a scope, chunks of an event."""

from collections.abc import Iterator, Sequence

from footnote.adapters.opensearch.documents import annotation_fields
from footnote.adapters.opensearch.scope import scope_filter
from footnote.adapters.rules.search import exact_terms
from footnote.model import Annotation, Hit, Revision, Scope, pad_sequencer
from footnote.text.characters import replace_surrogates
from footnote.text.spelling import MOST_ALIKE, spellings_of
from footnote.text.terms import joined_words, spellings
from footnote.wire import Json


def read_body(chunk_ids: Sequence[str], scope: Scope) -> Json:
    """Returns the request for chunks by id. Raises ForbiddenError without a tenant."""
    inside = [{"ids": {"values": list(chunk_ids)}}, *scope_filter(scope)]
    return {"size": len(chunk_ids), "_source": SOURCE, "query": {"bool": {"filter": inside}}}


def vectors_body(chunk_ids: Sequence[str], scope: Scope, field: str) -> Json:
    """Returns the request for the vectors of chunks. Raises ForbiddenError without a tenant."""
    return read_body(chunk_ids, scope) | {"_source": [field]}


def presence_body(word: str, scope: Scope) -> Json:
    """Returns the request for any one chunk that has a word.

    Scores do not matter. So the fields are named by patterns, and the server looks only at those
    that the generation has.
    """
    inside = scope_filter(scope)
    text = replace_surrogates(word)
    joined = joined_words(text)
    alone = " ".join(part for part in text.split() if not joined_words(part))
    has: list[Json] = [
        {"multi_match": {"query": alone, "type": "most_fields", "fields": _ANY_WORDS}}
    ]
    has += [
        {"multi_match": {"query": spelling, "type": "phrase", "fields": _IN_ORDER}}
        for part in joined
        for spelling in spellings(part)
    ]
    has += [{"term": {"exact": term}} for term in exact_terms(text)]
    either: Json = {"bool": {"should": has, "minimum_should_match": 1}}
    query: Json = {"bool": {"filter": [either, *inside]}}
    return {"size": 1, "terminate_after": 1, "_source": False, "query": query}


def spelling_body(word: str, scope: Scope) -> Json:
    """Returns the request for chunks with a word spelled nearly like this one; see `SearchIndex`.

    The first letter has to be right, which spares the server most of its terms.
    """
    inside = [IS_CHUNK, *scope_filter(scope)]
    asked = replace_surrogates(word)
    phrases = spellings_of(asked) if any(map(str.isdigit, asked)) else ()
    alike: list[Json] = [
        {"multi_match": {"query": phrase, "type": "phrase", "fields": _IN_ORDER}}
        for phrase in phrases
    ]
    if not phrases:
        slip = {"fuzziness": 1, "prefix_length": 1, "max_expansions": _SLIPS}
        alike.append({"multi_match": {"query": asked, "fields": _IN_ORDER, **slip}})
    either: Json = {"bool": {"should": alike, "minimum_should_match": 1, "filter": inside}}
    return {"size": MOST_ALIKE, "_source": SOURCE, "query": either}


_SLIPS = 20  # terms of the index that a slip may stand for


_IN_ORDER = [f"words.*.{name}" for name in ("title", "context", "body")]
_ANY_WORDS = [*_IN_ORDER, "words.*.body.parts"]  # of parts of compounds no order is known


def languages_body(scope: Scope) -> Json:
    """Returns the request that counts the chunks of a scope in each language."""
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
    """Returns the request that annotates those of an event's chunks whose annotation is older."""
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
