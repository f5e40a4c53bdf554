"""A plan or a tool narrows a search to a collection: within the question's scope, for its asker."""

import json

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.find.fallbacks import NOT_NARROWED
from footnote.ask.find.passages import find_passages
from footnote.ask.find.ports import Ports
from footnote.ask.planning.collections import split_collection
from footnote.ask.query.reading import QueryReading
from footnote.model import Scope, SubQuestion
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.turns import Model, calls, finish, search
from tests.unit.faces import Words

QUESTION = "What is the fee for a barge?"
ENOUGH = json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]})
FEES = {"harbour": 84, "canal": 31, "secret": 7120}


def pipeline(llm=None, **settings):
    given = Settings(backend="memory", model_provider="anthropic" if llm else "", **settings)
    made = Pipeline(given, llm=llm, embedder=HashEmbedder(), tokenizer=Words())
    made.uploads.put("acme/secret/fees.md.metadata.json", b'{"acl": ["board"]}')
    for name, fee in FEES.items():
        text = f"# Fees\n\nThe {name} fee for a barge is {fee} crowns.\n"
        made.upload(f"acme/{name}/fees.md", text.encode())
    return made


def planned(**fields):
    one = {"text": QUESTION, **fields}
    return json.dumps({"kind": "retrieve", "sub_questions": [one]})


def asked(question, *replies, groups=(), scope=None, **settings):
    """Asks a question; returns its record, and the collections of what was found."""
    llm = ScriptedLLM(replies) if replies else None
    made = pipeline(llm, **settings)
    service = Service(made, "acme", groups)
    record = service.questions.ask(question, scope)
    record = service.questions.get(record.question_id)
    keys = made.artifacts.keys(f"questions/{record.question_id}/evidence/")
    found = json.loads(made.artifacts.get(keys[0]))
    return record, {one["collection"] for one in found["passages"]}, llm


def test_a_planner_is_told_the_collections_that_its_asker_may_read_and_chooses_one():
    record, found, llm = asked(QUESTION, planned(collection="canal"), ENOUGH, "31 crowns. [1]")
    assert found == {"canal"}
    assert record.answer.plan.sub_questions[0].collection == "canal"
    [told] = [one.prompt for one in llm.requests if one.task == "plan"]
    assert "canal\nharbour\n" in told
    assert "secret" not in told
    *_, llm = asked(QUESTION, planned(), ENOUGH, "31 crowns. [1]", groups=("board",))
    assert "canal\nharbour\nsecret\n" in llm.requests[0].prompt


@pytest.mark.parametrize("name", ["secret", "nowhere", "Canal"])
def test_a_collection_that_a_planner_was_not_told_of_is_not_searched_in(name):
    record, found, _ = asked(QUESTION, planned(collection=name), ENOUGH, "31 crowns. [1]")
    assert found == {"canal", "harbour"}
    assert record.answer.plan.sub_questions[0].collection == ""


def test_a_scope_with_a_collection_is_never_left():
    scope = Scope(tenant="acme", collection="harbour")
    _, found, llm = asked(QUESTION, planned(collection="canal"), ENOUGH, "84. [1]", scope=scope)
    assert found == {"harbour"}
    assert "canal" not in llm.requests[0].prompt


def test_where_a_collection_has_nothing_the_search_goes_on_without_it_and_says_so():
    where = {"collection": "canal", "filters": {"year": 2024}}
    record, found, _ = asked(f"{QUESTION} 2024", planned(**where), ENOUGH, "31 crowns. [1]")
    assert found == {"canal", "harbour"}
    assert NOT_NARROWED in record.answer.degraded


def test_rules_narrow_to_a_collection_that_the_question_names():
    record, found, _ = asked("What is the fee for a barge in the canal collection?")
    assert found == {"canal"}
    assert record.answer.plan.sub_questions[0].text == QUESTION
    assert asked(QUESTION)[1] == {"canal", "harbour"}


@pytest.mark.parametrize(
    ("question", "bare", "name"),
    [
        ("What is the fee, in collection canal?", "What is the fee?", "canal"),
        ("Fees in the “Canal” collection", "Fees", "canal"),
        ("List all files of the collection harbour.", "List all files.", "harbour"),
        ("Which stamps are in the collection?", "Which stamps are in the collection?", ""),
        ("What is in collection lakes?", "What is in collection lakes?", ""),
    ],
)
def test_the_words_that_name_a_collection_are_not_looked_for(question, bare, name):
    assert split_collection(question, ("canal", "harbour")) == (bare, name)


def test_a_tool_may_narrow_to_a_collection_inside_the_scope():
    looked = ("documents", {"collection": "canal"})
    turns = [
        calls(search(QUESTION, collection="canal"), looked),
        calls(finish(1)),
    ]
    others = (planned(), ENOUGH, "The canal fee for a barge is 31 crowns. [1]")
    for scope, failed in (
        (None, [False, False]),
        (Scope(tenant="acme", collection="harbour"), [True, True]),
    ):
        model = Model(list(turns), list(others))
        made = pipeline(model, max_turns=3)
        Service(made, "acme").questions.ask(QUESTION, scope)
        results = model.turns[1].messages[-1].results
        assert [one.failed for one in results] == failed
        if not scope:
            assert "84 crowns" not in results[0].text
            assert "fees.md: Fees (collection canal)" in results[1].text
        else:
            assert "limited to the collection harbour" in results[0].text


def test_a_search_is_never_narrowed_to_a_collection_outside_its_scope():
    made = pipeline()
    scope = Scope(tenant="acme", collection="harbour")
    ports = Ports(made.index, made.encoder, made.catalog, None, None)
    sub = SubQuestion(id="q1", text=QUESTION, collection="canal")
    found = find_passages(sub, QueryReading(QUESTION), scope, (), ports).evidence
    assert {passage.collection for passage in found.passages} == {"harbour"}
