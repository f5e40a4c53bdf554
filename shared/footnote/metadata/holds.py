"""Tells whether a condition of a request holds for one thing: a chunk, a node or a document."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from footnote.metadata.attributes import to_scalar
from footnote.metadata.filters import FIELDS, NUMBER_FIELDS, field_spans, spans, typed_values
from footnote.model import Condition, Exists, Filter, Range


class Thing(NamedTuple):
    """What conditions look at: fields by their names in `FIELDS`, terms of attributes, pages."""

    fields: Mapping[str, str]
    terms: Sequence[str]
    pages: Sequence[int]


def holds(thing: Thing, condition: Condition) -> bool:
    return (
        all(_matches(thing, name, value) for name, value in condition.filters.items())
        and all(holds(thing, each) for each in condition.all_of)
        and (not condition.any_of or any(holds(thing, each) for each in condition.any_of))
        and not any(holds(thing, each) for each in condition.none_of)
    )


def _matches(thing: Thing, name: str, value: Filter) -> bool:
    if isinstance(value, Exists) and not value.exists:
        return not _matches(thing, name, Exists(exists=True))
    if name in NUMBER_FIELDS:
        return any(_has_page(value, page) for page in thing.pages)
    if name in FIELDS:
        texts, inside = [thing.fields[FIELDS[name]]], field_spans(value)
    else:
        texts, inside = list(thing.terms), spans(name, value)
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
