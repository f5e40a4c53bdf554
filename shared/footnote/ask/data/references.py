"""Brings a schema as programs write it to its plain form: references, alternatives, null.

`$ref` leads to the schema's own `$defs`, never anywhere else. A value may always be null, so null
as an alternative says nothing.
"""

from collections.abc import Mapping, Sequence

from footnote.errors import BadRequestError

type Schema = Mapping[str, object]

CODE = "bad_schema"
ACTION = (
    "A schema is an object whose properties are strings, numbers, integers, booleans, enums, arrays"
    " of these or of objects, and objects; see docs/reference.md."
)
_SCALARS = frozenset({"string", "number", "integer", "boolean"})
_WORDS = frozenset({"type", "title", "description"})
_ROOMS = ("$defs", "definitions")


class Definitions:
    """The definitions of one schema, by what refers to them."""

    def __init__(self, root: Schema) -> None:
        self._by_reference = {
            f"#/{room}/{name}": as_schema(spec, f"{room}.{name}")
            for room in _ROOMS
            if room in root
            for name, spec in as_schema(root[room], f"`{room}`").items()
        }

    def plain(self, spec: Schema, what: str) -> Schema:
        """Returns a schema without references, alternatives and null at its top.

        Words of the schema that refers stand before those of the one that is referred to.
        """
        followed: list[str] = []
        while merged := self._step(spec, what, followed):
            spec = merged
        return _without_null(spec, what)

    def _step(self, spec: Schema, what: str, followed: list[str]) -> Schema | None:
        """Returns a schema with its reference or only alternative put in its place, or None."""
        for key in ("allOf", "anyOf", "oneOf"):
            if key in spec:
                inner = _only(self._each(spec[key], key, what), key, what)
                return {**inner, **_without(spec, key)}
        if "$ref" not in spec:
            return None
        reference = spec["$ref"]
        if not isinstance(reference, str) or reference not in self._by_reference:
            told = str(reference)[:80]
            raise refuse(f"{what} refers to {told!r}, which is not among the schema's `$defs`")
        if reference in followed:
            raise refuse(f"{what} refers to {reference[:80]!r}, which refers to itself")
        followed.append(reference)
        return {**self._by_reference[reference], **_without(spec, "$ref")}

    @staticmethod
    def _each(given: object, key: str, what: str) -> list[Schema]:
        """Returns the alternatives that are not null, each in its plain form if it refers."""
        if not isinstance(given, list | tuple) or not given:
            raise refuse(f"`{key}` of {what} is no list of schemas")
        schemas = [as_schema(each, f"`{key}` of {what}") for each in given]
        return [each for each in schemas if each.get("type") != "null"]


def as_schema(value: object, what: str) -> Schema:
    """Returns a value that is an object. Raises BadRequestError for any other."""
    if isinstance(value, Mapping) and all(isinstance(key, str) for key in value):
        return value
    raise refuse(f"{what} is no object")


def refuse(problem: str) -> BadRequestError:
    return BadRequestError(problem, code=CODE, action=ACTION)


def _only(schemas: Sequence[Schema], key: str, what: str) -> Schema:
    """Returns the only schema; of several simple ones a schema that has all their types.

    What they demand besides may not collide. Alternatives of values are one list of these.
    """
    if len(schemas) == 1:
        return schemas[0]
    if key != "allOf" and schemas and all(set(each) & {"const", "enum"} for each in schemas):
        return _of_values(schemas, key, what)
    types = [each.get("type") for each in schemas]
    if key == "allOf" or not types or not all(type_ in _SCALARS for type_ in types):
        raise refuse(f"`{key}` of {what} has other alternatives than simple types and null")
    if key == "oneOf" and (len(set(types)) < len(types) or {"integer", "number"} <= set(types)):
        raise refuse(f"`{key}` of {what} has alternatives that a value may both be")
    demands: dict[str, object] = {}
    for each in schemas:
        own = {name: value for name, value in each.items() if name not in _WORDS}
        if "enum" in own or not own.keys().isdisjoint(demands):
            raise refuse(f"`{key}` of {what} has alternatives that demand something else")
        demands |= own
    return {"type": list(dict.fromkeys(types)), **demands}


def _of_values(schemas: Sequence[Schema], key: str, what: str) -> Schema:
    """Returns one list of the values that the alternatives name."""
    values: list[object] = []
    for each in schemas:
        if set(each) - {"const", "enum"} - _WORDS:
            raise refuse(f"`{key}` of {what} has alternatives that demand something else")
        named = each["enum"] if "enum" in each else [each["const"]]
        values += named if isinstance(named, list | tuple) else [named]
    distinct = [value for n, value in enumerate(values) if value not in values[:n]]
    if key == "oneOf" and len(distinct) < len(values):
        raise refuse(f"`{key}` of {what} has alternatives that a value may both be")
    types = dict.fromkeys(each["type"] for each in schemas if "type" in each)
    return {"enum": distinct, **({"type": next(iter(types))} if len(types) == 1 else {})}


def _without(spec: Schema, key: str) -> Schema:
    return {name: value for name, value in spec.items() if name != key}


def _without_null(spec: Schema, what: str) -> Schema:
    """Returns a schema without null among its types and options."""
    types, options = spec.get("type"), spec.get("enum")
    plain = dict(spec)
    if isinstance(types, list | tuple):
        others = [type_ for type_ in types if type_ != "null"]
        plain["type"] = others[0] if len(others) == 1 else others
    if isinstance(options, list | tuple):
        plain["enum"] = [option for option in options if option is not None]
    if "const" in plain:
        if "enum" in plain:
            raise refuse(f"{what} has both `const` and `enum`")
        plain["enum"] = [plain.pop("const")]
    return plain
