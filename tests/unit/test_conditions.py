"""Conditions: what requests may write, what is refused, and how the command line says it."""

import json

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from footnote.errors import BadRequestError
from footnote.metadata.conditions import MAX_DEPTH, MAX_FILTERS, from_texts, parse_filters
from footnote.model import Condition, Exists, Range, Scope


def nested(depth, inner):
    return inner if depth == 1 else {"not": nested(depth - 1, inner)}


def test_a_request_combines_filters():
    made = parse_filters(
        {
            "kind": ["report", "note"],
            "or": [{"year": {"gte": 2023}}, {"signed": {"exists": False}, "final": True}],
            "and": [{"a": 1}, {"a": 2}],
            "not": {"tags": "draft"},
        }
    )
    assert made == Condition(
        filters={"kind": ("report", "note")},
        all_of=(Condition(filters={"a": 1}), Condition(filters={"a": 2})),
        any_of=(
            Condition(filters={"year": Range(gte=2023)}),
            Condition(filters={"signed": Exists(exists=False), "final": True}),
        ),
        none_of=(Condition(filters={"tags": "draft"}),),
    )


def test_flat_filters_are_what_they_were():
    assert parse_filters({"year": 2023, "tags": "red"}) == Condition(
        filters={"year": 2023, "tags": "red"}
    )
    assert Scope.model_validate({"tenant": "a", "filters": {"year": 2023}}).filters == {
        "year": 2023
    }


@pytest.mark.parametrize(
    ("name", "wanted", "meant"),
    [
        ("and", "x", "x"),
        ("or", ["a", "b"], ("a", "b")),
        ("not", {"gte": 3}, Range(gte=3)),
        ("not", {"exists": True}, Exists(exists=True)),
        ("not", False, False),
    ],
)
def test_an_attribute_may_have_the_name_of_a_combination(name, wanted, meant):
    assert parse_filters({name: wanted}) == Condition(filters={name: meant})


@given(
    st.recursive(
        st.dictionaries(st.sampled_from("abc"), st.integers(), min_size=1),
        lambda inner: st.one_of(
            st.fixed_dictionaries({"and": st.lists(inner, min_size=1, max_size=2)}),
            st.fixed_dictionaries({"or": st.lists(inner, min_size=1, max_size=2)}),
            st.fixed_dictionaries({"not": inner}),
        ),
        max_leaves=4,
    )
)
def test_a_condition_survives_being_stored(given_):
    try:
        made = parse_filters(given_)
    except BadRequestError:  # nested too deep
        reject()
    assert Condition.model_validate_json(made.model_dump_json()) == made


@pytest.mark.parametrize(
    ("filters", "said"),
    [
        ({"and": []}, "'and'"),
        ({"or": {}}, "'or'"),
        ({"or": {"a": 1}}, "'or' is neither"),
        ({"or": [{"a": 1}, "b"]}, "'or' is neither"),
        ({"not": {}}, "'not' has an object without any filter"),
        ({"or": [{"a": 1}, {}]}, "'or' has an object without any filter"),
        ({"or": [{"a": 1}, {"not": {"b": {"c": 1}}}]}, "'b' in 'or[1].not'"),
        ({"a": {"exists": "perhaps"}}, "'a'"),
        ({"a": {"exists": True, "gt": 1}}, "'a'"),
        ({"a": {"exists": None}}, "'a'"),
        ({"not": [{"a": 1}]}, "'not'"),
        ({"and": [{"page": "x"}]}, "'page' in 'and[0]'"),
        (nested(MAX_DEPTH + 1, {"a": 1}), f"more than {MAX_DEPTH} deep"),
        ({"or": [{"a": n} for n in range(MAX_FILTERS + 1)]}, f"{MAX_FILTERS + 1} filters"),
        ({"a": 1, "or": [{"b": 1}] * MAX_FILTERS}, f"{MAX_FILTERS + 1} filters"),
    ],
)
def test_what_is_malformed_is_refused_with_its_place_and_what_to_send(filters, said):
    with pytest.raises(BadRequestError) as caught:
        parse_filters(filters)
    assert caught.value.code == "bad_filter"
    assert said in caught.value.message
    assert '"or": […]' in caught.value.action


def test_the_deepest_nesting_is_allowed():
    assert parse_filters(nested(MAX_DEPTH, {"a": 1}))


def test_filters_of_a_command_line_are_those_of_a_request():
    told = ["tag=a", "tag=b", "year>=2023", "year<2025", "eq=a=b", "by = Ana", "none=", "x=a>b"]
    assert from_texts(told) == {
        "tag": ["a", "b"],
        "year": {"gte": "2023", "lt": "2025"},
        "eq": "a=b",
        "by": "Ana",
        "none": "",
        "x": "a>b",
    }


def test_a_command_line_excludes_and_combines():
    combined = {"or": [{"kind": "report"}, {"signed": {"exists": True}}]}
    told = ["tag!=a", "tag!=b", "year>2020", json.dumps(combined)]
    assert from_texts(told) == {
        "and": [{"year": {"gt": "2020"}}, combined, {"not": {"tag": ["a", "b"]}}]
    }
    assert from_texts(["tag!=a"]) == {"and": [{"not": {"tag": ["a"]}}]}
    assert from_texts([" {} "]) == {"and": [{}]}  # parse_filters refuses it
    assert parse_filters(from_texts(told)).all_of[2] == Condition(
        none_of=(Condition(filters={"tag": ("a", "b")}),)
    )


@pytest.mark.parametrize(
    "text", ["year", "=2023", ">=2023", "", " <1", "!=x", "{", '{"a": }', "{} {}", "{" * 99_999]
)
def test_what_is_no_filter_on_a_command_line_is_refused(text):
    with pytest.raises(BadRequestError) as caught:
        from_texts([text])
    assert caught.value.code == "bad_filter"


def test_a_value_and_a_range_of_one_name_are_refused():
    with pytest.raises(BadRequestError, match="'year'"):
        from_texts(["year=2023", "year>2020"])


@pytest.mark.parametrize("wanted", [{"above": 3}, {"gt": 1, "above": 3}, {"GTE": 3}, {"$gt": 3}])
def test_an_operator_that_is_not_known_is_named_with_those_that_are(wanted):
    with pytest.raises(BadRequestError) as refused:
        parse_filters({"or": [{"year": wanted}]})
    unknown = next(name for name in wanted if name != "gt")
    assert f"'year' in 'or[0]' has the operator '{unknown}', which" in str(refused.value)
    assert "known: exists, gt, gte, lt, lte" in str(refused.value)


@pytest.mark.parametrize("text", ["year~3", "year~=3", "year==3", "year=>3", "year=<3", "year<>3"])
def test_an_operator_of_the_command_line_that_is_not_known_is_refused(text):
    with pytest.raises(BadRequestError, match=r"is not k=v, k!=v, k>v, k>=v, k<v, k<=v") as refused:
        from_texts([text])
    assert text in str(refused.value)
