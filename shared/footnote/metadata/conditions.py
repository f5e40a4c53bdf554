"""The conditions of requests: filters, with `and`, `or`, `not` around them.

`{"kind": "report", "or": [{"year": {"gte": 2023}}, {"signed": {"exists": true}}]}` holds where all
of its entries hold. The entry `and` has a list of such objects, which must all hold; `or` a list of
which one must hold; `not` one object, which must not hold. An attribute may have one of these
names, too. The entry then has the value of a filter, as `{"and": "x"}` or `{"not": {"gte": 3}}`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence

from pydantic import TypeAdapter, ValidationError

from footnote.errors import BadRequestError
from footnote.metadata.attributes import LONGEST_NAME, LONGEST_TEXT, is_number
from footnote.metadata.filters import NUMBER_FIELDS, is_comparable, typed_values, values_of
from footnote.model import Condition, Exists, Filter, Range, Scalar

MAX_FILTERS = 50  # in one request, however nested
MAX_VALUES = 100
MAX_BYTES = 16_000  # of all filters: a question's record stores them
MAX_DEPTH = 5  # objects within each other, the outermost included

_TOO_LONG = 10**38  # DynamoDB holds 38 digits of a number
_FILTER = TypeAdapter[Filter](Filter)
_OF_FILTERS = {*Range.model_fields, *Exists.model_fields}
_COMPARISONS = {">=": "gte", "<=": "lte", ">": "gt", "<": "lt"}
_OPERATOR = re.compile(r"!=|>=|<=|>|<|=")
_PARTS_OF_OPERATORS = tuple("~!<>=:^*%&|")


def parse_filters(raw: Mapping[str, object]) -> Condition:
    """Parses the filters of a request. Raises BadRequestError naming the malformed one."""
    total = sum(1 for _ in _names(raw, 1))
    if total > MAX_FILTERS:
        raise _bad(f"{total} filters are given; the limit is {MAX_FILTERS}")
    condition = _condition(raw, "")
    size = len(condition.model_dump_json().encode())
    if size > MAX_BYTES:
        raise _bad(f"the filters have {size:,} bytes as JSON; the limit is {MAX_BYTES:,}")
    return condition


def _names(raw: Mapping[str, object], depth: int) -> Iterator[str]:
    """Yields the attribute of each filter. Raises BadRequestError where they are nested too deep.

    The caller counts them before anything is parsed.
    """
    if depth > MAX_DEPTH:
        raise _bad(f"filters are nested more than {MAX_DEPTH} deep")
    for name, value in raw.items():
        if (parts := _parts(name, value)) is None:
            yield name
        for part in parts or ():
            yield from _names(part, depth + 1)


def _parts(name: str, value: object) -> list[Mapping[str, object]] | None:
    """Returns the objects of `and`, `or` or `not`; None where the name is an attribute's."""
    if name in {"and", "or"} and isinstance(value, list | tuple):
        parts = [part for part in value if isinstance(part, Mapping)]
        return parts if parts and len(parts) == len(value) else None
    if name == "not" and isinstance(value, Mapping):
        return None if value and value.keys() <= _OF_FILTERS else [value]
    return None


def _condition(raw: Mapping[str, object], where: str) -> Condition:
    """Parses an object. `where` is its place in the request, as in "or[1].not"."""
    filters: dict[str, Filter] = {}
    combined: dict[str, tuple[Condition, ...]] = {}
    for name, value in raw.items():
        place = f"{where}.{name}" if where else name
        if (parts := _parts(name, value)) is None:
            filters[name] = _filter(name, value, where)
            continue
        if not all(parts):
            raise _bad(f"{place!r} has an object without any filter")
        inner = (f"{place}[{n}]" if name != "not" else place for n in range(len(parts)))
        combined[name] = tuple(map(_condition, parts, inner))
    return Condition(
        filters=filters,
        all_of=combined.get("and", ()),
        any_of=combined.get("or", ()),
        none_of=combined.get("not", ()),
    )


def _filter(name: str, value: object, where: str) -> Filter:
    about = f"the filter on {name[:100]!r}" + (f" in {where!r}" if where else "")
    try:
        parsed = _FILTER.validate_python(value)
    except ValidationError:
        if name in {"and", "or"}:
            raise _bad(f"{about} is neither a filter nor a list of objects with filters") from None
        if isinstance(value, Mapping) and (unknown := [*value.keys() - _OF_FILTERS]):
            operators = ", ".join(sorted(_OF_FILTERS))
            raise _bad(
                f"{about} has the operator {str(min(unknown))[:100]!r}, which is not known;"
                f" known: {operators}"
            ) from None
        raise _bad(
            f"{about} is neither a value, nor a list of values, nor a range, nor `exists`"
        ) from None
    if len(name) > LONGEST_NAME:
        raise _bad(f"{about} has a name of {len(name):,} characters; the limit is {LONGEST_NAME}")
    if not all(map(_is_storable, values_of(parsed))):
        raise _bad(
            f"{about} has a text of more than {LONGEST_TEXT:,} characters, or a number that is too "
            "large, too small or too long to be compared"
        )
    if isinstance(parsed, tuple) and not 0 < len(parsed) <= MAX_VALUES:
        raise _bad(f"{about} has {len(parsed)} values: 1 to {MAX_VALUES}")
    if isinstance(parsed, Range) and not is_comparable(name, parsed):
        raise _bad(
            f"{about} is a range without bounds that can be compared: numbers, ISO dates or "
            "texts, all of one kind"
        )
    if name in NUMBER_FIELDS and any(type(bound) is not int for bound in typed_values(parsed)):
        raise _bad(f"{about} is not a whole number")
    return parsed


def _is_storable(value: Scalar) -> bool:
    """Tells whether an attribute may have this value."""
    match value:
        case str():
            return len(value) <= LONGEST_TEXT
        case bool():
            return True
        case int():
            return abs(value) < _TOO_LONG
    return is_number(value)


def _bad(message: str) -> BadRequestError:
    return BadRequestError(
        message,
        code="bad_filter",
        action='Send {"name": value}, {"name": [value, …]}, {"name": {"gte": …, "lt": …}} or '
        '{"name": {"exists": true}}; combine them by "and": […], "or": […], "not": {…}.',
    )


# -- the command line ----------------------------------------------------------------------------


def from_texts(texts: Sequence[str]) -> dict[str, object]:
    """Converts `k=v`, `k!=v`, `k>=v` … and JSON of a command line to the filters of a request.

    `k=v` given twice means either value, `k!=v` neither. Raises BadRequestError
    naming the malformed one.
    """
    equal: dict[str, list[str]] = {}
    unlike: dict[str, list[str]] = {}
    ranges: dict[str, dict[str, str]] = {}
    objects: list[object] = []
    for text in texts:
        if text.lstrip().startswith("{"):
            objects.append(_from_json(text))
            continue
        name, mark, value = _split(text)
        if mark in _COMPARISONS:
            ranges.setdefault(name, {})[_COMPARISONS[mark]] = value
        else:
            (equal if mark == "=" else unlike).setdefault(name, []).append(value)
    if both := sorted(equal.keys() & ranges.keys()):
        raise BadRequestError(
            f"--filter on {both[0][:100]!r} asks for a value and for a range", code="bad_filter"
        )
    single = {name: each[0] if len(each) == 1 else each for name, each in equal.items()}
    flat: dict[str, object] = {**single, **ranges}
    objects += [{"not": {name: values}} for name, values in unlike.items()]
    if not objects:
        return flat
    return {"and": [flat, *objects] if flat else objects}


def _split(text: str) -> tuple[str, str, str]:
    mark = _OPERATOR.search(text)
    name = text[: mark.start()].strip() if mark else ""
    if mark is None or not name or _is_mistaken(name, text[mark.end() :]):
        raise BadRequestError(
            f"--filter {text[:100]!r} is not k=v, k!=v, k>v, k>=v, k<v, k<=v or a JSON object",
            code="bad_filter",
            action="""Give a value that begins with one of these as JSON: '{"k": "=v"}'.""",
        )
    return name, mark[0], text[mark.end() :].strip()


def _is_mistaken(name: str, value: str) -> bool:
    """Tells whether the operator is an unknown one, as in `year~=3` or `year=>3`."""
    return name.endswith(_PARTS_OF_OPERATORS) or value.startswith(("=", "<", ">", "~"))


def _from_json(text: str) -> Mapping[str, object]:
    try:
        parsed = json.loads(text)
    except (ValueError, RecursionError):
        raise BadRequestError(
            f"--filter {text[:100]!r} is not JSON",
            code="bad_filter",
            action="""Send --filter '{"or": [{"kind": "a"}, {"year": 2023}]}', in such quotes.""",
        ) from None
    return dict(parsed)
