"""Builds the search request of each leg of a search: by words, meaning, nodes, names."""

from collections.abc import Sequence
from functools import lru_cache
from typing import assert_never

from footnote.adapters.opensearch.analysis import COMPOUNDING
from footnote.adapters.opensearch.carried_words import carried_words
from footnote.adapters.opensearch.mapping import (
    ID,
    LANGUAGES,
    MENTIONS,
    NAMES,
    OTHER,
    STATEMENT,
    language_field,
)
from footnote.adapters.opensearch.scope import scope_filter
from footnote.adapters.rules.search import (
    NAMES_OF,
    check_size,
    exact_terms,
    first_words,
    size_of,
    vector_of,
)
from footnote.model import RELATED, Leg, LegsQuery, NodeKind, Vector
from footnote.text.characters import replace_surrogates
from footnote.text.language import detect_language
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


def leg_bodies(
    query: LegsQuery, field: str, dimensions: int, *, with_column: bool = True
) -> list[Json]:
    """Returns the search request of each leg. `field` is the one that holds the vectors.

    Without `with_column` ids are read from whole entries, as older generations have no column `id`.

    Raises ForbiddenError without a tenant. Raises BadRequestError when the size is not in 1 to
    1,000, or when a leg needs a vector and the query's does not fit.
    """
    check_size(query.size)
    scope = scope_filter(query.scope)
    shown = _shown(query, field, with_column=with_column)
    return [
        {"size": size_of(leg, query), "query": _leg(leg, query, field, dimensions, scope), **shown}
        for leg in query.legs
    ]


def _shown(query: LegsQuery, field: str, *, with_column: bool) -> Json:
    """Returns the part of the request that names the fields of each candidate to send.

    Texts stay in the index. Reading columns takes less than half the time of reading whole entries,
    even for ids alone (docs/experiments-search.md, "Ids from columns").
    """
    read = [field] * query.with_vectors + ["labels"] * query.with_pages
    columns = [*_PLACES, "pages"] if query.with_pages else _PLACES * query.with_places
    if read or not with_column:
        return {"_source": read or False, "docvalue_fields": columns}
    return {"stored_fields": "_none_", "docvalue_fields": [ID, *columns]}


_PLACES = ["document_id", "version", "start", "end"]


def _leg(leg: Leg, query: LegsQuery, field: str, dimensions: int, scope: list[Json]) -> Json:
    match leg:
        case "words":
            return _lexical_leg(query.text, scope, query.related)
        case "meaning":
            return _semantic_leg(vector_of(query, dimensions), field, scope, query.size)
        case "page" | "table":
            return _node_leg(query.text, leg, scope, query.related)
        case "document" | "named":
            called = NAMES_OF[leg](query.text)
            return _any_of_these([_called(name) for name in called], scope)
        case "statement":
            statements = {"terms": {STATEMENT: list(query.statements)}}
            return {"constant_score": {"filter": {"bool": {"filter": [statements, *scope]}}}}
        case other:
            assert_never(other)


def _lexical_leg(text: str, scope: list[Json], related: Sequence[str] = ()) -> Json:
    """Builds the lexical leg: BM25F over each language's words, titles, compounds, exact terms.

    A chunk has words of one language only, so scores of several languages never add up. A language
    that no chunk is in costs nothing, as its fields do not exist.
    """
    words, languages = _asked(text)
    clauses = [_in_words(words, each) for each in languages]
    titles = [f"words.{each}.title^2" for each in languages]
    clauses.append({"multi_match": {"query": words, "type": "most_fields", "fields": titles}})
    clauses += [
        {"match": {f"words.{each}.body.parts": {"query": words, "boost": _PART}}}
        for each in languages
        if each in COMPOUNDING
    ]
    clauses += [{"term": {"exact": term}} for term in exact_terms(words)]
    # context, body, title and parts
    carried = _carried(words, languages, len(_WORDS) + 2, related)
    clauses += [_in_words(few, each) for each, few in carried.items()]
    clauses += _related(related, [f"words.en.{name}" for name in _WORDS])
    return _any_of_these(clauses, scope)


@lru_cache(maxsize=64)  # all legs by words need it for the same question
def _asked(text: str) -> tuple[str, tuple[str, ...]]:
    """Returns the words of a question that are looked up, and in which languages' fields."""
    words, length = first_words(replace_surrogates(text), _LONGEST_QUERY)
    languages = list(LANGUAGES) if length <= _SHORT_QUERY else _languages_of(words)
    words, _ = first_words(words, _LONGEST_SPLIT.get(languages[0], _LONGEST_QUERY))
    return words, tuple(languages)


def _any_of_these(clauses: Sequence[Json], scope: list[Json]) -> Json:
    """Matches documents that match any of the clauses. Scores are added up."""
    if not clauses:
        return {"match_none": {}}
    return {"bool": {"should": list(clauses), "minimum_should_match": 1, "filter": scope}}


def _node_leg(text: str, kind: NodeKind, scope: list[Json], related: Sequence[str]) -> Json:
    """Builds the leg of a kind of nodes: BM25F over each language's contexts and texts."""
    words, languages = _asked(text)
    carried = _carried(words, languages, 2, related)
    words_by_language = dict.fromkeys(languages, words) | carried
    clauses = [_in_nodes(some, each, kind) for each, some in words_by_language.items()]
    clauses += _related(related, _node_fields(kind, "en"))
    return _any_of_these(clauses, scope)


def _called(name: str) -> Json:
    """Matches documents that have a name. It counts more, the fewer have or mention that name.

    The score is the idf of the field in which more documents have the name, times about what one
    occurrence counts in BM25 with k1 = 1.2. As the fields keep no lengths, one occurrence would
    count 1 / (1 + 1.2 * .25) without the boost.
    """
    scored = {"query": name, "fields": [NAMES, MENTIONS], "boost": 1.3 / 2.2}
    return {
        "bool": {"filter": [{"term": {NAMES: name}}], "must": [{"combined_fields": scored}]},
    }


def _in_words(words: str, language: str) -> Json:
    return _combined(words, [f"words.{language}.{name}" for name in _WORDS])


def _in_nodes(words: str, language: str, kind: NodeKind) -> Json:
    return _combined(words, _node_fields(kind, language))


def _node_fields(kind: NodeKind, language: str) -> list[str]:
    return [f"{kind}.{language}.context^2", f"{kind}.{language}.body"]


def _combined(words: str, fields: Sequence[str]) -> Json:
    return {"combined_fields": {"query": words, "fields": list(fields)}}


def _related(phrases: Sequence[str], fields: Sequence[str]) -> list[Json]:
    """Matches texts that have all words of a phrase, in any order: nodes keep no positions."""
    whole = {"fields": list(fields), "operator": "and", "boost": RELATED}
    return [{"combined_fields": {"query": phrase, **whole}} for phrase in phrases]


def _carried(
    words: str, languages: Sequence[str], fields: int, related: Sequence[str]
) -> dict[str, str]:
    """Returns the words of a long question to look up in each language that it is not in.

    They are as many as the limit on clauses still allows. Each word of the question takes a clause
    in each of the `fields` of its languages and one as an exact term; `related` phrases take some.
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
