"""Personas and kinds of question: how an answer is written, and what it says it cannot promise."""

import json
from typing import get_args

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.planning.answer_options import make_options
from footnote.ask.planning.by_rule import plan as plan_by_rules
from footnote.errors import BadRequestError
from footnote.model import AnswerOptions, Persona, QuestionKind
from footnote.prompts.personas import PERSONAS
from footnote.prompts.question_kinds import KINDS
from footnote.settings import Settings
from tests.asking import ask
from tests.unit.faces import connect, small

PAGES = {
    "fees.pdf": [
        (
            "Bikes stored in the depot are paid for by transfer when members fetch them again. "
            "A bike stored in the depot costs members 12 euros a month."
        )
    ]
}
QUESTION = "What is charged for storage of a bike in the depot a month?"
HOW = "How are bikes stored in the depot paid for?"
CLAIMS = "A bike stored in the depot costs members 12 euros a month. [1] It costs 99 euros. [1]"


def verdicts(n=1):
    return json.dumps(
        {"verdicts": [{"id": f"q{i + 1}", "decision": "enough", "confidence": 1} for i in range(n)]}
    )


def by_model(question=QUESTION, options=None, setting="default", **planned):
    sub = {"sub_questions": [{"text": question}]}
    replies = [json.dumps({"kind": "retrieve", **sub, **planned}), verdicts(), CLAIMS]
    llm = ScriptedLLM(replies)
    answer, _ = ask(question, PAGES, options or AnswerOptions(), llm, persona=setting)
    return answer, llm.requests


def test_the_tables_have_a_row_for_every_name():
    assert tuple(PERSONAS) == get_args(Persona.__value__)
    assert tuple(KINDS) == get_args(QuestionKind.__value__)


@pytest.mark.parametrize("name", PERSONAS)
def test_the_writer_is_told_its_persona_and_the_same_is_checked(name):
    answer, requests = by_model(options=make_options(name))
    [asked] = [one for one in requests if one.task == "synthesize"]
    assert f"How to write:\n{PERSONAS[name].tells}\n" in asked.prompt
    assert PERSONAS[name].tells not in asked.system  # all requests of a task begin alike
    assert answer.answer == "A bike stored in the depot costs members 12 euros a month. [1]"
    assert (answer.plan.persona, len(answer.removed)) == (name, 1)


def test_the_caller_chooses_before_the_planner_and_the_planner_before_the_setting():
    assert by_model()[0].plan.persona == "default"
    assert by_model(setting="analyst")[0].plan.persona == "analyst"
    chosen = {"persona": "terse"}
    assert by_model(setting="analyst", **chosen)[0].plan.persona == "terse"
    mine = make_options("default")
    assert by_model(options=mine, setting="analyst", **chosen)[0].plan.persona == "default"


@pytest.mark.parametrize(
    "told", [{"persona": "pirate"}, {"persona": 7}, {"question_kind": "riddle"}]
)
def test_a_name_that_there_is_not_spoils_no_plan(told):
    answer, requests = by_model(**told)
    assert (answer.plan.persona, answer.plan.question_kind) == ("default", "fact")
    assert [one.task for one in requests][:2] == ["plan", "grade"]


def test_the_planner_is_told_every_persona_and_every_kind_of_question():
    _, requests = by_model()
    for name, row in [*PERSONAS.items(), *KINDS.items()]:
        assert f"- `{name}`: {row.when}." in requests[0].prompt


def test_without_a_model_terse_is_one_sentence_and_an_analyst_sees_figures_first():
    texts = {
        name: [one.text for one in ask(HOW, PAGES, make_options(name))[0].sentences]
        for name in PERSONAS
    }
    by_transfer, costs = (
        "Bikes stored in the depot are paid for by transfer when members fetch them again.",
        "A bike stored in the depot costs members 12 euros a month.",
    )
    assert texts["terse"] == texts["default"][:1]
    assert texts["default"] == [by_transfer]
    assert texts["analyst"] == [costs, by_transfer]


def test_rules_choose_terse_where_the_question_says_so():
    assert plan_by_rules("Briefly, what does storage cost?", ()).persona == "terse"
    assert plan_by_rules("What does storage cost?", ()).persona is None


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("List all suppliers of batteries", "list"),
        ("What are all fees of the depot?", "list"),
        ("How many documents mention Roost?", "count"),
        ("In how many reports is Roost named?", "count"),
        ("Summarise the annual report", "document"),
        ("What does the contract say?", "document"),
        ("Compare revenue of Amcor with Best Buy", "comparison"),
        ("Revenue 2021 vs 2022", "comparison"),
        ("What is the difference between a Roost and a Nest?", "comparison"),
        ("How many bikes does a Roost hold?", "fact"),
        ("How many pages does the manual have?", "fact"),
        ("When did the board list the shares?", "fact"),
    ],
)
def test_rules_tell_the_kinds_of_question(question, kind):
    assert plan_by_rules(question, ()).question_kind == kind


@pytest.mark.parametrize("kind", KINDS)
def test_what_an_answer_cannot_promise_is_said(kind):
    answer, requests = by_model(question_kind=kind)
    row = KINDS[kind]
    [written] = [one for one in requests if one.task == "synthesize"]
    assert answer.plan.question_kind == kind
    assert row.tells in written.prompt
    assert answer.degraded == ((row.limit,) if row.limit else ())


def test_a_list_has_more_sentences_than_a_fact_from_several_documents():
    pages = {
        f"depot-{n}.pdf": [f"{town} is a depot of Ottermoss for cargo bikes."]
        for n, town in enumerate(["Kiel", "Turku", "Brno", "Gent", "Porto"])
    }
    listed, _ = ask("List all depots of Ottermoss for cargo bikes", pages)
    assert len(listed.citations) == 5
    assert KINDS["list"].limit in listed.degraded


# -- faces ---------------------------------------------------------------------------------------


def test_an_unknown_persona_is_refused_and_the_known_ones_are_named():
    with pytest.raises(BadRequestError, match="there is no persona 'pirate'") as refused:
        connect(small()).ask(QUESTION, persona="pirate")
    assert (refused.value.code, refused.value.action) == (
        "bad_persona", "Known: default, analyst, terse.",
    )  # fmt: skip


def test_the_setting_decides_where_nobody_chooses(monkeypatch):
    monkeypatch.setenv("FOOTNOTE_PERSONA", "terse")
    pipeline = small()
    pipeline.upload("acme/default/fees.md", PAGES["fees.pdf"][0].encode())
    client = connect(pipeline)
    assert pipeline.settings == Settings(backend="memory", persona="terse")
    assert client.ask(QUESTION)["plan"]["persona"] == "terse"
    assert client.ask(QUESTION, persona="analyst")["plan"]["persona"] == "analyst"
