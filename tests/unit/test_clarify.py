"""Questions back, without a model: what has to be known first, and what the reply completes."""

import json

import pytest

from footnote.ask.plan import plan
from footnote.ask.planning.by_rule import plan as plan_by_rules
from footnote.ask.planning.clarify import fill, find_gap
from footnote.client import Client
from footnote.model import Scope
from footnote.text.smalltalk import CLARIFY
from tests.skips import DATA
from tests.unit.faces import URL, InProcess, small

QUESTIONS = DATA / "qa.jsonl"


def back(question, history=(), documents=()):
    """Returns what is asked back, "" for nothing, through the door that a planner's words pass."""
    scope = Scope(tenant="acme", documents=documents)
    made = plan(question, history, scope, None).plan
    assert made.reply != CLARIFY
    return made.reply if made.kind == "clarify" else ""


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How much does it cost?", "What do you mean by “it”?"),
        ("Who leads it?", "What do you mean by “it”?"),
        ("when was she born", "Who do you mean by “she”?"),
        ("What is his salary?", "Who do you mean by “his”?"),
        ("Who said that?", "What do you mean by “that”?"),
        ("What does it cost?", "What do you mean by “it”?"),
        ("Is it free?", "What do you mean by “it”?"),
        ("Who lives there?", "What do you mean by “there”?"),
        ("What are the risks of this investment?", "Which investment do you mean?"),
        ("Tell me the fee for these boats.", "Which boats do you mean?"),
        (
            "How did this company grow?",
            "What do you mean by “this” in “How did this company grow”?",
        ),
        ("Compare Amcor.", "What would you like to compare it with?"),
        ("How does Amcor compare?", "What would you like to compare it with?"),
        ("What is the difference?", "The difference between what do you mean?"),
        ("Which one is cheaper?", "Which ones do you mean?"),
    ],
)
def test_what_nothing_names_is_asked_back(question, asked):
    assert back(question) == asked


@pytest.mark.parametrize(
    "question",
    [
        "How much does a barge cost?",
        "When was Roost founded and who leads it?",
        "If a tenant leaves, who keeps their deposit?",
        "Is it true that barges pay 84 crowns?",
        "How long does it take to get a permit?",
        "What time is it legal to moor?",
        "What does it cost to have a barge painted?",
        "Is it really free to moor at the quay?",
        "Is it a problem to come late?",
        "Where do they build wooden barges?",
        "What did Ottermoss pay for in this lawsuit?",
        "Who said you shall not press down this crown?",
        "What is said in this report about risk?",
        "What happened this year?",
        "Is this different?",
        "What was he paid by Ottermoss?",
        "Which barge did the tenant of the quay say that this tenant may use?",
        "What did the board decide on Roost, and why is this decision final?",
        "Compare barges and tugs.",
        "Compare revenue in 2022 with 2023.",
        "How does Amcor compare to Netflix?",
        "What is the difference between a barge and a tug?",
        "Which is cheaper, a barge or a tug?",
        "Which of the boats is the longest?",
        "Wie hoch ist die Gebühr für dieses Boot?",
    ],
)
def test_what_can_be_looked_up_is_not_asked_back(question):
    assert back(question) == ""


def test_what_the_history_names_is_not_asked_back():
    history = [("Which investment is the safest?", "Bonds are. [1]")]
    assert back("What are the risks of this investment?", history) == ""
    assert back("How much does it cost?", history) == ""
    assert back("What are the risks of this boat?", history) == "Which boat do you mean?"


def test_a_question_about_one_document_may_say_this():
    assert back("Who are the parties to this lease?", documents=("lease.pdf",)) == ""
    asked = back("Who are the parties to this lease?", documents=("a.pdf", "b.pdf"))
    assert asked == "Which lease do you mean?"


@pytest.mark.parametrize(
    ("question", "reply", "whole"),
    [
        ("How much does it cost?", "a barge", "How much does a barge cost?"),
        ("What is his salary?", "the harbour master.", "What is the harbour master's salary?"),
        ("What are the risks of this investment?", "bonds", "What are the risks of bonds?"),
        ("How did this company grow?", "Amcor", "How did this company grow (Amcor)?"),
        ("How does Amcor compare?", "Netflix", "How does Amcor compare with Netflix?"),
        ("What is the difference?", "A and B", "What is the difference between A and B?"),
        ("How much does it cost?", "How long is a barge?", ""),
        ("How much does it cost?", "?", ""),
        ("How does it cost?", "I rather wonder when harbour offices usually open on Sunday", ""),
    ],
)  # fmt: skip
def test_the_reply_completes_the_question(question, reply, whole):
    gap = find_gap(question, ())
    assert fill(reply, [(question, gap.asks)]) == whole


def test_only_what_was_asked_back_is_completed():
    assert fill("a barge", [("How much does it cost?", "84 crowns. [1]")]) == ""
    assert fill("a barge", []) == ""


def test_the_reply_to_a_question_back_is_answered():
    pipeline = small()
    pipeline.upload("acme/default/fees.md", b"# Fees\n\nThe fee for a barge is 84 crowns.\n")
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        asked = client.ask("What is the harbour fee for it at night?", session="s")
        assert asked["kind"] == "answer"  # it names enough to look up
        asked = client.ask("What is the fee of this boat?", session="t")
        assert (asked["kind"], asked["answer"]) == ("clarify", "Which boat do you mean?")
        answer = client.ask("a barge", session="t")
        assert answer["plan"]["resolved"] == "What is the fee of a barge?"
        assert "84 crowns" in answer["answer"]
        follow = client.ask("And of a tug?", session="t")
        assert "fee" in follow["plan"]["resolved"]


@pytest.mark.skipif(not QUESTIONS.is_file(), reason="../shared/data is not there")
def test_hardly_any_question_that_has_an_answer_is_asked_back():
    rows = [json.loads(line) for line in QUESTIONS.read_text().splitlines()]
    asked = [row for row in rows if row["answerable"]]
    wrong = [row for row in asked if plan_by_rules(row["question"], ()).kind == "clarify"]
    assert len(wrong) < len(asked) / 100, [row["question"] for row in wrong]
