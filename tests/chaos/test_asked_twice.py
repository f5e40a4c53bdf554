"""A finished answer stays, whatever fails meanwhile and however many runs a question has."""

import json
import re

import pytest

from footnote.adapters.memory.questions import MemoryQuestions
from footnote.ask.write.single_writer import CLAIM_SECONDS
from footnote.contracts import FailRequest, SynthesizeRequest
from footnote.errors import ConflictError, UnavailableError
from footnote.model import LAST_EVENT, Event
from footnote.service import Service
from footnote.store.keys import answer_key, plan_key, replies_key
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.chaos.faults import Faulty, Killed
from tests.chaos.machine import FEES, PLAN, SAID, TRACE, Model, Moment, Run, create_question, watch
from tests.corpus import HashEmbedder
from tests.unit.faces import Flaky, Words

pytestmark = pytest.mark.slow

CALLS = 59
"""The number of port calls of a question: at each of them something may happen."""
WRITING = 43
"""The number of the first call in the last step."""


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now

    def wait(self, seconds):
        self.now += seconds


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def pipeline(clock):
    return with_fees(clock)


def with_fees(clock):
    pipeline = Pipeline(llm=Model(), embedder=HashEmbedder(), tokenizer=Words())
    pipeline.questions = MemoryQuestions(clock)
    pipeline.upload("acme/default/fees.md", FEES.encode())
    return pipeline


def trace(pipeline, question_id="q-1"):
    return Service(pipeline, "acme").questions.events(question_id)


def kinds(pipeline):
    return [event.kind for event in trace(pipeline)]


def words_shown(pipeline):
    """Returns what a follower sees at the end: all words since the last restart."""
    shown = []
    for event in trace(pipeline):
        if event.kind == "restart":
            shown = []
        elif event.kind == "words":
            shown.append(strip_markers(event.data["text"]))
    return shown


def requests_by_task(pipeline):
    """Returns task → number of requests to the model."""
    return {task: times for task, times in pipeline.llm.asked.items() if times}


def strip_markers(text):
    """Removes the citations' numbers from an answer: they are not tested here."""
    return re.sub(r" \[\d+\]", "", text)


def must_be_answered(pipeline):
    record = pipeline.questions.get("acme", "q-1")
    assert (record.status, record.error) == ("DONE", None)
    assert strip_markers(record.answer.answer) == " ".join(SAID)
    assert record.answer.usage.by_step["synthesize"]["usd"] == 0.01
    assert words_shown(pipeline) == SAID
    return record


def drop_words(kinds):
    """Leaves out the words, and what was written by a try that was cut short after it."""
    last = len(kinds) - 1 - kinds[::-1].index("written") if "written" in kinds else -1
    return [
        kind
        for n, kind in enumerate(kinds)
        if kind not in {"words", "restart"} and (kind != "written" or n == last)
    ]


def fail_with(error):
    def failing(where):
        raise error(where)

    return failing


def boundaries():
    """Returns the names of all port calls while a question is answered, in order."""
    pipeline, moment = with_fees(Clock()), Moment()
    Run(watch(pipeline, moment), create_question(pipeline)).all()
    return moment.calls


def at_any_call(test):
    return pytest.mark.parametrize("n", range(1, CALLS + 1))(
        pytest.mark.parametrize("when", ["before", "after"])(test)
    )


# -- one run, in which something fails -----------------------------------------------------------


def test_a_run_in_which_nothing_fails_asks_the_model_once_for_each_thing(pipeline):
    assert Run(pipeline, create_question(pipeline)).all() == "Succeeded"
    must_be_answered(pipeline)
    assert kinds(pipeline) == TRACE
    assert requests_by_task(pipeline) == {"plan": 1, "grade": 2, "synthesize": 1}


def test_the_boundaries_are_all_that_a_question_needs():
    calls = boundaries()
    assert len(calls) == CALLS
    assert calls.index("claim") == WRITING
    assert set(calls) >= {"claim", "finish", "add_event", "put_once", "get", "search"}


@at_any_call
def test_a_throttled_call_costs_nothing_and_loses_nothing(pipeline, n, when):
    moment = Moment(n, when, fail_with(UnavailableError))
    assert Run(watch(pipeline, moment), create_question(pipeline)).all() == "Succeeded"
    must_be_answered(pipeline)
    assert pipeline.llm.asked["synthesize"] == 1
    assert drop_words(kinds(pipeline)) == drop_words(TRACE)
    # the words are shown again only when a document could not be read to check them
    again = bool(pipeline.artifacts.keys(replies_key("q-1")))
    assert again <= (moment.calls[n - 1] in {"get", "visible_versions"})
    assert again or kinds(pipeline) == TRACE


@at_any_call
def test_a_step_that_is_killed_is_done_again_and_a_follower_is_told(pipeline, n, when):
    moment = Moment(n, when, fail_with(Killed))
    assert Run(watch(pipeline, moment), create_question(pipeline)).all() == "Succeeded"
    must_be_answered(pipeline)
    assert pipeline.llm.asked["synthesize"] <= 2
    assert drop_words(kinds(pipeline)) == drop_words(TRACE)


@at_any_call
@pytest.mark.parametrize("error", [UnavailableError, Killed])
def test_what_fails_for_good_ends_the_question_once_and_for_ever(pipeline, n, when, error):
    """Breaks every call from some call on, until `Fail` gets through."""
    moment, record = Moment(n, when, fail_with(error), lasts=True), create_question(pipeline)
    for state in Run(watch(pipeline, moment), record).steps():
        moment.over = state == "Fail"
    ended = pipeline.questions.get("acme", "q-1")
    assert (ended.status == "DONE") == (ended.answer is not None)
    assert kinds(pipeline)[-1] == {"DONE": "answered", "FAILED": "failed"}[ended.status]
    assert len({"answered", "failed"} & set(kinds(pipeline))) == 1
    told, paid = trace(pipeline), pipeline.llm.asked
    assert Run(pipeline, record, "run-2").all() == "Succeeded"
    assert pipeline.questions.get("acme", "q-1") == ended
    assert pipeline.llm.asked == paid
    assert (trace(pipeline)[-1], len(trace(pipeline))) == (told[-1], len(told))


def test_an_answer_that_is_in_the_table_is_not_failed_when_that_is_not_known(pipeline):
    """Repeats what once happened: `finish` got through, its reply was lost, and `Fail` came."""
    record = create_question(pipeline)
    last = boundaries().index("finish") + 1
    moment = Moment(last, "after", fail_with(UnavailableError), lasts=True)
    run = Run(watch(pipeline, moment), record)
    for state in run.steps():
        moment.over = state == "Fail"
    assert run.ended == "Failed"
    must_be_answered(pipeline)


def test_the_model_is_not_asked_again_when_the_table_is_back_for_the_next_run(pipeline):
    """Kills the first run after the answer is stored; a second run finishes the question."""
    record = create_question(pipeline)
    moment = Moment(boundaries().index("finish") + 1, "before", fail_with(Killed))
    with pytest.raises(Killed):
        Run(watch(pipeline, moment), record, lost=True).all()
    assert pipeline.questions.get("acme", "q-1").status == "RUNNING"
    assert pipeline.artifacts.get(answer_key("q-1"))
    pipeline.questions._clock.wait(CLAIM_SECONDS)
    assert Run(pipeline, record, "run-2").all() == "Succeeded"
    must_be_answered(pipeline)
    assert kinds(pipeline) == TRACE
    assert requests_by_task(pipeline) == {"plan": 1, "grade": 2, "synthesize": 1}


def test_words_that_cannot_be_told_are_told_by_the_next_try_before_it_finishes(pipeline):
    last_words = len(TRACE) - 1
    moment, tried = Moment(last_words, "before", fail_with(UnavailableError), lasts=True), []
    services = watch(pipeline, Moment())
    services.__dict__["questions"] = Faulty(pipeline.questions, moment, frozenset({"add_event"}))
    for state in Run(services, create_question(pipeline)).steps():
        tried.append(state)
        moment.over = tried.count("Synthesize") > 1
    assert tried.count("Synthesize") == 2
    must_be_answered(pipeline)
    assert kinds(pipeline) == TRACE
    assert pipeline.llm.asked["synthesize"] == 1


def test_a_reply_of_which_a_document_could_not_be_read_is_checked_again_and_not_paid_again(
    pipeline,
):
    pipeline.catalog = Flaky(pipeline.catalog, get=[UnavailableError("table busy")])
    assert Run(pipeline, create_question(pipeline)).all() == "Succeeded"
    record = must_be_answered(pipeline)
    assert pipeline.llm.asked["synthesize"] == 1
    assert record.answer.usage.by_step["synthesize"]["usd"] == 0.01
    assert len(record.answer.citations) == 3


@pytest.mark.parametrize("n", range(WRITING, CALLS + 1))
@pytest.mark.parametrize("when", ["before", "after"])
def test_what_mends_a_sentence_is_paid_once_too(pipeline, n, when):
    wrong = SAID[2].replace("97", "79")
    said = [f"{text} [1]" for text in (SAID[0], SAID[1], wrong)]
    pipeline.llm = Model(synthesize=" ".join(said), repair=f"{SAID[2]} [1]")
    moment = Moment(n, when, fail_with(UnavailableError))
    assert Run(watch(pipeline, moment), create_question(pipeline)).all() == "Succeeded"
    assert moment.over
    assert words_shown(pipeline) == SAID
    assert pipeline.questions.get("acme", "q-1").answer.usage.by_step["synthesize"]["usd"] == 0.02
    assert (pipeline.llm.asked["synthesize"], pipeline.llm.asked["repair"]) == (1, 1)


@pytest.mark.parametrize("call", ["finish", "claim", "add_event", "put_once"])
def test_what_was_said_at_once_is_not_said_twice(pipeline, call):
    pipeline.llm = Model(plan='{"kind": "direct", "reply": "Good day."}')
    name = "artifacts" if call == "put_once" else "questions"
    port = Flaky(getattr(pipeline, name), **{call: [UnavailableError("busy")]})
    setattr(pipeline, name, port)
    assert Run(pipeline, create_question(pipeline, "Hello!")).all() == "Succeeded"
    assert kinds(pipeline) == ["plan", "words", "answered"]


@pytest.mark.parametrize("kind", ["words", "removed"])
def test_what_a_try_that_was_cut_short_has_told_is_void_before_more_is_told(pipeline, kind):
    record = create_question(pipeline)
    pipeline.questions.add_event("q-1", kind, {"text": "The harbour"})
    Run(pipeline, record).all()
    must_be_answered(pipeline)
    said = [one for one in kinds(pipeline) if one in {"words", "removed", "restart"}]
    assert said == [kind, "restart", "words", "words", "words"]


# -- two runs ------------------------------------------------------------------------------------


def test_a_second_run_after_the_first_does_nothing(pipeline):
    record = create_question(pipeline)
    Run(pipeline, record).all()
    stays, told, paid = must_be_answered(pipeline), trace(pipeline), pipeline.llm.asked
    assert Run(pipeline, record, "run-2").all() == "Succeeded"
    assert (pipeline.questions.get("acme", "q-1"), trace(pipeline)) == (stays, told)
    assert pipeline.llm.asked == paid


@pytest.mark.parametrize("mine", range(10))
@pytest.mark.parametrize("theirs", range(10))
def test_two_runs_in_turns_write_one_answer(pipeline, mine, theirs):
    """Lets the first run take some steps, then the second, then each run to its end."""
    record = create_question(pipeline)
    first, second = Run(pipeline, record), Run(pipeline, record, "run-2")
    turns = [first.steps(), second.steps()]
    for steps, many in zip(turns, (mine, theirs), strict=True):
        for _ in zip(range(many + 1), steps, strict=False):
            pass
    for steps in turns:
        for _ in steps:
            pass
    assert (first.ended, second.ended) == ("Succeeded", "Succeeded")
    must_be_answered(pipeline)
    assert kinds(pipeline) == TRACE
    assert requests_by_task(pipeline) == {"plan": 1, "grade": 2, "synthesize": 1}


@at_any_call
def test_a_second_run_in_the_middle_of_any_step_writes_no_second_answer(pipeline, n, when):
    record, second = create_question(pipeline), []

    def begins(_):
        second.append(Run(pipeline, record, "run-2"))
        second[0].all()

    assert Run(watch(pipeline, Moment(n, when, begins)), record).all() == "Succeeded"
    must_be_answered(pipeline)
    assert kinds(pipeline) == TRACE
    assert pipeline.llm.asked["synthesize"] == 1
    assert pipeline.llm.asked["plan"] <= 2
    # the second may have waited in vain for the first to write, but did not fail the question
    assert [run.ended for run in second] in (["Succeeded"], ["Failed"])


@pytest.mark.parametrize("n", range(1, 6))
@pytest.mark.parametrize("when", ["before", "after"])
def test_two_runs_that_plan_differently_go_on_with_the_plan_that_was_stored(pipeline, n, when):
    other = {"kind": "retrieve", "sub_questions": [{"text": "harbour fee for a ferry"}]}
    pipeline.llm = Model(plan=[json.dumps(PLAN), json.dumps(other)])
    record = create_question(pipeline)
    second = Run(pipeline, record, "run-2")
    moment = Moment(n, when, lambda _: second.all())
    assert Run(watch(pipeline, moment), record).all() == second.ended == "Succeeded"
    planned = must_be_answered(pipeline).answer.plan.sub_questions
    events = trace(pipeline)
    assert [event.data["questions"] for event in events if event.kind == "plan"] == [
        [sub.text for sub in planned]
    ]
    assert {event.data["question"] for event in events if event.kind == "found"} == {
        sub.text for sub in planned
    }


def test_nobody_is_paid_for_a_question_that_another_run_has_failed(pipeline):
    record = create_question(pipeline)
    steps = Run(pipeline, record).steps()
    while next(steps) != "Grade":
        pass
    failed = {"tenant": "acme", "question_id": "q-1", "error": "UnavailableError", "cause": ""}
    step_of("fail").run(FailRequest(**failed, run="run-2"), pipeline)
    assert list(steps) == ["Synthesize"]
    assert requests_by_task(pipeline) == {"plan": 1}
    assert pipeline.questions.get("acme", "q-1").status == "FAILED"


@at_any_call
def test_a_run_that_is_gone_is_replaced_by_the_second(pipeline, clock, n, when):
    """Acts as Step Functions does when it has lost an execution and starts it anew."""
    record = create_question(pipeline)
    moment = Moment(n, when, fail_with(Killed), lasts=True)
    with pytest.raises(Killed):
        Run(watch(pipeline, moment), record, lost=True).all()
    assert Run(pipeline, record, "run-2", clock.wait).all() == "Succeeded"
    must_be_answered(pipeline)
    assert drop_words(kinds(pipeline)) == drop_words(TRACE)


def test_the_second_run_waits_for_who_writes_and_no_longer(pipeline, clock):
    record = create_question(pipeline)
    pipeline.questions.claim("q-1", "run-1", CLAIM_SECONDS)
    before = clock.now
    assert Run(pipeline, record, "run-2", clock.wait).all() == "Succeeded"
    assert CLAIM_SECONDS <= clock.now - before < CLAIM_SECONDS + 10


def test_who_is_refused_is_told_by_whom_and_what_to_do(pipeline):
    record = create_question(pipeline)
    pipeline.questions.claim("q-1", "run-1", CLAIM_SECONDS)
    at = {"tenant": "acme", "question_id": record.question_id, "plan_key": plan_key("q-1", 1)}
    with pytest.raises(ConflictError, match="another run writes") as refused:
        step_of("synthesize").run(SynthesizeRequest(**at, run="run-2", round=1), pipeline)
    assert refused.value.action == "Try again: it ends, or is given up after 120 s."


def test_a_run_that_fails_leaves_a_question_that_another_one_is_writing(pipeline):
    create_question(pipeline)
    failed = {"tenant": "acme", "question_id": "q-1", "error": "UnavailableError", "cause": ""}
    pipeline.questions.claim("q-1", "run-1", CLAIM_SECONDS)
    step_of("fail").run(FailRequest(**failed, run="run-2"), pipeline)
    assert pipeline.questions.get("acme", "q-1").status == "RUNNING"
    step_of("fail").run(FailRequest(**failed, run="run-1"), pipeline)
    assert pipeline.questions.get("acme", "q-1").status == "FAILED"


# -- who follows ---------------------------------------------------------------------------------


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_follower_that_looks_at_every_moment_sees_all_once_and_then_the_end(pipeline, when):
    """Looks as `Client.follow` does: first at the status, then for events after the last one."""
    record, service, seen, statuses = create_question(pipeline), Service(pipeline, "acme"), [], []

    def looks(_):
        status = service.questions.get("q-1").status
        new = service.questions.events("q-1", seen[-1].id if seen else "")
        seen.extend(new)
        statuses.append((status, bool(new)))

    Run(watch(pipeline, Moment(1, when, looks, lasts=True)), record).all()
    looks("at the end")
    looks("once more, as a client does")
    assert to_tuples(seen) == to_tuples(trace(pipeline))
    assert [event.kind for event in seen] == TRACE
    assert statuses[-1] == ("DONE", False)
    ended = [new for status, new in statuses if status != "RUNNING"]
    assert ended[-1] is False


def test_a_follower_is_not_shown_the_end_before_what_came_before_it(pipeline):
    """Answers the question after the follower has read the events but before it is done."""
    run = Run(pipeline, create_question(pipeline))
    moment = Moment(1, "after", lambda _: run.all())
    looking = watch(pipeline, Moment())
    looking.__dict__["questions"] = Faulty(pipeline.questions, moment, frozenset({"events"}))
    service = Service(looking, "acme")
    assert service.questions.events("q-1") == []
    assert run.ended == "Succeeded"
    assert [event.kind for event in service.questions.events("q-1")] == TRACE


def to_tuples(events):
    return [(event.id, event.kind, event.data) for event in events]


def test_the_end_of_a_trace_is_what_the_record_says(pipeline):
    record = create_question(pipeline)
    assert trace(pipeline) == []
    Run(pipeline, record).all()
    told = {"found": True, "outcome": "answer", "citations": 3, "ocr": 0, "removed": 0}
    end = Event(id=LAST_EVENT, kind="answered", data=told)
    assert trace(pipeline)[-1] == end
    assert Service(pipeline, "acme").questions.events("q-1", trace(pipeline)[-2].id) == [end]
    assert Service(pipeline, "acme").questions.events("q-1", end.id) == []
