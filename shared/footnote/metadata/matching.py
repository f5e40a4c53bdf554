"""Tells whether something with fields and attributes meets the conditions of a request."""

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from footnote.metadata.attributes import to_scalar
from footnote.metadata.filters import FIELDS, NUMBER_FIELDS, field_spans, spans, typed_values
from footnote.model import Condition, Exists, Filter, Range


class Matched(NamedTuple):
    """What conditions are compared with: a chunk's, a node's, or a whole document's.

    `fields` has the texts of the names that FIELDS has, `terms` the attributes as terms.
    """

    fields: Mapping[str, str]
    terms: Sequence[str]
    pages: Sequence[int]


def holds(condition: Condition, matched: Matched) -> bool:
    """Tells whether all parts of a condition hold."""
    return (
        all(_matches(matched, name, value) for name, value in condition.filters.items())
        and all(holds(each, matched) for each in condition.all_of)
        and (not condition.any_of or any(holds(each, matched) for each in condition.any_of))
        and not any(holds(each, matched) for each in condition.none_of)
    )


def _matches(matched: Matched, name: str, value: Filter) -> bool:
    if isinstance(value, Exists) and not value.exists:
        return not _matches(matched, name, Exists(exists=True))
    if name in NUMBER_FIELDS:
        return any(_has_page(value, page) for page in matched.pages)
    if name in FIELDS:
        texts, inside = [matched.fields[FIELDS[name]]], field_spans(value)
    else:
        texts, inside = list(matched.terms), spans(name, value)
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
