"""Metadata from four sources, and sidecars that come early, late, twice or between two calls."""

import json
from urllib.parse import quote

import pytest

from footnote.contracts import (
    AdmitRequest,
    AnnotateRequest,
    ParseRequest,
    RemoveRequest,
    SweepRequest,
)
from footnote.errors import UnavailableError
from footnote.metadata.sidecar import UNREAD_SIDECAR
from footnote.model import ALL, Sidecar, document_id
from footnote.service import Service
from footnote.wiring.local_workflow import step_of
from tests.unit.faces import OUTAGE, Flaky, small

KEY = "acme/default/fees.md"
BESIDE = f"{KEY}.metadata.json"
TEXT = b"---\nauthor: Ana\nyear: 2021\n---\n# Fees\n\nThe harbour fee is 84 crowns.\n"
DAY = 86_400


@pytest.fixture
def pipeline():
    return small()


def sidecar(acl=None, **attributes):
    said = {"metadataAttributes": attributes} | ({} if acl is None else {"acl": acl})
    return json.dumps(said).encode()


def record(pipeline):
    return pipeline.catalog.get(document_id(KEY))


def chunks(pipeline):
    """Returns the metadata and the acl of each chunk of the document in the index."""
    entries = pipeline.index._get(pipeline.index.ensure()).values()
    return [
        (dict(one.indexed.annotation.metadata), one.indexed.annotation.acl)
        for one in entries
        if one.indexed.revision.key == KEY
    ]


def found(pipeline, groups=(), **filters):
    service = Service(pipeline, "acme", groups)
    hits, _ = service.searches.search("harbour fee", scope=service.searches.scope(filters=filters))
    return [hit.document for hit in hits]


def put_without_event(pipeline, body, key=BESIDE):
    revision = pipeline.uploads.put(key, body)
    pipeline.uploads.take_events()
    return revision


# -- four sources --------------------------------------------------------------------------------


def test_what_is_nearer_to_the_person_wins(pipeline):
    pipeline.uploads.put(BESIDE, sidecar(author="Eva", kind="tariff"))
    attributes = {
        "footnote": json.dumps({"year": 2023, "share": 0.5, "from": "api"}),
        "year": "1999",
        "place": "=?UTF-8?B?w5hz?= ",
        "from": "cp",
    }
    tags = {"place": "Rome", "team": "port", "from": "tag"}
    pipeline.uploads.put(KEY, TEXT, attributes, tags)
    pipeline.drain()
    wanted = {
        "author": "Eva",
        "kind": "tariff",
        "year": 2023,
        "share": 0.5,
        "from": "api",
        "place": "Øs",
        "team": "port",
    }
    assert chunks(pipeline) == [(wanted, None)]
    shown = Service(pipeline, "acme").documents.get("fees.md")
    own = {name: wanted[name] for name in ("year", "share", "from", "place", "team")}
    assert shown.metadata == {**own, "author": ["Ana"]}
    assert shown.sidecar.attributes == {"author": "Eva", "kind": "tariff"}


@pytest.mark.parametrize("given", ["{", "[1]", '{"acl": "board"}', "[" * 2000])
def test_metadata_of_an_object_that_is_malformed_is_left_out_with_a_warning(pipeline, given):
    pipeline.uploads.put(KEY, TEXT, {"footnote": given, "team": "port"})
    pipeline.drain()
    [warning] = record(pipeline).warnings
    assert "x-amz-meta-footnote is left out" in warning
    assert record(pipeline).metadata["team"] == "port"


# -- before, after, and gone ---------------------------------------------------------------------


def test_a_sidecar_is_no_document(pipeline):
    pipeline.uploads.put(BESIDE, sidecar(year=2023))
    pipeline.drain()
    assert pipeline.catalog.documents("acme") == ([], "")
    assert all(not sent for sent in pipeline.queues.sent.values())


@pytest.mark.parametrize("first", ["sidecar", "document"])
def test_a_sidecar_may_come_before_its_document_or_after_it(pipeline, first):
    steps = {"sidecar": (BESIDE, sidecar(["board"], year=2023)), "document": (KEY, TEXT)}
    for name in sorted(steps, key=lambda name: name != first):
        pipeline.uploads.put(*steps[name])
        pipeline.drain()
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]
    assert found(pipeline, ("board",), year=2023) == ["fees.md"]
    assert found(pipeline) == []


def test_a_sidecar_that_comes_later_costs_neither_parsing_nor_embedding(pipeline):
    pipeline.upload(KEY, TEXT)
    before = record(pipeline)
    pipeline.encoder = None  # embedding would fail
    pipeline.uploads = Flaky(pipeline.uploads)
    pipeline.uploads.put(BESIDE, sidecar(year=2023))
    pipeline.drain()
    assert found_lexically(pipeline, year=2023) == ["fees.md"]
    assert record(pipeline).timings_ms == before.timings_ms


def found_lexically(pipeline, **filters):
    service = Service(pipeline, "acme")
    hits, _ = service.searches.search(
        "fee", "lexical", scope=service.searches.scope(filters=filters)
    )
    return [hit.document for hit in hits]


def test_an_overwritten_sidecar_replaces_and_a_deleted_one_takes_back(pipeline):
    pipeline.upload(KEY, TEXT)
    for body in (sidecar(["board"], year=2022, kind="x"), sidecar(year=2023)):
        pipeline.uploads.put(BESIDE, body)
        pipeline.drain()
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, None)]
    pipeline.uploads.delete(BESIDE)
    pipeline.drain()
    assert chunks(pipeline) == [({"year": 2021, "author": ["Ana"]}, None)]
    assert record(pipeline).sidecar == Sidecar()


@pytest.mark.parametrize("waiting", [0, 5000])
def test_an_acl_is_tightened_however_many_files_wait(pipeline, waiting):
    pipeline.uploads.put(BESIDE, sidecar(["board", "staff"]))
    pipeline.upload(KEY, TEXT)
    identity = record(pipeline).revision.identity
    backlog = (ParseRequest(**identity | {"key": f"acme/default/{n}.md"}) for n in range(waiting))
    pipeline.queues.sent["parse"].extend(backlog)
    assert found(pipeline, ("staff",)) == ["fees.md"]
    revision = pipeline.uploads.put(BESIDE, sidecar(["board"]))
    body = AdmitRequest(**revision.identity, size=1).model_dump_json()
    step_of("admit").receive(body, pipeline, 1)
    [annotate] = pipeline.queues.sent["annotate"]
    step_of("annotate").receive(annotate.model_dump_json(), pipeline, 1)
    assert (found(pipeline, ("staff",)), found(pipeline, ("board",))) == ([], ["fees.md"])
    assert len(pipeline.queues.sent["parse"]) == waiting


def told_by_rule(revision, key=""):
    """Returns the event that EventBridge sends of an object."""
    thing = {
        "key": key or revision.key,
        "version-id": revision.version,
        "sequencer": revision.sequencer,
    }
    return json.dumps(
        {"detail-type": "Object Created", "source": "aws.s3", "detail": {"object": thing}}
    )


@pytest.mark.parametrize("encode", [str, quote], ids=["as AWS does", "as LocalStack does"])
def test_the_rule_for_sidecars_closes_a_document_by_itself(pipeline, encode):
    pipeline.uploads.put("acme/default/fees a+b.md.metadata.json", sidecar(["board", "staff"]))
    document = pipeline.upload("acme/default/fees a+b.md", TEXT)
    revision = put_without_event(
        pipeline, sidecar(["board"]), "acme/default/fees a+b.md.metadata.json"
    )
    assert step_of("annotate").deliver(
        told_by_rule(revision, encode(revision.key)), pipeline, last=False
    )
    assert pipeline.catalog.get(document.document_id).sidecar.acl == ("board",)
    assert found(pipeline, ("staff",)) == []
    assert found(pipeline, ("board",)) == ["fees a+b.md"]


def test_a_file_that_is_only_named_like_a_sidecar_annotates_nothing(pipeline):
    revision = pipeline.uploads.put("acme/default/.metadata.json", sidecar(["board"]))
    assert list(step_of("annotate").requests(told_by_rule(revision))) == []


def test_events_of_sidecars_may_come_twice_and_in_any_order(pipeline):
    pipeline.upload(KEY, TEXT)
    put_without_event(pipeline, sidecar(year=2022))
    newest = put_without_event(pipeline, sidecar(["board"], year=2023))
    for sequencer in ("9", "1", "1", "5"):
        late = AnnotateRequest(key=KEY, version="whichever", sequencer=sequencer)
        assert step_of("annotate").deliver(late.model_dump_json(), pipeline, last=False)
    assert record(pipeline).sidecar.version == newest.version
    assert record(pipeline).annotation == 1
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]


def test_a_deleted_document_keeps_its_readers_and_a_new_one_gets_the_sidecar_of_now(pipeline):
    pipeline.uploads.put(BESIDE, sidecar(["board"]))
    pipeline.upload(KEY, TEXT)
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    pipeline.uploads.put(BESIDE, sidecar(["legal"]))
    pipeline.drain()
    assert record(pipeline).sidecar.acl == ("board",)
    pipeline.upload(KEY, TEXT)
    assert (found(pipeline, ("board",)), found(pipeline, ("legal",))) == ([], ["fees.md"])


def test_a_bad_sidecar_closes_the_document_until_it_is_mended(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.uploads.put(BESIDE, b'{"acl": "board"}')
    pipeline.drain()
    assert found(pipeline, ("board",)) == []
    assert found(pipeline, (ALL,)) == ["fees.md"]
    assert "`acl` is not a list" in record(pipeline).sidecar.problem
    pipeline.uploads.put(BESIDE, sidecar(["board"]))
    pipeline.drain()
    assert found(pipeline, ("board",)) == ["fees.md"]
    assert record(pipeline).sidecar.problem == ""


def test_an_old_version_that_is_still_seen_follows_the_sidecar_too(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.upload(KEY, b"\x00\x01\x02\x00" * 50)
    assert record(pipeline).status == "UNSUPPORTED"
    pipeline.uploads.put(BESIDE, sidecar(["board"], year=2023))
    pipeline.drain()
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]


# -- between two calls ---------------------------------------------------------------------------


class Between:
    """Wraps a port. `then` runs once, right before (or after) one of its calls."""

    def __init__(self, port, call, then, *, after=False):
        self._port, self._call, self._then, self._after = port, call, then, after

    def __getattr__(self, name):
        found = getattr(self._port, name)
        if name != self._call or self._then is None:
            return found

        def call(*args, **options):
            then, self._then = self._then, None
            if not self._after:
                then()
            try:
                return found(*args, **options)
            finally:  # also after a call that finds nothing
                if self._after:
                    then()

        return call


def change_sidecar(pipeline, body):
    """Puts a sidecar, whose event another worker handles at once."""

    def change():
        put_without_event(pipeline, body)
        request = AnnotateRequest(key=KEY, version="", sequencer="")
        step_of("annotate").run(request, pipeline)

    return change


@pytest.mark.parametrize(
    ("port", "call", "after"),
    [
        ("uploads", "current", True),
        ("catalog", "receive", False),
        ("catalog", "receive", True),
        ("catalog", "advance", True),
        ("catalog", "finish_part", True),
        ("catalog", "publish", True),
        ("index", "write", False),
        ("index", "write", True),
        ("artifacts", "put", True),
        ("artifacts", "get", True),
    ],
)
def test_a_sidecar_that_changes_while_its_document_is_added_is_not_lost(
    pipeline, port, call, after
):
    change = change_sidecar(pipeline, sidecar(["board"], year=2023))
    setattr(pipeline, port, Between(getattr(pipeline, port), call, change, after=after))
    pipeline.upload(KEY, TEXT)
    assert record(pipeline).status == "READY"
    assert record(pipeline).sidecar.acl == ("board",)
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]


@pytest.mark.parametrize(
    ("port", "call", "after"),
    [
        ("uploads", "current", True),
        ("uploads", "read", True),
        ("catalog", "get", True),
        ("catalog", "annotate", False),
        ("catalog", "annotate", True),
        ("index", "annotate", False),
        ("index", "annotate", True),
    ],
)
def test_of_two_workers_the_one_that_saw_the_newer_sidecar_wins(pipeline, port, call, after):
    pipeline.upload(KEY, TEXT)
    put_without_event(pipeline, sidecar(["legal"], year=2022))
    change = change_sidecar(pipeline, sidecar(["board"], year=2023))
    setattr(pipeline, port, Between(getattr(pipeline, port), call, change, after=after))
    step_of("annotate").run(AnnotateRequest(key=KEY, version="", sequencer=""), pipeline)
    assert record(pipeline).sidecar.acl == ("board",)
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]


def test_a_sidecar_that_changes_during_a_reindex_is_not_lost(pipeline):
    pipeline.upload(KEY, TEXT)
    change = change_sidecar(pipeline, sidecar(["board"], year=2023))
    pipeline.index = Between(pipeline.index, "write", change)
    pipeline.workflow.reindex("test", force=True)
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]


def test_a_reindex_keeps_metadata_and_readers(pipeline):
    pipeline.uploads.put(BESIDE, sidecar(["board"], year=2023))
    pipeline.upload(KEY, TEXT)
    pipeline.workflow.reindex("test", force=True)
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]


# -- failures ------------------------------------------------------------------------------------


def test_a_sidecar_that_cannot_be_noted_leaves_its_document_as_it_is(pipeline):
    pipeline.upload(KEY, TEXT)
    pipeline.index = Flaky(pipeline.index, annotate=[UnavailableError("down")] * OUTAGE)
    pipeline.uploads.put(BESIDE, sidecar(["board"], year=2023))
    pipeline.drain()
    assert (record(pipeline).status, record(pipeline).error) == ("READY", None)
    assert found(pipeline) == []  # the table decides, whatever the index says
    assert swept(pipeline)["annotated"] == 1
    assert chunks(pipeline) == [({"year": 2023, "author": ["Ana"]}, ("board",))]
    assert swept(pipeline)["annotated"] == 0


def swept(pipeline):
    pipeline.clock = lambda: 1_900_000_000.0
    result = step_of("sweep").run(SweepRequest(), pipeline).model_dump()
    pipeline.drain()
    return result


def test_a_sweep_finds_sidecars_whose_events_were_lost(pipeline):
    pipeline.upload(KEY, TEXT)
    put_without_event(pipeline, sidecar(["board"]))
    assert swept(pipeline)["annotated"] == 1
    assert record(pipeline).sidecar.acl == ("board",)
    pipeline.uploads.delete(BESIDE)
    pipeline.uploads.take_events()
    assert swept(pipeline)["annotated"] == 1
    assert record(pipeline).sidecar == Sidecar()
    assert {name for name, count in swept(pipeline).items() if count} == set()


def test_a_waiting_sidecar_is_nothing_to_a_sweep(pipeline):
    put_without_event(pipeline, sidecar(year=2023))
    assert {name for name, count in swept(pipeline).items() if count} == set()


def test_a_file_found_by_a_sweep_has_its_sidecar_from_the_start(pipeline):
    put_without_event(pipeline, sidecar(["board"]))
    put_without_event(pipeline, TEXT, KEY)
    pipeline.clock = lambda: 1_900_000_000.0
    step_of("sweep").run(SweepRequest(), pipeline)
    assert record(pipeline).sidecar.acl == ("board",)


def buried(pipeline, key):
    """Buries an upload whose worker was stopped each time before it could record anything."""
    revision = put_without_event(pipeline, TEXT if key == KEY else sidecar(), key)
    request = ParseRequest(**revision.identity, size=1).model_dump_json()
    step_of("parse").receive(request, pipeline, pipeline.settings.max_receives + 1)


def test_a_sidecar_whose_message_is_buried_becomes_no_document(pipeline):
    buried(pipeline, BESIDE)
    assert pipeline.catalog.documents("acme") == ([], "")


def test_a_document_that_was_only_buried_is_closed_until_its_sidecar_was_looked_for(pipeline):
    buried(pipeline, KEY)
    assert (record(pipeline).status, record(pipeline).sidecar) == ("FAILED", UNREAD_SIDECAR)
    assert Service(pipeline, "acme").documents.page() == ([], "")
    assert swept(pipeline)["annotated"] == 1
    [shown], _ = Service(pipeline, "acme").documents.page()
    assert (shown.sidecar, shown.error.code) == (Sidecar(), "stopped")


def test_a_removal_that_tells_of_a_sidecar_removes_no_document(pipeline):
    pipeline.upload(KEY, TEXT)
    request = RemoveRequest(key=BESIDE, version="v9", sequencer="FFFF")
    assert step_of("remove").deliver(request.model_dump_json(), pipeline, last=False)
    pipeline.drain()
    assert record(pipeline).status == "READY"
