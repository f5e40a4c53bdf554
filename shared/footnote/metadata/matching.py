"""Tells whether one thing fits a condition: a document by its record, a chunk by what it holds.

The index decides the same by its own queries; `metadata/filters.py` has what both compare.
"""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from footnote.metadata.attributes import merge_attributes, to_scalar
from footnote.metadata.filters import (
    FIELDS,
    NUMBER_FIELDS,
    attribute_terms,
    field_spans,
    spans,
    typed_values,
)
from footnote.model import Condition, Exists, Filter, Metadata, Range, Record, Scope


class Described(NamedTuple):
    """What a condition looks at: fields by the index's names, attributes, numbers of pages."""

    fields: Mapping[str, str]
    metadata: Metadata
    pages: Sequence[int] = ()


def fits(one: Described, condition: Condition) -> bool:
    """Tells whether a thing meets a condition."""
    return (
        all(_matches(one, name, value) for name, value in condition.filters.items())
        and all(fits(one, each) for each in condition.all_of)
        and (not condition.any_of or any(fits(one, each) for each in condition.any_of))
        and not any(fits(one, each) for each in condition.none_of)
    )


def is_in_scope(record: Record, scope: Scope) -> bool:
    """Tells whether a document is in a scope, by its record. Rights are the table's to check."""
    path, collection = record.revision.path, record.revision.collection
    named = path in scope.documents or record.document_id in scope.document_ids
    if (scope.names and not named) or scope.collection not in {None, collection}:
        return False
    return fits(describe_record(record), scope)


def describe_record(record: Record) -> Described:
    """Returns what conditions look at of a document: its live version, else its newest one."""
    fields = {
        "path": record.revision.path,
        "document_id": record.document_id,
        "version": record.live_version or record.version,
        "language": record.language,
        "collection": record.revision.collection,
    }
    attributes = merge_attributes((record.sidecar.attributes, record.metadata))
    return Described(fields, attributes, range(1, record.pages + 1))


def filtered_names(condition: Condition) -> Iterator[str]:
    """Yields the names of all fields and attributes that a condition asks about."""
    yield from condition.filters
    for each in (*condition.all_of, *condition.any_of, *condition.none_of):
        yield from filtered_names(each)


def _matches(one: Described, name: str, value: Filter) -> bool:
    if isinstance(value, Exists) and not value.exists:
        return not _matches(one, name, Exists(exists=True))
    if name in NUMBER_FIELDS:
        return any(_has_page(value, page) for page in one.pages)
    if name in FIELDS:
        texts, inside = [one.fields[FIELDS[name]]], field_spans(value)
    else:
        texts, inside = attribute_terms(one.metadata), spans(name, value)
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
