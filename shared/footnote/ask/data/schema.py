"""Reads the schema of the data that a caller wants: a small, bounded part of JSON Schema.

A schema is data. Its labels are searched for, and a model sees them between fences. A caller's
patterns are never run.
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Literal, NamedTuple, get_args

from footnote.ask.question.bounds import MAX_QUESTION, check_json
from footnote.errors import BadRequestError
from footnote.model import SubQuestion

type FieldType = Literal["string", "number", "integer", "boolean"]

MAX_BYTES = 8_000  # of a schema as JSON
MAX_FIELDS = 12  # each costs a search
MAX_OPTIONS = 50  # values of an enum
MAX_LABEL = 300  # characters of a title or description, and of an option
DEPTH = 12  # of the JSON: far more than an object inside an object has
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
_READ = frozenset({"type", "title", "description", "enum", "format", "items", "properties"})
_IGNORED = frozenset({"required", "additionalProperties", "$schema"})
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_-]+")
_CODE = "bad_schema"
_ACTION = (
    "A schema is an object whose properties are string, number, integer, boolean, enum, arrays of"
    " these, or an object of these; see docs/reference.md."
)


class FieldSpec(NamedTuple):
    """One value that the caller wants.

    `path` is its name, after the name of the object around it. `label` describes it in the caller's
    words. `options` are the only values that it may have; () allows any. `many`: it is an array.
    """

    path: tuple[str, ...]
    type: FieldType
    label: str
    options: tuple[str | int | float, ...] = ()
    is_date: bool = False
    many: bool = False

    @property
    def name(self) -> str:
        return ".".join(self.path)


def parse_schema(schema: object) -> tuple[FieldSpec, ...]:
    """Returns the fields of a schema. Raises BadRequestError naming what is wrong in it."""
    check_json(schema, "schema", MAX_BYTES, DEPTH)
    root = _mapping(schema, "the schema")
    if root.get("type") != "object":
        raise _refused("the schema's type is not 'object'")
    _must_be_known(root, "the schema")
    fields = tuple(_fields(root, ()))
    if not 0 < len(fields) <= MAX_FIELDS:
        raise _refused(f"the schema has {len(fields)} fields; it must have 1 to {MAX_FIELDS}")
    return fields


def read_schema(stored: str) -> tuple[FieldSpec, ...]:
    """Returns the fields of a stored schema, which was checked before; () without one."""
    return parse_schema(json.loads(stored)) if stored else ()


def field_questions(fields: tuple[FieldSpec, ...], question: str) -> tuple[SubQuestion, ...]:
    """Returns a sub-question for each field: its label, and both label and question as a variant.

    No grader sees them, as each value is checked by itself.
    """
    return tuple(
        SubQuestion(
            id=f"f{n}",
            text=field.label,
            variants=(f"{field.label} {question}"[:MAX_QUESTION],),
            field=field.name,
        )
        for n, field in enumerate(fields, start=1)
    )


def empty_data(fields: tuple[FieldSpec, ...]) -> dict[str, object]:
    """Returns the data without any value: null for a field, [] for an array."""
    data: dict[str, object] = {}
    for field in fields:
        place(data, field, [] if field.many else None)
    return data


def place(data: dict[str, object], field: FieldSpec, value: object) -> None:
    """Puts a value at its field's place in the data."""
    *outer, name = field.path
    for key in outer:
        inner = data.setdefault(key, {})
        if isinstance(inner, dict):
            data = inner
    data[name] = value


def _fields(schema: Mapping[str, object], path: tuple[str, ...]) -> Iterator[FieldSpec]:
    about = ".".join(path) or "the schema"
    properties = _mapping(schema.get("properties"), f"`properties` of {about}")
    if not properties:
        raise _refused(f"{about} has no properties")
    for name, value in properties.items():
        if not _NAME.fullmatch(name):
            raise _refused(f"{name[:80]!r} cannot be a field's name")
        spec = _mapping(value, f"the field {name}")
        _must_be_known(spec, f"the field {name}")
        here = (*path, name)
        if spec.get("type") != "object":
            yield _field(spec, here, _label(schema) if path else "")
        elif path:
            raise _refused(f"{'.'.join(here)} is an object inside an object inside the schema")
        else:
            yield from _fields(spec, here)


def _field(spec: Mapping[str, object], path: tuple[str, ...], around: str) -> FieldSpec:
    name = ".".join(path)
    many = spec.get("type") == "array"
    inner = _mapping(spec.get("items"), f"`items` of {name}") if many else spec
    _must_be_known(inner, f"`items` of {name}")
    options = _options(inner, name)
    type_name = inner.get("type", "string" if options else None)
    for known in get_args(FieldType.__value__):
        if type_name == known:
            own = _label(spec) or (_label(inner) if many else "") or _in_words(path[-1])
            label = f"{own} ({around or _in_words(path[0])})" if len(path) > 1 else own
            is_date = known == "string" and inner.get("format") == "date"
            return FieldSpec(path, known, label, options, is_date, many)
    raise _refused(f"{name} has the type {str(type_name)[:40]!r}")


def _options(spec: Mapping[str, object], name: str) -> tuple[str | int | float, ...]:
    if "enum" not in spec:
        return ()
    values = spec["enum"]
    if not isinstance(values, list | tuple) or not 0 < len(values) <= MAX_OPTIONS:
        raise _refused(f"`enum` of {name} is no list of 1 to {MAX_OPTIONS} values")
    options = tuple(option for option in values if isinstance(option, str | int | float))
    texts = all(isinstance(option, str) and option.strip() for option in options)
    figures = all(not isinstance(option, str | bool) for option in options)
    if len(options) < len(values) or not (texts or figures) or len(str(options)) > MAX_BYTES:
        raise _refused(f"`enum` of {name} has other values than texts, or than numbers")
    if (spec.get("type", "string") == "string") != texts:
        raise _refused(f"`enum` of {name} does not fit its type")
    return options


def _label(spec: Mapping[str, object]) -> str:
    """Returns a field's description, else its title, on one line; "" if it has neither."""
    for key in ("description", "title"):
        text = spec.get(key, "")
        if not isinstance(text, str) or len(text) > MAX_LABEL:
            raise _refused(f"a {key} is no text of at most {MAX_LABEL} characters")
        if label := " ".join(text.split()):
            return label
    return ""


def _in_words(name: str) -> str:
    return " ".join(_CAMEL.sub(" ", name).split()).lower()


def _mapping(value: object, what: str) -> Mapping[str, object]:
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return value
    raise _refused(f"{what} is no object")


def _must_be_known(spec: Mapping[str, object], what: str) -> None:
    if unknown := sorted(set(spec) - _READ - _IGNORED):
        raise _refused(f"{what} has {unknown[0][:40]!r}, which is not supported")
    if spec.get("format", "date") != "date":
        raise _refused(f"{what} has a format other than 'date'")


def _refused(problem: str) -> BadRequestError:
    return BadRequestError(problem, code=_CODE, action=_ACTION)
