"""A whole question about people: what a model reads of them, and what the log says."""

import json
import logging
import re
from io import StringIO
from typing import get_type_hints

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.api.routes import handle
from footnote.errors import ModelReplyError
from footnote.model import ALL, Errand
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.local_workflow import LocalWorkflow, step_of
from footnote.wiring.logs import logger
from footnote.wiring.pipeline import Pipeline
from footnote.wiring.question_outside import outside_of
from tests.corpus import HashEmbedder
from tests.unit.faces import Context, Words, event, small

PAPER = (
    b"# Keys of the boathouse\n\n"
    b"Zenobia Quillfeather keeps the keys of the boathouse, zenobia@quill.example.\n"
    b"\nHer rent is paid from DE89 3704 0044 0532 0130 00 each quarter.\n"
)
QUESTION = "Which e-mail address has Zenobia Quillfeather, who keeps the keys of the boathouse?"
SENTENCE = "Zenobia Quillfeather keeps the keys of the boathouse, zenobia@quill.example."
PERSON = re.compile(r"zenobia|quill|DE89|0532", re.IGNORECASE)
MASKED = {"mask": "all", "mask_names": "Zenobia Quillfeather"}


class Reader:
    """A model that plans with what it was asked, and answers with a line of a passage."""

    def __init__(self, failing=""):
        self.requests = []
        self._failing = failing

    def complete(self, request):
        self.requests.append(request)
        said = re.search(r"\[(\d+\.\d+)\] (\S.* keys of the boathouse, \S+\.)", request.prompt)
        asked = re.search(r"\n(Which .*\?)\n", request.prompt)
        texts = {
            "plan": json.dumps(
                {"kind": "retrieve", "sub_questions": [{"text": asked and asked[1]}]}
            ),
            "grade": json.dumps(
                {"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]}
            ),
            "synthesize": f"{said[2]} [{said[1]}]" if said else "",
        }
        if request.task == self._failing:
            raise ModelReplyError(f"the model said {request.prompt[-40:]!r}", code="unusable")
        return ScriptedLLM([texts.get(request.task, "{}")] * 2).complete(request)

    def stream(self, request):
        reply = self.complete(request)
        yield from re.findall(r".{1,4}", reply.text, re.DOTALL)
        yield reply


def house_of(model, **settings):
    given = Settings(backend="memory", model_provider="anthropic", **settings)
    made = Pipeline(given, llm=model, embedder=HashEmbedder(), tokenizer=Words())
    made.upload("acme/default/keys.md", PAPER)
    return made


def asked(model, **settings):
    made = house_of(model, **settings)
    record = Service(made, "acme").questions.ask(QUESTION)
    return made, made.questions.get("acme", record.question_id)


@pytest.mark.parametrize("lines", ["off", "on"])
def test_no_model_reads_a_person_and_the_citation_stands_all_the_same(lines):
    model = Reader()
    _, record = asked(model, **MASKED, contextual_lines=lines)
    answer = record.answer
    assert (answer.answer, answer.sentences[0].checked) == (f"{SENTENCE} [1]", "exact")
    assert (answer.citations[0].quote, answer.citations[0].verified) == (SENTENCE, True)
    tasks = {request.task for request in model.requests}
    assert tasks == {"plan", "grade", "synthesize"} | ({"context"} if lines == "on" else set())
    assert [one for one in model.requests if PERSON.search(repr(one))] == []
    assert all("EMAIL" in one.prompt for one in model.requests if one.task != "plan")


def test_the_trace_says_what_was_masked_by_kind_and_count_alone():
    made, record = asked(Reader(), **MASKED)
    events = made.questions.events(record.question_id)
    told = [event.data for event in events if event.kind == "masked"]
    people = {"kind": "name", "count": 1}
    all_kinds = [{"kind": "email", "count": 1}, {"kind": "iban", "count": 1}, people]
    assert told == [
        {"task": "plan", "values": [people]},
        {"task": "grade", "values": all_kinds},
        {"task": "synthesize", "values": all_kinds},
    ]


def test_without_the_setting_nothing_is_masked():
    model = Reader()
    made, record = asked(model)
    assert record.answer.answer == f"{SENTENCE} [1]"
    assert all(PERSON.search(one.prompt) for one in model.requests)
    assert "masked" not in {event.kind for event in made.questions.events(record.question_id)}


def test_what_goes_outside_for_a_model_is_masked_as_well():
    made = house_of(Reader(), **MASKED, fetch_hosts="*", max_turns=2)
    record = made.questions.get("acme", Service(made, "acme").questions.ask(QUESTION).question_id)
    went = []

    class Errands:
        def run(self, errand):
            went.append(errand)

    made.errands = Errands()
    outside = outside_of(made, record.model_copy(update={"deadline": None}))
    errand = Errand(kind="search", tenant="acme", readers=(ALL,), query="Zenobia Quillfeather tide")
    outside.run("one", errand)
    assert re.fullmatch(r"NAME\w{8} tide", went[0].query)


# -- the log ---------------------------------------------------------------------------------------

OURS = re.compile(
    r"\b(?:zenobia|quillfeather|boathouse|DE89\d*|quarter|which e-mail)\b", re.IGNORECASE
)


@pytest.fixture
def log(monkeypatch):
    """Gives all that any logger of this process writes, ours and those of libraries."""
    written = StringIO()
    handler = logging.StreamHandler(written)
    logging.root.addHandler(handler)
    before = logger.log_level, logging.root.level
    logger.setLevel("DEBUG")
    logging.root.setLevel("INFO")  # at DEBUG, Powertools logs each request with its body
    monkeypatch.setattr(logger.registered_handler, "stream", written)
    yield written.getvalue
    logging.root.removeHandler(handler)
    logger.setLevel(before[0])
    logging.root.setLevel(before[1])


def by_handler(_workflow, verb, request):
    """Runs a state as Lambda does, with what its handler logs."""
    state = step_of(verb)
    given = state(request.model_dump(mode="json"), Context())
    return get_type_hints(state.run)["return"].model_validate(given)


@pytest.mark.parametrize("failing", ["", "plan", "grade", "synthesize"])
@pytest.mark.parametrize("settings", [{}, MASKED], ids=["as it is", "masked"])
def test_no_line_has_a_word_of_the_question_the_documents_or_the_prompts(
    log, monkeypatch, settings, failing
):
    for name, value in (settings | {"model_provider": "anthropic"}).items():
        monkeypatch.setenv(f"FOOTNOTE_{name.upper()}", value)
    made = small()
    made.llm = Reader(failing)
    made.upload("acme/default/keys.md", PAPER)
    monkeypatch.setattr(LocalWorkflow, "_run", by_handler)
    body = json.dumps({"question": QUESTION})
    asked = json.loads(handle(event("POST", "/questions", body=body), Context())["body"])
    assert made.questions.get("acme", asked["id"]).answer.citations
    assert log().count("step done") > 4
    assert [line for line in log().splitlines() if OURS.search(line)] == []
    logger.info(QUESTION)
    assert OURS.search(log())  # the log is looked at
