"""Filters: what they find among typed attributes, and which are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.errors import BadRequestError
from footnote.metadata.conditions import parse_filters
from footnote.metadata.filters import attribute_terms, field_spans, period, spans
from footnote.model import Range

METADATA = {
    "year": 2023,
    "share": -0.25,
    "final": True,
    "by": "Ana Müller",
    "tags": ["red", "2022"],
    "code": "007",
    "created": "2023-05-31T23:30:00-01:00",
    "day": "2024-02-29",
    "as text": "2023",
}


def finds(filters, metadata=METADATA):
    found = attribute_terms(metadata)
    return all(
        any(span.holds(term) for span in spans(name, wanted) for term in found)
        for name, wanted in parse_filters(filters).filters.items()
    )


@pytest.mark.parametrize(
    "filters",
    [
        {"year": 2023},
        {"year": 2023.0},
        {"year": "2023"},
        {"year": ["2020", 2023]},
        {"share": "-0.25"},
        {"final": True},
        {"final": "true"},
        {"by": "Ana Müller"},
        {"tags": "red"},
        {"tags": 2022},
        {"tags": ["green", "red"]},
        {"code": "007"},
        {"as text": 2023},
        {"year": {"gte": 2023}},
        {"year": {"gte": 2023, "lt": 2025}},
        {"year": {"gt": "2022", "lte": "2023"}},
        {"share": {"gt": -1, "lt": 0}},
        {"share": {"lte": "-0.25"}},
        {"by": {"gte": "A", "lt": "B"}},
        {"created": "2023-06-01"},  # in UTC
        {"created": "2023-06"},
        {"created": 2023},
        {"created": "2023-06-01T00:30:00Z"},
        {"created": "2023-06-01T02:30:00+02:00"},
        {"created": {"gte": "2023-06-01"}},
        {"created": {"lte": "2023-06-01"}},
        {"created": {"gt": "2023-05-31"}},
        {"created": {"lt": "2024"}},
        {"created": {"gte": 2023}},
        {"day": {"gte": "2024-02-29", "lt": "2024-03-01"}},
        {"day": "2024-02"},
        {"year": 2023, "tags": "red"},
    ],
)
def test_a_filter_finds_what_it_describes(filters):
    assert finds(filters)


@pytest.mark.parametrize(
    "filters",
    [
        {"year": 2024},
        {"year": True},
        {"year": ["2020", "2021"]},
        {"year": {"gt": 2023}},
        {"year": {"gte": 2024, "lt": 2020}},
        {"year": {"gte": "a"}},
        {"as text": {"gte": 2000}},  # a text lies in no range of numbers
        {"share": {"gte": 0}},
        {"share": 0.25},
        {"final": False},
        {"final": 1},
        {"by": "ana müller"},
        {"by": "Ana"},
        {"tags": "re"},
        {"tags": {"gt": "red"}},
        {"code": 7},
        {"created": "2023-05-31"},
        {"created": {"gt": "2023-06-01"}},
        {"created": {"lt": "2023-06-01"}},
        {"created": {"lt": 2023}},
        {"unknown": "x"},
        {"": "x"},
        {"acl": "board"},
        {"year\x1fn": 2023},
        {"year": 2023, "tags": "blue"},
    ],
)
def test_a_filter_finds_nothing_else(filters):
    assert not finds(filters)


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ({"year": None}, "'year'"),
        ({"year": {}}, "'year'"),
        ({"year": {"from": 1}}, "'year'"),
        ({"year": {"gte": None}}, "'year'"),
        ({"year": {"gte": True}}, "'year'"),
        ({"year": {"gte": [1]}}, "'year'"),
        ({"year": {"gte": 2023, "lt": "b"}}, "'year'"),
        ({"year": []}, "'year'"),
        ({"year": [[1]]}, "'year'"),
        ({"year": [1] * 101}, "'year'"),
        ({"page": "one"}, "'page'"),
        ({"page": True}, "'page'"),
        ({"page": {"gte": 1.5}}, "'page'"),
        ({"page": {"gte": "x"}}, "'page'"),
        ({str(n): n for n in range(51)}, "51 filters"),
    ],
)
def test_a_malformed_filter_is_refused_and_named(filters, said):
    with pytest.raises(BadRequestError) as caught:
        parse_filters(filters)
    assert caught.value.code == "bad_filter"
    assert said in caught.value.message


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_terms_of_numbers_are_in_the_order_of_the_numbers(one, other):
    (first,), (second,) = attribute_terms({"n": one}), attribute_terms({"n": other})
    assert (first < second, first == second) == (one < other, one == other)


@given(st.datetimes(), st.datetimes())
def test_terms_of_moments_are_in_their_order(one, other):
    (first,), (second,) = (attribute_terms({"t": moment.isoformat()}) for moment in (one, other))
    assert (first < second) == (one < other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("2023", ("2023-01-01T00:00:00.000000", "2024-01-01T00:00:00.000000")),
        ("2023-12", ("2023-12-01T00:00:00.000000", "2024-01-01T00:00:00.000000")),
        ("2024-02-29", ("2024-02-29T00:00:00.000000", "2024-03-01T00:00:00.000000")),
        (
            "2023-05-01T10:00Z",
            ("2023-05-01T10:00:00.000000", "2023-05-01T10:00:00.000001"),
        ),
        ("2023-02-29", None),
        ("2023-13", None),
        ("9999", None),
        ("0000-01-01", None),
        ("0001-01-01T00:00:00+14:00", None),
        ("12", None),
        ("today", None),
        ("2023-05-01 and more", None),
    ],
)
def test_a_date_stands_for_its_whole_time(text, expected):
    assert period(text) == expected


def test_fields_that_are_no_attributes_are_compared_as_texts():
    (span,) = field_spans(Range(gte="b", lt="d"))
    assert [span.holds(text) for text in ("a", "b", "c", "d")] == [False, True, True, False]
    assert field_spans(Range(gte="d", lt="b")) == []
    assert [span.low for span in field_spans(("x", 2.0))] == ["x", "2"]
