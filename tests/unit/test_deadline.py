"""A question's deadline: what share each step may take, and what happens after it has passed."""

import json
import threading
import time

import pytest

from footnote.adapters.calls.lateness import yield_until
from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.question.deadline import (
    ALLOTMENTS,
    GRACE,
    RESERVE,
    WAVE_SECONDS,
    check_deadline,
    has_time,
    model_deadline,
)
from footnote.ask.question.thrifty_llm import ThriftyLLM
from footnote.errors import DeadlineError, UnavailableError, problem_of
from footnote.model import (
    Budget,
    Ledger,
    ModelReply,
    ModelRequest,
    QuestionRecord,
    Scope,
    user_says,
)
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline
from tests.contract.suites.llm import LLMSuite, scripted, scripted_calls, scripted_failure
from tests.corpus import HashEmbedder
from tests.model_cases import in_chain
from tests.unit.faces import Words

WRITE = ModelRequest(task="synthesize", system="You write.", messages=user_says("Passages."))
TEXT = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
EXPAND = {"id": "q1", "decision": "expand", "confidence": 0.1, "variants": ["mooring"]}


# -- shares ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("step", "left", "seconds"),
    [
        ("plan", 120, 20),  # its ceiling
        ("plan", 45, 10),  # a third of what 45 leaves after the reserve
        ("plan", 12, 2),  # little time: half of it is reserved
        ("grade", 45, 10),
        ("synthesize", 120, 70),
        ("synthesize", 45, 30),
        ("synthesize", 10, 5),
        ("synthesize", 0, 0),
        ("grade", -3, 0),
    ],
)
def test_a_model_gets_its_share_of_what_is_left(step, left, seconds):
    assert model_deadline(step, 1000.0 + left, 1000.0) == 1000.0 + seconds


def test_a_question_without_a_deadline_has_the_steps_ceiling():
    assert model_deadline("plan", None, 1000.0) == 1000.0 + ALLOTMENTS["plan"].most
    check_deadline("retrieve", None, 1e12)
    assert has_time(None, 1e12)


@pytest.mark.parametrize("asked", [10.0, 30.0, 60.0, 90.0, 120.0])
def test_a_model_that_hangs_in_every_step_leaves_time_to_answer(asked):
    now = 0.0
    for step in ("plan", "grade", "grade", "synthesize"):
        between = 0.02 * asked  # for storing, and for searching before the next step
        now = model_deadline(step, asked, now) + between
    assert now <= asked - min(RESERVE, asked / 10) / 2


@pytest.mark.parametrize("step", sorted(GRACE))
def test_a_step_begins_until_it_is_too_late_for_it(step):
    check_deadline(step, 1000.0, 1000.0 + GRACE[step])
    with pytest.raises(DeadlineError, match=repr(step)) as late:
        check_deadline(step, 1000.0, 1000.1 + GRACE[step])
    assert late.value.code == "timeout"


def test_no_wave_begins_that_there_is_no_time_for():
    assert has_time(1000.0, 999.0 - WAVE_SECONDS)
    assert not has_time(1000.0, 1000.0 - WAVE_SECONDS)


@pytest.mark.parametrize("error", ["Sandbox.Timedout", "States.Timeout"])
def test_a_step_that_was_stopped_for_its_time_says_so(error):
    problem = problem_of(error, '{"errorMessage": "secret"}')
    assert (problem.code, problem.message) == ("timeout", "a step took too long and was stopped")


def test_a_step_that_found_no_place_to_run_is_no_error_of_ours():
    problem = problem_of("Lambda.TooManyRequestsException", "Rate Exceeded.")
    assert (problem.code, problem.action) == ("unavailable", "Try again in a moment.")
    assert "Rate" not in problem.message


# -- keeping to it ---------------------------------------------------------------------------------


class TestResilientLLM(LLMSuite):
    @pytest.fixture
    def saying(self):
        return lambda text: in_chain(scripted(text))

    @pytest.fixture
    def calling(self):
        return lambda *calls: in_chain(scripted_calls(*calls))

    @pytest.fixture
    def failing(self, slow):
        return lambda failure: in_chain(
            slow if failure == "hangs" else scripted_failure(failure), sleep=lambda _: None
        )


@pytest.mark.parametrize(("own", "stamped"), [(None, 7.0), (3.0, 3.0), (9.0, 7.0)])
def test_a_request_gets_the_earlier_deadline(own, stamped):
    llm = ScriptedLLM(["One.", "Two."])
    request = WRITE.model_copy(update={"deadline": own})
    within = ThriftyLLM(llm, 7.0, Budget(), Ledger(), lambda _: None)
    within.complete(request)
    list(within.stream(request))
    assert [given.deadline for given in llm.requests] == [stamped, stamped]


class Slow:
    """Says a word, then nothing until `go` is set. `closed` is set when its stream is closed."""

    def __init__(self):
        self.go, self.closed = threading.Event(), threading.Event()
        self.said = 0

    def complete(self, _request):
        self.go.wait()
        return ModelReply(text="Late.", mode="anthropic", model="m")

    def estimate(self, _request, text=""):
        return ModelReply(text=text, mode="anthropic", model="m", input_tokens=7)

    def stream(self, _request):
        try:
            yield "A "
            self.go.wait()
            for _ in range(100):
                self.said += 1
                yield "B "
        finally:
            self.closed.set()


@pytest.fixture
def slow():
    made = Slow()
    yield made
    made.go.set()


def test_nobody_waits_longer_than_the_deadline_for_a_reply(slow):
    with pytest.raises(UnavailableError, match="not done in time") as late:
        in_chain(slow).complete(WRITE.model_copy(update={"deadline": time.time() + 1.5}))
    assert late.value.spent.input_tokens == 7


def test_nobody_waits_longer_than_the_deadline_for_the_next_piece(slow):
    watch = Watch()
    llm = in_chain(slow, now=watch)
    pieces = llm.stream(WRITE.model_copy(update={"deadline": watch.now + 60.0}))
    assert next(pieces) == "A "
    watch.now += 60.1
    with pytest.raises(UnavailableError, match="not done in time") as late:
        next(pieces)
    assert (late.value.spent.text, late.value.spent.input_tokens) == ("A ", 7)
    slow.go.set()
    assert slow.closed.wait()  # the connection behind it does not stay open


def test_what_nobody_listens_to_any_more_is_stopped(slow):
    pieces = in_chain(slow).stream(WRITE.model_copy(update={"deadline": time.time() + 60.0}))
    next(pieces)
    pieces.close()
    slow.go.set()
    assert slow.closed.wait()
    assert slow.said == 1


def test_what_breaks_in_the_thread_that_reads_is_raised():
    broken = ValueError("a bug")

    def stream():
        yield "A "
        raise broken

    items = yield_until(stream(), 60.0, clock=lambda: 0.0)
    assert next(items) == "A "
    with pytest.raises(ValueError, match="a bug") as again:
        next(items)
    assert again.value is broken


@pytest.mark.parametrize("deadline", [None, 60.0])
def test_a_reply_in_time_is_the_reply(deadline):
    llm = in_chain(ScriptedLLM(["All well.", "All well."]))
    until = None if deadline is None else time.time() + deadline
    request = WRITE.model_copy(update={"deadline": until})
    reply = ModelReply(text="All well.", mode="anthropic", model="scripted")
    assert llm.complete(request) == reply
    assert list(llm.stream(request)) == ["All ", "well.", reply]


# -- questions -------------------------------------------------------------------------------------


class Watch:
    """A clock that the test sets."""

    now = 1000.0

    def __call__(self):
        return self.now


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def pipeline(watch):
    settings = Settings(backend="memory", question_seconds=90)
    return Pipeline(settings, embedder=HashEmbedder(), tokenizer=Words(), clock=watch)


@pytest.mark.parametrize(("seconds", "most"), [(None, 90.0), (30.0, 30.0), (500.0, 90.0)])
def test_a_question_has_its_deadline_when_it_is_asked(pipeline, watch, seconds, most):
    record = Service(pipeline, "acme").questions.ask("Hello!", seconds=seconds)
    stored = pipeline.questions.get("acme", record.question_id)
    assert record.deadline == stored.deadline == watch.now + most


def slowed(watch, port, method, seconds):
    """Makes the first call of the port's method take so many seconds."""
    real, waits = getattr(port, method), [seconds]

    def slow(*given, **named):
        watch.now += waits.pop() if waits else 0.0
        return real(*given, **named)

    setattr(port, method, slow)


def asked(pipeline):
    record = Service(pipeline, "acme").questions.ask("What is the harbour fee for a barge?")
    return pipeline.questions.get("acme", record.question_id)


def test_steps_share_what_is_left_and_the_model_is_told(watch):
    llm = ScriptedLLM(
        [
            '{"kind": "retrieve", "sub_questions": [{"text": "What is the harbour fee?"}]}',
            '{"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]}',
            "The harbour fee for a barge is 84 crowns. [1]",
        ]
    )
    pipeline = Pipeline(llm=llm, embedder=HashEmbedder(), tokenizer=Words(), clock=watch)
    pipeline.upload("acme/default/a.md", TEXT)
    asked_at = watch.now
    slowed(watch, pipeline.index, "search", 50.0)
    assert asked(pipeline).answer.found
    told = [request.deadline - asked_at for request in llm.requests]
    left = 120.0 - 50.0 - RESERVE
    assert told == pytest.approx([20.0, 50.0 + left / 3, 50.0 + left])


def test_a_search_that_begins_too_late_ends_the_question_and_says_why(pipeline, watch):
    pipeline.upload("acme/default/a.md", TEXT)
    slowed(watch, pipeline.artifacts, "put_once", 91.0)
    record = asked(pipeline)
    assert (record.status, record.error.code) == ("FAILED", "timeout")
    assert "'retrieve'" in record.error.message


def test_what_was_found_is_answered_from_a_little_after_the_deadline(pipeline, watch):
    pipeline.upload("acme/default/a.md", TEXT)
    slowed(watch, pipeline.index, "search", 95.0)
    record = asked(pipeline)
    assert (record.status, record.answer.found) == ("DONE", True)


def test_long_after_the_deadline_nothing_is_answered_any_more(pipeline, watch):
    pipeline.upload("acme/default/a.md", TEXT)
    slowed(watch, pipeline.index, "search", 90.0 + GRACE["grade"] + 1.0)
    record = asked(pipeline)
    assert (record.status, record.error.code) == ("FAILED", "timeout")
    assert "'grade'" in record.error.message


def test_there_is_no_further_round_when_time_is_short(pipeline, watch):
    pipeline.upload("acme/default/a.md", TEXT)
    more = json.dumps({"verdicts": [EXPAND]})
    plan = '{"kind": "retrieve", "sub_questions": [{"text": "What is the harbour fee?"}]}'
    pipeline.llm = ScriptedLLM([plan, more, "The harbour fee for a barge is 84 crowns. [1]"])
    slowed(watch, pipeline.index, "search", 75.0)
    record = asked(pipeline)
    assert record.answer.rounds == 1
    [said] = record.answer.degraded
    assert said.startswith("The search stopped after 1 round, as time was short. Not fully found:")


def test_a_record_of_before_there_were_deadlines_is_answered(pipeline):
    old = QuestionRecord(
        question_id="q1", tenant="acme", status="RUNNING", question="Hello!",
        scope=Scope(tenant="acme"), created="2026-11-20T10:00:00+00:00",
    )  # fmt: skip
    pipeline.questions.create(old)
    pipeline.workflow.ask("acme", "q1")
    assert pipeline.questions.get("acme", "q1").status == "DONE"
