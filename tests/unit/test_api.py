"""The REST API: every route, and every way to get one wrong."""

import base64
import hashlib
import json
import time
from pathlib import Path

import pytest

from footnote.api import routes
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Facts, Problem, Revision, digest, document_id
from footnote.service import Service
from footnote.service.document_service import MAX_LOOKUPS
from footnote.service.retry_service import MAX_RETRIES
from footnote.settings import Settings
from tests.described import must_be_described
from tests.unit.faces import Context, Flaky, event, small

EVENTS = Path(__file__).resolve().parents[2] / "events"
KEY = "acme/default/reports/q3 ü 100%.md"
TEXT = b"# Third quarter\n\nRevenue of the third quarter was 84 million crowns.\n"
ID = document_id(KEY)
QUESTION = "What was revenue of the third quarter?"


@pytest.fixture
def pipeline():
    return small()


def call(method, path, parameters=None, body=None, headers=None):
    text = body if body is None or isinstance(body, str) else json.dumps(body)
    answer = routes.handle(event(method, path, parameters, text, headers), Context())
    assert answer["multiValueHeaders"]["Content-Type"] == ["application/json"]
    assert answer["multiValueHeaders"]["Access-Control-Allow-Origin"] == ["*"]
    must_be_described(method, path, answer)
    return answer["statusCode"], json.loads(answer["body"])


def problem(method, path, parameters=None, body=None, headers=None):
    """Returns the status and the whole error, and checks that the reply has nothing else."""
    status, reply = call(method, path, parameters, body, headers)
    assert set(reply) == {"error"}
    assert set(reply["error"]) == {"code", "message", "action"}
    assert all(reply["error"].values())
    return status, reply["error"]["code"], reply["error"]["message"], reply["error"]["action"]


# -- documents -----------------------------------------------------------------------------------


def test_adding_is_told_where_to_upload(pipeline):
    body = {"document": "reports/q3.pdf", "collection": "board"}
    status, reply = call("POST", "/documents", body=body)
    key = "acme/board/reports/q3.pdf"
    assert (status, reply) == (
        200,
        {
            "id": document_id(key),
            "document": "reports/q3.pdf",
            "collection": "board",
            "sidecar": False,
            "same": False,
            "url": "memory://uploads",
            "fields": {
                "key": key,
                "max_bytes": "250000000",
                "expires": "900",
                "x-amz-meta-footnote-acl": digest("open"),
            },
            "max_bytes": 250_000_000,
            "expires_in": 900,
        },
    )


def test_what_is_there_already_is_not_sent_again(pipeline):
    pipeline.upload(KEY, TEXT)
    path, collection = KEY.split("/", 2)[2], KEY.split("/")[1]
    body = {"document": path, "collection": collection}
    digest = hashlib.sha256(TEXT).hexdigest()
    status, reply = call("POST", "/documents", body=body | {"sha256": digest.upper()})
    assert (status, reply["same"], reply["url"], reply["fields"]) == (200, True, "", {})
    for other in (
        {"sha256": hashlib.sha256(b"other").hexdigest()},
        {"sha256": digest, "metadata": {"year": 2025}},  # its attributes would change
        {"sha256": digest, "collection": "elsewhere"},
        {},
    ):
        status, reply = call("POST", "/documents", body=body | other)
        assert (status, reply["same"], reply["url"]) == (200, False, "memory://uploads"), other
    assert call("POST", "/documents", body=body | {"sha256": "abc"})[0] == 400


def test_a_document_that_failed_is_sent_again_whatever_it_holds(pipeline):
    broken = b"%PDF-1.7 nothing"
    pipeline.upload("acme/default/broken.pdf", broken)
    body = {"document": "broken.pdf", "sha256": hashlib.sha256(broken).hexdigest()}
    assert call("POST", "/documents", body=body)[1]["same"] is False


def test_a_document_is_shown_as_the_contract_says(pipeline):
    pipeline.upload(KEY, TEXT)
    status, reply = call("GET", f"/documents/{ID}")
    timings = reply.pop("timings_ms")
    assert list(timings) == ["parse", "chunk", "index"]
    assert reply.pop("received") <= reply.pop("updated")
    assert (status, reply) == (
        200,
        {
            "id": ID,
            "document": "reports/q3 ü 100%.md",
            "collection": "default",
            "version": "v1",
            "status": "READY",
            "error": None,
            "searchable": True,
            "title": "Third quarter",
            "media_type": "text/markdown",
            "language": "en",
            "size": len(TEXT),
            "pages": 0,
            "chunks": 1,
            "parts": {"done": 1, "of": 1},
            "warnings": [],
            "metadata": {},
            "acl": None,
            "usd": 0.0,
        },
    )


def test_a_document_is_found_by_its_path_in_a_folder_with_any_letters(pipeline):
    pipeline.upload(KEY, TEXT)
    status, reply = call("GET", "/documents/reports%2Fq3%20%C3%BC%20100%25.md")
    assert (status, reply["id"]) == (200, ID)


def test_a_document_of_another_collection_is_found_by_naming_it(pipeline):
    pipeline.upload("acme/board/minutes.md", TEXT)
    assert problem("GET", "/documents/minutes.md")[:2] == (404, "unknown_document")
    assert call("GET", "/documents/minutes.md", {"collection": "board"})[0] == 200


def test_documents_are_listed_a_page_at_a_time(pipeline):
    for name in ("a", "b", "c"):
        pipeline.upload(f"acme/default/{name}.md", TEXT)
    status, first = call("GET", "/documents", {"limit": "2"})
    assert (status, [d["document"] for d in first["documents"]]) == (200, ["a.md", "b.md"])
    _, second = call("GET", "/documents", {"limit": "2", "after": first["after"]})
    assert ([d["document"] for d in second["documents"]], second["after"]) == (["c.md"], "")


def test_documents_are_listed_by_status(pipeline):
    pipeline.upload("acme/default/a.md", TEXT)
    pipeline.upload("acme/default/empty.md", b"")
    for status, names in (("READY", ["a.md"]), ("failed", ["empty.md"]), ("PARSING", [])):
        _, reply = call("GET", "/documents", {"status": status})
        assert [d["document"] for d in reply["documents"]] == names


@pytest.mark.parametrize(
    ("parameters", "code", "says"),
    [
        ({"status": "DONE"}, "bad_request", "'DONE'"),
        ({"limit": "many"}, "bad_number", "limit"),
        ({"limit": "nan"}, "bad_number", "limit"),
        ({"after": "_w=="}, "bad_request", "'_w=='"),
    ],
)
def test_a_listing_that_is_asked_for_wrongly_says_what_is_wrong(pipeline, parameters, code, says):
    status, found, message, _ = problem("GET", "/documents", parameters)
    assert (status, found) == (400, code)
    assert says in message


def test_an_unknown_status_names_the_known_ones(pipeline):
    action = problem("GET", "/documents", {"status": "DONE"})[3]
    assert action == (
        "Known: RECEIVED, PARSING, CHUNKING, INDEXING, READY, FAILED, UNSUPPORTED, DELETED."
    )


@pytest.mark.parametrize(("limit", "shown"), [("0", 1), ("-5", 1), ("99999", 3), ("inf", 3)])
def test_a_limit_out_of_bounds_is_the_nearest_that_is_not(pipeline, limit, shown):
    for name in ("a", "b", "c"):
        pipeline.upload(f"acme/default/{name}.md", TEXT)
    assert len(call("GET", "/documents", {"limit": limit})[1]["documents"]) == shown


def test_removing_deletes_the_upload_and_then_all_of_it(pipeline):
    pipeline.upload(KEY, TEXT)
    status, reply = call("DELETE", "/documents/reports%2Fq3%20%C3%BC%20100%25.md")
    assert (status, reply["id"], reply["status"]) == (202, ID, "READY")
    pipeline.drain()
    assert call("GET", f"/documents/{ID}")[1]["status"] == "DELETED"
    assert call("POST", "/search", body={"query": "revenue"})[1]["hits"] == []
    assert problem("DELETE", f"/documents/{ID}")[:2] == (404, "deleted")


def test_what_failed_is_retried_and_what_is_ready_is_not(pipeline):
    pipeline.upload(KEY, TEXT)
    assert problem("POST", f"/documents/{ID}/retry")[:2] == (409, "conflict")
    record = pipeline.upload("acme/default/a/empty.md", b"")
    assert record.status == "FAILED"
    status, reply = call("POST", "/documents/a%2Fempty.md/retry")
    assert (status, reply["status"], reply["error"]) == (202, "RECEIVED", None)


def test_all_that_ended_with_a_code_is_retried_and_nothing_else(pipeline):
    pipeline.upload(KEY, TEXT)
    for n in range(3):
        pipeline.upload(f"acme/default/empty{n}.md", b"")
    pipeline.upload("acme/default/broken.pdf", b"%PDF-1.7 nothing")
    pipeline.upload("other/default/empty.md", b"")
    status, reply = call("POST", "/documents/retry", {"code": "empty_file"})
    assert (status, reply["more"]) == (202, False)
    assert [(one["document"], one["status"]) for one in reply["documents"]] == [
        (f"empty{n}.md", "RECEIVED") for n in range(3)
    ]
    assert len(pipeline.queues.sent["parse"]) == 3
    assert problem("POST", "/documents/retry")[:2] == (400, "bad_code")


def test_very_many_are_retried_in_several_calls(pipeline):
    for n in range(MAX_RETRIES + 1):
        pipeline.upload(f"acme/default/{n}.md", b"")
    _, first = call("POST", "/documents/retry", {"code": "empty_file"})
    next_page = {"code": "empty_file", "after": first["after"]}
    _, second = call("POST", "/documents/retry", next_page)
    assert (len(first["documents"]), first["more"]) == (MAX_RETRIES, True)
    assert (len(second["documents"]), second["more"], second["after"]) == (1, False, "")


def test_what_fails_again_at_once_is_retried_once(pipeline):
    for n in range(2 * MAX_RETRIES):
        pipeline.upload(f"acme/default/{n}.md", b"")
    after, retried = "", []
    for _ in range(10):
        _, page = call("POST", "/documents/retry", {"code": "empty_file", "after": after})
        pipeline.drain()  # each has FAILED again by now
        retried += [one["id"] for one in page["documents"]]
        after = page["after"]
        if not page["more"]:
            break
    assert (len(retried), len(set(retried))) == (2 * MAX_RETRIES, 2 * MAX_RETRIES)


def test_a_retry_of_many_ends_in_time_when_everything_is_slow(pipeline, monkeypatch):
    for n in range(MAX_RETRIES):
        pipeline.upload(f"acme/default/{n}.md", b"")
    now = [0.0]
    monkeypatch.setattr("footnote.service.retry_service.time.monotonic", lambda: now[0])
    send = pipeline.queues.send

    def slow_send(*args, **options):
        now[0] += 0.7
        send(*args, **options)

    monkeypatch.setattr(pipeline.queues, "send", slow_send)
    _, page = call("POST", "/documents/retry", {"code": "empty_file"})
    assert 0 < len(page["documents"]) < MAX_RETRIES
    assert page["more"]
    assert now[0] < 29  # the function's time


def test_both_what_failed_and_what_is_unsupported_is_retried(pipeline):
    for n in range(60):
        key = f"acme/default/{n:02}.md"
        pipeline.catalog.receive(Revision(key=key, version="v1", sequencer="10"), 5)
        problem = Problem(code="odd", message="odd", action="none")
        status = "FAILED" if n % 2 else "UNSUPPORTED"
        revision = Revision(key=key, version="v1", sequencer="10")
        pipeline.catalog.advance(revision, status, Facts(error=problem))
    _, page = call("POST", "/documents/retry", {"code": "odd"})
    assert (len(page["documents"]), page["more"]) == (60, False)


@pytest.mark.parametrize("after", ["READY:", "x", "FAILED:_w=="])
def test_a_cursor_of_retries_that_is_none_is_refused(pipeline, after):
    asked = {"code": "empty_file", "after": after}
    assert problem("POST", "/documents/retry", asked)[:2] == (400, "bad_request")


def test_some_documents_are_looked_up_by_their_ids(pipeline):
    for name in ("default/a", "default/b", "board/c"):
        pipeline.upload(f"acme/{name}.md", TEXT)
    pipeline.upload("other/default/d.md", TEXT)
    keys = ("acme/default/a.md", "acme/board/c.md", "other/default/d.md", "acme/default/none.md")
    ids = [document_id(key) for key in keys]
    status, reply = call("POST", "/documents/status", body={"ids": ids})
    assert (status, sorted(one["document"] for one in reply["documents"])) == (
        200,
        ["a.md", "c.md"],
    )
    assert reply["documents"][0] == call("GET", f"/documents/{reply['documents'][0]['id']}")[1]
    assert call("POST", "/documents/status", body={"ids": []}) == (200, {"documents": []})


def test_too_many_ids_at_once_are_refused(pipeline):
    body = {"ids": [f"{n}" for n in range(MAX_LOOKUPS + 1)]}
    status, code, _, action = problem("POST", "/documents/status", body=body)
    assert (status, code, str(MAX_LOOKUPS) in action) == (400, "bad_request", True)


# -- search --------------------------------------------------------------------------------------


def test_a_search_replies_as_the_contract_says(pipeline):
    pipeline.upload(KEY, TEXT)
    status, reply = call("POST", "/search", body={"query": "revenue", "strategy": "lexical"})
    [hit] = reply.pop("hits")
    assert reply.pop("took_ms") >= 0
    assert (status, reply) == (
        200,
        {
            "query": "revenue",
            "strategy": "lexical",
            "chosen": None,
            "degraded": [],
        },
    )
    assert hit.pop("score") > 0
    assert 0 < hit.pop("probability") < 1
    text = "# Third quarter\n\nRevenue of the third quarter was 84 million crowns."
    assert hit == {
        "rank": 1,
        "document": "reports/q3 ü 100%.md",
        "document_id": ID,
        "collection": "default",
        "version": "v1",
        "title": "Third quarter",
        "metadata": {},
        "pages": [],
        "labels": [],
        "section": ["Third quarter"],
        "text": text,
        "start": 0,
        "end": len(text),
        "read": "text",
    }


def test_a_search_follows_a_page_and_says_where_it_was_lost(pipeline):
    pipeline.upload(KEY, TEXT)
    name = KEY.split("/", 2)[2]
    body = {"query": "revenue", "why": {"document": name}}
    assert call("POST", "/search", body=body)[1]["why"]["lost_at"] == ""
    body["why"]["page"] = 3
    followed = call("POST", "/search", body=body)[1]["why"]
    assert (followed["document"], followed["page"], followed["lost_at"]) == (name, 3, "index")
    assert followed["looks"][-1].keys() == {"at", "holds", "told"}
    body["why"] = {"document": "none.pdf"}
    status, reply = call("POST", "/search", body=body)
    assert (status, reply["error"]["code"]) == (404, "unknown_document")


def test_a_search_chooses_unless_it_is_told_how_and_says_what_it_chose(pipeline):
    pipeline.upload(KEY, TEXT)
    _, reply = call("POST", "/search", body={"query": "When was the revenue told?"})
    assert (reply["strategy"], reply["chosen"]["strategy"]) == ("auto", "hybrid")
    _, reply = call("POST", "/search", body={"query": "OC-26-0015"})
    assert reply["chosen"] == {
        "strategy": "lexical",
        "why": "the question is about the identifier OC-26-0015",
    }


def test_a_search_that_finds_too_little_goes_on(pipeline):
    pipeline.upload(KEY, TEXT)
    body = {"query": "zebra", "strategy": "lexical"}
    assert call("POST", "/search", body=body)[1]["hits"] == []
    _, reply = call("POST", "/search", body={**body, "minimum_results": 1})
    assert (len(reply["hits"]), len(reply["degraded"])) == (1, 1)
    assert "went on by hybrid" in reply["degraded"][0]
    status, reply = call("POST", "/search", body={**body, "minimum_results": 11})
    assert (status, reply["error"]["code"]) == (400, "bad_minimum")


def test_hits_that_are_less_likely_than_wanted_are_left_out(pipeline):
    pipeline.upload(KEY, TEXT)
    body = {"query": "revenue", "strategy": "hybrid"}
    [hit, *_] = call("POST", "/search", body=body)[1]["hits"]
    assert 0 < hit["probability"] < 1
    wanted = {**body, "min_score": hit["probability"]}
    assert call("POST", "/search", body=wanted)[1]["hits"][0] == hit
    status, reply = call("POST", "/search", body={**body, "min_score": 1})
    assert (status, reply["hits"], reply["degraded"]) == (200, [], [])
    reranked = {**body, "strategy": "hybrid_reranked", "min_score": 1}
    assert call("POST", "/search", body=reranked)[1]["hits"] == []
    assert call("POST", "/search", body={**body, "min_score": 1.5})[0] == 400


def test_a_search_that_went_by_words_is_followed_by_words(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.embedder = Flaky(pipeline.embedder, embed=[UnavailableError("the model is down")] * 9)
    body = {"query": "revenue", "why": {"document": KEY.split("/", 2)[2]}}
    status, reply = call("POST", "/search", body=body)
    assert (status, len(reply["degraded"]), reply["why"]["lost_at"]) == (200, 1, "")


def test_a_search_explains_itself_when_it_is_asked_to(pipeline):
    pipeline.upload(KEY, TEXT)
    body = {"query": "crowns", "strategy": "hybrid", "explain": True}
    _, reply = call("POST", "/search", body=body)
    [hit] = reply["hits"]
    assert hit["explain"].keys() == {"legs", "signals", "reranked"}
    legs = {one["leg"]: one for one in hit["explain"]["legs"]}
    assert 0 < legs.pop("document")["scaled"] < 0.1  # of one document alone no name is telling
    assert legs["meaning"].keys() == {"leg", "rank", "raw", "scaled", "weight"}
    assert {name: (one["rank"], one["scaled"], one["weight"]) for name, one in legs.items()} == {
        "words": (1, 1.0, 0.25),
        "meaning": (1, 1.0, 0.4),
        "page": (1, 1.0, 0.2),
    }


@pytest.mark.parametrize(
    ("narrowed", "found"),
    [
        ({}, ["board", "default"]),
        ({"collection": "board"}, ["board"]),
        ({"documents": ["minutes.md"]}, ["board"]),
        ({"documents": [document_id("acme/board/minutes.md")]}, ["board"]),
        ({"documents": ["minutes.md"], "collection": "board"}, ["board"]),
        ({"filters": {"collection": "default"}}, ["default"]),
        ({"k": 1, "collection": "board"}, ["board"]),
    ],
)
def test_a_search_is_narrowed_by_what_the_body_says(pipeline, narrowed, found):
    pipeline.upload(KEY, TEXT)
    pipeline.upload("acme/board/minutes.md", b"The board was told of the revenue.\n")
    _, reply = call("POST", "/search", body={"query": "revenue", **narrowed})
    assert sorted(hit["collection"] for hit in reply["hits"]) == found


@pytest.mark.parametrize(
    ("body", "code", "says"),
    [
        ("{", "invalid_json", "not JSON"),
        ("", "invalid_json", "no body"),
        (None, "invalid_json", "no body"),
        ("[]", "invalid_body", "the body"),
        ({}, "invalid_body", "query"),
        ({"query": "x", "documents": ["a.md"] * 101}, "invalid_body", "documents"),
        ({"query": 5}, "invalid_body", "query"),
        ({"query": "x", "strategy": "magic"}, "invalid_body", "strategy"),
        ({"query": "x", "tenant": "other"}, "invalid_body", "tenant"),
        ({"query": "x", "k": "all"}, "invalid_body", "k"),
        ({"query": "x", "filters": {"a": {"b": 1}}}, "bad_filter", "'a'"),
        ({"query": "  "}, "empty_query", "empty"),
        ({"query": "x" * 4001}, "query_too_long", "4,001"),
        ({"query": "x", "k": 0}, "bad_k", "0"),
        ({"query": "x", "k": 1001}, "bad_k", "1001"),
    ],
)
def test_a_search_that_is_wrong_says_what_is_wrong(pipeline, body, code, says):
    status, found, message, _ = problem("POST", "/search", body=body)
    assert (status, found) == (400, code)
    assert says in message


def test_an_unknown_field_names_the_known_ones(pipeline):
    body = {"query": "x", "tenant": "other"}
    action = problem("POST", "/search", body=body)[3]
    assert action == (
        "Known fields: query, strategy, k, minimum_results, min_score, collection, documents,"
        " filters, explain, why."
    )


@pytest.mark.parametrize("route", ["/search", "/questions"])
@pytest.mark.parametrize("collection", [None, "default"])
def test_a_document_that_is_not_there_is_not_an_empty_result(pipeline, route, collection):
    record = pipeline.upload("acme/default/gone.md", TEXT)
    pipeline.uploads.delete(record.key)
    pipeline.drain()
    for name in ("nothing.pdf", "gone.md"):
        body = {"documents": [name], "collection": collection}
        body["query" if route == "/search" else "question"] = "revenue"
        status, code, message, _ = problem("POST", route, body=body)
        assert (status, code) == (404, "unknown_document")
        assert name in message


def test_a_body_in_base64_is_read_too(pipeline):
    sent = event("POST", "/search", None, base64.b64encode(b'{"query": "x"}').decode())
    assert routes.handle(sent | {"isBase64Encoded": True}, Context())["statusCode"] == 200


# -- questions -----------------------------------------------------------------------------------


def test_a_question_is_taken_and_answered_later(pipeline):
    pipeline.upload(KEY, TEXT)
    status, started = call("POST", "/questions", body={"question": QUESTION})
    assert (status, started["status"], started["question"]) == (202, "RUNNING", QUESTION)
    status, answer = call("GET", f"/questions/{started['id']}")
    assert (status, answer["status"], answer["found"]) == (200, "DONE", True)
    assert set(answer) == {
        "id", "status", "question", "session", "after", "estimate", "scope",
        "kind", "found", "outcome", "answer", "sentences", "citations", "catalogue", "coverage",
        "confidence", "degraded", "no_model", "mode", "plan", "rounds", "removed", "usage",
        "timings_ms", "data", "fields", "chart",
    }  # fmt: skip
    assert [sub["text"] for sub in answer["plan"]["sub_questions"]] == [QUESTION]
    assert "evidence" not in json.dumps(answer["plan"])  # keys of artifacts are not for callers
    [citation] = answer["citations"]
    assert (citation["n"], citation["document"], citation["verified"]) == (
        1,
        "reports/q3 ü 100%.md",
        True,
    )
    assert citation["quote"] == "Revenue of the third quarter was 84 million crowns."
    assert answer["sentences"] == [
        {
            "text": citation["quote"],
            "citations": [1],
            "checked": "exact",
            "judged_by": "rules",
            "repaired": False,
            "computed": [],
        }
    ]
    assert set(answer["timings_ms"]) == {
        "plan", "retrieve", "grade", "first_word", "synthesize", "total",
    }  # fmt: skip
    assert answer["timings_ms"]["first_word"] <= answer["timings_ms"]["total"]


@pytest.mark.parametrize(
    ("narrowing", "scope"),
    [
        ({}, (None, [], False)),
        ({"documents": [KEY[13:]]}, (None, [KEY[13:]], False)),
        ({"documents": [ID]}, (None, [ID], False)),
        ({"collection": "default"}, ("default", [], False)),
        ({"filters": {"year": 2025}}, (None, [], True)),
    ],
)
def test_a_question_says_what_it_was_asked_of_and_nothing_of_rights(pipeline, narrowing, scope):
    attributes = json.dumps({"metadataAttributes": {"year": 2025}})
    pipeline.uploads.put(f"{KEY}.metadata.json", attributes.encode())
    pipeline.upload(KEY, TEXT)
    _, started = call("POST", "/questions", body={"question": QUESTION, **narrowing})
    names = ("collection", "documents", "filtered")
    assert started["scope"] == dict(zip(names, scope, strict=True))


@pytest.mark.parametrize("header", ["wait=20", " Wait = 5 ", "wait=99999"])
def test_a_question_that_prefers_to_wait_is_answered_at_once(pipeline, header):
    headers = {"x-api-key": "acme-key", "Prefer": header}
    status, answer = call("POST", "/questions", body={"question": "Hello!"}, headers=headers)
    assert (status, answer["status"], answer["kind"]) == (200, "DONE", "direct")


def test_a_questions_budget_shortens_its_deadline(pipeline):
    pipeline.clock = lambda: 1000.0
    for budget, deadline in ({}, 1120.0), ({"seconds": 30}, 1030.0), ({"seconds": 900}, 1120.0):
        _, asked = call("POST", "/questions", body={"question": "Hello!", "budget": budget})
        assert pipeline.questions.get("acme", asked["id"]).deadline == deadline


def test_a_questions_budget_lowers_its_caps(pipeline):
    budget = {"rounds": 1, "searches": 3, "tokens": 900, "usd": 0.02}
    _, asked = call("POST", "/questions", body={"question": "Hello!", "budget": budget})
    assert pipeline.questions.get("acme", asked["id"]).budget.model_dump() == budget


@pytest.mark.parametrize("header", ["", "wait", "wait=soon", "wait=²", "respond-async", "wait=0"])
def test_any_other_preference_does_not_wait(pipeline, header):
    headers = {"x-api-key": "acme-key", "prefer": header}
    status, reply = call("POST", "/questions", body={"question": "Hello!"}, headers=headers)
    assert (status, reply["status"]) == (202, "RUNNING")


def test_a_question_that_failed_says_why(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.index = Flaky(pipeline.index, search=[UnavailableError("the index is down")] * 9)
    _, started = call("POST", "/questions", body={"question": QUESTION})
    status, reply = call("GET", f"/questions/{started['id']}")
    assert (status, reply["status"]) == (200, "FAILED")
    assert reply["error"]["code"] == "unavailable"
    assert "answer" not in reply


def test_the_events_of_a_question_are_read_on_from_the_last_one(pipeline):
    _, started = call("POST", "/questions", body={"question": "Hello!"})
    path = f"/questions/{started['id']}/events"
    _, all_events = call("GET", path, {"wait": "1"})
    assert all_events["status"] == "DONE"
    kinds = [one["kind"] for one in all_events["events"]]
    assert (*kinds[:2], kinds[-1]) == ("estimate", "plan", "answered")
    first = all_events["events"][0]["id"]
    _, rest = call("GET", path, {"after": first})
    assert rest["events"] == all_events["events"][1:]


def test_an_estimate_asks_nothing(pipeline):
    status, told = call("POST", "/questions/estimate", body={"question": "What is the fee?"})
    assert (status, told["tokens"], told["usd"], told["mode"]) == (200, 0, 0.0, "extractive")
    assert "nothing is paid" in told["notes"][0]
    assert problem("POST", "/questions/estimate", body={"question": ""})[:2] == (
        400,
        "empty_question",
    )
    assert call("GET", "/sessions")[1]["sessions"] == []


def test_the_events_of_a_question_that_nobody_works_on_are_waited_for(pipeline):
    pipeline.workflow = Idle()
    _, started = call("POST", "/questions", body={"question": "Hello!"})
    status, reply = call("GET", f"/questions/{started['id']}/events", {"wait": "0.2"})
    assert (status, reply) == (200, {"status": "RUNNING", "events": []})


class Idle:
    """Implements Workflow: starts a question and never does anything."""

    def ask(self, tenant, question_id):
        pass


def test_a_reply_names_the_one_origin_that_may_read_it_and_is_kept_for_no_other(pipeline):
    pipeline.settings = Settings(backend="memory", allowed_origin="https://docs.example")
    headers = routes.handle(event("GET", "/health"), Context())["multiValueHeaders"]
    assert headers["Access-Control-Allow-Origin"] == ["https://docs.example"]
    assert headers["Vary"] == ["Origin"]


def test_no_request_waits_longer_than_the_deployment_allows(pipeline, monkeypatch):
    pauses = []
    monkeypatch.setattr("footnote.api.waiting.time.sleep", pauses.append)
    pipeline.settings = Settings(backend="memory", wait_seconds=0)
    pipeline.workflow = Idle()
    _, started = call("POST", "/questions", body={"question": "What is the fee?"})
    asked = {"prefer": "wait=20", "x-api-key": "acme-key"}
    status, _ = call("POST", "/questions", body={"question": "And the rent?"}, headers=asked)
    _, reply = call("GET", f"/questions/{started['id']}/events", {"wait": "20"})
    assert (status, reply["status"], pauses) == (202, "RUNNING", [])


@pytest.mark.parametrize("wait", ["nan", "long"])
def test_events_cannot_be_waited_for_a_time_that_is_no_number(pipeline, wait):
    _, started = call("POST", "/questions", body={"question": "Hello!"})
    path = f"/questions/{started['id']}/events"
    assert problem("GET", path, {"wait": wait})[:2] == (400, "bad_number")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"question": ""}, "empty_question"),
        ({"question": " \n"}, "empty_question"),
        ({"question": "x" * 100_000}, "question_too_long"),
        ({"question": "x", "session": "s" * 201}, "invalid_body"),
        ({"question": "x", "budget": {"seconds": 0}}, "invalid_body"),
        ({"question": "x", "budget": {"dollars": 1}}, "invalid_body"),
        ({"question": "x", "budget": {"rounds": 0}}, "invalid_body"),
        ({"question": "x", "budget": {"searches": 1.5}}, "invalid_body"),
        ({"question": "x", "budget": {"tokens": -1}}, "invalid_body"),
        ({"question": "x", "budget": {"usd": 0}}, "invalid_body"),
    ],
)
def test_a_question_that_cannot_be_asked_is_refused(pipeline, body, code):
    assert problem("POST", "/questions", body=body)[:2] == (400, code)


def test_a_question_that_cannot_be_started_is_unavailable(pipeline):
    pipeline.workflow = Flaky(pipeline.workflow, ask=[UnavailableError("too many executions")])
    status, code, message, _ = problem("POST", "/questions", body={"question": "Hello!"})
    assert (status, code, message) == (503, "unavailable", "too many executions")


@pytest.mark.parametrize("path", ["/questions/none", "/questions/none/events"])
def test_an_unknown_question_is_404(pipeline, path):
    assert problem("GET", path)[:2] == (404, "not_found")


# -- operating -----------------------------------------------------------------------------------


@pytest.mark.parametrize("body", [None, "", {}, {"reason": "cli"}, {"force": False}])
def test_a_reindex_that_has_nothing_to_do_says_so(pipeline, body):
    pipeline.upload(KEY, TEXT)
    _, started = call("POST", "/reindex", body=body)
    status, run = call("GET", f"/reindex/{started['id']}")
    said = {"id": started["id"], "status": "DONE", "outcome": "unchanged", "error": None}
    assert (status, run) == (200, said)
    assert call("GET", "/health")[1]["index"]["generation"] == "footnote-hash-1"


@pytest.mark.parametrize("body", [{"force": True}, {"reason": "cli", "force": True}])
def test_a_reindex_is_started_and_looked_at(pipeline, body):
    pipeline.upload(KEY, TEXT)
    status, started = call("POST", "/reindex", body=body)
    assert (status, started["status"]) == (202, "RUNNING")
    status, run = call("GET", f"/reindex/{started['id']}")
    said = {"id": started["id"], "status": "DONE", "outcome": "rebuilt", "error": None}
    assert (status, run) == (200, said)
    assert call("GET", "/health")[1]["index"]["generation"] == "footnote-hash-2"


@pytest.mark.parametrize(
    "body", [{"reason": {}}, {"reason": "x"}, {"speed": 1}, {"force": "maybe"}]
)
def test_a_reindex_that_is_wrong_says_what_is_wrong(pipeline, body):
    status, code, message, action = problem("POST", "/reindex", body=body)
    assert (status, code, action) == (400, "invalid_body", "Known fields: reason, force.")
    assert next(iter(body)) in message


def test_an_unknown_reindex_is_404(pipeline):
    assert problem("GET", "/reindex/none")[:2] == (404, "not_found")


def test_health_says_what_the_index_holds(pipeline):
    pipeline.upload(KEY, TEXT)
    generation = "footnote-hash-1"
    assert call("GET", "/health") == (
        200,
        {
            "status": "ok",
            "tenant": "acme",
            "index": {
                "status": "green",
                "generation": generation,
                "writing": [generation],
                "chunks": 1,
                "documents": 1,
            },
        },
    )


def test_health_names_the_part_that_does_not_answer(pipeline):
    pipeline.index = Flaky(pipeline.index, health=[UnavailableError("OpenSearch is down")])
    status, code, message, _ = problem("GET", "/health")
    assert (status, code, message) == (503, "unavailable", "OpenSearch is down")


# -- who may ------------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["", "stranger-key", "nobody-key"])
def test_without_a_tenant_nothing_is_shown(pipeline, key):
    pipeline.upload(KEY, TEXT)
    headers = {"x-api-key": key}
    for method, path, body in (
        ("GET", "/documents", None),
        ("GET", f"/documents/{ID}", None),
        ("DELETE", f"/documents/{ID}", None),
        ("POST", "/search", {"query": "revenue"}),
        ("POST", "/questions", {"question": "revenue?"}),
        ("GET", "/health", None),
    ):
        assert problem(method, path, None, body, headers)[:2] == (403, "forbidden")


def test_another_tenant_sees_and_touches_nothing(pipeline):
    pipeline.upload(KEY, TEXT)
    _, asked = call("POST", "/questions", body={"question": QUESTION})
    other = {"x-api-key": "other-key"}
    assert call("GET", "/documents", None, None, other)[1] == {"documents": [], "after": ""}
    assert call("POST", "/search", None, {"query": "revenue"}, other)[1]["hits"] == []
    for method, path in (
        ("GET", f"/documents/{ID}"),
        ("DELETE", f"/documents/{ID}"),
        ("POST", f"/documents/{ID}/retry"),
        ("GET", f"/questions/{asked['id']}"),
        ("GET", f"/questions/{asked['id']}/events"),
    ):
        assert problem(method, path, None, None, other)[0] == 404
    assert call("GET", f"/documents/{ID}")[0] == 200


# -- routes --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/"), ("GET", "/nothing"), ("PUT", "/documents"), ("GET", "/search"),
     ("GET", "/documents/a/b")],
)  # fmt: skip
def test_an_unknown_route_names_itself_and_the_known_ones(pipeline, method, path):
    status, code, message, action = problem(method, path)
    assert (status, code, message) == (404, "unknown_route", f"no route {method} {path}")
    assert "POST /search" in action


def test_a_footnote_that_is_set_up_wrongly_is_our_fault(pipeline):
    pipeline.index = Flaky(pipeline.index, health=[ConfigurationError("no such alias")])
    assert problem("GET", "/health")[:3] == (500, "configuration", "no such alias")


@pytest.mark.parametrize("name", sorted(path.stem for path in EVENTS.glob("api-*.json")))
def test_every_sample_event_is_answered(pipeline, name):
    pipeline.tenants = type(pipeline.tenants)({"k1e2y3": "acme"})
    sample = json.loads((EVENTS / f"{name}.json").read_text())
    sample["requestContext"]["requestTimeEpoch"] = int(
        time.time() * 1000
    )  # else it waited for days
    answer = routes.handle(sample, Context())
    assert answer["statusCode"] == 200
    assert Service(pipeline, "acme").operating.health()["status"] == "ok"


def test_a_reply_that_no_function_may_give_says_what_to_do(pipeline, monkeypatch):
    attributes = json.dumps({"metadataAttributes": {f"a{n}": "x" * 195 for n in range(48)}})
    lines = "".join(f"# Part {n}\n\nThe fee of part {n} is {n} crowns.\n\n" for n in range(400))
    for n in range(5):
        key = f"acme/default/{n}.md"
        pipeline.uploads.put(f"{key}.metadata.json", attributes.encode())
        pipeline.upload(key, f"{lines}{n}".encode())
    status, found = call("POST", "/search", body={"query": "fee of part", "k": 50})
    assert (status, len(found["hits"])) == (200, 50)
    monkeypatch.setattr("footnote.api.reply.MAX_REPLY", 100_000)
    status, refused = call("POST", "/search", body={"query": "fee of part", "k": 50})
    assert (status, refused["error"]["code"]) == (400, "reply_too_large")
    assert "smaller `k`" in refused["error"]["action"]
