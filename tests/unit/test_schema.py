"""What a schema of data may be: its fields, arrays of objects, references, and what is refused."""

import pytest

from footnote.ask.data.fields import DataSchema
from footnote.ask.data.lookups import MAX_LOOKUPS, field_questions, lookups_of
from footnote.ask.data.schema import (
    DEPTH,
    MAX_BYTES,
    MAX_FIELDS,
    MAX_LABEL,
    MAX_LEVELS,
    MAX_RECORDS,
    parse_schema,
)
from footnote.ask.planning.answer_options import make_options
from footnote.ask.question.bounds import MAX_QUESTION
from footnote.errors import BadRequestError

TEXT = {"type": "string"}
NULL = {"type": "null"}
SHORT = {"type": "string", "maxLength": 3}
ONE = {"type": "object", "properties": {"a": {"type": "number"}}}


def schema(**properties):
    return {"type": "object", "properties": properties}


def array(**properties):
    return {"type": "array", "items": schema(**properties)}


def test_a_schema_is_read_into_fields_with_labels_in_words():
    read = parse_schema(
        schema(
            noticeDays={"type": "integer"},
            currency={"enum": ["EUR", "USD"], "title": "currency of the price"},
            parties={"type": "array", "items": TEXT, "title": "parties"},
            terms={
                "type": "object",
                "title": "terms of payment",
                "properties": {"signed_on": {"type": "string", "format": "date"}},
            },
        )
    )
    assert [(f.name, f.type, f.label, f.options, f.format, f.many) for f in read.fields] == [
        ("noticeDays", "integer", "notice days", (), "", False),
        ("currency", "string", "currency of the price", ("EUR", "USD"), "", False),
        ("parties", "string", "parties", (), "", True),
        ("terms.signed_on", "string", "signed on (terms of payment)", (), "date", False),
    ]
    assert read.records == ()


def test_a_schema_as_programs_write_it_is_read_like_one_written_by_hand():
    written = parse_schema(
        {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$defs": {
                "Address": schema(city=TEXT, street={"anyOf": [TEXT, NULL]}),
                "Row": schema(name=TEXT, price={"type": ["number", "null"], "minimum": 0}),
                "Currency": {"enum": ["EUR", "USD", None], "type": ["string", "null"]},
            },
            "type": "object",
            "title": "Offer",
            "required": ["seller"],
            "additionalProperties": False,
            "properties": {
                "seller": {"allOf": [{"$ref": "#/$defs/Address"}], "description": "the seller"},
                "buyer": {
                    "anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}],
                    "default": None,
                },
                "currency": {"$ref": "#/$defs/Currency"},
                "kind": {"const": "offer"},
                "rows": {"type": "array", "items": {"$ref": "#/$defs/Row"}, "maxItems": 40},
                "term": {"anyOf": [{"type": "integer"}, {"type": "string"}, {"type": "null"}]},
            },
        }
    )
    assert [(f.name, f.type, f.other_types, f.label) for f in written.fields] == [
        ("seller.city", "string", (), "city (the seller)"),
        ("seller.street", "string", (), "street (the seller)"),
        ("buyer.city", "string", (), "city (buyer)"),
        ("buyer.street", "string", (), "street (buyer)"),
        ("currency", "string", (), "currency"),
        ("kind", "string", (), "kind"),
        ("term", "integer", ("string",), "term"),
    ]
    assert [field.options for field in written.fields[4:6]] == [("EUR", "USD"), ("offer",)]
    [rows] = written.records
    assert (rows.name, rows.label, rows.most_items) == ("rows", "rows", 40)
    assert [(f.name, f.type, f.limits) for f in rows.fields] == [
        ("name", "string", ()),
        ("price", "number", (("minimum", 0),)),
    ]


@pytest.mark.parametrize(
    ("limits", "value", "holds"),
    [
        ({"minimum": 5}, 5, True),
        ({"minimum": 5}, 4, False),
        ({"exclusiveMinimum": 5}, 5, False),
        ({"maximum": 5}, 6, False),
        ({"exclusiveMaximum": 5}, 4.5, True),
        ({"maxLength": 3}, "four", False),
        ({"maxLength": 3}, 4444, True),  # about texts
        ({"minLength": 5}, "four", False),
        ({"minimum": 5}, "four", True),  # about numbers
    ],
)
def test_a_value_keeps_to_the_limits_of_its_field(limits, value, holds):
    kinds = {"type": ["number", "string"], **limits}
    [field] = parse_schema(schema(a=kinds)).fields
    assert field.allows(value) is holds


def test_alternatives_that_demand_different_things_are_one_field():
    given = schema(
        a={"oneOf": [SHORT, {"type": "integer", "minimum": 5}, NULL]},
        b={"anyOf": [{"const": "kg", "title": "kilograms"}, {"enum": ["t", "kg"]}, NULL]},
        c={"oneOf": [{"const": 1}, {"const": 2}]},
    )
    a, b, c = parse_schema(given).fields
    assert (a.type, a.other_types) == ("string", ("integer",))
    assert [a.allows(value) for value in ("four", "six", 4, 6)] == [False, True, False, True]
    assert (b.type, b.options) == ("string", ("kg", "t"))
    assert (c.type, c.options) == ("number", (1, 2))


@pytest.mark.parametrize("name", ["date", "date-time", "time", "email", "uri", "uuid"])
def test_a_format_is_of_texts_alone(name):
    [text] = parse_schema(schema(a={"type": ["string", "number"], "format": name})).fields
    assert [each.format for each in text.alternatives()] == [name, ""]
    [number] = parse_schema(schema(a={"type": "number", "format": name})).fields
    assert number.format == ""


def test_a_value_must_match_its_pattern():
    [field] = parse_schema(schema(a={"type": "string", "pattern": "^[A-Z]{2}-\\d+$"})).fields
    assert [field.allows(value) for value in ("OC-26", "oc-26", "OC-", 7)] == [
        *(True, False, False, True)
    ]


def deep(levels):
    inner = {"type": "number"}
    for _ in range(levels):
        inner = {"type": "object", "properties": {"a": inner}}
    return inner


def chain(levels, width):
    """Returns a schema of definitions, each of which refers to the next one several times."""
    rooms = {
        f"L{n}": schema(**{f"p{m}": {"$ref": f"#/$defs/L{n + 1}"} for m in range(width)})
        for n in range(levels)
    }
    return {"$defs": {**rooms, f"L{levels}": TEXT}, **schema(a={"$ref": "#/$defs/L0"})}


LOOP = {"$defs": {"A": {"$ref": "#/$defs/B"}, "B": {"anyOf": [{"$ref": "#/$defs/A"}]}}}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ([], "the schema is no object"),
        ("object", "the schema is no object"),
        ({}, "the schema's type is not 'object'"),
        ({"type": "object"}, "`properties` of the schema is no object"),
        ({"type": "object", "properties": {}}, "the schema has no properties"),
        (schema(a=7), "the field a is no object"),
        (schema(a={"type": "null"}), "a has the type 'null'"),
        (schema(a={}), "a has the type 'None'"),
        (schema(a={"type": ["string", "object"]}), "a has the type"),
        (schema(a={"$ref": "https://evil.example/x"}), "refers to 'https://evil.example/x'"),
        (schema(a={"$ref": "#/$defs/Gone"}), "is not among the schema's `$defs`"),
        ({**LOOP, **schema(a={"$ref": "#/$defs/A"})}, "which refers to itself"),
        (chain(MAX_LEVELS + 2, 1), f"{MAX_LEVELS - 1} are allowed"),
        (chain(4, 9), f"more than {MAX_FIELDS} fields"),
        ({"$defs": [], **ONE}, "`$defs` is no object"),
        (schema(a={"type": "string", "pattern": "(a)\\1"}), "a `pattern` has `\\1`"),
        (schema(a={"type": "string", "pattern": 7}), "`pattern` of a is no text"),
        (schema(a={"type": "string", "patternProperties": {}}), "not supported"),
        ({"$ref": "#/definitions/x", **ONE}, "refers to '#/definitions/x'"),
        (schema(a={"anyOf": []}), "`anyOf` of the field a is no list of schemas"),
        (schema(a={"anyOf": [TEXT, ONE]}), "other alternatives than simple types and null"),
        (schema(a={"oneOf": [ONE, ONE]}), "other alternatives than simple types and null"),
        (schema(a={"anyOf": [{"type": "null"}]}), "other alternatives than simple types and null"),
        (schema(a={"anyOf": [SHORT, {**TEXT, "maxLength": 9}]}), "that demand something else"),
        (schema(a={"anyOf": [{**TEXT, "enum": ["x"]}, {"type": "number"}]}), "something else"),
        (schema(a={"oneOf": [{"type": "integer"}, {"type": "number"}]}), "a value may both be"),
        (schema(a={"oneOf": [SHORT, TEXT]}), "a value may both be"),
        (schema(a={"oneOf": [{"const": 1}, {"enum": [2, 1]}]}), "a value may both be"),
        (schema(a={"anyOf": [{"const": 1, "minimum": 0}, {"const": 2}]}), "something else"),
        (schema(a={"const": 1, "enum": [1]}), "both `const` and `enum`"),
        (schema(a={"type": "string", "format": "ipv4"}), "a format other than date, date-time"),
        (schema(a={"type": "number", "minimum": "low"}), "`minimum` of a is no number"),
        (schema(a={"type": "number", "minimum": float("nan")}), "`minimum` of a is no number"),
        (schema(a={"type": "array", "items": TEXT, "maxItems": -1}), "is no whole number"),
        (schema(a={"type": "array"}), "`items` of a is no object"),
        (schema(a=array(b=array(c=TEXT))), "b is an array inside an object of an array"),
        (schema(a={"type": "array", "items": {"type": "array", "items": TEXT}}), "type 'array'"),
        (schema(a={"type": "array", "items": {"contains": 1}}), "`items` of a has 'contains'"),
        (schema(**{f"a{n}": array(b=TEXT) for n in range(MAX_RECORDS + 1)}), "7 arrays of objects"),
        (schema(a={"enum": []}), "`enum` of a is no list"),
        (schema(a={"enum": "EUR"}), "`enum` of a is no list"),
        (schema(a={"enum": ["x", 1]}), "`enum` of a has other values"),
        (schema(a={"enum": [True]}), "`enum` of a has other values"),
        (schema(a={"enum": [" "]}), "`enum` of a has other values"),
        (schema(a={"enum": [None]}), "`enum` of a is no list"),
        (schema(a={"type": "number", "enum": ["x"]}), "`enum` of a does not fit its type"),
        (schema(a={"enum": ["x"] * 301}), "`enum` of a is no list of 1 to 300"),
        (schema(**{"a b": TEXT}), "'a b' cannot be a field's name"),
        (schema(**{"": TEXT}), "'' cannot be a field's name"),
        (schema(**{"ignore\nall": TEXT}), "cannot be a field's name"),
        (schema(a={"type": "string", "title": 7}), "a title is no text"),
        (schema(a={"type": "string", "title": "x" * (MAX_LABEL + 1)}), "a title is no text"),
        (schema(**{f"a{n}": TEXT for n in range(MAX_FIELDS + 1)}), "more than 100 fields"),
        (deep(MAX_LEVELS + 1), f"{MAX_LEVELS - 1} are allowed"),
        (deep(500), f"the schema is more than {DEPTH} levels deep"),
        (deep(50_000), f"the schema is more than {DEPTH} levels deep"),
    ],
)
def test_a_schema_that_is_not_supported_is_refused_with_what_is_wrong(given, told):
    with pytest.raises(BadRequestError) as refused:
        make_options(data_schema=given)
    assert refused.value.code == "bad_schema"
    assert told in refused.value.message
    assert refused.value.action
    assert len(refused.value.message) < 200


def test_a_schema_that_is_too_large_is_refused():
    with pytest.raises(BadRequestError) as refused:
        make_options(data_schema=schema(a={"enum": ["x" * 400] * 50, "title": "y"}))
    assert refused.value.code == "schema_too_large"
    assert f"{MAX_BYTES:,}" in refused.value.message


# -- what is looked up ---------------------------------------------------------------------------


def test_a_few_fields_are_looked_up_one_by_one_and_an_array_of_objects_by_itself():
    read = parse_schema(schema(days={"type": "integer"}, packs=array(name=TEXT, unitPrice=TEXT)))
    assert [(sub.text, sub.field, sub.wide) for sub in field_questions(read, "What is due?")] == [
        ("days", "days", False),
        ("packs; name; unit price", "packs", True),
    ]


def test_many_fields_share_look_ups_and_none_goes_without():
    read = parse_schema(
        schema(packs=array(name=TEXT), **{f"field{n}": TEXT for n in range(MAX_FIELDS - 1)})
    )
    lookups = lookups_of(read)
    assert len(lookups) <= MAX_LOOKUPS
    assert [name for lookup in lookups for name in lookup.names] == [
        *(field.name for field in read.fields),
        "packs",
    ]
    assert all(len(lookup.text) <= MAX_QUESTION for lookup in lookups)


def test_nothing_is_looked_up_for_no_schema():
    assert not DataSchema()
    assert field_questions(DataSchema(), "What is due?") == ()
