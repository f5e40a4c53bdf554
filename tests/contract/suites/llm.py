"""What every LLM must do, shown on the requests that footnote makes for each task."""

import math
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import get_args

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.answer.material import Material
from footnote.ask.data.fill import fill
from footnote.ask.data.schema import parse_schema
from footnote.ask.grade import grade
from footnote.ask.plan import plan
from footnote.ask.planning.waves import Limits
from footnote.ask.question.handoff import Progress
from footnote.ask.question.history import condense
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.ask.tools.scratchpad import Scratchpad
from footnote.ask.whole.by_model import read_by_model
from footnote.ask.work import Task, take_turn
from footnote.ask.write.checker import Checker
from footnote.ask.write.claims import Claim
from footnote.ask.write.judge import make_judge
from footnote.ask.write.repair import repair
from footnote.errors import (
    ConfigurationError,
    DeadlineError,
    FootnoteError,
    ModelReplyError,
    UnavailableError,
)
from footnote.evaluation.drafts import by_model
from footnote.ingest.index import situate
from footnote.model import (
    Budget,
    Entry,
    Exchange,
    Message,
    Mode,
    ModelReply,
    ModelRequest,
    Plan,
    Scope,
    SubQuestion,
    Tool,
    ToolCall,
    ToolResult,
    Whole,
    user_says,
)
from footnote.ports import LLM
from footnote.prompts.shapes import (
    CondenseReply,
    DraftReply,
    ExtractReply,
    GradeReply,
    JudgeReply,
    PlanReply,
    ReadReply,
)
from tests.corpus import Corpus

QUESTION = "How many bikes does a Roost hold?"
PROSE = "A Roost holds twelve bikes. [1]"
SAID: Mapping[str, str] = {
    "plan": f'{{"kind": "retrieve", "sub_questions": [{{"text": "{QUESTION}"}}]}}',
    "condense": '{"lines": [{"text": "A Roost holds twelve bikes.", "turns": [1]}]}',
    "grade": '{"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]}',
    "work": "I have no more to look for.",
    "read": '{"items": [{"lines": [3], "name": "Kiel"}]}',
    "extract": '{"values": [{"field": "bikes", "value": "12", "passage": 1, "quote": "twelve"}]}',
    "judge": '{"supported": false}',
    "synthesize": PROSE,
    "repair": PROSE,
    "context": "A line on bikes.",
    "draft": '{"question": "How many bikes does a Roost hold?", "answer": "Twelve."}',
}
"""The reply to each task of a model that is good at it."""
SHAPES = {
    "plan": PlanReply,
    "condense": CondenseReply,
    "read": ReadReply,
    "grade": GradeReply,
    "extract": ExtractReply,
    "judge": JudgeReply,
    "draft": DraftReply,
}
TOOLS = (
    Tool(
        name="search",
        description="Searches.",
        arguments={"type": "object", "properties": {"text": {"type": "string"}}},
    ),
    Tool(name="finish", description="Ends.", arguments={"type": "object", "properties": {}}),
)
FAILURES: Mapping[str, type[FootnoteError]] = {
    "refuses": ModelReplyError,
    "is a proxy's page": UnavailableError,
    "is down": UnavailableError,
    "hangs": UnavailableError,
    "knows no such key": ConfigurationError,
}
"""How a provider may fail, and the error that its LLM then raises."""
SECONDS = 60.0  # that a request has: only a model that hangs takes them


type Ask = Callable[[LLM, ModelRequest], ModelReply]


def completed(llm: LLM, request: ModelRequest) -> ModelReply:
    return llm.complete(request)


def streamed(llm: LLM, request: ModelRequest) -> ModelReply:
    """Returns the reply that ends the stream."""
    *_, last = llm.stream(request)
    assert isinstance(last, ModelReply)
    return last


def scripted(said: str | Exception) -> ScriptedLLM:
    return ScriptedLLM([said] * 9, judge=[said] * 9, repair=[said] * 9, extract=[said] * 9)


def scripted_calls(*calls: tuple[str, Mapping[str, object]]) -> ScriptedLLM:
    made = tuple(
        ToolCall(id=f"call-{n}", name=name, arguments=given)
        for n, (name, given) in enumerate(calls)
    )
    said = ModelReply(text="I look.", mode="anthropic", model="scripted", calls=made)
    return ScriptedLLM([said] * 9)


def scripted_failure(failure: str) -> ScriptedLLM:
    return scripted(FAILURES[failure](f"the provider {failure}"))


each_way = pytest.mark.parametrize("ask", [completed, streamed])
each_task = pytest.mark.parametrize("task", sorted(SAID))


class LLMSuite:
    """Checks one LLM."""

    @pytest.fixture
    def saying(self) -> Callable[[str], LLM]:
        """Makes an LLM that gives this reply every time."""
        raise NotImplementedError

    @pytest.fixture
    def calling(self) -> Callable[..., LLM]:
        """Makes an LLM that calls these tools, each a name with arguments, in every reply."""
        raise NotImplementedError

    @pytest.fixture
    def failing(self) -> Callable[[str], LLM]:
        """Makes an LLM whose provider fails in this way (see FAILURES)."""
        raise NotImplementedError

    # -- replies ---------------------------------------------------------------------------------

    @each_task
    @each_way
    def test_a_reply_has_the_shape_that_the_task_asks_for(self, saying, task, ask):
        reply = ask(saying(SAID[task]), request_of(task))
        assert reply.stopped == ""
        if shape := SHAPES.get(task):
            shape.model_validate_json(reply.text, strict=True)
        else:
            assert reply.text.strip() and not reply.text.startswith("{")

    @each_task
    def test_a_stream_is_pieces_of_text_and_then_the_whole_reply(self, saying, task):
        *pieces, last = saying(SAID[task]).stream(request_of(task))
        assert [type(piece) for piece in pieces] == [str] * len(pieces)
        assert isinstance(last, ModelReply)
        assert "".join(pieces) == last.text

    @each_way
    def test_a_reply_says_who_wrote_it_and_what_it_cost(self, saying, ask):
        reply = ask(saying(PROSE), request_of("synthesize", deadline=None))
        assert reply.mode in get_args(Mode.__value__)
        assert reply.model
        assert reply.input_tokens >= 0 and reply.output_tokens >= 0
        assert 0 <= reply.usd < math.inf

    @each_way
    def test_odd_characters_are_no_crash(self, saying, ask):
        odd = "How \ud800 many \x00 bikes\u2028 does \U0001f6b2 \u202e a Roost hold? \udfff"
        asked = {"system": odd, "messages": user_says(odd)}
        reply = ask(saying(SAID["plan"]), request_of("plan", **asked))
        PlanReply.model_validate_json(reply.text)

    def test_a_stream_that_nobody_listens_to_any_more_harms_no_other(self, saying):
        llm = saying(PROSE)
        assert isinstance(next(llm.stream(request_of("synthesize"))), str)
        assert streamed(llm, request_of("synthesize")).text == PROSE

    # -- tools -----------------------------------------------------------------------------------

    @each_way
    def test_a_call_of_a_tool_goes_out_and_its_result_comes_back(self, calling, ask):
        llm = calling(("search", {"text": "bikes", "k": 3}), ("finish", {}))
        asked = request_of("synthesize", tools=TOOLS)
        reply = ask(llm, asked)
        assert [(call.name, dict(call.arguments)) for call in reply.calls] == [
            ("search", {"text": "bikes", "k": 3}),
            ("finish", {}),
        ]
        assert len({call.id for call in reply.calls}) == 2
        results = tuple(
            ToolResult(id=call.id, text="Roost: twelve. \udfff", failed=call.name == "finish")
            for call in reply.calls
        )
        again = ask(llm, asked.then(reply.as_message(), Message(role="user", results=results)))
        assert again.calls[0].name == "search"

    @each_way
    def test_a_tool_that_was_not_given_is_a_reply_of_no_use(self, calling, ask):
        llm = calling(("erase", {}))
        with pytest.raises(ModelReplyError, match="it was given finish, search") as wrong:
            ask(llm, request_of("synthesize", tools=TOOLS))
        assert (wrong.value.code, wrong.value.spent is not None) == ("wrong_tool", True)

    # -- no reply --------------------------------------------------------------------------------

    @each_way
    def test_when_its_time_is_over_a_request_ends_at_once(self, saying, ask):
        with suppress(UnavailableError, DeadlineError):
            assert ask(saying(PROSE), request_of("synthesize", deadline=-1.0)).text == PROSE

    @pytest.mark.parametrize("failure", FAILURES)
    @each_way
    def test_what_fails_is_told_as_an_error_of_ours(self, failing, failure, ask):
        seconds = 0.5 if failure == "hangs" else SECONDS
        with pytest.raises(FAILURES[failure]) as raised:
            ask(failing(failure), request_of("synthesize", deadline=seconds))
        assert raised.value.message and raised.value.action


def request_of(task: str, deadline: float | None = SECONDS, **given: object) -> ModelRequest:
    """Returns what footnote asks of a model for this task. `deadline` is in seconds from now."""
    until = None if deadline is None else time.time() + deadline
    return requests()[task].model_copy(update={"deadline": until, **given})


@cache
def requests() -> Mapping[str, ModelRequest]:
    """Returns a request of each task, recorded where footnote makes it."""
    llm, scope = ScriptedLLM([]), Scope(tenant="acme")
    corpus = Corpus({"roost.pdf": ["A Roost holds twelve bikes.", "It is green."]})
    sub = SubQuestion(id="q1", text=QUESTION)
    found = {"q1": retrieve(sub, scope, (), corpus.ports)}
    progress = Progress(plan=Plan(kind="retrieve", question=QUESTION, sub_questions=(sub,)))
    passage = found["q1"].passages[0]
    plan(QUESTION, (), scope, llm)
    block = {"kind": "paragraph", "text": "A Roost holds twelve bikes. " * 9, "page": 1}
    list(by_model(llm)("roost.pdf", [block]))
    condense((Exchange(question=QUESTION, answer="A Roost holds twelve bikes. " * 99),) * 9, llm)
    document = corpus.document(passage.document_id, passage.version)
    entry = Entry(
        document=passage.document,
        title="Roost",
        **passage.model_dump(include={"document_id", "collection", "version"}),
    )
    read_by_model(Whole(kind="list", question=QUESTION), entry, document, llm)
    take_turn(Task(progress.plan, sub, {}, 3), Scratchpad(sub_question="q1"), llm)
    grade(progress, found, Limits(Budget()), llm)
    make_judge(llm, list)("A Roost holds ten bikes.", {1: passage})
    fields = parse_schema({"type": "object", "properties": {"bikes": {"type": "integer"}}})
    checker = Checker({1: passage}, corpus.document, corpus.words)
    fill(fields, QUESTION, {"bikes": found["q1"]}, {1: passage}, checker, llm)
    repair(Claim("A Roost holds ten bikes.", (1,)), "ten", QUESTION, {1: passage}, llm)
    with suppress(ModelReplyError):
        synthesize(
            Material("id", progress, found, corpus.document, corpus.words, llm, lambda *_: None)
        )
    given = dict.fromkeys(("title", "outline", "beginning", "section", "before", "after"), "")
    made = [*llm.requests, situate.line_request({**given, "passage": passage.text})]
    return {one.task: one for one in reversed(made)}  # the first of each task
