"""Waves of searches: what waits for what, what is searched once only, and what may fail."""

import json

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.planning.sub_questions import IN_A_CIRCLE, cut_circles, number_questions
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import STRATEGIES, SubQuestion
from footnote.prompts.shapes import PlannedQuestion
from footnote.service import Service
from footnote.settings import Settings
from footnote.text.own_words import NOT_REACHED, SEARCH_FAILED
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

PAPERS = {
    "maker.md": "# Boats\n\nThe boat Erna was built by the yard Petersen.\n",
    "yard.md": "# Yards\n\nThe yard Petersen stands in the town of Husum.\n",
    "town.md": "# Towns\n\nThe town of Husum has 23 thousand people.\n",
}
CHAIN = [
    {"id": "a", "text": "Who built the boat Erna?"},
    {"id": "b", "text": "Where does that yard stand?", "depends_on": ["a"]},
    {"id": "c", "text": "How many people has that town?", "depends_on": ["b"]},
]
WRITTEN = (
    "The boat Erna was built by the yard Petersen. [1]"
    " The yard Petersen stands in the town of Husum. [2]"
    " The town of Husum has 23 thousand people. [3]"
)


def plan(*questions):
    return json.dumps({"kind": "retrieve", "sub_questions": list(questions)})


def verdict(name, decision="enough", confidence=0.9, **more):
    return {"id": name, "decision": decision, "confidence": confidence, **more}


def verdicts(*given, new=()):
    return json.dumps({"verdicts": list(given), "new_sub_questions": list(new)})


class Index:
    """The pipeline's index: remembers what it is searched for, and fails for some of it."""

    def __init__(self, index, fails=()):
        self._index, self.fails, self.texts = index, dict(fails), []

    def __getattr__(self, name):
        return getattr(self._index, name)

    def search(self, query):
        self.texts.append((query.text, tuple(query.legs)))
        for word, errors in self.fails.items():
            if word in query.text and errors:
                raise errors if isinstance(errors, Exception) else errors.pop(0)
        return self._index.search(query)


def asked(*replies, fails=(), **settings):
    """Asks a question with these replies of a model; returns its record and the pipeline."""
    given = Settings(backend="memory", model_provider="anthropic", **settings)
    made = Pipeline(given, llm=ScriptedLLM(replies), embedder=HashEmbedder(), tokenizer=Words())
    for name, text in PAPERS.items():
        made.upload(f"acme/default/{name}", text.encode())
    made.index = Index(made.index, fails)
    record = Service(made, "acme").questions.ask(
        "How many people has the town where Erna was built?"
    )
    return made.questions.get("acme", record.question_id), made


def texts(made):
    return [text for text, _ in made.index.texts]


# -- what waits for what ---------------------------------------------------------------------------


def test_a_chain_of_three_is_looked_up_to_its_end_although_its_first_link_was_expanded():
    record, _ = asked(
        plan(*CHAIN),
        verdicts(verdict("q1", "expand", 0.3, variants=["yard of Erna"])),
        verdicts(verdict("q1")),
        verdicts(verdict("q2")),
        verdicts(verdict("q3")),
        WRITTEN,
    )
    assert (record.status, record.answer.rounds, record.answer.degraded) == ("DONE", 4, ())
    assert len(record.answer.citations) == 3
    assert [q.searches for q in record.answer.plan.sub_questions] == [2, 1, 1]


def test_what_depends_on_a_later_one_waits_for_it():
    later = [{"id": "x", "text": "Where does that yard stand?", "depends_on": ["y"]},
             {"id": "y", "text": "Who built the boat Erna?"}]  # fmt: skip
    record, made = asked(
        plan(*later), verdicts(verdict("q2")), verdicts(verdict("q1")), "Husum. [1]"
    )
    events = made.questions.events(record.question_id)
    found = [event.data["question"] for event in events if event.kind == "found"]
    assert found == ["Who built the boat Erna?", "Where does that yard stand?"]


def test_those_that_wait_for_each_other_are_looked_up_and_that_is_said():
    circle = [
        {"id": "a", "text": "Who built Erna?", "depends_on": ["b"]},
        {"id": "b", "text": "Which boat did Petersen build?", "depends_on": ["a"]},
    ]
    record, _ = asked(plan(*circle), verdicts(verdict("q1")), verdicts(verdict("q2")), WRITTEN)
    assert IN_A_CIRCLE in record.answer.degraded
    assert [q.searches for q in record.answer.plan.sub_questions] == [1, 1]


def question(name, *waits):
    return SubQuestion(id=name, text=name, depends_on=waits)


@pytest.mark.parametrize(
    ("given", "cut"),
    [
        ([question("q1", "q2"), question("q2")], [("q2",), ()]),
        ([question("q1", "q2"), question("q2", "q1")], [(), ("q1",)]),
        (
            [question("q1"), question("q2", "q3", "q1"), question("q3", "q2")],
            [(), ("q1",), ("q2",)],
        ),
    ],
)
def test_a_circle_is_cut_at_its_first_and_all_else_stays(given, cut):
    assert [one.depends_on for one in cut_circles(given)] == cut


def test_who_depends_on_a_doubled_question_depends_on_the_one_that_is_kept():
    made = number_questions(
        [
            PlannedQuestion(id="a", text="One?"),
            PlannedQuestion(id="b", text="one?"),
            PlannedQuestion(id="c", text="Two?", depends_on=["b", "c", "z"]),
        ]
    )
    assert [(one.id, one.depends_on) for one in made] == [("q1", ()), ("q2", ("q1",))]


# -- what is handed on -----------------------------------------------------------------------------


def test_the_answer_that_was_found_is_searched_with_by_who_waits_for_it():
    _, made = asked(plan(*CHAIN[:2]), verdicts(verdict("q1")), verdicts(verdict("q2")), WRITTEN)
    found = "The boat Erna was built by the yard Petersen."
    assert {text for text in texts(made) if "stand" in text} == {
        "Where does that yard stand?", f"Where does that yard stand? {found}",
    }  # fmt: skip


def test_an_answer_that_was_not_found_is_not_handed_on():
    unsure = verdicts(verdict("q1", confidence=0.1))
    _, made = asked(plan(*CHAIN[:2]), unsure, verdicts(verdict("q2")), WRITTEN)
    assert [text for text in texts(made) if "stand" in text] == ["Where does that yard stand?"]


# -- never twice -----------------------------------------------------------------------------------


def test_a_search_that_was_made_is_not_made_again():
    _, made = asked(
        plan(CHAIN[0]),
        verdicts(verdict("q1", "expand", 0.2, variants=["yard of Erna"])),
        verdicts(verdict("q1")),
        WRITTEN,
    )
    assert texts(made) == ["Who built the boat Erna?", "yard of Erna"]


def test_another_strategy_is_another_search():
    _, made = asked(
        plan(CHAIN[0]),
        verdicts(verdict("q1", "expand", 0.2, strategy="lexical")),
        verdicts(verdict("q1")),
        WRITTEN,
    )
    assert texts(made) == ["Who built the boat Erna?"] * 2
    assert len(set(made.index.texts)) == 2


@pytest.mark.parametrize("again", [[], ["who built the boat erna?"]])
def test_an_expansion_that_names_nothing_new_is_no_search(again):
    record, made = asked(
        plan(CHAIN[0]), verdicts(verdict("q1", "expand", 0.2, variants=again)), WRITTEN
    )
    assert texts(made) == ["Who built the boat Erna?"]
    [sub] = record.answer.plan.sub_questions
    assert (sub.verdict.decision, sub.verdict.confidence) == ("stopped", 0.2)


# -- replanning ------------------------------------------------------------------------------------


def test_replanning_is_told_what_was_tried_and_ends_at_its_cap():
    new = [{"text": "Where is Petersen?"}]
    record, made = asked(
        plan(CHAIN[0], {"text": "Which lighthouse is red?"}),
        verdicts(verdict("q1"), verdict("q2", "replan", 0.1, missing="lighthouse"), new=new),
        verdicts(verdict("q3", "replan", 0.1), new=[{"text": "Where is Husum?"}]),
        WRITTEN,
    )
    assert [q.text for q in record.answer.plan.sub_questions][2:] == ["Where is Petersen?"]
    told = made.llm.requests[2].prompt
    assert "Which lighthouse is red?\nsearched (hybrid): Which lighthouse is red?\nreplan" in told
    assert record.answer.degraded == (
        "The search stopped after 1 new plan. Not fully found: Where is Petersen?",
    )


# -- what may fail ---------------------------------------------------------------------------------

DOWN = UnavailableError("the index does not answer")


def test_one_search_that_fails_does_not_sink_the_answer():
    record, _ = asked(
        plan(CHAIN[0], {"text": "How deep is the harbour?"}),
        verdicts(verdict("q1")),
        "The boat Erna was built by the yard Petersen. [1]",
        fails={"harbour": DOWN},
    )
    assert (record.status, record.answer.found) == ("DONE", True)
    [said] = record.answer.degraded
    assert said.startswith("Not looked up, because the search failed (the index does not answer):")
    assert said.endswith(": How deep is the harbour?")
    assert record.answer.confidence == 0.45
    assert record.answer.plan.sub_questions[1].verdict.decision == "failed"


def test_what_waits_for_a_search_that_failed_is_looked_up_by_itself():
    record, made = asked(plan(*CHAIN[:2]), verdicts(verdict("q2")), WRITTEN, fails={"Erna": DOWN})
    assert record.status == "DONE"
    assert [text for text in texts(made) if "stand" in text] == ["Where does that yard stand?"]


def test_a_search_that_fails_the_second_time_leaves_what_was_found():
    record, _ = asked(
        plan(CHAIN[0]),
        verdicts(verdict("q1", "expand", 0.6, variants=["shipyard"])),
        "The boat Erna was built by the yard Petersen. [1]",
        fails={"shipyard": DOWN},
    )
    assert (record.answer.found, record.answer.confidence) == (True, 0.6)
    assert record.answer.degraded[0].startswith("Not looked up again, because the search failed")


@pytest.mark.parametrize(
    ("error", "code"),
    [(DOWN, "unavailable"), (ConfigurationError("no index"), "configuration")],
)
def test_a_question_whose_every_search_fails_fails_with_the_reason(error, code):
    record, made = asked(plan(CHAIN[0], {"text": "Is Erna red?"}), fails={"Erna": error})
    assert (record.status, record.error.code, record.error.message) == (
        "FAILED", code, error.message,
    )  # fmt: skip
    assert [request.task for request in made.llm.requests] == ["plan"]


HARBOUR = {"text": "How deep is the harbour of Husum?"}
DEEP = "# Harbours\n\nThe harbour of Husum is 7 metres deep.\n"
ERNA = "The boat Erna was built by the yard Petersen. [1]"


def asked_by_rule(question, fails, **settings):
    made = Pipeline(
        Settings(backend="memory", **settings), embedder=HashEmbedder(), tokenizer=Words()
    )
    for name, text in {**PAPERS, "deep.md": DEEP}.items():
        made.upload(f"acme/default/{name}", text.encode())
    made.index = Index(made.index, fails)
    service = Service(made, "acme")
    record = service.questions.ask(question)
    return service.questions.get(record.question_id), made


def test_a_search_that_failed_is_made_once_more_in_the_questions_words_alone():
    record, made = asked_by_rule(HARBOUR["text"], {"harbour": [DOWN]})
    assert "7 metres deep" in record.answer.answer
    assert not any("search failed" in note for note in record.answer.degraded)
    again = [legs for text, legs in made.index.texts if text == HARBOUR["text"]][-1]
    assert set(again) <= set(STRATEGIES["lexical"].legs)
    [sub] = record.answer.plan.sub_questions
    assert (sub.searches, sub.strategy, sub.variants) == (2, "lexical", ())


@pytest.mark.parametrize(
    ("error", "settings", "waves"),
    [
        (DOWN, {"max_rounds": 1}, 1),  # no search is left
        (DOWN, {"max_searches": 1}, 1),
        (ConfigurationError("no index"), {}, 1),  # it would fail again
        (DOWN, {}, 2),
    ],
)
def test_a_search_is_made_again_where_that_may_help(error, settings, waves):
    record, made = asked_by_rule(HARBOUR["text"], {"harbour": error}, **settings)
    assert record.status == "FAILED"
    assert record.error.message == error.message
    kinds = [event.kind for event in made.questions.events(record.question_id)]
    assert kinds.count("verdict") == waves


def test_the_grader_says_how_to_search_around_a_failure():
    wish = verdict("q2", "expand", 0, strategy="navigate", variants=["depth of the harbour"])
    record, made = asked(
        plan(CHAIN[0], HARBOUR),
        verdicts(verdict("q1"), wish),
        verdicts(verdict("q2")),
        ERNA,
        fails={"harbour": [DOWN]},
    )
    told = made.llm.requests[1].prompt
    assert f"{HARBOUR['text']}\nfailed: the index does not answer" in told
    sub = record.answer.plan.sub_questions[1]
    assert (sub.strategy, sub.variants) == ("navigate", ("depth of the harbour",))
    assert "depth of the harbour" in texts(made)
    assert not any("search failed" in note for note in record.answer.degraded)


def test_new_questions_may_replace_one_whose_search_failed():
    new = [{"text": "What is said of depths at Husum?"}]
    record, made = asked(
        plan(CHAIN[0], HARBOUR),
        verdicts(verdict("q1"), verdict("q2", "replan", 0), new=new),
        verdicts(verdict("q3")),
        ERNA,
        fails={"harbour": DOWN},
    )
    decisions = [sub.verdict.decision for sub in record.answer.plan.sub_questions]
    assert decisions == ["enough", "failed", "enough"]  # what was found first is kept
    assert texts(made).count("What is said of depths at Husum?") == 1


def test_what_could_not_be_looked_up_is_named_in_the_answer():
    failed = f"{SEARCH_FAILED}: How deep is the harbour of Husum."
    record, _ = asked(
        plan(CHAIN[0], HARBOUR), verdicts(verdict("q1")), ERNA, fails={"harbour": DOWN}
    )
    assert record.answer.sentences[-1].text == failed
    assert record.answer.sentences[-1].citations == ()
    assert record.answer.answer.endswith(f"\n\n{failed}")
    by_rule, _ = asked_by_rule(f"{CHAIN[0]['text']} {HARBOUR['text']}", {"harbour": DOWN})
    assert failed in by_rule.answer.answer
    assert any(HARBOUR["text"] in note for note in by_rule.answer.degraded)


def test_what_no_search_was_left_for_is_named_in_the_answer():
    record, _ = asked(plan(CHAIN[0], HARBOUR), verdicts(verdict("q1")), ERNA, max_searches=1)
    assert record.answer.sentences[-1].text == (f"{NOT_REACHED}: How deep is the harbour of Husum.")


def test_an_unanswered_question_names_what_could_not_be_looked_up():
    record, _ = asked(
        plan({"text": "Who owns the lighthouse?"}, HARBOUR),
        verdicts(verdict("q1", confidence=0.1)),
        "The documents do not say who owns the lighthouse.",
        fails={"harbour": DOWN},
    )
    assert not record.answer.found
    assert SEARCH_FAILED in record.answer.answer
