"""What becomes of attributes: they get the type that was meant, or are refused or tidied."""

import pytest

from footnote.errors import BadRequestError
from footnote.metadata.attributes import (
    check_attributes,
    clean_attributes,
    from_pairs,
    merge_attributes,
    split_list,
    to_scalar,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("True", "True"),
        ("2023", 2023),
        ("-4", -4),
        ("0", 0),
        ("0.5", 0.5),
        ("1e3", 1000.0),
        ("007", "007"),
        ("+1", "+1"),
        ("1,000", "1,000"),
        ("1e999", "1e999"),
        ("1e-200", "1e-200"),
        ("1234567890123456", "1234567890123456"),
        ("٣", "٣"),
        ("2023-05-01", "2023-05-01"),
        ("", ""),
        ("nan", "nan"),
    ],
)
def test_what_is_typed_is_a_number_or_a_truth_value_only_when_it_is_one(text, value):
    assert (to_scalar(text), type(to_scalar(text))) == (value, type(value))


def test_what_a_person_gives_is_kept_as_it_is():
    given = {"year": 2023, "share": 0.5, "final": False, "by": "Ana", "tags": ["a", ""], "x": ""}
    assert check_attributes(given) == given


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"": 1}, "''"),
        ({"a\nb": 1}, "'a\\nb'"),
        ({"n" * 129: 1}, "128"),
        ({"acl": "board"}, "`acl`"),
        ({"ACL": ["board"]}, "`acl`"),
        ({"year": None}, "'year'"),
        ({"year": {"gte": 1}}, "'year'"),
        ({"years": [2022, 2023]}, "'years'"),
        ({"tags": ["x"] * 51}, "'tags'"),
        ({"tags": ["x" * 2049]}, "'tags'"),
        ({"by": "x" * 2049}, "'by'"),
        ({"by": "half \ud800"}, "'by'"),
        ({"n": float("nan")}, "'n'"),
        ({"n": float("inf")}, "'n'"),
        ({"n": 10**101}, "'n'"),
        ({"n": 1e-101}, "'n'"),
        ({str(n): n for n in range(51)}, "51 attributes"),
    ],
)
def test_what_no_attribute_can_be_is_refused_and_named(given, said):
    with pytest.raises(BadRequestError) as caught:
        check_attributes(given)
    assert caught.value.code == "bad_metadata"
    assert said in caught.value.message


def test_what_a_file_brings_along_is_tidied_cut_and_bounded():
    found = clean_attributes(
        {
            " Title\x00 ": "  Two\r\n lines\u202e ",
            "tags": ["b", " b", "", 3, "a\x07"],
            "long": "x" * 5000,
            "empty": " \t",
            "none": None,
            "nested": {"a": 1},
            "nan": float("nan"),
            "huge": 10**400,
            "pages": 12,
            "final": True,
            "acl": "everyone",
            "half": "\ud800!",
        }
    )
    assert found == {
        "Title": "Two lines",
        "tags": ["b", "a"],
        "long": "x" * 2048,
        "pages": 12,
        "final": True,
        "half": "!",
    }
    assert len(clean_attributes({str(n): n for n in range(1000)})) == 50


def test_what_a_file_brings_along_is_bounded_all_together():
    found = {name: name * 2000 for name in "abcd"} | {"tags": ["x" * 900, "y" * 97], "z": "z"}
    assert list(clean_attributes(found)) == ["a", "b", "z"]
    assert list(clean_attributes(found | {"tags": ["x" * 900, "y" * 90]})) == [
        "a",
        "b",
        "tags",
        "z",
    ]


def test_of_one_name_the_first_source_wins_even_when_it_is_empty():
    assert merge_attributes(({"a": ""}, {"a": 1, "b": 2}, {"b": 3, "c": []})) == {
        "a": "",
        "b": 2,
        "c": [],
    }


def test_pairs_of_a_command_line_are_typed_and_repeated_ones_are_a_list():
    pairs = ["year=2023", "tag=a", "tag=2", "eq=a=b", " by =Ana", "none="]
    assert from_pairs(pairs) == {
        "year": 2023,
        "tag": ["a", "2"],
        "eq": "a=b",
        "by": "Ana",
        "none": "",
    }


@pytest.mark.parametrize("pair", ["year", "=2023", " =1", ""])
def test_a_pair_without_name_or_value_is_refused(pair):
    with pytest.raises(BadRequestError) as caught:
        from_pairs([pair])
    assert caught.value.code == "bad_metadata"


def test_a_field_with_several_values_is_taken_apart():
    assert split_list("bikes; cargo,,trailers ;") == ["bikes", "cargo", "trailers"]
