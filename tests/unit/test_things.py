"""What is asked of several things is asked of each, and one of which nothing is found is named."""

import pytest

from footnote.service import Service
from footnote.text.things import of_each_thing
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

VENDORS = """# Vendors

## Kestrel Freight

Kestrel Freight delivers within two days. Late deliveries by Kestrel Freight are refunded. The
notice period is three months.

## Marram Haulage

Marram Haulage delivers within five days. The notice period is three months.

# Minutes

Ada Brandt said that the budget for tools is too low. Una Berg asked about parking.
"""
REFUNDED = "Late deliveries by Kestrel Freight are refunded."


@pytest.fixture(scope="module")
def service():
    pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    pipeline.upload("acme/default/vendors.md", VENDORS.encode())
    return Service(pipeline, "acme")


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "What do Kestrel Freight and Marram Haulage say about late deliveries?",
            [
                "What does Kestrel Freight say about late deliveries?",
                "What does Marram Haulage say about late deliveries?",
            ],
        ),
        (
            "What did Ada, Ben and Cleo report on rain?",
            [f"What did {name} report on rain?" for name in ("Ada", "Ben", "Cleo")],
        ),
        (
            "Compare the Basic plan and the Premium plan on phone support.",
            [f"What is said of the {name} and phone support?" for name in ("Basic", "Premium")],
        ),
        (
            "How do Hull and Leith differ in employees?",
            [f"What is said of {name} and employees?" for name in ("Hull", "Leith")],
        ),
        ("What do the documents say about Hull and Leith?", []),
        ("What does Kestrel say about Hull and Leith?", []),
        ("Compare Hull and Leith.", []),
        ("What do we say about Hull?", []),
        ("What do Hull and Hull say about rain?", []),
    ],
)
def test_only_what_is_asked_of_several_names_is_divided(question, parts):
    assert [each.text for each in of_each_thing(question)] == parts


def ask(service, question):
    return service.questions.get(service.questions.ask(question).question_id).answer


def test_what_one_says_is_shown_and_of_the_other_it_is_said_that_nothing_was_found(service):
    answer = ask(service, "What do Kestrel Freight and Marram Haulage say about late deliveries?")
    found, lacking = (one.text for one in answer.sentences)
    assert (answer.outcome, found) == ("answer", REFUNDED)
    assert "What does Marram Haulage say about late deliveries?" in lacking


def test_what_another_says_is_not_taken_for_what_one_says(service):
    answer = ask(service, "What did Ada Brandt and Una Berg say about parking?")
    assert [one.text for one in answer.sentences if one.citations] == [
        "Una Berg asked about parking."
    ]


def test_what_stands_under_a_name_is_its_own_and_both_may_say_the_same(service):
    answer = ask(service, "How do Kestrel Freight and Marram Haulage differ in notice periods?")
    assert [one.text for one in answer.sentences if one.citations] == [
        "Kestrel Freight",
        "The notice period is three months.",
        "Marram Haulage",
        "The notice period is three months.",
    ]
