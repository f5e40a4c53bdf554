"""Every error of OpenSearch or its client becomes one of ours, and no chunk is lost."""

import json
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler
from typing import ClassVar
from urllib.parse import parse_qs, urlsplit

import pytest
from opensearchpy import OpenSearch, exceptions

from footnote.adapters.opensearch.bulk import deliver, item
from footnote.adapters.opensearch.client import (
    ERRORS,
    MESSAGES,
    connect,
    to_footnote,
    translate_errors,
)
from footnote.adapters.opensearch.index import OpenSearchIndex
from footnote.adapters.opensearch.mapping import check_vectors, generation_body
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    FootnoteError,
    NotFoundError,
    UnavailableError,
)
from tests.serving import LoopbackServer, serving
from tests.template import read_template

# -- exceptions ----------------------------------------------------------------------------------


def test_every_exception_of_the_client_is_mapped() -> None:
    raised = {
        kind
        for kind in vars(exceptions).values()
        if isinstance(kind, type)
        and issubclass(kind, Exception)
        and kind.__module__ == exceptions.__name__
        and not issubclass(kind, Warning)
    }
    assert raised == set(ERRORS)


@pytest.mark.parametrize(
    ("exception", "expected"),
    [
        (exceptions.ConnectionError("N/A", "refused", OSError()), UnavailableError),
        (exceptions.ConnectionTimeout("TIMEOUT", "late", OSError()), UnavailableError),
        (exceptions.TransportError(429, "rejected_execution_exception", {}), UnavailableError),
        (exceptions.TransportError(502, "bad gateway", {}), UnavailableError),
        (exceptions.TransportError(503, "unavailable", {}), UnavailableError),
        (exceptions.TransportError(504, "timeout", {}), UnavailableError),
        (exceptions.TransportError(413, "too large", {}), ConfigurationError),
        (exceptions.AuthorizationException(403, "cluster_block_exception", {}), UnavailableError),
        (exceptions.AuthorizationException(403, "security_exception", {}), ConfigurationError),
        (exceptions.AuthenticationException(401, "unauthorized", {}), ConfigurationError),
        (exceptions.NotFoundError(404, "index_not_found_exception", {}), NotFoundError),
        (exceptions.RequestError(400, "parsing_exception", {}), BadRequestError),
    ],
)
def test_an_exception_becomes_the_error_that_says_what_to_do(
    exception: Exception, expected: type[FootnoteError]
) -> None:
    error = to_footnote(exception, "searching")
    assert (type(error), error.message) == (expected, MESSAGES[expected])
    assert error.detail.startswith("searching: OpenSearch says ")


def test_errors_of_our_own_pass_through() -> None:
    with pytest.raises(NotFoundError, match="ours"), translate_errors("searching"):
        raise NotFoundError("ours")


# -- what is refused before it is sent -----------------------------------------------------------


@pytest.mark.parametrize("url", ["", "localhost:9200", "ftp://host", "http://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigurationError, match="not the address"):
        OpenSearchIndex(url, "model", 4)


@pytest.mark.parametrize("method", [{}, {"name": "hnsw"}, {"name": "hnsw", "engine": "faiss"}])
def test_a_vector_field_that_would_kill_the_node_is_refused(method: dict[str, str]) -> None:
    body = generation_body("model", 4, 1, 0, [])
    body["mappings"]["properties"]["vector_model"]["method"] = method
    with pytest.raises(ConfigurationError, match="engine lucene"):
        check_vectors(body)


@pytest.mark.parametrize("dimensions", [0, 16_001])
def test_a_model_with_unusable_dimensions_is_refused(dimensions: int) -> None:
    with pytest.raises(ConfigurationError, match="dimensions"):
        generation_body("model", dimensions, 1, 0, [])


# -- items of a bulk request ---------------------------------------------------------------------


class Bulk(BaseHTTPRequestHandler):
    """Answers each bulk request with the next list of statuses (200 when they run out)."""

    statuses: ClassVar[list[list[int]]] = []
    refused: ClassVar[int] = 0  # number of requests to answer with 429 as a whole
    seen: ClassVar[list[list[str]]] = []
    timeouts: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        self.timeouts += parse_qs(urlsplit(self.path).query).get("timeout", ["60s"])
        lines = self.rfile.read(int(self.headers["content-length"])).decode().splitlines()
        ids = [json.loads(line)["index"]["_id"] for line in lines[::2]]
        self.seen.append(ids)
        if Bulk.refused:
            Bulk.refused -= 1
            error = {"type": "circuit_breaking_exception", "reason": "too large"}
            self._answer(json.dumps({"error": error, "status": 429}).encode(), 429)
            return
        statuses = self.statuses.pop(0) if self.statuses else [200] * len(ids)
        reply = {
            "errors": max(statuses) > 201,
            "items": [
                {"index": {"_id": each, "status": status} | _refused(status)}
                for each, status in zip(ids, statuses, strict=True)
            ],
        }
        self._answer(json.dumps(reply).encode())

    def _answer(self, body: bytes, status: int = 200) -> None:
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


def _refused(status: int) -> dict[str, object]:
    return {"error": {"type": "refused", "reason": "why not"}} if status > 201 else {}


@pytest.fixture
def client() -> Iterator[OpenSearch]:
    Bulk.statuses.clear()
    Bulk.refused = 0
    Bulk.seen.clear()
    Bulk.timeouts.clear()
    with (
        serving(LoopbackServer(Bulk)) as server,
        connect(server.url, None) as client,
    ):
        yield client


def _deliver(client: OpenSearch, *ids: str) -> None:
    deliver(client, [item("alias", each, {}) for each in ids], pause=0)


def test_only_the_refused_items_are_sent_again(client: OpenSearch) -> None:
    Bulk.statuses[:] = [[201, 429, 503], [200, 429]]
    _deliver(client, "a", "b", "c")
    assert Bulk.seen == [["a", "b", "c"], ["b", "c"], ["c"]]


def test_an_item_that_is_refused_again_and_again_is_reported(client: OpenSearch) -> None:
    Bulk.statuses[:] = [[201, 429], [429], [429], [503], [429], [429]]
    with pytest.raises(UnavailableError) as caught:
        _deliver(client, "a", "b")
    assert caught.value.message == "the index is too busy now"
    assert caught.value.detail.endswith("chunk b: 429 refused: why not")
    assert Bulk.seen == [["a", "b"], ["b"], ["b"], ["b"], ["b"], ["b"]]


def test_a_request_that_is_refused_whole_is_sent_again_whole(client: OpenSearch) -> None:
    Bulk.refused = 2
    _deliver(client, "a", "b")
    assert Bulk.seen == [["a", "b"], ["a", "b"], ["a", "b"]]


def test_a_request_that_is_refused_whole_again_and_again_is_reported(client: OpenSearch) -> None:
    Bulk.refused = 6
    with pytest.raises(UnavailableError) as caught:
        _deliver(client, "a", "b")
    assert "too busy for chunk a and 1 more: 429" in caught.value.detail
    assert len(Bulk.seen) == 6


def test_all_attempts_at_a_lost_shard_end_long_before_the_step_is_killed(
    client: OpenSearch,
) -> None:
    Bulk.statuses[:] = [[503]] * 6
    with pytest.raises(UnavailableError) as caught:
        _deliver(client, "a")
    assert caught.value.message == "the index takes no writes now"
    assert len(Bulk.timeouts) == 6
    waited = sum(int(each.removesuffix("s")) for each in Bulk.timeouts)
    assert waited <= read_template()["Resources"]["IndexFunction"]["Properties"]["Timeout"] / 4


@pytest.mark.parametrize(("status", "expected"), [(400, ConfigurationError), (404, NotFoundError)])
def test_an_item_that_can_never_be_stored_is_reported_at_once(
    client: OpenSearch, status: int, expected: type[FootnoteError]
) -> None:
    Bulk.statuses[:] = [[201, status, status]]
    with pytest.raises(expected) as caught:
        _deliver(client, "a", "b", "c")
    assert f"chunk b and 1 more: {status} refused: why not" in caught.value.detail
    assert "refused" not in caught.value.message
    assert Bulk.seen == [["a", "b", "c"]]
