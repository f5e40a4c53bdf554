"""`Idempotency-Key`: a request that is sent again is done once."""

import json
from pathlib import Path

import pytest

from footnote.adapters.memory import repeats as memory_repeats
from footnote.adapters.memory.buckets import MemoryUploads
from footnote.adapters.memory.small import MemoryTenants
from footnote.api import routes
from footnote.errors import UnavailableError
from footnote.settings import Settings
from tests.unit.faces import Context, Flaky, event, small

ROOT = Path(__file__).resolve().parents[2]
KEY = {"x-api-key": "acme-key", "Idempotency-Key": "a7"}
ASKED = {"question": "What is the fee?"}


@pytest.fixture
def pipeline():
    made = small()
    made.upload("acme/default/tolls.txt", b"The toll of the bridge is 7 crowns.\n")  # for a grid
    made.drain()
    return made


def post(path, body, headers=None):
    text = None if body is None else json.dumps(body)
    answer = routes.handle(event("POST", path, None, text, headers or KEY), Context())
    return answer["statusCode"], json.loads(answer["body"])


def code(path, body, headers=None):
    status, told = post(path, body, headers)
    return status, told["error"]["code"]


BODIES = {
    "/documents": {"document": "a.md"},
    "/documents/batch": {"documents": [{"document": "a.md"}]},
    "/grids": {"questions": ["What is the fee?"]},
    "/questions": ASKED,
    "/reindex": {"force": True},
}


def test_these_are_the_routes_that_take_a_key():
    document = json.loads((ROOT / "docs" / "openapi.json").read_text())
    taking = {
        path
        for path, routes in document["paths"].items()
        for one in routes.get("post", {}).get("parameters", ())
        if one["name"].lower() == "idempotency-key"
    }
    assert taking == BODIES.keys()


@pytest.mark.parametrize(("path", "body"), [*BODIES.items(), ("/reindex", None)])
def test_the_same_request_makes_the_same_thing(pipeline, path, body):
    first = post(path, body)
    assert first[0] in {200, 202}
    again = post(path, body)
    assert (again[0] in {200, 202}, again[1]["id"]) == (True, first[1]["id"])
    assert again[1].keys() >= first[1].keys()


def test_a_text_is_added_once_and_told_again_while_it_may_be_written(pipeline):
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("sales",)})
    body = {"document": "a.md", "new_text": "# A\n\nOne.\n", "metadata": {"year": 2026}}
    first = post("/documents", body)
    assert (first[0], first[1]["url"], bool(first[1]["version"])) == (200, "", True)
    assert post("/documents", body) == first
    bare = {"x-api-key": "acme-key"}
    assert code("/documents", body | {"new_text": "# B\n"}, bare) == (409, "document_exists")
    key = "acme/default/a.md"
    assert pipeline.uploads.version_ids(key) == [first[1]["version"]]
    pipeline.drain()
    assert pipeline.catalog.get(first[1]["id"]).metadata == {"year": 2026}
    close(pipeline, "a.md")
    assert code("/documents", body)[0] == 403


@pytest.mark.parametrize(("path", "body"), BODIES.items())
def test_no_reply_is_kept(pipeline, path, body):
    _, first = post(path, body, KEY | {"prefer": "wait=5"})
    [(kept, _)] = pipeline.repeats._kept.values()
    assert kept.body in {"", first["id"]}


@pytest.fixture
def answered():
    """Returns a question whose answer, by a document that is open to this key, came with a key."""
    pipeline = small()
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("sales",)})
    pipeline.upload("acme/default/fees.txt", b"The fee of the harbour is 84 crowns a day.\n")

    def ask():
        asked = {"question": "What is the fee of the harbour?", "session": "s"}
        return post("/questions", asked, KEY | {"prefer": "wait=5"})

    status, told = ask()
    assert (status, "84 crowns" in told["answer"]) == (200, True)
    return pipeline, ask


def close(pipeline, name="fees.txt"):
    pipeline.uploads.put(f"acme/default/{name}.metadata.json", b'{"acl": ["board"]}')
    pipeline.drain()


def test_an_answer_whose_source_is_closed_meanwhile_is_not_told_again(answered):
    pipeline, ask = answered
    close(pipeline)
    status, told = ask()
    assert (status, told["status"], told["error"]["code"]) == (200, "FAILED", "sources_closed")
    assert "84 crowns" not in json.dumps(told)


def test_an_answer_whose_source_is_deleted_meanwhile_is_not_told_again(answered):
    pipeline, ask = answered
    pipeline.uploads.delete("acme/default/fees.txt")
    pipeline.drain()
    assert ask()[1]["error"]["code"] == "sources_closed"


def test_of_a_question_that_is_deleted_nothing_is_told_again(answered):
    _, ask = answered
    deleted = routes.handle(event("DELETE", "/sessions/s", None, None, KEY), Context())
    assert deleted["statusCode"] == 200
    status, told = ask()
    assert (status, told["error"]["code"]) == (404, "not_found")


def kept_before(pipeline, reply):
    """Puts a whole reply where the name of what was made stands, as an older release kept it."""
    [(name, (kept, until))] = pipeline.repeats._kept.items()
    older = {"status": 202, "body": json.dumps(reply), "holder": ""}
    pipeline.repeats._kept[name] = (kept.model_copy(update=older), until)


@pytest.mark.parametrize(("path", "body"), BODIES.items())
def test_of_a_reply_that_an_older_release_kept_only_what_it_names_counts(pipeline, path, body):
    _, first = post(path, body)
    kept_before(pipeline, first)
    status, again = post(path, body)
    assert (status in {200, 202}, again["id"]) == (True, first["id"])


@pytest.mark.parametrize("reply", [None, {"error": {"code": "reply_too_large"}}])
def test_such_a_reply_is_not_told_where_what_it_names_is_not_there(answered, reply):
    pipeline, ask = answered
    kept_before(pipeline, reply or ask()[1])
    routes.handle(event("DELETE", "/sessions/s", None, None, KEY), Context())
    status, told = ask()
    assert (status, told["error"]["code"]) == (404, "not_found")
    assert not any(word in json.dumps(told) for word in ("84 crowns", "harbour", "too_large"))


def test_a_form_is_not_given_again_where_the_name_is_closed_meanwhile(pipeline):
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("sales",)})
    batch = {"documents": [{"document": "a.md"}, {"document": "b.md"}]}
    post("/documents", {"document": "a.md"})
    _, first = post("/documents/batch", batch)
    close(pipeline, "a.md")
    assert code("/documents", {"document": "a.md"})[0] == 403
    _, told = post("/documents/batch", batch)
    assert (told["id"], told["total"]) == (first["id"], 2)
    assert told["tickets"][0]["error"]["code"] == "forbidden"
    assert told["tickets"][1]["url"]


class Signing(MemoryUploads):
    """Counts the forms that are signed."""

    signed = 0

    def presign(self, *given):
        self.signed += 1
        return super().presign(*given)


@pytest.mark.parametrize("path", ["/documents", "/documents/batch"])
def test_a_form_that_may_have_expired_is_signed_anew(pipeline, path):
    pipeline.uploads = Signing()
    for times in (1, 2, 3):
        assert post(path, BODIES[path])[0] == 200
        assert pipeline.uploads.signed == times


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


def test_a_key_counts_for_a_day(pipeline):
    now = [0.0]
    pipeline.repeats = memory_repeats.MemoryRepeats(lambda: now[0])
    _, first = post("/questions", ASKED)
    now[0] = 86_399
    assert post("/questions", ASKED)[1]["id"] == first["id"]
    now[0] = 86_401
    assert post("/questions", ASKED)[1]["id"] != first["id"]
