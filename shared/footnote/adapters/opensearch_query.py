"""Builds queries to the index: pure functions, no client."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import assert_never

from footnote.adapters.carried_words import carried_words
from footnote.adapters.exact_terms import exact_terms, first_words
from footnote.adapters.opensearch_analysis import COMPOUNDING
from footnote.adapters.opensearch_documents import EVERYONE, annotation_fields
from footnote.adapters.opensearch_mapping import LANGUAGES, NAMES, OTHER, STATEMENT, language_field
from footnote.adapters.search_rules import NAMES_OF, check_size, size_of, vector_of
from footnote.errors import ForbiddenError
from footnote.metadata.filters import (
    FIELDS,
    NUMBER_FIELDS,
    Span,
    field_spans,
    spans,
    typed_values,
)
from footnote.model import (
    ALL,
    RELATED,
    Annotation,
    Condition,
    Exists,
    Filter,
    Hit,
    Leg,
    LegsQuery,
    NodeKind,
    Range,
    Revision,
    Scope,
    Vector,
    pad_sequencer,
)
from footnote.text.language import detect_language
from footnote.text.surrogates import replace_surrogates
from footnote.wire import Json

# A word is a clause for each field and language, and a query of more than 1,024 clauses fails. So
# only a short question is looked up whole in all languages. A longer one is looked up whole in its
# own language, in English and in `words.other`, and cut after the longest length. In the other
# languages only the words are looked up which those may spell alike: as many as clauses are left.
_CLAUSES = 1000
_SHORT_QUERY, _LONGEST_QUERY = 9, 80  # words
# The longest length where the analyzer makes several terms of a word.
_LONGEST_SPLIT = {"ar": 40, "he": 40}
_WORDS = ("context^2", "body")  # the context has title, section path and table header
_PART = 0.3  # weight of a compound's part, relative to a whole word


# -- queries -------------------------------------------------------------------------------------


def scope_filter(scope: Scope) -> list[Json]:
    """Returns the filter that limits every query to what the caller may and wants to see.

    Raises ForbiddenError without a tenant.
    """
    if not scope.tenant:
        raise ForbiddenError("a search without a tenant finds nothing")
    clauses: list[Json] = [{"term": {"tenant": scope.tenant}}]
    if scope.collection is not None:
        clauses.append({"term": {"collection": scope.collection}})
    if scope.names:
        clauses.append(_any_of({"path": scope.documents, "document_id": [*scope.document_ids]}))
    if ALL not in scope.groups:
        clauses.append({"terms": {"acl": [EVERYONE, *scope.groups]}})
    return clauses + _condition_clauses(scope)


def _any_of(named: Mapping[str, Sequence[str]]) -> Json:
    clauses = [{"terms": {field: list(each)}} for field, each in named.items() if each]
    return {"bool": {"should": clauses}} if len(clauses) > 1 else clauses[0]


def _condition_clauses(condition: Condition) -> list[Json]:
    clauses = [_filter_clause(name, wanted) for name, wanted in condition.filters.items()]
    clauses += [_all_hold(each) for each in condition.all_of]
    if condition.any_of:
        either = [_all_hold(each) for each in condition.any_of]
        clauses.append({"bool": {"should": either, "minimum_should_match": 1}})
    if condition.none_of:
        clauses.append({"bool": {"must_not": [_all_hold(each) for each in condition.none_of]}})
    return clauses


def _all_hold(condition: Condition) -> Json:
    return {"bool": {"filter": _condition_clauses(condition)}}


def _filter_clause(name: str, wanted: Filter) -> Json:
    if isinstance(wanted, Exists) and not wanted.exists:
        return {"bool": {"must_not": [_filter_clause(name, Exists(exists=True))]}}
    if name in NUMBER_FIELDS:
        return _number_clause(FIELDS[name], wanted)
    if name in FIELDS:
        return _span_clause(FIELDS[name], field_spans(wanted))
    return _span_clause("attributes", spans(name, wanted))


def _number_clause(field: str, wanted: Filter) -> Json:
    if isinstance(wanted, Exists):
        return {"exists": {"field": field}}
    if not isinstance(wanted, Range):
        return {"terms": {field: typed_values(wanted)}}
    return {"range": {field: {which: bound for which, bound in wanted if bound is not None}}}


def _span_clause(field: str, inside: Sequence[Span]) -> Json:
    """Matches documents whose field has a text in one of the spans. No spans match nothing."""
    alone = [replace_surrogates(span.low) for span in inside if span.low == span.high]
    found: list[Json] = [{"terms": {field: alone}}] if alone else []
    found += [
        {
            "range": {
                field: {
                    "gte" if span.with_low else "gt": replace_surrogates(span.low),
                    "lte" if span.with_high else "lt": replace_surrogates(span.high),
                }
            }
        }
        for span in inside
        if span.low != span.high
    ]
    if not found:
        return {"match_none": {}}
    return found[0] if len(found) == 1 else {"bool": {"should": found, "minimum_should_match": 1}}


def leg_bodies(query: LegsQuery, field: str, dimensions: int) -> list[Json]:
    """Returns the search request of each leg. `field` is the one that holds the vectors.

    Raises ForbiddenError without a tenant. Raises BadRequestError when the size is not in 1 to
    1,000, or when a leg needs a vector and the query's does not fit.
    """
    check_size(query.size)
    scope = scope_filter(query.scope)
    # A candidate's text stays in the index: reading texts of many chunks takes longest.
    read = [field] * query.with_vectors + ["labels"] * query.with_labels
    shown: Json = {"_source": read or False, "docvalue_fields": _SHOWN * query.with_places}
    return [
        {"size": size_of(leg, query), "query": _leg(leg, query, field, dimensions, scope), **shown}
        for leg in query.legs
    ]


_SHOWN = ["document_id", "version", "start", "end", "pages"]


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
    has: list[Json] = [
        {"multi_match": {"query": asked, "type": "most_fields", "fields": _ANY_WORDS}},
        *({"term": {"exact": term}} for term in exact_terms(asked)),
    ]
    either: Json = {"bool": {"should": has, "minimum_should_match": 1}}
    found: Json = {"bool": {"filter": [either, *inside]}}
    return {"size": 1, "terminate_after": 1, "_source": False, "query": found}


_ANY_WORDS = [f"words.*.{name}" for name in ("title", "context", "body", "body.parts")]


def languages_body(scope: Scope) -> Json:
    """Returns the request for the languages of a scope's chunks, and how many are in each."""
    return {
        "size": 0,
        "query": {"bool": {"filter": [IS_CHUNK, *scope_filter(scope)]}},
        "aggs": {"languages": {"terms": {"field": "language", "size": _LANGUAGES}}},
    }


_LANGUAGES = 100  # more than `detect_language` knows


def _leg(leg: Leg, query: LegsQuery, field: str, dimensions: int, scope: list[Json]) -> Json:
    match leg:
        case "words":
            return _lexical_leg(query.text, scope, query.related)
        case "meaning":
            return _semantic_leg(vector_of(query, dimensions), field, scope, query.size)
        case "page" | "table":
            return _node_leg(query.text, leg, scope, query.related)
        case "document" | "named":
            called = [{"term": {NAMES: name}} for name in NAMES_OF[leg](query.text)]
            return _any_of_these(called, scope)
        case "statement":
            wanted = {"terms": {STATEMENT: list(query.statements)}}
            return {"constant_score": {"filter": {"bool": {"filter": [wanted, *scope]}}}}
        case other:
            assert_never(other)


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


def _lexical_leg(text: str, scope: list[Json], related: Sequence[str] = ()) -> Json:
    """Builds the lexical leg: BM25F over each language's words, titles, compounds, exact terms.

    A chunk has words of one language only, so scores of several languages never add up. A language
    that no chunk is in costs nothing, as its fields do not exist.
    """
    words, languages = _asked(text)
    found = [_in_words(words, each) for each in languages]
    titles = [f"words.{each}.title^2" for each in languages]
    found.append({"multi_match": {"query": words, "type": "most_fields", "fields": titles}})
    found += [
        {"match": {f"words.{each}.body.parts": {"query": words, "boost": _PART}}}
        for each in languages
        if each in COMPOUNDING
    ]
    found += [{"term": {"exact": term}} for term in exact_terms(words)]
    # context, body, title and parts
    carried = _carried(words, languages, len(_WORDS) + 2, related)
    found += [_in_words(few, each) for each, few in carried.items()]
    found += _related(related, [f"words.en.{name}" for name in _WORDS])
    return _any_of_these(found, scope)


@lru_cache(maxsize=64)  # each leg by words asks it of the same question
def _asked(text: str) -> tuple[str, tuple[str, ...]]:
    """Returns the words of a question that are looked up, and in which languages' fields."""
    words, length = first_words(replace_surrogates(text), _LONGEST_QUERY)
    languages = list(LANGUAGES) if length <= _SHORT_QUERY else _languages_of(words)
    words, _ = first_words(words, _LONGEST_SPLIT.get(languages[0], _LONGEST_QUERY))
    return words, tuple(languages)


def _any_of_these(clauses: Sequence[Json], scope: list[Json]) -> Json:
    """Matches what one clause or several match; their scores are added up."""
    if not clauses:
        return {"match_none": {}}
    return {"bool": {"should": list(clauses), "minimum_should_match": 1, "filter": scope}}


def _node_leg(text: str, kind: NodeKind, scope: list[Json], related: Sequence[str]) -> Json:
    """Builds the leg of a kind of nodes: BM25F over each language's contexts and texts."""
    words, languages = _asked(text)
    carried = _carried(words, languages, 2, related)
    asked = dict.fromkeys(languages, words) | carried
    found = [_in_nodes(some, each, kind) for each, some in asked.items()]
    found += _related(related, _node_fields(kind, "en"))
    return _any_of_these(found, scope)


def _in_words(words: str, language: str) -> Json:
    return _combined(words, [f"words.{language}.{name}" for name in _WORDS])


def _in_nodes(words: str, language: str, kind: NodeKind) -> Json:
    return _combined(words, _node_fields(kind, language))


def _node_fields(kind: NodeKind, language: str) -> list[str]:
    return [f"{kind}.{language}.context^2", f"{kind}.{language}.body"]


def _combined(words: str, fields: Sequence[str]) -> Json:
    return {"combined_fields": {"query": words, "fields": list(fields)}}


def _related(phrases: Sequence[str], fields: Sequence[str]) -> list[Json]:
    """Matches phrases all of whose words a text has, in any order: nodes keep no positions."""
    whole = {"fields": list(fields), "operator": "and", "boost": RELATED}
    return [{"combined_fields": {"query": phrase, **whole}} for phrase in phrases]


def _carried(
    words: str, languages: Sequence[str], fields: int, related: Sequence[str]
) -> dict[str, str]:
    """Returns a long question's names and terms by each language that the question is not in.

    `fields` are those of a language that a word is looked up in, besides the exact terms. What the
    `related` phrases take of the clauses is left to them.
    """
    others = [each for each in LANGUAGES if each not in languages]
    if not others:
        return {}
    _, length = first_words(words, _LONGEST_QUERY)
    taken = length * (len(languages) * fields + 1)
    taken += len(" ".join(related).split()) * len(_WORDS)
    carried = carried_words(words, languages[0], (_CLAUSES - taken) // (len(others) * len(_WORDS)))
    return dict.fromkeys(others, carried) if carried else {}


def _languages_of(text: str) -> list[str]:
    return list(dict.fromkeys([language_field(detect_language(text)), "en", OTHER]))


def _semantic_leg(vector: Vector, field: str, scope: list[Json], size: int) -> Json:
    return {
        "knn": {field: {"vector": vector, "k": size, "filter": {"bool": {"filter": scope}}}},
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
