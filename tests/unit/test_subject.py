"""What a follow-up leaves out is carried over from the conversation, by rules."""

import pytest

from footnote.adapters.extractive.followup import resolve
from footnote.adapters.extractive.subject import subject_of

CARRIED = [
    # a word that points back, also in a longer question
    (
        "What is the Roost cargo bike?",
        "Which colours does it come in at the flagship shop?",
        "Roost",
    ),
    ("Tell me about the Kiel depot.", "Who runs it?", "Kiel"),
    ("How do tide locks work?", "Are they safe in winter?", "tide locks"),
    # a fragment
    ("What is the fee for a mooring licence?", "Penalties?", "mooring licence"),
    # an opening that goes on
    ("What is the notice period of Odmark Weavers?", "And how is that counted?", "Odmark Weavers"),
]


@pytest.mark.parametrize(("last", "question", "carried"), CARRIED)
def test_the_subject_is_carried_over(last, question, carried):
    text, why = resolve(question, [(last, "")])
    assert text.startswith(question.rstrip("?"))
    assert carried in text
    assert why


@pytest.mark.parametrize(
    ("last", "question"),
    [
        ("Where do otters sleep?", "Is it true that herons eat frogs?"),
        ("Where do otters sleep?", "Is there a fee for the harbour of Lund?"),
        ("Where do otters sleep?", "How is a mooring licence extended?"),
        ("Where do otters sleep?", "I think that herons are protected."),
    ],
)
def test_a_question_of_its_own_stays_as_it_is(last, question):
    assert resolve(question, [(last, "")]) == (question, "")


def test_the_year_before_and_another_name_still_replace_theirs():
    last = "What was revenue of Ottermoss in 2025?"
    assert resolve("And for 2021?", [(last, "")])[0] == "What was revenue of Ottermoss in 2021?"
    assert resolve("What about Velmark?", [("Who leads Ottermoss?", "")])[0] == "Who leads Velmark?"


def test_a_subject_that_was_carried_is_carried_on():
    first = "What is the Roost cargo bike?"
    second, _ = resolve("How many wheels does it have?", [(first, "")])
    third, _ = resolve("Is it waterproof?", [(first, ""), (second, "")])
    assert second == "How many wheels does it have (Roost)?"
    assert third == "Is it waterproof (Roost)?"


@pytest.mark.parametrize(
    ("history", "subject"),
    [
        ([], ""),
        (["What is it?"], ""),
        (["What are tide locks?", "Why?"], "tide locks"),
        (["Who signed the lease of Lantern Quay?"], "Lantern Quay"),
        (
            ["Could you please tell me what one has to pay for a new mooring licence?"],
            "mooring licence",
        ),
    ],
)
def test_the_subject_of_a_conversation_is_that_of_its_last_question_that_has_one(history, subject):
    assert subject in subject_of(history)
    assert bool(subject_of(history)) == bool(subject)
