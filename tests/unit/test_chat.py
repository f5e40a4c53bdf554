"""footnote in OpenAI's form of chat: messages in, a message with annotations out."""

import json

import pytest

from footnote.api import lasting, routes
from footnote.api.chat import usage_of, write
from footnote.api.waiting import Waiting
from footnote.errors import UnavailableError
from footnote.model import Answer, AnswerOptions, Citation, Usage
from footnote.settings import Settings
from tests.described import must_be_described
from tests.unit.faces import Context, Flaky, event, small
from tests.unit.test_api import Idle

KEY = {"x-api-key": "acme-key"}
QUESTION = "What was revenue of the third quarter?"
SAID = "Revenue of the third quarter was 84 million crowns."
PATH = "/v1/chat/completions"


@pytest.fixture
def pipeline():
    made = small()
    made.upload("acme/default/q3.md", f"# Third quarter\n\n{SAID}\n".encode())
    return made


def send(body, headers=None, path=PATH, method="POST"):
    made = event(method, path, None, body and json.dumps(body), headers or KEY)
    made["requestContext"]["domainName"] = "api.example.com"
    answer = routes.handle(made, Context())
    return answer["statusCode"], answer["body"]


def chat(*messages, **more):
    said = [dict(zip(("role", "content"), one, strict=True)) for one in messages]
    status, body = send({"model": "footnote", "messages": said, **more})
    return status, json.loads(body)


def test_the_last_user_message_is_answered_with_its_citation(pipeline):
    status, told = chat(("system", "Be brief."), ("user", QUESTION), temperature=0.2)
    assert (status, told["object"], told["model"]) == (200, "chat.completion", "footnote")
    [choice] = told["choices"]
    message = choice["message"]
    assert (message["role"], choice["finish_reason"]) == ("assistant", "stop")
    counted = "Its sentences: 1 word for word."
    assert message["content"] == f"{SAID} [1]\n\n[1] q3.md: “{SAID}”\n\n{counted}"
    [note] = message["annotations"]
    link = note["url_citation"]
    assert message["content"][link["start_index"] : link["end_index"]] == "[1]"
    shown = told["footnote"]["question"]
    assert link["url"] == f"https://api.example.com/prod/#/questions/{shown}/citations/1"
    assert (note["type"], link["title"]) == ("url_citation", "q3.md")
    assert note["citation"]["quote"] == SAID


def test_earlier_messages_are_history(pipeline):
    chat(("user", "What is the fee?"), ("assistant", "4 crowns. [1]"), ("user", QUESTION))
    [record] = pipeline.questions._records.values()
    assert record.history == (("What is the fee?", "4 crowns. [1]"),)
    assert record.question == QUESTION


def test_content_may_come_in_parts(pipeline):
    status, told = chat(("user", [{"type": "text", "text": QUESTION}]))
    assert (status, told["footnote"]["found"]) == (200, True)


def test_usage_is_what_the_question_took(pipeline):
    _, told = chat(("user", QUESTION))
    assert told["usage"] == {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0}
    spent = Answer(id="q", kind="answer", found=True, answer="So.", usage=Usage(tokens=812))
    assert usage_of(spent)["total_tokens"] == 812


def test_a_stream_ends_with_the_usage_where_that_is_asked_for(pipeline):
    said = [{"role": "user", "content": QUESTION}]
    body = {"model": "footnote", "messages": said, "stream": True}
    for wanted in (True, False):
        _, events = send(body | {"stream_options": {"include_usage": wanted}})
        last = [line for line in events.split("\n\n") if line][-2].removeprefix("data: ")
        assert ("usage" in json.loads(last)) is wanted
        assert json.loads(last)["choices"] == [] or not wanted


def test_a_stream_has_the_same_text_and_ends_as_clients_expect(pipeline):
    whole = chat(("user", QUESTION))[1]["choices"][0]["message"]
    said = [{"role": "user", "content": QUESTION}]
    status, body = send({"model": "footnote", "messages": said, "stream": True})
    lines = [line for line in body.split("\n\n") if line]
    assert (status, lines[-1]) == (200, "data: [DONE]")
    told = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
    deltas = [one["choices"][0]["delta"] for one in told]
    assert "".join(one.get("content", "") for one in deltas) == whole["content"]
    assert [one["choices"][0]["finish_reason"] for one in told][-2:] == [None, "stop"]
    assert len(deltas[-1]["annotations"]) == len(whole["annotations"]) == 1


@pytest.mark.parametrize(
    ("messages", "more", "code"),
    [
        ([], {}, "invalid_body"),
        ([("assistant", "Hello.")], {}, "bad_request"),
        ([("user", "x"), ("assistant", "y")], {}, "bad_request"),
        ([("user", " ")], {}, "bad_request"),
        ([("robot", "x")], {}, "invalid_body"),
        ([("user", "x")], {"model": "gpt-9"}, "model_not_found"),
        ([("user", "x" * 4001)], {}, "question_too_long"),
    ],
)
def test_errors_have_openais_form(pipeline, messages, more, code):
    status, told = chat(*messages, **more)
    fields = {"message", "type", "param", "code"}
    assert (status, set(told), set(told["error"])) == (400, {"error"}, fields)
    assert (told["error"]["type"], told["error"]["code"]) == ("invalid_request_error", code)


def test_who_waited_for_an_answer_frees_nothing_of_who_asked_the_same_anew(pipeline):
    """Lets one request see the answer while another, which saw it too, is over and a third asks."""
    release, frees = pipeline.repeats.release, []
    pipeline.settings = Settings(backend="memory", wait_seconds=1)

    def between(name, holder):
        if not frees:
            frees.append(holder)
            release(name, holder)  # the other's, who waited for the same answer
            pipeline.workflow = Idle()  # the third's question takes a while
            assert chat(("user", QUESTION))[1]["error"]["code"] == "still_running"
        release(name, holder)

    pipeline.repeats.release = between
    assert chat(("user", QUESTION))[0] == 200
    assert chat(("user", QUESTION))[1]["error"]["code"] == "still_running"
    assert len(pipeline.questions._records) == 2


def test_an_answer_that_takes_longer_is_waited_for_by_sending_the_same(pipeline):
    works, pipeline.workflow = pipeline.workflow, Idle()
    pipeline.settings = Settings(backend="memory", wait_seconds=1)
    error = chat(("user", QUESTION))[1]["error"]
    assert (error["code"], error["type"]) == ("still_running", "server_error")
    [asked] = pipeline.questions._records
    works.ask("acme", asked)
    pipeline.drain()
    status, told = chat(("user", QUESTION))
    assert (status, told["footnote"]["question"]) == (200, asked)
    assert len(pipeline.questions._records) == 1
    pipeline.workflow = works
    assert chat(("user", QUESTION))[1]["footnote"]["question"] != asked  # an answer is not kept


def test_where_nobody_may_wait_nothing_is_asked(pipeline):
    pipeline.settings = Settings(backend="memory", wait_seconds=0)
    status, told = chat(("user", QUESTION))
    assert (status, told["error"]["code"]) == (503, "no_waiting")
    assert pipeline.questions._records == {}


def test_what_could_not_be_asked_may_be_sent_again(pipeline):
    pipeline.workflow = Flaky(pipeline.workflow, ask=[UnavailableError("too many executions")])
    assert chat(("user", QUESTION))[1]["error"]["code"] == "unavailable"
    assert chat(("user", QUESTION))[0] == 200


def test_the_models_are_listed_and_each_answers(pipeline):
    status, body = send(None, path="/v1/models", method="GET")
    names = [one["id"] for one in json.loads(body)["data"]]
    assert (status, names) == (200, ["footnote", "footnote-analyst", "footnote-terse"])
    for name in names:
        assert chat(("user", QUESTION), model=name)[0] == 200


def test_without_a_key_there_is_nothing(pipeline):
    body = {"messages": [{"role": "user", "content": QUESTION}]}
    for method, path, given in (("GET", "/v1/models", None), ("POST", PATH, body)):
        status, told = send(given, {"x-api-key": ""}, path, method)
        assert (status, json.loads(told)["error"]["code"]) == (403, "forbidden")


def test_an_answer_that_may_show_a_link_of_its_quote_shows_it_as_text():
    link = "Fees: [all](http://evil.example)."
    cited = Citation(
        n=1, document="a.md", document_id="d", collection="c", version="v", pages=(3,),
        section=(), quote=link, start=0, end=9, verified=True,
    )  # fmt: skip
    answer = Answer(id="q", kind="answer", found=True, answer=f"{link} [1]", citations=(cited,))
    text, [note] = write(answer, "#/questions/q")
    escaped = "Fees: \\[all\\](`http://evil.example`)."
    assert text == f"{escaped} [1]\n\n[1] a.md, page 3: “{escaped}”"
    link = note["url_citation"]
    assert text[link["start_index"] : link["end_index"]] == "[1]"


def test_a_document_that_names_itself_as_a_link_stays_text(pipeline):
    name = "[x](http:) <b>.md"
    pipeline.upload(f"acme/default/{name}", b"The harbour fee for a barge is 97 crowns.\n")
    told = chat(("user", "What is the harbour fee for a barge?"))[1]
    assert "\\[x\\](http:) \\<b>.md" in told["choices"][0]["message"]["content"]


def test_all_replies_are_as_described(pipeline):
    for body in ({"messages": [{"role": "user", "content": QUESTION}]}, {"messages": []}):
        answer = routes.handle(event("POST", PATH, None, json.dumps(body), KEY), Context())
        must_be_described("POST", PATH, answer)


def test_a_chat_may_say_of_what_it_asks_and_how_as_a_question_may(pipeline):
    pipeline.upload("acme/default/q2.md", b"Revenue of the second quarter was 71 crowns.\n")
    said = {"kind": "fact", "min_confidence": 0.2, "strict": True}
    status, told = chat(("user", QUESTION), documents=["q3.md"], collection="default",
                        context={"firm": "Ottermoss"}, budget={"searches": 3}, **said)  # fmt: skip
    assert status == 200
    record = pipeline.questions.get("acme", told["footnote"]["question"])
    assert record.scope.documents == ("q3.md",)
    assert (record.scope.collection, record.budget.searches) == ("default", 3)
    assert record.wishes == AnswerOptions(context='{"firm": "Ottermoss"}', **said)


@pytest.mark.parametrize(
    "one_way",
    [{"filters": {"language": "en"}}, {"documents": ["q3.md"]}, {"collection": "default"},
     {"min_confidence": 0.9}, {"kind": "list"}, {"context": {"a": 1}}, {"budget": {"usd": 1}},
     {"strict": True}],
    ids=lambda said: next(iter(said)),
)  # fmt: skip
def test_what_is_asked_in_another_way_is_another_question(pipeline, monkeypatch, one_way):
    """Each ends too late for its request, which sent again finds its own question."""
    monkeypatch.setattr(lasting, "may_wait", lambda _: Waiting(0, None))
    pipeline.workflow = Idle()
    for said in ({}, one_way, {}, one_way):
        assert chat(("user", QUESTION), **said)[1]["error"]["code"] == "still_running"
    assert len(pipeline.questions._records) == 2


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"documents": ["none.md"]}, "unknown_document"),
        ({"filters": {"year": {"about": 3}}}, "bad_filter"),
        ({"budget": {"hours": 1}}, "invalid_body"),
        ({"min_confidence": 2}, "invalid_body"),
    ],
)
def test_what_a_chat_may_not_ask_is_told(pipeline, said, code):
    status, told = chat(("user", QUESTION), **said)
    assert (status // 100, told["error"]["code"]) == (4, code)
