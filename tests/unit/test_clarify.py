"""Questions back, without a model: what has to be known first, and what the reply completes."""

import json

import pytest

from footnote.ask.plan import plan
from footnote.ask.planning.by_rule import plan as plan_by_rules
from footnote.ask.planning.followup import ask_back, complete
from footnote.client import Client
from footnote.model import Scope
from footnote.text.own_words import CLARIFY
from tests.skips import DATA
from tests.unit.faces import URL, InProcess, small

QUESTIONS = DATA / "qa.jsonl"


def back(question, history=(), documents=()):
    """Returns what is asked back, "" for nothing, as the guard shows it."""
    scope = Scope(tenant="acme", documents=documents)
    made = plan(question, history, scope, None).plan
    assert made.reply != CLARIFY
    return made.reply if made.kind == "clarify" else ""


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("How much does it cost?", "What do you mean by “it”?"),
        ("Who leads it?", "What do you mean by “it”?"),
        ("when was she born", "What do you mean by “she”?"),
        ("What is his salary?", "What do you mean by “his”?"),
        ("Is it free?", "What do you mean by “it”?"),
        ("Who lives there?", "What do you mean by “there”?"),
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
        "What time is it legal to moor?",
        "What was he paid by Ottermoss?",
        "What are the risks of this investment?",
        "How did this company grow?",
        "What happened this year?",
        "Compare barges and tugs.",
    ],
)
def test_what_can_be_looked_up_is_not_asked_back(question):
    assert back(question) == ""


def test_a_session_or_a_single_document_may_name_it():
    assert back("How much does it cost?", [("Which investment is the safest?", "Bonds.")]) == ""
    assert back("Who signed it?", documents=("lease.pdf",)) == ""
    assert back("Who signed it?", documents=("a.pdf", "b.pdf")) == "What do you mean by “it”?"


@pytest.mark.parametrize(
    ("reply", "whole"),
    [
        ("a barge", "How much does it cost (a barge)?"),
        ("the harbour master's boat.", "How much does it cost (the harbour master's boat)?"),
        ("How long is a barge?", ""),
        ("?", ""),
        ("I rather wonder when harbour offices usually open on Sunday", ""),
    ],
)
def test_the_reply_completes_the_question(reply, whole):
    asked = "How much does it cost?"
    assert complete(reply, [(asked, ask_back(asked, ()))]) == whole


def test_only_what_was_asked_back_is_completed():
    assert complete("a barge", [("How much does it cost?", "84 crowns. [1]")]) == ""
    assert complete("a barge", []) == ""


def test_the_reply_to_a_question_back_is_answered():
    pipeline = small()
    pipeline.upload("acme/default/fees.md", b"# Fees\n\nThe fee for a barge is 84 crowns.\n")
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        asked = client.ask("What is the fee for it at night?", session="s")
        assert asked["kind"] == "answer"  # it names enough to look up
        asked = client.ask("What is its fee?", session="t")
        assert (asked["kind"], asked["answer"]) == ("clarify", "What do you mean by “its”?")
        answer = client.ask("a barge", session="t")
        assert answer["plan"]["resolved"] == "What is its fee (a barge)?"
        assert "84 crowns" in answer["answer"]
        follow = client.ask("And of a tug?", session="t")
        assert "fee" in follow["plan"]["resolved"]


@pytest.mark.skipif(not QUESTIONS.is_file(), reason="../shared/data is not there")
def test_hardly_any_question_that_has_an_answer_is_asked_back():
    rows = [json.loads(line) for line in QUESTIONS.read_text().splitlines()]
    asked = [row for row in rows if row["answerable"]]
    wrong = [row for row in asked if plan_by_rules(row["question"], ()).kind == "clarify"]
    assert len(wrong) < len(asked) / 100, [row["question"] for row in wrong]
