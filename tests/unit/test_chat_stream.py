"""A chat is told an answer while it is written: each sentence once, when it is checked."""

import json

import pytest

from footnote.api import lasting, routes, stream_routes
from footnote.api.chat import Written
from footnote.api.chat_stream import ANEW, Telling
from footnote.ask.question.streams import Streams
from footnote.model import Event
from tests.held import hold
from tests.unit.faces import Context, event, small
from tests.unit.test_api import Idle

KEY = {"x-api-key": "acme-key"}
BARGE = "The harbour fee for a barge is 84 crowns."
YACHT = "The harbour fee for a yacht is 36 crowns."
QUESTION = "What are the harbour fees for a barge and for a yacht?"
TEXT = f"# Fees\n\n{BARGE}\n\n{YACHT}\n"
LASTS = {"stream_seconds": 240, "streams": 2}


@pytest.fixture
def pipeline():
    made = small()
    made.upload("acme/default/fees.md", TEXT.encode())
    made.settings = made.settings.model_copy(update=LASTS)
    return made


def send(method, path, body=None, **headers):
    made = event(method, path, None, body and json.dumps(body), {**KEY, **headers})
    made["requestContext"]["domainName"] = "api.example.com"
    return stream_routes.handle(made, Context())


def chat(**more):
    said = [{"role": "user", "content": QUESTION}]
    return send("POST", "/v1/chat/completions", {"messages": said, **more})


def follow(question):
    return send("GET", f"/questions/{question}/events", accept="text/event-stream")


def deltas(pieces):
    """Yields what each piece of a stream adds to the message, as soon as it comes."""
    for piece in pieces:
        for line in piece.splitlines():
            if line.startswith("data: {"):
                told = json.loads(line.removeprefix("data: "))
                yield told.get("error") or told["choices"][0]["delta"]


def words(text, checked="exact", new_line=0):
    data = {"text": text, "read": "text", "checked": checked, "judged_by": "rules"}
    return Event(id="1", kind="words", data={**data, "new_line": new_line})


def test_a_sentence_is_told_before_the_model_has_said_the_next(pipeline):
    model, work = hold(pipeline, f"{BARGE} [1]", f"{YACHT} [1]")
    told = deltas(chat(stream=True)["body"])
    assert next(told) == {"role": "assistant", "content": ""}
    model.go()  # the model begins the second sentence: now the first is known to be whole
    assert next(told) == {"content": f"{BARGE} [1]"}
    [record] = pipeline.questions._records.values()
    assert record.status == "RUNNING"
    model.go()
    *others, last = told
    work.join()
    whole = "".join(one["content"] for one in others)
    assert whole.startswith(f" {YACHT} [2]\n\n[1] fees.md: ")
    assert len(last["annotations"]) == 2


def test_the_parts_are_the_message_that_is_told_at_once(pipeline):
    model, work = hold(pipeline, f"{BARGE} [1]\n", f"{YACHT} [1]")
    for _ in model.sentences:
        model.go()
    parts = [*deltas(chat(stream=True)["body"])]
    work.join()
    for _ in range(3):
        model.go()
    message = json.loads(chat()["body"])["choices"][0]["message"]
    work.join()
    assert "".join(one.get("content", "") for one in parts) == message["content"]
    assert [one["url_citation"] for one in parts[-1]["annotations"]] == [
        {**one["url_citation"], "url": mine["url_citation"]["url"]}
        for one, mine in zip(message["annotations"], parts[-1]["annotations"], strict=True)
    ]


def test_the_events_of_a_question_come_while_it_is_worked_on(pipeline):
    model, work = hold(pipeline, f"{BARGE} [1]", f"{YACHT} [1]")
    told = deltas(chat(stream=True)["body"])
    next(told)
    [question] = pipeline.questions._records
    events = follow(question)["body"]
    model.go()
    while "event: words" not in (seen := next(events)):
        assert "event: end" not in seen
    assert pipeline.questions._records[question].status == "RUNNING"
    model.go()
    assert "".join(events).endswith('event: end\ndata: {"status": "DONE"}\n\n')
    work.join()
    assert follow(question)["body"].count("event: words") == 2  # it has ended: told at once


def test_a_question_that_is_stopped_ends_the_chat_with_its_error(pipeline):
    pipeline.workflow = Idle()
    told = deltas(chat(stream=True)["body"])
    next(told)
    [question] = pipeline.questions._records
    routes.handle(event("POST", f"/questions/{question}/stop", None, None, KEY), Context())
    assert [one["code"] for one in told] == ["stopped"]


def test_where_as_many_last_as_may_a_chat_is_refused_and_events_are_told_in_short(pipeline):
    pipeline.workflow = Idle()
    held = [chat(stream=True)["body"] for _ in range(1)]
    next(held[0])
    [question] = pipeline.questions._records
    held.append(follow(question)["body"])
    assert next(held[1]).startswith("retry: ")
    refused = send("POST", "/v1/chat/completions", {"messages": [{"role": "user", "content": "?"}]})
    assert (refused["statusCode"], json.loads(refused["body"])["error"]["code"]) == (429, "busy")
    assert refused["multiValueHeaders"]["Retry-After"] == ["2"]
    assert len(pipeline.questions._records) == 1  # nothing was asked
    pipeline.settings = pipeline.settings.model_copy(update={"wait_seconds": 0})
    assert isinstance(follow(question)["body"], str)  # a look, and not a place
    held[0].close()
    assert isinstance(follow(question)["body"], type(held[1]))


def test_what_is_refused_has_its_status_and_holds_no_place(pipeline):
    for _ in range(3):
        assert chat(model="other")["statusCode"] == 400
        assert follow("none")["statusCode"] == 404
    assert chat(stream=True)["statusCode"] == 200


def test_a_silent_stream_says_nothing_aloud_now_and_then(pipeline, monkeypatch):
    monkeypatch.setattr(lasting, "BEAT", 0.0)
    pipeline.workflow = Idle()
    pieces = chat(stream=True)["body"]
    next(pieces)
    assert next(pieces) == ":\n\n"


# -- what may be told before the end ---------------------------------------------------------------


def test_what_may_yet_look_otherwise_waits_for_the_end():
    for waits in (
        words("It is not said.", ""),
        words("So. [1]", "unconfirmed"),
        words("a | b [1]"),
    ):
        telling = Telling(at_once=True)
        assert telling.hear(words("One. [1]")) == "One. [1]"
        assert telling.hear(waits) == telling.hear(words("Two. [1]")) == ""
    assert Telling(at_once=False).hear(words("One. [1]")) == ""


def test_sentences_stand_on_lines_as_the_answer_has_them_and_are_escaped():
    telling = Telling(at_once=True)
    told = [words("One. [1]"), words("*Two*. [2]"), words("Three. [1]", new_line=1)]
    assert "".join(map(telling.hear, told)) == "One. [1] \\*Two\\*. [2]\n\nThree. [1]"


@pytest.mark.parametrize("by", ["restart", "another end"])
def test_words_that_became_void_are_said_to_be_and_the_answer_follows(by):
    telling = Telling(at_once=True)
    text = telling.hear(words("One. [1]"))
    if by == "restart":
        text += telling.hear(Event(id="2", kind="restart", data={}))
        text += telling.hear(words("Two. [1]"))
    link = {"start_index": 5, "end_index": 8, "title": "", "url": ""}
    left = telling.end(Written("Two. [1]\n\n[1] a.md", [{"url_citation": link}]))
    text += left.text
    assert text == f"One. [1]{ANEW}Two. [1]\n\n[1] a.md"
    [note] = left.annotations
    at = note["url_citation"]
    assert text[at["start_index"] : at["end_index"]] == "[1]"
    assert at["start_index"] > text.index(ANEW)


# -- how many may last -----------------------------------------------------------------------------


class Clock:
    now = 1_000.0

    def __call__(self):
        return self.now


def test_as_many_replies_last_as_may_and_one_that_ends_makes_room(pipeline):
    streams = Streams(pipeline.counters, 2, Clock())
    first, second = streams.take(), streams.take()
    assert first and second and streams.take() is None
    first.leave()
    assert streams.take() and streams.take() is None


def test_a_reply_counts_as_long_as_it_lasts_and_one_that_was_killed_is_forgotten(pipeline):
    clock = Clock()
    streams = Streams(pipeline.counters, 2, clock)
    lasts, _killed = streams.take(), streams.take()
    for _ in range(40):
        clock.now += 5
        lasts.keep()
        if clock.now < 1_015:
            assert streams.take() is None
    third = streams.take()  # in the place of the one that was killed
    assert third and streams.take() is None
    lasts.leave()
    third.leave()
    assert streams.take() and streams.take()
