"""What reports call the figures that a question names."""

import pytest

from footnote.accounting.glossary import (
    GLOSSARY,
    MOST,
    STATED,
    asked_statements,
    find_synonyms,
    related_phrases,
)
from footnote.text.terms import terms


@pytest.mark.parametrize(
    ("question", "phrase"),
    [
        ("What was the Quick-Ratio of Ottermoss in FY2025?", "total current assets"),
        ("How did CapEx develop?", "purchases of property"),
        ("Did they grow their PP&E?", "property, plant and equipment"),
        ("What are SG&A expenses?", "selling, general and administrative"),
    ],
)
def test_a_figure_that_a_question_names_has_the_words_of_reports(question, phrase):
    assert phrase in related_phrases(question)


@pytest.mark.parametrize(
    "question",
    [
        "How many cargo bikes were delivered in 2025?",
        "Who crossed the line at the top?",  # not the top line
        "Which steps does the ratio quicken?",
        "",
    ],
)
def test_other_questions_have_none(question):
    assert related_phrases(question) == ()


def test_what_the_question_says_itself_is_not_added():
    assert "gross profit" not in related_phrases("Which gross profit was there?")
    assert "gross profit" in related_phrases("Which gross margin was there?")


def test_phrases_are_few_whatever_is_asked():
    everything = " ".join(name for names, _ in GLOSSARY for name in names)
    phrases = related_phrases(everything)
    assert len(phrases) == MOST == len(set(phrases))


def test_each_name_is_found_as_it_is_written_and_stands_once():
    names = [name for each, _ in GLOSSARY for name in each]
    assert [name for name in names if not related_phrases(f"What of {name}?")] == []
    assert len(names) == len(set(names))


@pytest.mark.parametrize(
    ("question", "statements"),
    [
        ("What goodwill does Ottermoss have?", ("balance_sheet",)),
        ("How much net income was there in 2023?", ("income_statement",)),
        ("Which dividends were paid?", ("cash_flow_statement",)),
        ("Is it a capital-intensive business?", ("balance_sheet", "cash_flow_statement")),
        ("Revenue per region, please", ("income_statement",)),
        ("Did sales grow? If not, explain why.", ("income_statement",)),
        ("Why did revenue fall?", ()),
        ("What drove the change of the operating margin?", ()),
        ("Who salesman of the year was", ()),
        ("", ()),
    ],
)
def test_a_question_for_figures_has_the_statements_that_they_stand_in(question, statements):
    assert asked_statements(question) == statements


def test_each_name_of_a_figure_asks_for_the_statements_that_it_is_listed_under():
    for statement, names in STATED.items():
        assert len(names) == len(set(names))
        assert [name for name in names if statement not in asked_statements(f"The {name}?")] == []


@pytest.mark.parametrize(
    ("question", "text", "names"),
    [
        ("What is the quick ratio?", "total current assets | 84", {"quick", "ratio"}),
        ("What is the quick ratio?", "total assets | 84", set()),
        ("What is the quick ratio?", "consolidated balance sheets", set()),  # gives no ratio
        ("What is the capex?", "Purchases of property and equipment", {"capex"}),
        ("How many bikes?", "total current assets", set()),
    ],
)
def test_a_text_says_the_name_of_a_figure_in_the_words_of_reports(question, text, names):
    assert find_synonyms(question, set(terms(text))) == names
