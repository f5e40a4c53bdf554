"""All legs go in one request, and a leg that failed or is not whole fails the search."""

import json
from http.server import BaseHTTPRequestHandler
from typing import ClassVar

import pytest
from opensearchpy import exceptions
from opensearchpy.serializer import JSONSerializer

from footnote.adapters.opensearch.client import QuickJson
from footnote.adapters.opensearch.index import OpenSearchIndex
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ForbiddenError,
    NotFoundError,
    UnavailableError,
)
from footnote.model import Candidate, LegsQuery, Scope
from tests.serving import LoopbackServer, serving

PLACE = {"document_id": ["d"], "version": ["v"], "start": [0], "end": [9], "pages": [2, 3]}
FOUND = {"_score": 1.5, "fields": {"id": ["c1"], **PLACE}}
OF_AN_OLDER_GENERATION = {"_score": 1.5, "fields": PLACE}
NO_VECTORS = "failed to create query: Field 'vector_model' is not knn_vector type."


def whole(*hits):
    return {"status": 200, "timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": [*hits]}}


def failed(status, kind, reason="why not"):
    error = {"type": kind, "reason": reason, "root_cause": [{"type": kind, "reason": reason}]}
    return {"status": status, "error": error}


class Searches(BaseHTTPRequestHandler):
    """Answers each request with the next list of replies, and notes what it was asked.

    Text in place of a list is sent as it is.
    """

    replies: ClassVar[list[list[object] | str]] = []
    asked: ClassVar[list[tuple[str, list[dict[str, object]]]]] = []

    def do_POST(self):
        lines = self.rfile.read(int(self.headers["content-length"])).splitlines()
        self.asked.append((self.path, [json.loads(line) for line in lines]))
        reply = self.replies.pop(0)
        told = reply if isinstance(reply, str) else json.dumps({"took": 1, "responses": reply})
        body = told.encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def index():
    Searches.replies.clear()
    Searches.asked.clear()
    with serving(LoopbackServer(Searches)) as server:
        yield OpenSearchIndex(server.url, "model", 2)


def ask(index, tenant="acme", text="fee", legs=("words", "meaning")):
    scope = Scope(tenant=tenant)
    return index.search(LegsQuery(text=text, scope=scope, legs=legs, size=7, vector=[1.0, 0.0]))


def test_all_legs_go_in_one_request_and_none_may_be_answered_in_part(index):
    Searches.replies[:] = [[whole(FOUND), whole()]]
    candidate = Candidate("c1", 1.5, "d", "v", 0, 9, (2, 3))
    assert ask(index) == {"words": [candidate], "meaning": []}
    [(path, lines)] = Searches.asked
    assert path == "/footnote-read/_msearch"
    headers, bodies = lines[::2], lines[1::2]
    assert [header["allow_partial_search_results"] for header in headers] == [False, False]
    assert [body["size"] for body in bodies] == [7, 7]
    assert all({"term": {"tenant": "acme"}} in filters_of(body["query"]) for body in bodies)


def test_ids_are_read_from_columns_and_of_an_older_generation_from_whole_entries(index):
    whole_entry = OF_AN_OLDER_GENERATION | {"_id": "c1"}
    Searches.replies[:] = [
        [whole(), whole(OF_AN_OLDER_GENERATION)],
        [whole(), whole(whole_entry)],
    ]
    [candidate] = ask(index)["meaning"]
    assert candidate == Candidate("c1", 1.5, "d", "v", 0, 9, (2, 3))
    (_, first), (_, second) = Searches.asked
    assert [("id" in one["docvalue_fields"], one.get("stored_fields")) for one in first[1::2]] == (
        [(True, "_none_")] * 2
    )
    assert [("id" in one["docvalue_fields"], one.get("stored_fields")) for one in second[1::2]] == (
        [(False, None)] * 2
    )


def test_what_lies_in_whole_entries_comes_with_their_ids(index):
    Searches.replies[:] = [[whole(FOUND | {"_id": "c1", "_source": {"labels": ["iv"]}})]]
    asked = LegsQuery(text="fee", scope=Scope(tenant="acme"), legs=("words",), with_pages=True)
    [candidate] = index.search(asked)["words"]
    assert (candidate.chunk_id, candidate.labels) == ("c1", ("iv",))
    [(_, [_, body])] = Searches.asked
    assert body["_source"] == ["labels"]
    assert "stored_fields" not in body  # OpenSearch refuses it beside `_source`


def filters_of(query):
    """Returns the filter of either leg."""
    inner = query.get("bool") or query["knn"]["vector_model"]["filter"]["bool"]
    return inner["filter"]


@pytest.mark.parametrize("which", [0, 1])
@pytest.mark.parametrize(
    ("reply", "error"),
    [
        (failed(400, "parsing_exception"), BadRequestError),
        (failed(400, "query_shard_exception", NO_VECTORS), ConfigurationError),
        (failed(403, "security_exception"), ConfigurationError),
        (failed(429, "rejected_execution_exception"), UnavailableError),
        (failed(500, "null_pointer_exception"), UnavailableError),
        ({"error": {"type": "odd"}}, UnavailableError),
        (whole() | {"timed_out": True}, UnavailableError),
        (whole() | {"_shards": {"failed": 1}}, UnavailableError),
    ],
)
def test_one_leg_that_fails_fails_the_search(index, which, reply, error):
    replies = [whole(FOUND), whole(FOUND)]
    replies[which] = reply
    Searches.replies[:] = [replies]
    with pytest.raises(error):
        ask(index)
    assert len(Searches.asked) == 1


@pytest.mark.parametrize("status", [404, 503])
def test_a_search_whose_generation_was_dropped_is_sent_once_more(index, status):
    gone = failed(status, "index_not_found_exception")
    Searches.replies[:] = [[whole(FOUND), gone], [whole(), whole(FOUND)]]
    assert {leg: len(found) for leg, found in ask(index).items()} == {"words": 0, "meaning": 1}
    Searches.replies[:] = [[whole(), gone]] * 2
    with pytest.raises(NotFoundError if status == 404 else UnavailableError):
        ask(index)


def test_without_a_tenant_nothing_is_sent(index):
    with pytest.raises(ForbiddenError):
        ask(index, tenant="")
    assert Searches.asked == []


def test_a_question_goes_to_the_same_copy_each_time_and_others_elsewhere(index):
    def preferred(text, legs):
        Searches.replies[:] = [[whole() for _ in legs]]
        ask(index, text=text, legs=legs)
        return [header["preference"] for header in Searches.asked[-1][1][::2]]

    all_legs = (("words",), ("meaning",), ("words", "meaning"))
    same = [one for legs in all_legs for one in preferred("What is the fee?", legs)]
    assert len(same) == 4
    assert len(set(same)) == 1
    texts = ("What is the fine?", "half a pair \ud83d", "?" * 4000)
    others = [one for text in texts for one in preferred(text, ("words",))]
    assert len({*same, *others}) == 4
    # OpenSearch gives names that begin with _ a meaning, and takes them as a command
    assert all(one.isalnum() for one in (*same, *others))


def test_a_reply_that_is_no_json_is_an_error_of_ours_and_not_of_the_parser(index):
    Searches.replies[:] = ['{"took": 1,']
    with pytest.raises(ConfigurationError) as caught:
        ask(index)
    assert "SerializationError" in caught.value.detail


def test_json_is_read_and_written_as_the_client_itself_does():
    ours, theirs = QuickJson(), JSONSerializer()
    value = {"ä": [1, 1.5, -2e-07, True, None, '\u2028\U0001f600 "q" \\'], "": {"a": ("b",)}}
    assert ours.loads(ours.dumps(value)) == theirs.loads(theirs.dumps(value))
    assert ours.dumps('{"a": 1}') == '{"a": 1}'  # lines of a bulk request
    for bad in ("", "{", '{"a": 01}', "NULL"):
        with pytest.raises(exceptions.SerializationError):
            ours.loads(bad)
    with pytest.raises(exceptions.SerializationError):
        ours.dumps({"a": object()})


# -- health ----------------------------------------------------------------------------------------


class Looks(BaseHTTPRequestHandler):
    """An OpenSearch with one generation, whose searches end with `statuses`, then with 200."""

    statuses: ClassVar[list[int]] = []
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        alias = {"footnote-model-1": {"aliases": {}}}
        self.answer(200, alias if self.path.startswith("/_alias") else {"status": "green"})

    def do_POST(self):
        self.rfile.read(int(self.headers["content-length"]))
        status = self.statuses.pop(0) if self.statuses else 200
        found = {"hits": {"total": {"value": 7}}, "aggregations": {"documents": {"value": 2}}}
        self.answer(status, found if status == 200 else failed(status, "search_phase_execution"))

    def answer(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.mark.parametrize("status", [404, 503])
def test_health_is_looked_at_once_more_where_the_generation_was_dropped(status):
    with serving(LoopbackServer(Looks)) as server:
        index = OpenSearchIndex(server.url, "model", 2)
        Looks.statuses[:] = [status]
        assert index.health()["chunks"] == 7
        Looks.statuses[:] = [status, status]
        with pytest.raises(NotFoundError if status == 404 else UnavailableError):
            index.health()
