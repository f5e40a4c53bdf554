"""The fields of the data that a caller wants, and where their values lie in it."""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple

from footnote.ask.data.formats import ValueFormat
from footnote.ask.data.patterns import compile_pattern
from footnote.model import Scalar

type FieldType = Literal["string", "number", "integer", "boolean"]
type Path = tuple[str, ...]

LIMITS: Mapping[str, Callable[[float, float], bool]] = MappingProxyType(
    {
        "minimum": operator.ge,
        "maximum": operator.le,
        "exclusiveMinimum": operator.gt,
        "exclusiveMaximum": operator.lt,
        "minLength": operator.ge,
        "maxLength": operator.le,
    }
)
"""What a schema may demand of a value: keyword → how the value, or its length, compares."""


class FieldSpec(NamedTuple):
    """One value that the caller wants.

    `path` is its name, after the names of the objects around it. `label` describes it in the
    caller's words. `options` are the only values that it may have; () allows any. `many`: it is an
    array of at most `most_items`. `other_types`: those that it may have instead. `limits`: (keyword
    of `LIMITS`, bound). `format` and `pattern` are of a text.
    """

    path: Path
    type: FieldType
    label: str
    options: tuple[str | int | float, ...] = ()
    format: ValueFormat = ""
    many: bool = False
    other_types: tuple[FieldType, ...] = ()
    limits: tuple[tuple[str, float], ...] = ()
    most_items: int | None = None
    pattern: str = ""

    @property
    def name(self) -> str:
        return ".".join(self.path)

    @property
    def is_date(self) -> bool:
        return self.format == "date"

    def alternatives(self) -> Iterator["FieldSpec"]:
        """Yields the field with each of its types, in the schema's order."""
        for type_ in (self.type, *self.other_types):
            format_ = self.format if type_ == "string" else ""
            yield self._replace(type=type_, other_types=(), format=format_)

    def allows(self, value: Scalar) -> bool:
        """Returns whether a value keeps to the schema's limits and pattern."""
        size = len(value) if isinstance(value, str) else value
        about_text = isinstance(value, str)
        if about_text and self.pattern and not compile_pattern(self.pattern).is_in(str(value)):
            return False
        return all(
            LIMITS[keyword](size, bound)
            for keyword, bound in self.limits
            if about_text == keyword.endswith("Length")
        )


class RecordSpec(NamedTuple):
    """An array of objects that the caller wants. The paths of its fields begin in the object."""

    path: Path
    label: str
    fields: tuple[FieldSpec, ...]
    most_items: int | None = None

    @property
    def name(self) -> str:
        return ".".join(self.path)


class DataSchema(NamedTuple):
    """All that a caller's schema asks for: single values and arrays, and arrays of objects."""

    fields: tuple[FieldSpec, ...] = ()
    records: tuple[RecordSpec, ...] = ()

    @property
    def labels(self) -> dict[str, str]:
        """The label of each field and array, by name."""
        of_fields = {field.name: field.label for field in self.fields}
        return of_fields | {record.name: record.label for record in self.records}

    def __bool__(self) -> bool:
        return bool(self.fields or self.records)

    def empty(self) -> dict[str, object]:
        """Returns the data without any value: null for a field, [] for an array."""
        data = record_of(self.fields, {})
        for record in self.records:
            place(data, record.path, [])
        return data


def record_of(
    fields: Sequence[FieldSpec], values: Mapping[str, Scalar | list[Scalar]]
) -> dict[str, object]:
    """Returns an object with these values, which are by field name, and null for all others."""
    data: dict[str, object] = {}
    for field in fields:
        place(data, field.path, values.get(field.name, [] if field.many else None))
    return data


def place(data: dict[str, object], path: Path, value: object) -> None:
    """Puts a value at its place in the data."""
    *outer, name = path
    for key in outer:
        inner = data.setdefault(key, {})
        if isinstance(inner, dict):
            data = inner
    data[name] = value
