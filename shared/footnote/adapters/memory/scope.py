"""What a query of the memory index may see: scope, filters and rights."""

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
        all(_matches(indexed, name, wanted) for name, wanted in condition.filters.items())
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


def _matches(indexed: Indexed, name: str, wanted: Filter) -> bool:
    if isinstance(wanted, Exists) and not wanted.exists:
        return not _matches(indexed, name, Exists(exists=True))
    if name in NUMBER_FIELDS:
        return any(_has_page(wanted, page) for page in place_of(indexed).pages)
    if name in FIELDS:
        found, inside = [_TEXTS[FIELDS[name]](indexed)], field_spans(wanted)
    else:
        found, inside = attribute_terms(indexed.annotation.metadata), spans(name, wanted)
    return any(span.holds(text) for span in inside for text in found)


def _has_page(wanted: Filter, page: int) -> bool:
    if isinstance(wanted, Exists):
        return True
    if not isinstance(wanted, Range):
        return page in typed_values(wanted)
    return all(
        _COMPARE[which](page, to_scalar(bound) if isinstance(bound, str) else bound)
        for which, bound in wanted
        if bound is not None
    )


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "gt": operator.gt,
    "gte": operator.ge,
    "lt": operator.lt,
    "lte": operator.le,
}
