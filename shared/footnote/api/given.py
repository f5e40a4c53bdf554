"""Bounds of everything that a client sends. They are checked before any other code reads it.

What a body's model refuses is told here too, in one form for all faces.
"""

from collections.abc import Mapping, Sequence
from typing import Any, get_args

from pydantic import BaseModel

from footnote.errors import BadRequestError
from footnote.text.characters import is_text

MAX_BODY = 1_000_000  # bytes of a JSON body, and so of a text that it adds
MAX_VALUES = 20_000  # values and names in a body: checking each takes time
PLACE = 100  # characters of a value's place that an error names


def check_size(text: str, what: str = "the body") -> None:
    """Raises BadRequestError for a body, or a text to add, that is too large."""
    if len(text) > MAX_BODY or len(text.encode("utf-8", "replace")) > MAX_BODY:
        raise BadRequestError(
            f"{what} has more than {MAX_BODY:,} bytes",
            code="body_too_large",
            action="Send less at once; put long material into a document and add that.",
        )


def check_given(body: object, what: str) -> None:
    """Raises BadRequestError for too many values, or for names or values that are no valid text.

    It looks at one value after the other, so that depth costs no stack.
    """
    waiting, count = [(body, what)], 0
    while waiting:
        value, place = waiting.pop()
        match value:
            case str():
                check_words(value, place)
            case Mapping():
                for name in value:
                    check_words(str(name), f"a name in {place}")
                waiting += [(inner, _place(place, f".{name}")) for name, inner in value.items()]
            case list() | tuple():
                waiting += [(inner, _place(place, f"[{n}]")) for n, inner in enumerate(value)]
        count += 1
        if count + len(waiting) > MAX_VALUES:
            raise BadRequestError(
                f"{what} holds more than {MAX_VALUES:,} values",
                code="body_too_large",
                action="Send less at once.",
            )


def check_words(text: str, place: str) -> None:
    if not is_text(text):
        raise BadRequestError(
            f"{place} has half of a surrogate pair, which is no character",
            code="bad_text",
            action="Send whole characters: both halves of a pair, or neither.",
        )


def wrong_value(
    first: Mapping[str, Any], model: type[BaseModel], whole: str, what: str, *, code: str
) -> BadRequestError:
    """Returns the error that names a wrong value and lists the names that are known at its place.

    `first` is an error of pydantic about `whole`, which should be `model` and has such `what`.
    """
    where = first["loc"]
    known, outer = _model_at(model, where[:-1]), ".".join(map(str, where[:-1]))[:PLACE]
    names = ", ".join(field.alias or name for name, field in known.model_fields.items())
    of = "" if known is model else f" of `{outer}`"
    place = ".".join(map(str, where))[:PLACE] or whole
    action = f"Known {what}{of}: {names}."
    return BadRequestError(f"{place}: {say_wrong(first)}", code=code, action=action)


def say_wrong(first: Mapping[str, Any]) -> str:
    """Returns pydantic's message. Of an unknown name, that message lists the known ones."""
    unknown = first["type"] == "literal_error"
    said = f"{str(first['input'])[:PLACE]!r} is not known. " if unknown else ""
    return f"{said}{first['msg']}"


def _model_at(model: type[BaseModel], where: Sequence[object]) -> type[BaseModel]:
    """Returns the model of an object inside another; the outer one where it is not a model."""
    inner = model
    for at in where:
        fields = {field.alias or name: field for name, field in inner.model_fields.items()}
        kind = fields[at].annotation if isinstance(at, str) and at in fields else None
        kinds = [
            one
            for one in (kind, *get_args(kind))
            if isinstance(one, type) and issubclass(one, BaseModel)
        ]
        if not kinds:
            return model
        inner = kinds[0]
    return inner


def _place(place: str, inner: str) -> str:
    """Returns a value's place in the body, for an error. A long one is
    cut to its beginning and end.
    """
    whole = f"{place}{inner[:PLACE]}"
    return whole if len(whole) <= 2 * PLACE else f"{place[:PLACE]}…{inner[:PLACE]}"
