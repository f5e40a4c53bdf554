"""The trace when the table does what a stack seldom shows: holes, lost answers, crowds."""

import pytest

from footnote.adapters.dynamodb.trace import QuestionItems, Trace, sort_key
from footnote.adapters.dynamodb.values import trace as dynamodb_trace
from footnote.errors import ConflictError, UnavailableError


class Table(QuestionItems):
    """Keeps the items of the questions table in memory."""

    def __init__(self):
        self.stored = {}
        self.hidden = set()  # items that a query does not see yet
        self.queries = 0
        self.puts = []  # what happens at the next puts: an error, or something to call

    def put(self, question_id, stored, *_, **__):
        happens = self.puts.pop(0) if self.puts else None
        if callable(happens):
            happens()
        if (question_id, stored["item"]) in self.stored:
            raise ConflictError("there is one")
        self.stored[question_id, stored["item"]] = stored
        if isinstance(happens, Exception):
            raise happens

    def query(self, *, ExpressionAttributeValues, **_):  # noqa: N803 -- boto3's name
        self.queries += 1
        given = {name: value["S"] for name, value in ExpressionAttributeValues.items()}
        for question_id, item in sorted(self.stored):
            if question_id != given[":question_id"] or item in self.hidden:
                continue
            if given[":first"] <= item <= given[":last"]:
                yield self.stored[question_id, item]


@pytest.fixture
def table():
    return Table()


@pytest.fixture(autouse=True)
def at_once(monkeypatch):
    monkeypatch.setattr(dynamodb_trace, "PAUSE", 0.0)


def said(trace):
    return [event.kind for event in trace.after("q", "")]


def test_what_a_query_sees_after_a_hole_is_left_for_the_next_look(table):
    trace = Trace(table)
    for kind in ("a", "b", "c"):
        trace.add("q", kind, {}, "")
    table.hidden = {sort_key(2)}
    assert said(trace) == ["a"]
    table.hidden = set()
    assert [event.kind for event in trace.after("q", "00000001")] == ["b", "c"]


def test_nothing_is_added_behind_a_hole(table):
    Trace(table).add("q", "a", {}, "")
    Trace(table).add("q", "b", {}, "")
    table.hidden = {sort_key(1)}
    with pytest.raises(UnavailableError):
        Trace(table).add("q", "c", {}, "")
    assert len(table.stored) == 2


def test_an_event_whose_answer_was_lost_is_found_by_the_same_call_sent_again(table):
    """The SDK sends a put again when its answer was lost. The second put finds the first."""
    trace = Trace(table)
    trace.add("q", "a", {}, "")
    real, sent = table.put, []

    def twice(question_id, stored, condition):
        sent.append(stored)
        if len(sent) == 1:
            real(question_id, stored, condition)
        real(question_id, stored, condition)

    table.put = twice
    trace.add("q", "b", {}, "")
    assert said(trace) == ["a", "b"]


def test_an_event_that_got_through_unknown_to_its_writer_is_not_added_again(table):
    trace = Trace(table)
    table.puts = [UnavailableError("no answer")]
    with pytest.raises(UnavailableError):
        trace.add("q", "a", {}, "try-0/0")
    for writer in (trace, Trace(table)):
        writer.add("q", "a", {}, "try-0/0")
    assert said(trace) == ["a"]


def test_whoever_is_overtaken_goes_behind(table):
    trace, other = Trace(table), Trace(table)
    table.puts = [lambda: other.add("q", "other", {}, "")]
    trace.add("q", "mine", {}, "")
    assert said(trace) == ["other", "mine"]


def test_whoever_is_always_overtaken_gives_up_and_says_so(table):
    trace, other = Trace(table), Trace(table)

    def overtaken():
        table.puts.insert(0, None)  # nothing happens at the other's own put
        other.add("q", "other", {}, "")

    table.puts = [overtaken] * 60
    with pytest.raises(UnavailableError, match="mine of question q: 50 others came before it"):
        trace.add("q", "mine", {}, "")
    assert said(trace) == ["other"] * 50


def test_a_writer_that_goes_on_reads_the_trace_once(table):
    trace = Trace(table)
    for n in range(5):
        trace.add("q", "words", {"n": n}, f"try-0/{n}")
        trace.add("q", "words", {"n": n}, f"try-0/{n}")
    assert (len(table.stored), table.queries) == (5, 1)
    trace.add("other", "plan", {}, "")
    trace.add("q", "words", {}, "try-0/3")
    assert (len(table.stored), table.queries) == (6, 3)


def test_events_of_before_they_were_numbered_are_not_shown_and_not_in_the_way(table):
    old = "event#01763600000000000000-ab12"
    table.stored["q", old] = {"item": old, "kind": "plan", "data": "{}"}
    trace = Trace(table)
    assert said(trace) == []
    trace.add("q", "found", {}, "")
    assert said(trace) == ["found"]
