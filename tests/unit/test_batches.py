"""Batches: documents that are added together, counted from what has become of them."""

import json

import pytest

from footnote.adapters.memory.small import MemoryTenants
from footnote.api import routes
from footnote.service.document_service import MAX_LOOKUPS
from tests.described import must_be_described
from tests.unit.faces import Context, event, small

KEY = {"x-api-key": "acme-key"}
NAMES = ("a.md", "b.md", "c.md", "d.odd")
TEXT = b"# Fees\n\nThe fee is 4 crowns.\n"


@pytest.fixture
def pipeline():
    return small()


def call(method, path, body=None, headers=None):
    text = None if body is None else json.dumps(body)
    answer = routes.handle(event(method, path, None, text, headers or KEY), Context())
    must_be_described(method, path, answer)
    return answer["statusCode"], json.loads(answer["body"])


def begin(*names):
    status, told = call("POST", "/documents/batch", {"documents": [{"document": n} for n in names]})
    assert status == 200
    return told


def counts(batch):
    """Returns the counts that are not 0, and checks that they make the total."""
    status, told = call("GET", f"/batches/{batch}")
    assert status == 200
    kinds = ("ready", "failed", "unsupported", "deleted", "at_work", "missing")
    assert sum(told[kind] for kind in kinds) == told["total"]
    return {kind: told[kind] for kind in kinds if told[kind]}


def test_each_document_has_a_ticket_in_order(pipeline):
    told = begin(*NAMES)
    assert ([one["document"] for one in told["tickets"]], told["total"]) == (list(NAMES), 4)
    assert told["tickets"][0]["fields"]["key"] == "acme/default/a.md"


def test_a_batch_is_counted_as_it_goes(pipeline):
    batch = begin(*NAMES)["id"]
    assert counts(batch) == {"missing": 4}
    pipeline.uploads.put("acme/default/a.md", TEXT)
    pipeline.upload("acme/default/b.md", b"")
    pipeline.upload("acme/default/d.odd", bytes(range(256)))
    told = call("GET", f"/batches/{batch}")[1]
    assert counts(batch) == {"ready": 1, "failed": 1, "unsupported": 1, "missing": 1}
    assert told["reasons"] == {"empty_file": 1, "unsupported": 1}
    assert {one["document"]: one["error"]["code"] for one in told["problems"]} == {
        "b.md": "empty_file",
        "d.odd": "unsupported",
    }


def test_it_stays_right_when_files_come_again_and_are_deleted(pipeline):
    batch = begin("a.md", "b.md")["id"]
    pipeline.upload("acme/default/a.md", b"")
    pipeline.upload("acme/default/b.md", TEXT)
    assert counts(batch) == {"failed": 1, "ready": 1}
    pipeline.upload("acme/default/a.md", TEXT)
    assert counts(batch) == {"ready": 2}
    pipeline.uploads.delete("acme/default/b.md")
    pipeline.drain()
    assert counts(batch) == {"ready": 1, "deleted": 1}
    pipeline.upload("acme/default/b.md", TEXT)
    assert counts(batch) == {"ready": 2}


def test_a_version_from_before_the_batch_does_not_count(pipeline):
    pipeline.upload("acme/default/a.md", TEXT)
    batch = begin("a.md")["id"]
    assert counts(batch) == {"missing": 1}
    pipeline.upload("acme/default/a.md", TEXT + b"And more.\n")
    assert counts(batch) == {"ready": 1}


def test_a_document_at_work_is_at_work(pipeline):
    batch = begin("a.md")["id"]
    revision = pipeline.uploads.put("acme/default/a.md", TEXT)
    pipeline.catalog.receive(revision, len(TEXT))
    assert counts(batch) == {"at_work": 1}


def test_a_name_that_is_refused_says_why_and_holds_up_no_other(pipeline):
    told = begin("a.md", "../b.md", "c.md")
    assert told["tickets"][1]["error"]["code"] == "bad_path"
    assert (told["total"], counts(told["id"])) == (3, {"missing": 2})


def test_a_document_that_is_named_twice_is_counted_once(pipeline):
    assert counts(begin("a.md", "a.md")["id"]) == {"missing": 1}


@pytest.mark.parametrize("many", [0, MAX_LOOKUPS + 1])
def test_a_batch_is_bounded(pipeline, many):
    body = {"documents": [{"document": f"{n}.md"} for n in range(many)]}
    status, told = call("POST", "/documents/batch", body)
    assert (status, told["error"]["code"]) == (400, "invalid_body")


@pytest.mark.parametrize("name", ["none", "0" * 32, "..%2F..%2Fparsed", "x" * 500])
def test_an_unknown_batch_is_404(pipeline, name):
    status, told = call("GET", f"/batches/{name}")
    assert (status, told["error"]["code"]) == (404, "not_found")


def test_another_tenant_and_smaller_groups_see_no_batch(pipeline):
    batch = begin("a.md")["id"]
    assert call("GET", f"/batches/{batch}", None, {"x-api-key": "other-key"})[0] == 404
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("legal",)})
    mine = begin("b.md")["id"]
    assert call("GET", f"/batches/{mine}")[0] == 200
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("sales",)})
    assert call("GET", f"/batches/{mine}")[0] == 404
