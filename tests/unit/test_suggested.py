"""A document's headings suggest questions, by a rule."""

import pytest

from footnote.model import Document, Section
from footnote.reading.suggested import suggest_questions

BODY = "The pilots of the harbour meet each morning before the first ferry leaves the quay. "


def document(*headings, language="en", title="Handbook", bodies=None):
    text, sections = "", []
    for n, heading in enumerate(headings):
        start = len(text)
        text += f"{heading}\n\n{BODY * (bodies or {}).get(n, 1)}\n\n"
        sections.append(Section(title=heading, level=1, start=start, end=len(text)))
    return Document(
        media_type="text/plain",
        title=title,
        language=language,
        text=text,
        sections=tuple(sections),
    )


def test_the_headings_with_most_text_are_asked_about_in_their_order():
    given = document("Fares", "Crews", "Tides", "Ropes", bodies={0: 3, 1: 1, 2: 2, 3: 4})
    assert suggest_questions(given) == (
        "What is said about “Fares”?",
        "What is said about “Tides”?",
        "What is said about “Ropes”?",
    )


def test_a_heading_that_is_a_question_stays_as_it_is():
    assert suggest_questions(document("Who may steer?")) == ("Who may steer?",)


@pytest.mark.parametrize(
    "heading", ["Contents", "INTRODUCTION", "Sheet 1", "3.1.2", "x", "Handbook", "a" * 81, "2025"]
)
def test_a_heading_that_names_nothing_to_ask_about_is_left_out(heading):
    assert suggest_questions(document(heading)) == ()


def test_nothing_is_asked_where_nothing_stands_below_and_nothing_twice():
    given = document("Fares", "Fares", "Tides", bodies={2: 0})
    assert suggest_questions(given) == ("What is said about “Fares”?",)


def test_a_question_is_in_the_language_of_the_document_or_there_is_none():
    assert suggest_questions(document("Lotsen", language="de")) == ("Was steht zu „Lotsen“?",)
    assert suggest_questions(document("Lots", language="fi")) == ()
