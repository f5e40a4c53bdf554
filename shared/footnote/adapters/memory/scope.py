"""Tells which chunks and nodes a query of the memory index may see: scope, filters, rights."""

import operator
from collections.abc import Callable
from typing import Any

from footnote.metadata.attributes import to_scalar
from footnote.metadata.filters import (
    FIELDS,
    NUMBER_FIELDS,
    attribute_terms,
    field_spans,
    spans,
    typed_values,
)
from footnote.model import (
    Chunk,
    Condition,
    Exists,
    Filter,
    Indexed,
    IndexedNode,
    Node,
    Range,
    Scope,
    may_read,
)


def is_in_scope(indexed: Indexed, scope: Scope) -> bool:
    tenant, collection, path = indexed.revision.place
    return (
        tenant == scope.tenant
        and scope.collection in (None, collection)
        and (
            not scope.names
            or path in scope.documents
            or (bool(scope.document_ids) and indexed.revision.document_id in scope.document_ids)
        )
        and may_read(indexed.annotation.acl, scope.groups)
        and _holds(indexed, scope)
    )


def _holds(indexed: Indexed, condition: Condition) -> bool:
    return (
        all(_matches(indexed, name, value) for name, value in condition.filters.items())
        and all(_holds(indexed, each) for each in condition.all_of)
        and (not condition.any_of or any(_holds(indexed, each) for each in condition.any_of))
        and not any(_holds(indexed, each) for each in condition.none_of)
    )


_TEXTS: dict[str, Callable[[Indexed], str]] = {
    "path": lambda indexed: indexed.revision.path,
    "document_id": lambda indexed: indexed.revision.document_id,
    "version": lambda indexed: indexed.revision.version,
    "language": lambda indexed: place_of(indexed).language,
    "collection": lambda indexed: indexed.revision.collection,
}


def place_of(indexed: Indexed) -> Chunk | Node:
    return indexed.node if isinstance(indexed, IndexedNode) else indexed.chunk


def _matches(indexed: Indexed, name: str, value: Filter) -> bool:
    if isinstance(value, Exists) and not value.exists:
        return not _matches(indexed, name, Exists(exists=True))
    if name in NUMBER_FIELDS:
        return any(_has_page(value, page) for page in place_of(indexed).pages)
    if name in FIELDS:
        texts, inside = [_TEXTS[FIELDS[name]](indexed)], field_spans(value)
    else:
        texts, inside = attribute_terms(indexed.annotation.metadata), spans(name, value)
    return any(span.holds(text) for span in inside for text in texts)


def _has_page(value: Filter, page: int) -> bool:
    if isinstance(value, Exists):
        return True
    if not isinstance(value, Range):
        return page in typed_values(value)
    return all(
        _COMPARE[which](page, to_scalar(bound) if isinstance(bound, str) else bound)
        for which, bound in value
        if bound is not None
    )


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
