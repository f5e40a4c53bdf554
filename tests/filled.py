"""Fills a value: each of its fields, at every depth, with something that is not its default."""

from collections.abc import Mapping, Sequence
from types import NoneType, UnionType
from typing import Any, Literal, TypeAliasType, Union, get_args, get_origin

from pydantic import BaseModel

PLAIN: Mapping[object, object] = {
    str: "text",
    int: 7,
    float: 0.5,
    bool: True,
    bytes: b"bytes",
    **dict.fromkeys((object, Any), "anything"),
}
DEEPEST = 4  # a value inside itself, as a condition in a condition, ends there


def fill(kind: Any, depth: int = 0) -> Any:
    """Returns an instance of an annotation: of a model, a literal, a tuple, a mapping, a type."""
    if isinstance(kind, TypeAliasType):
        return fill(kind.__value__, depth)
    if isinstance(kind, type) and issubclass(kind, BaseModel):
        fields = kind.model_fields.items()
        deep = [name for name, field in fields if depth < DEEPEST or field.is_required()]
        given = {name: fill(kind.model_fields[name].annotation, depth + 1) for name in deep}
        return kind.model_validate(given)
    return PLAIN[kind] if kind in PLAIN else _combine(get_origin(kind), get_args(kind), depth)


def _combine(origin: Any, of: Sequence[Any], depth: int) -> Any:
    if origin is Literal:
        return of[-1]
    if origin in {Union, UnionType}:
        return fill(next(one for one in of if one is not NoneType), depth)
    if origin in {tuple, list, frozenset, Sequence}:
        return tuple(fill(one, depth) for one in of if one is not Ellipsis)
    return {fill(of[0], depth): fill(of[1], depth)}  # a mapping


def fields_of(value: BaseModel) -> dict[str, Any]:
    """Returns the JSON of a value, in which each object of a model has a field of a later release.

    Mappings get none: what they hold is data.
    """
    told = {name: _later(getattr(value, name)) for name in type(value).model_fields}
    return told | {"of_a_later_release": {"a": [1]}}


def _later(value: Any) -> Any:
    match value:
        case BaseModel():
            return fields_of(value)
        case Mapping():
            return {name: _later(one) for name, one in value.items()}
        case tuple() | list():
            return [_later(one) for one in value]
        case _:
            return value
