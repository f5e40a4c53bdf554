"""Builds the filter that every query to the index carries: tenant, groups, scope, conditions."""

from collections.abc import Mapping, Sequence

from footnote.adapters.opensearch.documents import EVERYONE
from footnote.errors import ForbiddenError
from footnote.metadata.filters import (
    FIELDS,
    NUMBER_FIELDS,
    Span,
    field_spans,
    spans,
    typed_values,
)
from footnote.model import ALL, Condition, Exists, Filter, Range, Scope
from footnote.text.characters import replace_surrogates
from footnote.wire import Json


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
    clauses = [_filter_clause(name, value) for name, value in condition.filters.items()]
    clauses += [_all_hold(each) for each in condition.all_of]
    if condition.any_of:
        either = [_all_hold(each) for each in condition.any_of]
        clauses.append({"bool": {"should": either, "minimum_should_match": 1}})
    if condition.none_of:
        clauses.append({"bool": {"must_not": [_all_hold(each) for each in condition.none_of]}})
    return clauses


def _all_hold(condition: Condition) -> Json:
    return {"bool": {"filter": _condition_clauses(condition)}}


def _filter_clause(name: str, value: Filter) -> Json:
    if isinstance(value, Exists) and not value.exists:
        return {"bool": {"must_not": [_filter_clause(name, Exists(exists=True))]}}
    if name in NUMBER_FIELDS:
        return _number_clause(FIELDS[name], value)
    if name in FIELDS:
        return _span_clause(FIELDS[name], field_spans(value))
    return _span_clause("attributes", spans(name, value))


def _number_clause(field: str, value: Filter) -> Json:
    if isinstance(value, Exists):
        return {"exists": {"field": field}}
    if not isinstance(value, Range):
        return {"terms": {field: typed_values(value)}}
    return {"range": {field: {which: bound for which, bound in value if bound is not None}}}


def _span_clause(field: str, inside: Sequence[Span]) -> Json:
    """Matches documents whose field has a text in one of the spans. No spans match nothing."""
    alone = [replace_surrogates(span.low) for span in inside if span.low == span.high]
    clauses: list[Json] = [{"terms": {field: alone}}] if alone else []
    clauses += [
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
    if not clauses:
        return {"match_none": {}}
    return (
        clauses[0]
        if len(clauses) == 1
        else {"bool": {"should": clauses, "minimum_should_match": 1}}
    )
