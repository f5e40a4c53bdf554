"""Reads the schema of the data that a caller wants: a bounded part of JSON Schema.

A schema is data. Its labels are searched for, and a model sees them between fences.
"""

import json
import math
import re
from collections.abc import Iterator, Sequence
from typing import Any, get_args

from footnote.ask.data.fields import LIMITS, DataSchema, FieldSpec, FieldType, Path, RecordSpec
from footnote.ask.data.formats import FORMATS, ValueFormat
from footnote.ask.data.patterns import compile_pattern
from footnote.ask.data.references import Definitions, Schema, as_schema, refuse
from footnote.ask.question.bounds import check_json

MAX_BYTES = 16_000  # of a schema as JSON: a question's record stores it
MAX_FIELDS = 100  # single values and fields of objects in arrays, all together
MAX_RECORDS = 6  # arrays of objects: each is looked up by itself
MAX_OPTIONS = 300  # values of an enum
MAX_LABEL = 300  # characters of a title or description, and of an option
MAX_LEVELS = 6  # objects inside each other
DEPTH = 40  # of the JSON: a level of objects takes up to six of it
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_READ = frozenset(
    {"type", "title", "description", "enum", "format", "items", "properties", "pattern"}
)
_IGNORED = frozenset(
    {"required", "additionalProperties", "default", "examples", "minItems", "uniqueItems"}
    | {"deprecated", "readOnly", "writeOnly", "$schema", "$id", "$comment", "$defs", "definitions"}
)
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")


def parse_schema(schema: object) -> DataSchema:
    """Returns the fields of a schema. Raises BadRequestError naming what is wrong in it."""
    check_json(schema, "schema", MAX_BYTES, DEPTH)
    root = as_schema(schema, "the schema")
    definitions = Definitions(root)
    root = definitions.plain(root, "the schema")
    if root.get("type") != "object":
        raise refuse("the schema's type is not 'object'")
    specs = list(_Reader(definitions).read(root, (), ()))
    fields = tuple(spec for spec in specs if isinstance(spec, FieldSpec))
    records = tuple(spec for spec in specs if isinstance(spec, RecordSpec))
    if len(records) > MAX_RECORDS:
        raise refuse(f"the schema has {len(records)} arrays of objects; {MAX_RECORDS} are allowed")
    return DataSchema(fields, records)


def read_schema(stored: str) -> DataSchema:
    """Returns the fields of a stored schema, which was checked before; none without one."""
    return parse_schema(json.loads(stored)) if stored else DataSchema()


class _Reader:
    """Reads one schema into its fields, in order."""

    def __init__(self, definitions: Definitions) -> None:
        self._definitions = definitions
        self._number = 0

    def read(
        self, schema: Schema, path: Path, around: tuple[str, ...], *, in_record: bool = False
    ) -> Iterator[FieldSpec | RecordSpec]:
        """Yields the fields of an object. `around`: labels of the objects around it, inner first.

        An array of objects inside another one is refused.
        """
        about = ".".join(path) or "the schema"
        _must_be_known(schema, about)
        properties = as_schema(schema.get("properties"), f"`properties` of {about}")
        if not properties:
            raise refuse(f"{about} has no properties")
        if len(around) >= MAX_LEVELS:
            raise refuse(f"{about} lies in {len(around)} objects; {MAX_LEVELS - 1} are allowed")
        for name, value in properties.items():
            if not _NAME.fullmatch(name):
                raise refuse(f"{name[:80]!r} cannot be a field's name")
            what = f"the field {name}"
            spec = self._definitions.plain(as_schema(value, what), what)
            _must_be_known(spec, what)
            here = (*path, name)
            label = _label(spec) or _in_words(name)
            if spec.get("type") == "object":
                yield from self.read(spec, here, (label, *around), in_record=in_record)
            elif spec.get("type") == "array":
                yield self._array(spec, here, around, in_record=in_record)
            else:
                yield self._count(_field(spec, here, _label_in(label, around)))

    def _count(self, field: FieldSpec) -> FieldSpec:
        """Counts a field. References may make many fields of a short schema."""
        self._number += 1
        if self._number > MAX_FIELDS:
            raise refuse(f"the schema has more than {MAX_FIELDS} fields")
        return field

    def _array(
        self, spec: Schema, path: Path, around: tuple[str, ...], *, in_record: bool
    ) -> FieldSpec | RecordSpec:
        name = ".".join(path)
        what = f"`items` of {name}"
        items = self._definitions.plain(as_schema(spec.get("items"), what), what)
        _must_be_known(items, what)
        label = _label_in(_label(spec) or _label(items) or _in_words(path[-1]), around)
        most = _whole_number(spec.get("maxItems"), f"`maxItems` of {name}")
        if in_record:
            raise refuse(f"{name} is an array inside an object of an array")
        if items.get("type") != "object":
            field = _field(items, path, label)
            return self._count(field._replace(many=True, most_items=most))
        specs = self.read(items, (), (), in_record=True)
        fields = tuple(spec for spec in specs if isinstance(spec, FieldSpec))
        return RecordSpec(path, label, fields, most)


def _field(spec: Schema, path: Path, label: str) -> FieldSpec:
    name = ".".join(path)
    options = _options(spec, name)
    kinds = ["string" if isinstance(option, str) else "number" for option in options]
    given = spec.get("type", kinds[0] if kinds else None)
    types = [
        known
        for type_ in (given if isinstance(given, list | tuple) else [given])
        for known in get_args(FieldType.__value__)
        if type_ == known
    ]
    if not types or (isinstance(given, list | tuple) and len(types) < len(given)):
        raise refuse(f"{name} has the type {str(given)[:40]!r}")
    return FieldSpec(
        path,
        types[0],
        label,
        options,
        _format(spec, types),
        pattern=_pattern(spec, name),
        other_types=tuple(types[1:]),
        limits=tuple(_limits(spec, name)),
    )


def _format(spec: Schema, types: Sequence[FieldType]) -> ValueFormat:
    """Returns the format of a text: `_must_be_known` has refused all others."""
    if "string" not in types:
        return ""
    return next((known for known in FORMATS if known == spec.get("format")), "")


def _pattern(spec: Schema, name: str) -> str:
    pattern = spec.get("pattern", "")
    if not isinstance(pattern, str):
        raise refuse(f"`pattern` of {name} is no text")
    compile_pattern(pattern)
    return pattern


def _limits(spec: Schema, name: str) -> Iterator[tuple[str, float]]:
    for keyword in LIMITS:
        if keyword in spec:
            bound = spec[keyword]
            if isinstance(bound, bool) or not isinstance(bound, int | float):
                raise refuse(f"`{keyword}` of {name} is no number")
            if not math.isfinite(bound):
                raise refuse(f"`{keyword}` of {name} is no number")
            yield keyword, bound


def _whole_number(value: Any, what: str) -> int | None:
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= 0):
        return value
    raise refuse(f"{what} is no whole number")


def _options(spec: Schema, name: str) -> tuple[str | int | float, ...]:
    if "enum" not in spec:
        return ()
    values = spec["enum"]
    if not isinstance(values, list | tuple) or not 0 < len(values) <= MAX_OPTIONS:
        raise refuse(f"`enum` of {name} is no list of 1 to {MAX_OPTIONS} values")
    options = tuple(option for option in values if isinstance(option, str | int | float))
    texts = all(isinstance(option, str) and option.strip() for option in options)
    figures = all(not isinstance(option, str | bool) for option in options)
    if len(options) < len(values) or not (texts or figures) or len(str(options)) > MAX_BYTES:
        raise refuse(f"`enum` of {name} has other values than texts, or than numbers")
    if (spec.get("type", "string" if texts else "number") == "string") != texts:
        raise refuse(f"`enum` of {name} does not fit its type")
    return options


def _label_in(label: str, around: tuple[str, ...]) -> str:
    return f"{label} ({', '.join(around)})" if around else label


def _label(spec: Schema) -> str:
    """Returns a field's description, else its title, on one line; "" if it has neither."""
    for key in ("description", "title"):
        text = spec.get(key, "")
        if not isinstance(text, str) or len(text) > MAX_LABEL:
            raise refuse(f"a {key} is no text of at most {MAX_LABEL} characters")
        if label := " ".join(text.split()):
            return label
    return ""


def _in_words(name: str) -> str:
    return " ".join(_CAMEL.sub(" ", name).split()).lower()


def _must_be_known(spec: Schema, what: str) -> None:
    if unknown := sorted(set(spec) - _READ - _IGNORED - {*LIMITS, "maxItems"}):
        raise refuse(f"{what} has {unknown[0][:40]!r}, which is not supported")
    if spec.get("format", "date") not in FORMATS:
        raise refuse(f"{what} has a format other than {', '.join(FORMATS)}")
