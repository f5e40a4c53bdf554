"""What is measured of documents and questions, in one process."""

from collections import Counter
from functools import partial

import pytest

from footnote.adapters.calls.breaker import Breaker
from footnote.adapters.calls.chain import Chain, Route
from footnote.adapters.calls.quota import Quota
from footnote.adapters.llm.resilient_llm import ResilientLLM
from footnote.adapters.memory.small import MemoryVectors
from footnote.ask.question.measurements import measure_question, measure_wave
from footnote.contracts import FailRequest, IndexRequest, ParseRequest, RetrieveResult
from footnote.errors import UnavailableError
from footnote.ingest.index.delivery import measure_ready
from footnote.ingest.index.embed import CachedEmbedder
from footnote.model import (
    METRICS,
    Answer,
    Evidence,
    Measurement,
    ModelReply,
    PastSearch,
    Plan,
    QuestionRecord,
    Record,
    RemovedSentence,
    Scope,
    Sentence,
    SubQuestion,
    Usage,
)
from footnote.service import Service
from footnote.wiring.local_workflow import step_of
from footnote.wiring.models import count_tokens
from footnote.wiring.providers import report_failure
from tests.corpus import HashEmbedder
from tests.model_cases import WRITE
from tests.turns import Model, calls, finish, search
from tests.unit.faces import Flaky, small
from tests.unit.test_work import OTHERS, QUESTION
from tests.unit.test_work import pipeline as with_model

KEY = "acme/default/tolls.md"
TEXT = b"# Tolls\n\nThe toll for a ferry is 31 crowns.\n"
RECORD = QuestionRecord(
    question_id="q1",
    tenant="acme",
    status="DONE",
    question="what is the toll?",
    scope=Scope(tenant="acme"),
    created="2026-01-01T00:00:00.000+00:00",
)
ASKED = 1_767_225_600.0
ANSWER = Answer(id="q1", kind="answer", found=True, outcome="answer", answer="It is 31 crowns.")


def measured(pipeline):
    """Returns the sums of what was measured, by metric and dimension."""
    sums = Counter()
    for one in pipeline.metrics.measured:
        assert one.of in (METRICS[one.name].values or [""])
        sums[one.name, one.of] += one.value
    return sums


def of(answer, status="DONE"):
    record = RECORD.model_copy(update={"answer": answer, "status": status})
    return {(one.name, one.of): one.value for one in measure_question(record, ASKED + 2.5)}


def test_a_version_that_is_ready_is_counted_once_though_its_message_comes_twice():
    pipeline = small()
    record = pipeline.upload(KEY, TEXT)
    [again] = [
        IndexRequest(**record.revision.identity, chunks_key=key, part=0, parts=1)
        for key in pipeline.artifacts.keys("chunks/")
        if "nodes" not in key
    ][:1]
    assert step_of("index").receive(again.model_dump_json(), pipeline, 1)
    assert measured(pipeline)["DocumentsEnded", "READY"] == 1
    assert [one.name for one in pipeline.metrics.measured].count("SecondsToReady") == 1


def test_a_file_that_cannot_be_read_is_counted_by_its_status():
    pipeline = small()
    pipeline.upload("acme/default/engine.exe", b"MZ\x90\x00\x03")
    assert measured(pipeline) == {("DocumentsEnded", "UNSUPPORTED"): 1}


def test_a_message_that_is_put_off_and_one_that_fails_are_counted_for_their_step():
    pipeline = small()
    revision = pipeline.uploads.put(KEY, TEXT)
    request = ParseRequest(**revision.identity, size=len(TEXT))
    busy = UnavailableError("busy")
    pipeline.uploads = Flaky(pipeline.uploads, read=[busy])
    step_of("parse").receive(request.model_dump_json(), pipeline, 1)
    assert measured(pipeline) == {("PutOffs", "parse"): 1}
    waited = request.model_copy(update={"waits": pipeline.settings.max_waits})
    pipeline.uploads = Flaky(pipeline.uploads, read=[busy])
    assert not step_of("parse").receive(waited.model_dump_json(), pipeline, 1)
    assert measured(pipeline)["FailedDeliveries", "parse"] == 1
    pipeline.uploads = Flaky(pipeline.uploads, read=[busy])
    last = pipeline.settings.max_receives
    step_of("parse").receive(waited.model_dump_json(), pipeline, last)
    assert measured(pipeline)["DocumentsEnded", "FAILED"] == 1


def test_seconds_to_ready_begin_with_the_event():
    record = Record(
        document_id="d", key=KEY, version="v", sequencer="1", status="READY", usd=0.25
    ).model_copy(update={"received": RECORD.created})
    assert measure_ready(record, ASKED + 9) == [
        Measurement(name="DocumentsEnded", of="READY"),
        Measurement(name="SecondsToReady", value=9),
        Measurement(name="DocumentUsd", value=0.25),
    ]


def test_an_answer_in_one_process_is_measured():
    pipeline = small()
    pipeline.upload(KEY, TEXT)
    pipeline.metrics.measured.clear()
    Service(pipeline, "acme").questions.ask("What is the toll for a ferry?")
    sums = measured(pipeline)
    assert sum(sums["QuestionsEnded", one] for one in METRICS["QuestionsEnded"].values) == 1
    assert sum(sums["Searches", one] for one in METRICS["Searches"].values) >= 1
    assert sums["Rounds", ""] >= 1
    waves = sum(sums["Decisions", one] for one in METRICS["Decisions"].values)
    assert waves == sums["Rounds", ""]
    assert sum(name == "SearchSeconds" for name, _ in sums) >= 1


def test_calls_of_tools_are_counted_by_whether_they_failed():
    wrong = ("open", {"passage": 99, "what": "page"})
    model = Model((calls(search(), wrong), calls(finish(1))), OTHERS)
    pipeline = with_model(model)
    Service(pipeline, "acme").questions.ask(QUESTION)
    sums = measured(pipeline)
    assert (sums["ToolCalls", "done"], sums["ToolCalls", "failed"]) == (2, 1)
    assert not [name for name, _ in sums if name == "SearchSeconds"]  # no strategy took turns


def test_a_wave_is_measured_by_what_comes_next_and_by_each_search_that_ended():
    evidence = {
        name: Evidence(sub_question=name, question=name, strategy=strategy, passages=())
        for name, strategy in (("a", "hybrid"), ("b", "lexical"), ("d", "semantic"))
    }
    results = [
        RetrieveResult(sub_question="a", ms=1500),
        RetrieveResult(sub_question="b", ms=20, error="UnavailableError"),
        RetrieveResult(sub_question="c", ms=30),  # another run has ended the question
        RetrieveResult(sub_question="d", ms=40, turns=2),
    ]
    assert measure_wave(results, evidence, "replan") == [
        Measurement(name="Decisions", of="replan"),
        Measurement(name="SearchSeconds", value=1.5, of="hybrid"),
    ]


def test_vectors_are_counted_by_whether_the_cache_had_them():
    measurements, cache = [], MemoryVectors()
    embedder = CachedEmbedder(HashEmbedder(), cache, measurements.extend)
    embedder.embed(["a", "b", "a"], "document")
    assert measurements == [Measurement(name="VectorLookups", value=2, of="made")]
    measurements.clear()
    another = CachedEmbedder(HashEmbedder(), cache, measurements.extend)
    another.embed(["b", "c"], "document")
    another.embed(["d"], "query")
    assert measurements == [
        Measurement(name="VectorLookups", value=1, of="cached"),
        Measurement(name="VectorLookups", value=1, of="made"),
    ]


@pytest.mark.parametrize("state", METRICS["ProviderFailures"].values)
def test_a_provider_that_fails_is_counted_by_the_state_of_its_breaker(state):
    measurements = []
    report_failure(measurements.extend, "anthropic", UnavailableError("busy"), state)
    assert measurements == [Measurement(name="ProviderFailures", of=state)]


class Provider:
    """A provider that is busy first where `failure` is given. It says 40 tokens in all."""

    def __init__(self, mode, failure=None):
        self.reply = ModelReply(
            text="It is 31.", mode=mode, model="m", input_tokens=30, output_tokens=10
        )
        self.failures = [failure] if failure else []

    def complete(self, _request):
        if self.failures:
            raise self.failures.pop()
        return self.reply

    def stream(self, request):
        yield "It is "
        yield self.complete(request)

    def estimate(self, _request, _text=""):
        return self.reply


def counted(*providers):
    """Returns the chain of providers, and what it is going to be measured by."""
    measurements = []
    routes = [Route(str(n), one, Quota(4), Breaker(), -n) for n, one in enumerate(providers)]
    chain = Chain(routes, waits=())
    return ResilientLLM(chain, tell=partial(count_tokens, measurements.extend)), measurements


def test_tokens_are_counted_for_the_provider_that_took_them():
    spent = ModelReply(text="", mode="anthropic", model="m", input_tokens=7)
    busy = UnavailableError("busy")
    busy.spent = spent
    llm, measurements = counted(Provider("anthropic", busy), Provider("openai"))
    llm.complete(WRITE)
    assert measurements == [
        Measurement(name="ProviderTokens", value=7, of="anthropic"),
        Measurement(name="ProviderTokens", value=40, of="openai"),
    ]


def test_tokens_of_a_stream_are_counted_at_its_end():
    llm, measurements = counted(Provider("bedrock"))
    pieces = llm.stream(WRITE)
    next(pieces)
    assert measurements == []
    list(pieces)
    assert measurements == [Measurement(name="ProviderTokens", value=40, of="bedrock")]


def test_an_answer_is_measured_by_its_sentences_searches_and_costs():
    asked = SubQuestion(
        id="a",
        text="toll",
        searched=(
            PastSearch(strategy="hybrid", text="toll"),
            PastSearch(strategy="hybrid", text="tolls"),
            PastSearch(strategy="lexical", text="toll"),
        ),
    )
    answer = ANSWER.model_copy(
        update={
            "sentences": (
                Sentence(text="It is 31 crowns.", citations=(1,), checked="exact"),
                Sentence(text="Nothing was found on barges."),
            ),
            "removed": (RemovedSentence(text="It is 13.", reason="13"),),
            "plan": Plan(kind="retrieve", question="what is the toll?", sub_questions=(asked,)),
            "rounds": 2,
            "degraded": ("the planner was down",),
            "usage": Usage(
                tokens=900,
                usd=0.5,
                by_step={"plan": {"tokens": 900, "usd": 0.5}, "grade": {"tokens": 0, "usd": 0}},
            ),
        }
    )
    assert of(answer) == {
        ("QuestionsEnded", "answer"): 1,
        ("QuestionSeconds", ""): 2.5,
        ("QuestionUsd", ""): 0.5,
        ("DegradedAnswers", ""): 1,
        ("ModelUsd", "plan"): 0.5,
        ("ModelTokens", "plan"): 900,
        ("Rounds", ""): 2,
        ("Sentences", "exact"): 1,
        ("Sentences", "unchecked"): 1,
        ("Sentences", "removed"): 1,
        ("Searches", "hybrid"): 2,
        ("Searches", "lexical"): 1,
    }


def test_a_question_that_failed_or_was_asked_back_is_counted_as_such():
    assert of(None, status="FAILED") == {("QuestionsEnded", "failed"): 1}
    clarify = ANSWER.model_copy(update={"kind": "clarify", "outcome": None})
    assert ("QuestionsEnded", "clarify") in of(clarify)
    assert not [name for name, _ in of(clarify) if name in {"Rounds", "Sentences"}]
    assert ("QuestionsEnded", "none") in of(ANSWER.model_copy(update={"outcome": None}))


def test_a_step_that_failed_for_good_counts_its_question_once():
    pipeline = small()
    pipeline.questions.create(RECORD.model_copy(update={"status": "RUNNING"}))
    why = {"error": "UnavailableError", "cause": "busy"}
    request = FailRequest(tenant="acme", question_id="q1", run="r", **why)
    step_of("fail").run(request, pipeline)
    assert measured(pipeline) == {("QuestionsEnded", "failed"): 1}
