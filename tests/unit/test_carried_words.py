"""The words of a long question that are looked up in languages which it is not in."""

import pytest

from footnote.adapters.opensearch.carried_words import carried_words

ASKED = "How many points did the Carolina Panthers defense surrender in the 2015 season?"


def test_frequent_words_of_the_questions_language_are_not_carried():
    assert carried_words(ASKED, "en", 20) == (
        "many points Carolina Panthers defense surrender 2015 season"
    )


def test_names_and_figures_come_before_long_words():
    assert carried_words(ASKED, "en", 3) == "Carolina Panthers 2015"
    assert carried_words(ASKED, "en", 4) == "Carolina Panthers surrender 2015"


@pytest.mark.parametrize("most", [0, -5])
def test_where_no_clauses_are_left_none_is_carried(most):
    assert carried_words(ASKED, "en", most) == ""


def test_of_a_script_without_blanks_only_what_is_written_otherwise_is_carried():
    asked = "\u5361\u7f57\u83b1\u7eb3 Panthers \u5728 2015 \u5e74\u8d5b\u5b63"
    assert carried_words(asked, "zh", 9) == "Panthers 2015"


def test_a_word_counts_once():
    assert carried_words("Panthers Panthers versus Panthers", "en", 2) == "Panthers versus"
