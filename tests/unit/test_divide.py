"""A question that asks several things is divided, and each part keeps what all share."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footnote.ask.planning.by_rule import plan
from footnote.ask.planning.divide import MOST, split_questions, without_form
from footnote.text.terms import terms

DIVIDED = [
    (
        "What were revenue and what were costs in 2023 for Amcor?",
        ["What were revenue in 2023 for Amcor?", "what were costs in 2023 for Amcor?"],
    ),
    (
        "What were Amcor's revenue and what were its costs in 2023?",
        ["What were Amcor's revenue in 2023?", "what were its costs in 2023 (Amcor's)?"],
    ),
    (
        "How much did Amcor earn and how much did it spend in 2023?",
        ["How much did Amcor earn in 2023?", "how much did it spend in 2023 (Amcor)?"],
    ),
    (
        "What was revenue in 2022 and what was revenue in 2023 of Amcor?",
        ["What was revenue in 2022 of Amcor?", "what was revenue in 2023 of Amcor?"],
    ),
    (
        "What is the dose and what are the side effects of Ibuprofen?",
        ["What is the dose of Ibuprofen?", "what are the side effects of Ibuprofen?"],
    ),
    (
        "Which courts hear appeals and which judges sit in Oregon?",
        ["Which courts hear appeals in Oregon?", "which judges sit in Oregon?"],
    ),
    (
        "What is the fee and what is the rent?",
        ["What is the fee?", "what is the rent?"],
    ),
    # what one part alone asks for stays there
    (
        "How much was revenue in 2025 and when did the board meet?",
        ["How much was revenue in 2025?", "when did the board meet?"],
    ),
    (
        "Who leads Roost and when was it founded?",
        ["Who leads Roost?", "when was it founded (Roost)?"],
    ),
    (
        "What was net income in 2021 vs 2022?",
        ["What was net income in 2021?", "What was net income in 2022?"],
    ),
    (
        "How much rain fell in Kiel in Q1 2021 versus Q1 2022?",
        ["How much rain fell in Kiel in Q1 2021?", "How much rain fell in Kiel in Q1 2022?"],
    ),
    (
        "Revenue of Best Buy versus Foot Locker in 2022",
        ["Revenue of Best Buy in 2022", "Revenue of Foot Locker in 2022"],
    ),
    (
        "Fees at Bank of America vs. Wells Fargo",
        ["Fees at Bank of America", "Fees at Wells Fargo"],
    ),
    (
        "What is the difference in revenue between Amcor and Best Buy in 2023?",
        ["What is revenue of Amcor in 2023?", "What is revenue of Best Buy in 2023?"],
    ),
    (
        "What was the difference in rainfall between 2009 and 2010?",
        ["What was rainfall in 2009?", "What was rainfall in 2010?"],
    ),
    (
        "What were capital expenditures for Amcor and Best Buy in 2022?",
        [
            "What were capital expenditures for Amcor in 2022?",
            "What were capital expenditures for Best Buy in 2022?",
        ],
    ),
    (
        "How many patients were treated in 2018 and in 2019 at Kiel?",
        [
            "How many patients were treated in 2018 at Kiel?",
            "How many patients were treated in 2019 at Kiel?",
        ],
    ),
    (
        "Compare revenue of Netflix with Amcor in 2023",
        ["revenue of Netflix in 2023", "revenue of Amcor in 2023"],
    ),
]  # fmt: skip
WHOLE = [
    "What are the terms and conditions?",
    "What is research and development spending in 2022?",
    "Which hotels and trains are allowed?",
    "What does the Department of Health and Human Services do?",
    "What is the capital of Trinidad and Tobago?",
    "What is the difference between gross and net margin?",
    "Was there a change between 2021 and 2022?",
    "How far did prices rise from 2019 to 2022?",
    "Which segment had the largest costs, and how much?",
    "What is the allowance? I travel to Germany.",
    "What is each of the three regions called?",
    "Who wrote War and Peace?",
    "What is the difference between a writ of execution and a levy?",
    # what is said first is said of all, and a half without a verb asks nothing alone
    "For Amcor, what were revenue and what were costs in 2023?",
    "My son is 10. Who may stay with him in Kiel and what does a bed cost?",
    "How many beds and how many nurses did the Charité have in 2019?",
    # what goes on after "and" asks nothing
    "Who founded Roost and was elected in 1999?",
    "My crane is red and has to be moved. When is the yard open?",
    "Which vans are old and will be sold in Kiel?",
    "Which crane is red and has to leave the yard in Kiel?",
    # the second half means something only after the first
    "Which depot sold more in 2021, Kiel or Bremen, and what was the gap?",
    "Which values can the lamp register take, and what is the default?",
    "Which code does the crane show and can such a code be cleared by hand?",
    "Where did Roost hire more riders, in Kiel or in Bremen, and how many in each?",
    "How many depots does the fleet have, and how many of them will it leave?",
    "How much is left of the budget, and was any of it used?",
]
TEXT = """What was were is the difference between each of in for and vs versus compare Amcor Kiel
2021 2022 revenue rain costs a an how much many , ? . and with from to both it when did Best Buy"""
WORDS = st.sampled_from(TEXT.split())


@pytest.mark.parametrize(("question", "parts"), DIVIDED)
def test_each_part_keeps_what_all_share(question, parts):
    assert split_questions(question) == parts


@pytest.mark.parametrize("question", WHOLE)
def test_a_question_that_no_rule_fits_stays_whole(question):
    assert split_questions(question) == [question]


@given(st.lists(WORDS, max_size=24).map(" ".join) | st.text(max_size=80))
def test_no_part_is_empty_or_says_what_the_question_does_not(question):
    parts = split_questions(question)
    assert 1 <= len(parts) <= max(MOST, question.count("?") + question.count(" and ") + 1)
    if len(parts) > 1:
        known = set(re.findall(r"\w+", question.casefold()))
        assert len(set(parts)) == len(parts)
        for part in parts:
            assert terms(part)
            assert set(re.findall(r"\w+", part.casefold())) <= known | {"of", "in"}


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("What was revenue? Round your answer to two decimal places.", "What was revenue?"),
        ("What is due? I travel to Germany.", "What is due? I travel to Germany."),
        ("What does the final answer say?", "What does the final answer say?"),
    ],
)  # fmt: skip
def test_the_form_of_the_answer_is_not_searched_for(text, left):
    assert without_form(text) == left


def test_a_plan_has_no_sub_question_about_the_form_of_the_answer():
    made = plan("What was revenue of Amcor? Write the answer in millions.", ())
    assert [sub.text for sub in made.sub_questions] == ["What was revenue of Amcor?"]
