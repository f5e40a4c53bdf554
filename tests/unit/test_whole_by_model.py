"""A model reads all documents in scope: what it chooses is shown in the documents' own words."""

import json
import re

import pytest

from footnote.ask.read import read
from footnote.ask.whole import batches, by_model
from footnote.ask.whole.batches import cost_of
from footnote.ask.whole.merge import merge
from footnote.ask.whole.report import BY_BOTH, BY_WORDS
from footnote.contracts import PlanRequest, ReadRequest
from footnote.errors import UnavailableError
from footnote.model import Caps, Coverage, Document, Entry, ModelReply, Whole
from footnote.service import Service
from footnote.text.own_words import BY_MODEL
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words
from tests.unit.test_api import Idle

DUTIES = {
    "kiel.md": "# Kiel\n\nOtte keeps the lamps. Otte pays the pilots. Gulls nest here.\n",
    "turku.md": "# Turku\n\nOtte clears the ice. The pier is of oak.\n",
    "porto.md": "# Porto\n\nWine is loaded in autumn.\n",
}
CHOSEN = {"keeps the lamps", "pays the pilots", "clears the ice"}


class Reader:
    """A model that plans a list and chooses the lines with certain words."""

    def __init__(self, chosen, kind="list", *, wrong=0, name=""):
        self.requests = []
        self.failing = None
        self._chosen = chosen
        self._kind = kind
        self._wrong = wrong
        self._name = name

    def complete(self, request):
        self.requests.append(request)
        if request.task == "read" and self.failing:
            raise self.failing
        return ModelReply(
            text=json.dumps(getattr(self, f"_{request.task}")(request)),
            mode="anthropic",
            model="scripted",
            input_tokens=100,
            output_tokens=10,
            usd=0.001,
        )

    def stream(self, request):
        self.requests.append(request)
        said = "Otte keeps the lamps. [1.1] Otte pays for the wine. [1.1]"
        yield said
        yield ModelReply(text=said, mode="anthropic", model="scripted", usd=0.01)

    def _plan(self, request):
        assert "list" in request.prompt
        text = "What must Otte do?"
        return {
            "kind": "retrieve",
            "question_kind": self._kind,
            "sub_questions": [{"text": text}],
        }

    def _judge(self, _request):
        return {"words": [], "lacks": "all", "supported": False}

    def _repair(self, _request):
        return {}

    def _read(self, request):
        lines = re.findall(r"^(\d+) (.*)$", request.prompt, re.MULTILINE)
        numbers = [int(n) for n, text in lines if any(one in text for one in self._chosen)]
        items = [{"lines": [n], "name": self._name} for n in numbers]
        return {"items": items + [{"lines": [999]}] * self._wrong}


def ask(llm, question="List all that Otte must do.", budget=None, documents=DUTIES):
    pipeline = Pipeline(llm=llm, embedder=HashEmbedder(), tokenizer=Words())
    for name, text in documents.items():
        pipeline.upload(f"acme/default/{name}", text.encode())
    service = Service(pipeline, "acme")
    record = service.questions.get(service.questions.ask(question, budget=budget).question_id)
    return record.answer, pipeline.questions.events(record.question_id)


def lines(answer):
    return [one.text for one in answer.sentences[1:]]


def test_lines_that_a_model_chooses_are_shown_as_they_stand_and_counted():
    reader = Reader(CHOSEN, wrong=2)
    answer, events = ask(reader)
    assert lines(answer) == [
        "Otte keeps the lamps.",
        "Otte pays the pilots.",
        "Otte clears the ice.",
    ]
    assert answer.sentences[0].text.startswith("3 items for")
    assert answer.coverage == Coverage(documents=3, of=3)
    assert BY_MODEL in answer.degraded
    assert {one.checked for one in answer.sentences[1:]} == {"exact"}
    assert answer.usage.by_step["read"] == {"tokens": 330, "usd": 0.003}
    assert [one.data["tokens"] for one in events if one.kind == "read"] == [330]
    assert [one.task for one in reader.requests] == ["plan", "read", "read", "read"]


def test_a_reader_is_shown_every_line_between_fences():
    reader = Reader(CHOSEN)
    ask(reader)
    shown = "".join(one.prompt for one in reader.requests if one.task == "read")
    for text in DUTIES.values():
        for sentence in re.findall(r"[A-Z][^.\n]*\.", text):
            assert sentence in shown
    assert shown.count("<<<end") == 6


@pytest.mark.parametrize(
    ("chosen", "name", "items"),
    [
        ({"keeps the lamps", "clears the ice"}, "Otte", 1),
        (CHOSEN, "Otte", 3),  # two lines of one document: it is what they are about
        (CHOSEN, "a name that nothing has", 3),
        ({"keeps the lamps", "clears the ice"}, "Otte of Bonn", 2),
    ],
)
def test_items_of_one_name_that_stands_in_their_lines_are_one(chosen, name, items):
    answer, _ = ask(Reader(chosen, name=name))
    assert len(lines(answer)) == items
    assert answer.sentences[0].text.startswith(f"{items} item")


def test_where_a_model_fails_rules_read_the_document_and_it_is_said():
    reader = Reader(CHOSEN)
    reader.failing = UnavailableError("busy")
    answer, _ = ask(reader, "List all pilots.")
    assert lines(answer) == ["Otte pays the pilots."]
    assert any("rules and quotations stood in" in note for note in answer.degraded)
    assert BY_WORDS.format(topic="pilots") in answer.degraded


def test_a_summary_is_written_from_the_lines_and_checked():
    reader = Reader(CHOSEN, kind="document")
    answer, _ = ask(reader, "Give an overview of all documents.")
    assert answer.sentences[0].text == "Otte keeps the lamps."
    assert answer.sentences[-1].text == "All 3 documents were read whole."
    assert all("wine" not in one.text for one in answer.sentences)
    assert answer.coverage == Coverage(documents=3, of=3)
    [written] = [one for one in reader.requests if one.task == "synthesize"]
    assert all(f"Otte {line}" in written.prompt for line in CHOSEN)
    assert "Gulls nest here" not in written.prompt


LONG = "# Port\n\n" + "Otte keeps the lamps. " * 400


def test_what_the_question_may_not_pay_for_is_read_by_rule():
    long = {f"{n}.md": LONG for n in range(4)}
    pilots = {"last.md": "# Crew\n\n- Ida is a pilot of the harbour.\n- Nils is a cook.\n"}
    reader = Reader({"no such line"})
    answer, events = ask(
        reader, "How many documents mention pilots?", Caps(tokens=15_000), {**long, **pilots}
    )
    by_model = {name for one in reader.requests for name in long if f"{name}:" in one.prompt}
    assert 0 < len(by_model) < 4
    assert answer.coverage == Coverage(documents=5, of=5, by_rule=5 - len(by_model))
    assert answer.sentences[0].text == (
        f"1 of 5 documents has “pilots”. All 5 documents were read whole: {len(by_model)} by a"
        " model, the others by rule, as more would have cost more than the question may."
        " Asked again, it goes on from there."
    )
    assert lines(answer) == ["Ida is a pilot of the harbour."]
    assert any(BY_BOTH in note for note in answer.degraded)
    assert sum(one.data["documents"] for one in events if one.kind == "read") == 5


def test_what_rules_find_stands_beside_what_a_model_has_chosen():
    long = {f"{n}.md": LONG for n in range(4)}
    told = {"9.md": "Otte must keep the gate shut.\n"}
    answer, _ = ask(Reader(CHOSEN), budget=Caps(tokens=15_000), documents={**long, **told})
    assert {"Otte keeps the lamps.", "Otte must keep the gate shut."} <= set(lines(answer))
    assert answer.coverage.by_rule


def test_where_neither_finds_anything_both_are_named():
    long = {f"{n}.md": LONG for n in range(4)}
    question = "How many documents mention otters?"
    answer, _ = ask(Reader({"no such line"}), question, Caps(tokens=15_000), long)
    assert answer.answer.startswith("Neither the model nor the rules have found anything")
    assert answer.outcome == "none"


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        ("list", "List all that Otte must not do."),  # rules do not know what is not so
        ("document", "Summarise all documents."),
    ],
)
def test_what_rules_cannot_read_is_left_out_and_said(kind, question):
    long = {f"{n}.md": LONG for n in range(4)}
    answer, _ = ask(Reader(CHOSEN, kind=kind), question, Caps(tokens=15_000), long)
    read_whole = answer.coverage.documents
    assert 0 < read_whole < 4
    assert answer.coverage == Coverage(documents=read_whole, of=4, stopped="budget")
    assert "than the question may" in answer.answer


def test_a_batch_is_paid_for_once_however_often_its_step_runs():
    reader = Reader(CHOSEN)
    pipeline = Pipeline(llm=reader, embedder=HashEmbedder(), tokenizer=Words())
    pipeline.upload("acme/default/kiel.md", DUTIES["kiel.md"].encode())
    pipeline.workflow = Idle()
    asked = Service(pipeline, "acme").questions.ask("List all that Otte must do.").question_id
    who = {"tenant": "acme", "question_id": asked}
    planned = step_of("plan").run(PlanRequest(**who), pipeline)
    for _ in range(3):
        request = ReadRequest(**who, plan_key=planned.plan_key, batch="0")
        step_of("read").run(request, pipeline)
    assert [one.task for one in reader.requests] == ["plan", "read"]


# -- parts and shares ------------------------------------------------------------------------------


def document(sentences):
    text = "\n".join(f"Line {n} of the log is here." for n in range(sentences))
    return Document(title="Log", media_type="text/plain", text=text)


def test_parts_have_each_line_once(monkeypatch):
    monkeypatch.setattr(by_model, "PART_TOKENS", 60)
    lines_ = list(by_model.lines_of(document(25)))
    parts = list(by_model.parts_of(lines_))
    assert len(parts) > 3
    assert [one.text for part in parts for one in part.values()] == [one.text for one in lines_]


@pytest.mark.parametrize("tokens", [1, 11_999, 12_001, 100_000])
def test_shares_of_a_long_document_are_all_of_it(tokens):
    entry = Entry(
        document_id="d", document="d.md", collection="c", version="v", title="D", tokens=tokens
    )
    shares = batches._shares(entry)
    lines_ = list(range(1_000))
    assert [line for one in shares for line in by_model.share_of(one, lines_)] == lines_
    assert {one.of for one in shares} == {len(shares)}
    assert sum(map(cost_of, shares)) >= tokens * 0.99


def test_a_long_document_is_read_once_all_its_shares_are():
    entry = Entry(document_id="d", document="d.md", collection="c", version="v", title="D")
    shares = [entry.model_copy(update={"share": n, "of": 3}) for n in range(3)]
    whole = Whole(kind="list", question="List all lines.", topic="lines", documents=1, of=1)
    notes = [read(whole, [one], lambda *_: document(9), lambda: True) for one in shares]
    assert merge(whole, notes).coverage == Coverage(documents=1, of=1)
    assert merge(whole, notes[:2]).coverage == Coverage(documents=0, of=1, stopped="failed")
    assert len(merge(whole, notes).items) == 9
