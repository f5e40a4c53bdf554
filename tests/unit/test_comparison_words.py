"""Comparisons of a question: limits, times, what is left out, and the words beside them."""

from datetime import date

import pytest

from footnote.text.comparisons import days_of, read_comparisons

A, B = "at least", "at most"


@pytest.mark.parametrize(
    ("question", "limits"),
    [
        ("Which boats have more than 10 seats?", [("above", "10")]),
        ("Which boats have ten or more seats?", [(A, "ten")]),
        ("Which boats have no more than 1,200 kg?", [(B, "1,200")]),
        ("Which boats cost at least \u20ac5,000?", [(A, "\u20ac5,000")]),
        ("Which boats cost under 2 million euros?", [("below", "2 million euros")]),
        ("Which boats have between 5 and 20 seats?", [(A, "5"), (B, "20")]),
        ("Which boats were sold before 1 March 2026?", [("below", "1 March 2026")]),
        ("Which boats were sold since May 2025?", [(A, "May 2025")]),
        ("Which boats were sold in Q1 2026?", [(A, "Q1 2026"), (B, "Q1 2026")]),
        ("Which boats were sold from 3 May to 7 June 2026?", [(A, "3 May"), (B, "7 June 2026")]),
        ("Which boats have a negative result?", [("below", "0")]),
        ("Welche Boote haben mehr als 8 Sitze?", [("above", "8")]),
        ("Welche Boote wurden nach dem 3.5.2025 verkauft?", [("above", "3.5.2025")]),
        ("Which boats are marching on?", []),
        ("What is more important than speed?", []),
    ],
)
def test_limits_stand_as_they_are_written(question, limits):
    assert [limit for each in read_comparisons(question).comparisons for limit in each.limits] == (
        limits
    )


def test_the_words_beside_a_comparison_say_what_is_compared():
    [each] = read_comparisons("Which boats with a draught of less than 2 metres sail?").comparisons
    assert each.before[-3:] == ("a", "draught", "of")
    assert each.after[:1] == ("metr",)


@pytest.mark.parametrize(
    ("question", "behind"),
    [
        ("Which boats are not sold?", ("sold",)),
        ("Which boats aren't sold?", ("sold",)),
        ("List boats other than ferries", ("ferry",)),
        ("List boats except for tugs", ("tug",)),
        ("Which boats have not more than 3 seats?", None),
    ],
)
def test_what_is_left_out_stands_behind_a_not(question, behind):
    assert read_comparisons(question).excluded == (() if behind is None else (behind,))


def test_a_comparison_leaves_the_text_and_a_period_stays():
    read = read_comparisons("Which boats above 3 tons sailed in May 2026?")
    assert " ".join(read.text.split()) == "Which boats tons sailed in May 2026?"
    assert [each.is_period for each in read.comparisons] == [False, True]


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("2026-02-28", (date(2026, 2, 28), date(2026, 2, 28))),
        ("3.5.2025", (date(2025, 5, 3), date(2025, 5, 3))),
        ("1st of March 2026", (date(2026, 3, 1), date(2026, 3, 1))),
        ("March 1, 2026", (date(2026, 3, 1), date(2026, 3, 1))),
        ("February 2024", (date(2024, 2, 1), date(2024, 2, 29))),
        ("the third quarter of 2025", (date(2025, 7, 1), date(2025, 9, 30))),
        ("2026", (date(2026, 1, 1), date(2026, 12, 31))),
        ("May", None),
        ("30 February 2026", None),
        ("tomorrow", None),
    ],
)
def test_days_months_and_years_are_spans(text, days):
    assert days_of(text) == days


def test_a_month_without_a_year_is_of_the_given_one():
    assert days_of("May", 2025) == (date(2025, 5, 1), date(2025, 5, 31))


def test_a_very_long_question_has_no_comparisons():
    assert read_comparisons("more than 3 " * 100).comparisons == ()
