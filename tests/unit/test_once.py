"""`Idempotency-Key`: a request that is sent again is done once."""

import json

import pytest

from footnote.adapters import memory_repeats, repeat_rules
from footnote.api import routes
from footnote.errors import UnavailableError
from footnote.settings import Settings
from tests.unit.faces import Context, Flaky, event, small

KEY = {"x-api-key": "acme-key", "Idempotency-Key": "a7"}
ASKED = {"question": "What is the fee?"}


@pytest.fixture
def pipeline():
    return small()


def post(path, body, headers=None):
    text = None if body is None else json.dumps(body)
    answer = routes.handle(event("POST", path, None, text, headers or KEY), Context())
    return answer["statusCode"], json.loads(answer["body"])


def code(path, body, headers=None):
    status, told = post(path, body, headers)
    return status, told["error"]["code"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/documents", {"document": "a.md"}),
        ("/questions", ASKED),
        ("/reindex", {"force": True}),
        ("/reindex", None),
    ],
)
def test_the_same_request_has_the_same_reply(pipeline, path, body):
    first = post(path, body)
    assert first[0] in {200, 202}
    assert post(path, body) == first


def test_the_same_question_is_asked_once(pipeline):
    _, first = post("/questions", ASKED | {"session": "s"})
    spaced = {"session": "s", "question": "What is the fee?"}
    assert post("/questions", spaced)[1]["id"] == first["id"]  # the order of fields says nothing
    assert len(pipeline.questions.turns("acme", "s")[0]) == 1


def test_without_a_key_each_request_is_its_own(pipeline):
    bare = {"x-api-key": "acme-key"}
    assert post("/questions", ASKED, bare)[1]["id"] != post("/questions", ASKED, bare)[1]["id"]


def test_another_body_with_the_same_key_is_refused(pipeline):
    post("/questions", ASKED)
    assert code("/questions", {"question": "And the rent?"}) == (409, "key_reused")


def test_a_key_counts_for_one_route(pipeline):
    assert post("/questions", ASKED)[0] == 202
    assert post("/documents", {"document": "a.md"})[0] == 200


def test_while_the_first_is_at_work_the_second_is_told_so(pipeline):
    pipeline.repeats.keep = lambda *_: None  # as if the first had claimed the key a moment ago
    post("/questions", ASKED)
    assert code("/questions", ASKED) == (409, "request_running")


@pytest.mark.parametrize("path", ["/questions", "/v1/chat/completions"])
def test_whatever_fails_the_key_is_free_and_no_question_is_used(pipeline, path):
    body = {"messages": [{"role": "user", "content": "What?"}]} if "chat" in path else ASKED
    pipeline.settings = Settings(backend="memory", wait_seconds=1, questions_per_day=1)
    workflow = pipeline.workflow
    pipeline.workflow = Flaky(workflow, ask=[KeyError("a mistake of ours")])
    with pytest.raises(KeyError):
        post(path, body)
    assert pipeline.usage_limits.used("acme", "k1").questions == 0
    [stored] = pipeline.questions._records.values()
    assert (stored.status, stored.error.code) == ("FAILED", "internal")
    pipeline.workflow = workflow
    assert post(path, body)[0] in {200, 202}


def test_a_request_that_failed_may_be_sent_again(pipeline):
    pipeline.workflow = Flaky(pipeline.workflow, ask=[UnavailableError("too many executions")])
    assert code("/questions", ASKED) == (503, "unavailable")
    assert post("/questions", ASKED)[0] == 202


def test_a_key_of_another_tenant_is_another_key(pipeline):
    _, mine = post("/questions", ASKED)
    status, theirs = post("/questions", ASKED, KEY | {"x-api-key": "other-key"})
    assert (status, theirs["id"] == mine["id"]) == (202, False)


def test_a_key_of_other_groups_is_another_key(pipeline):
    _, mine = post("/questions", ASKED)
    pipeline.tenants = type(pipeline.tenants)({"k1": "acme"}, {"k1": ("legal",)})
    assert post("/questions", ASKED)[1]["id"] != mine["id"]


@pytest.mark.parametrize("key", ["x" * 201, "a\nb"])
def test_an_odd_key_is_refused(pipeline, key):
    assert code("/questions", ASKED, KEY | {"Idempotency-Key": key}) == (400, "bad_idempotency_key")


def test_a_reply_that_cannot_be_kept_is_given_once_and_not_done_twice(pipeline, monkeypatch):
    monkeypatch.setattr(repeat_rules, "MAX_PACKED", 300)
    body = {"document": "".join(chr(0x4E00 + n * 7919 % 20_000) for n in range(300))}
    status, first = post("/documents", body)
    assert (status, first["document"]) == (200, body["document"])
    assert code("/documents", body) == (409, "reply_not_kept")


def test_a_reply_is_kept_for_a_day(pipeline):
    now = [0.0]
    pipeline.repeats = memory_repeats.MemoryRepeats(lambda: now[0])
    _, first = post("/questions", ASKED)
    now[0] = 86_399
    assert post("/questions", ASKED)[1]["id"] == first["id"]
    now[0] = 86_401
    assert post("/questions", ASKED)[1]["id"] != first["id"]
