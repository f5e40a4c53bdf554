"""Puts what was read row by row into objects: rows of one object become the array inside it."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from footnote.ask.data.fields import FieldSpec, InnerArray, RecordSpec, place, record_of
from footnote.ask.data.table_records import Record
from footnote.model import FieldValue, Scalar


class Nested(NamedTuple):
    """The objects of an array, and their values, each with its citations."""

    objects: list[dict[str, object]]
    values: list[FieldValue]


def nest(spec: RecordSpec, records: Sequence[Record], most: int) -> Nested:
    """Returns the first objects of an array.

    Records that have the same values outside of the inner array are one object; its own values cite
    the first of them.
    """
    nested = Nested([], [])
    for n, group in enumerate(islice(_groups(spec, records), most)):
        own = {name: group[0].values[name] for name in _names(spec, group[0])}
        data = record_of(spec.outer_fields, own)
        where = f"{spec.name}[{n}]"
        nested.values.extend(
            FieldValue(field=f"{where}.{name}", value=value, citations=group[0].citations)
            for name, value in own.items()
        )
        if spec.inner:
            items = [record for record in group if _inner_values(spec, record)]
            items = items[: spec.inner.most_items]
            place(data, spec.inner.path, [_item(spec, spec.inner, each) for each in items])
            nested.values.extend(_values_of(spec, spec.inner, items, where))
        nested.objects.append(data)
    return nested


def _names(spec: RecordSpec, record: Record) -> list[str]:
    return [field.name for field in spec.outer_fields if field.name in record.values]


def _groups(spec: RecordSpec, records: Sequence[Record]) -> Iterator[list[Record]]:
    """Yields the records of each object, in the order of its first one."""
    if spec.inner is None:
        yield from ([record] for record in records)
        return
    groups: dict[tuple[tuple[str, Scalar], ...], list[Record]] = {}
    for record in records:
        own = tuple((name, record.values[name]) for name in _names(spec, record))
        groups.setdefault(own, []).append(record)
    yield from groups.values()


def _inner_fields(spec: RecordSpec, inner: InnerArray) -> list[FieldSpec]:
    """Returns the fields of an item, with paths that begin in it."""
    return [
        field._replace(path=field.path[len(inner.path) :])
        for field in spec.fields
        if inner.has(field)
    ]


def _inner_values(spec: RecordSpec, record: Record) -> dict[str, Scalar]:
    """Returns the values of a record that lie in the inner array, by the whole names."""
    inner = spec.inner
    names = [field.name for field in spec.fields if inner and inner.has(field)]
    return {name: record.values[name] for name in names if name in record.values}


def _item(spec: RecordSpec, inner: InnerArray, record: Record) -> object:
    values = _inner_values(spec, record)
    prefix = f"{'.'.join(inner.path)}."
    if inner.is_flat:
        return next(iter(values.values()))
    own = {name.removeprefix(prefix): value for name, value in values.items()}
    return record_of(_inner_fields(spec, inner), own)


def _values_of(
    spec: RecordSpec, inner: InnerArray, items: Sequence[Record], where: str
) -> Iterator[FieldValue]:
    prefix = ".".join(inner.path)
    for n, record in enumerate(items):
        for name, value in _inner_values(spec, record).items():
            field = f"{where}.{prefix}[{n}]{name.removeprefix(prefix)}"
            yield FieldValue(field=field, value=value, citations=record.citations)
