"""Both flows in one process: what is found and what is left behind after each event of a file.

Files are added, replaced and deleted. Messages come twice or too late, and services fail.
"""

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.contracts import (
    ChunkRequest,
    FailRequest,
    IndexRequest,
    ParseRequest,
    RemoveRequest,
    SynthesizeRequest,
)
from footnote.errors import ConfigurationError, UnavailableError
from footnote.ingest.chunk.chunk import BUDGET
from footnote.model import Facts, Problem, Revision
from footnote.service import Service
from footnote.store.keys import NODES, event_folder, plan_key
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import OUTAGE, Flaky, Words, small

KEY = "acme/default/fees/harbour.md"
OLD = b"# Harbour\n\nThe harbour fee for a barge is 84 crowns.\n"
NEW = b"# Harbour\n\nThe harbour fee for a barge is 97 crowns.\n"


@pytest.fixture
def pipeline():
    return small()


def found(pipeline, query="harbour fee barge", tenant="acme"):
    """Searches. Returns the last line of each passage found."""
    hits, _ = Service(pipeline, tenant).searches.search(query)
    return [hit.chunk.text.rpartition("\n")[2] for hit in hits]


def artifacts(pipeline):
    return [key for kind in ("parsed", "chunks") for key in pipeline.artifacts.keys(f"{kind}/")]


def chunks_of(pipeline, generation=None):
    return pipeline.index.counts(generation or pipeline.index.ensure())


def long_text(parts):
    """Makes a document whose chunks fill so many parts."""
    return "".join(
        f"# Section {n}\n\n{f'Paragraph {n} tells of lighthouse number {n}. ' * (BUDGET // 10)}\n\n"
        for n in range(64 * parts - 20)
    ).encode()


def indexing(pipeline, key, body):
    """Uploads a file and runs parse and chunk. Returns the messages to `index`."""
    revision = pipeline.uploads.put(key, body)
    pipeline.uploads.take_events()
    deliver(pipeline, "parse", ParseRequest(**revision.identity, size=len(body)))
    deliver(pipeline, "chunk", pipeline.queues.sent["chunk"].pop())
    messages, pipeline.queues.sent["index"] = pipeline.queues.sent["index"], []
    return messages


def deliver(pipeline, queue, message, *, last=False):
    return step_of(queue).deliver(message.model_dump_json(), pipeline, last=last)


# -- a file's life -------------------------------------------------------------------------------


def test_an_upload_becomes_ready_and_is_found(pipeline):
    record = pipeline.upload(KEY, OLD)
    assert (record.status, record.error, record.title) == ("READY", None, "Harbour")
    assert (record.chunks, record.parts, record.parts_done) == (1, 1, (0,))
    assert set(record.timings_ms) == {"parse", "chunk", "index-0"}
    assert record.live_version == record.version == "v1"
    assert found(pipeline) == ["The harbour fee for a barge is 84 crowns."]


def test_a_question_is_answered_from_the_upload_with_a_verified_citation(pipeline):
    pipeline.upload(KEY, OLD)
    service = Service(pipeline, "acme")
    asked = service.questions.ask("What is the harbour fee for a barge?")
    record = service.questions.get(asked.question_id)
    assert (record.status, record.answer.found) == ("DONE", True)
    assert [(c.document, c.quote, c.verified) for c in record.answer.citations] == [
        ("fees/harbour.md", "The harbour fee for a barge is 84 crowns.", True)
    ]
    kinds = [event.kind for event in service.questions.events(asked.question_id)]
    assert [kind for kind in kinds if kind != "words"] == [
        *("estimate", "plan", "found", "verdict", "written", "answered")
    ]


def test_a_greeting_is_answered_without_a_search(pipeline):
    service = Service(pipeline, "acme")
    asked = service.questions.ask("Hello!")
    assert service.questions.get(asked.question_id).answer.kind == "direct"
    assert "found" not in [event.kind for event in service.questions.events(asked.question_id)]


def test_an_overwrite_replaces_text_chunks_and_artifacts(pipeline):
    first = pipeline.upload(KEY, OLD)
    left = set(artifacts(pipeline))
    second = pipeline.upload(KEY, NEW)
    assert (second.status, second.live_version) == ("READY", "v2")
    assert found(pipeline) == ["The harbour fee for a barge is 97 crowns."]
    assert chunks_of(pipeline) == {(first.document_id, "v2"): 1}
    assert not left & set(artifacts(pipeline))
    assert len(artifacts(pipeline)) == len(left)


def test_a_delete_leaves_a_tombstone_and_nothing_else(pipeline):
    record = pipeline.upload(KEY, OLD)
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    gone = pipeline.catalog.get(record.document_id)
    assert (gone.status, gone.live_version) == ("DELETED", "")
    assert (found(pipeline), chunks_of(pipeline), artifacts(pipeline)) == ([], {}, [])


def test_a_file_put_again_after_its_delete_is_found_again(pipeline):
    pipeline.upload(KEY, OLD)
    pipeline.uploads.delete(KEY)
    assert pipeline.upload(KEY, NEW).status == "READY"
    assert found(pipeline) == ["The harbour fee for a barge is 97 crowns."]


def test_the_old_version_is_found_until_the_new_one_is_in(pipeline):
    pipeline.upload(KEY, OLD)
    messages = indexing(pipeline, KEY, NEW)
    assert found(pipeline) == ["The harbour fee for a barge is 84 crowns."]
    assert deliver(pipeline, "index", messages[0])
    assert found(pipeline) == ["The harbour fee for a barge is 97 crowns."]


def test_an_overwrite_that_cannot_be_read_leaves_the_old_version_found(pipeline):
    pipeline.upload(KEY, OLD)
    record = pipeline.upload(KEY, b"\x00\x01\x02\x00" * 50)
    assert record.status in {"FAILED", "UNSUPPORTED"}
    assert record.live_version == "v1"
    assert found(pipeline) == ["The harbour fee for a barge is 84 crowns."]


@pytest.mark.parametrize(
    ("key", "body", "status", "code"),
    [
        ("acme/default/empty.md", b"", "FAILED", "empty_file"),
        ("acme/default/sound.xyz", b"ID3" + bytes(100), "UNSUPPORTED", "unsupported"),
        ("acme/default/broken.pdf", b"%PDF-1.7 nothing", "FAILED", "corrupt"),
        ("no-collection.md", OLD, "FAILED", "bad_key"),
    ],
)
def test_a_file_that_cannot_be_read_ends_with_a_reason(pipeline, key, body, status, code):
    record = pipeline.upload(key, body)
    assert (record.status, record.error.code) == (status, code)
    assert record.error.message and record.error.action
    assert pipeline.queues.sent == {queue: [] for queue in pipeline.queues.sent}


def test_a_file_that_is_too_large_is_refused_before_it_is_read(monkeypatch):
    monkeypatch.setenv("FOOTNOTE_MAX_UPLOAD_BYTES", "10")
    pipeline = small()
    pipeline.uploads = Flaky(pipeline.uploads, read=[ConfigurationError("was read")] * 9)
    record = pipeline.upload(KEY, OLD)
    assert (record.status, record.error.code) == ("FAILED", "too_large")
    assert record.error.message == "fees/harbour.md has 53 bytes; the limit is 10"


def test_a_document_of_several_parts_is_ready_with_the_last_one(pipeline):
    messages = indexing(pipeline, KEY, long_text(parts=3))
    assert [(m.part, m.parts) for m in messages] == [(0, 3), (1, 3), (2, 3)]
    statuses = []
    for message in (messages[2], messages[0], messages[0], messages[1]):
        assert deliver(pipeline, "index", message)
        statuses.append(pipeline.catalog.get(message.document_id).status)
    assert statuses == ["INDEXING", "INDEXING", "INDEXING", "READY"]
    record = pipeline.catalog.get(messages[0].document_id)
    assert chunks_of(pipeline) == {(record.document_id, "v1"): record.chunks}


# -- redelivered, and out of order ---------------------------------------------------------------


@pytest.mark.parametrize("queue", ["parse", "chunk", "index"])
def test_a_message_delivered_again_after_the_end_changes_nothing(pipeline, queue):
    sent = {}
    send = pipeline.queues.send

    class Remembering:
        def __init__(self, queues):
            self.sent = queues.sent

        def send(self, name, messages):
            sent[name] = list(messages)
            send(name, messages)

    pipeline.queues = Remembering(pipeline.queues)
    pipeline.upload(KEY, OLD)
    before = (pipeline.catalog.get(sent["parse"][0].document_id), chunks_of(pipeline))
    assert deliver(pipeline, queue, sent[queue][0])
    pipeline.drain()
    record = pipeline.catalog.get(sent["parse"][0].document_id)
    assert (record, chunks_of(pipeline)) == before
    assert found(pipeline) == ["The harbour fee for a barge is 84 crowns."]


def test_an_older_event_after_a_newer_one_does_nothing(pipeline):
    old = pipeline.uploads.put(KEY, OLD)
    pipeline.uploads.take_events()
    pipeline.upload(KEY, NEW)
    late = ParseRequest(**old.identity, size=len(OLD))
    assert deliver(pipeline, "parse", late)
    assert pipeline.queues.sent["chunk"] == []
    assert found(pipeline) == ["The harbour fee for a barge is 97 crowns."]
    assert chunks_of(pipeline) == {(old.document_id, "v2"): 1}


def test_a_delete_that_comes_after_a_newer_upload_does_nothing(pipeline):
    pipeline.upload(KEY, OLD)
    pipeline.uploads.delete(KEY)
    [(deleted, _)] = pipeline.uploads.take_events()
    pipeline.upload(KEY, NEW)
    assert deliver(pipeline, "remove", RemoveRequest(**deleted.identity))
    assert found(pipeline) == ["The harbour fee for a barge is 97 crowns."]
    assert pipeline.catalog.get(deleted.document_id).status == "READY"


def test_an_upload_that_comes_after_its_delete_stays_deleted(pipeline):
    upload = pipeline.uploads.put(KEY, OLD)
    pipeline.uploads.delete(KEY)
    [_, (deleted, _)] = pipeline.uploads.take_events()
    assert deliver(pipeline, "remove", RemoveRequest(**deleted.identity))
    assert deliver(pipeline, "parse", ParseRequest(**upload.identity, size=len(OLD)))
    pipeline.drain()
    assert pipeline.catalog.get(upload.document_id).status == "DELETED"
    assert (found(pipeline), artifacts(pipeline)) == ([], [])


@pytest.mark.parametrize(
    "name", ["metadata.json.gz", "document.json.gz", f"00000.nodes{NODES}", "00000.jsonl.gz"]
)
def test_a_file_that_is_deleted_while_a_step_stores_leaves_no_artifacts(pipeline, name):
    put, cut = pipeline.artifacts.put, []

    def delete_meanwhile(key, body):
        put(key, body)
        if key.endswith(f"/{name}") and not cut:
            cut.append(key)
            pipeline.uploads.delete(KEY)
            (deleted, _) = pipeline.uploads.take_events()[-1]
            assert deliver(pipeline, "remove", RemoveRequest(**deleted.identity))

    pipeline.artifacts.put = delete_meanwhile
    record = pipeline.upload(KEY, OLD)
    assert cut
    assert pipeline.catalog.get(record.document_id).status == "DELETED"
    assert (found(pipeline), artifacts(pipeline)) == ([], [])


def test_a_file_that_is_deleted_while_it_is_embedded_leaves_no_artifacts(pipeline):
    [message] = indexing(pipeline, KEY, OLD)
    embed = pipeline.embedder.embed

    def delete_meanwhile(*args, **options):
        pipeline.uploads.delete(KEY)
        (deleted, _) = pipeline.uploads.take_events()[-1]
        assert deliver(pipeline, "remove", RemoveRequest(**deleted.identity))
        return embed(*args, **options)

    pipeline.embedder.embed = delete_meanwhile
    assert deliver(pipeline, "index", message)
    assert pipeline.catalog.get(message.document_id).status == "DELETED"
    assert (found(pipeline), artifacts(pipeline)) == ([], [])


def test_a_delivery_that_comes_again_leaves_the_artifacts_of_the_live_version(pipeline):
    first = pipeline.upload(KEY, OLD)
    kept = artifacts(pipeline)
    late = ParseRequest(**first.revision.identity, size=len(OLD))
    pipeline.catalog.receive(Revision(key=KEY, version="v9", sequencer="9"), 1)
    assert pipeline.catalog.get(first.document_id).live_version == first.version
    deliver(pipeline, "parse", late)
    assert artifacts(pipeline) == kept
    assert kept


def test_a_version_is_found_until_its_successor_is_read_also_when_it_is_worked_on_again(pipeline):
    first = pipeline.upload(KEY, OLD)
    pipeline.catalog.reopen(first.revision)
    pipeline.uploads.put(KEY, NEW)  # its event is late
    again = ParseRequest(**first.revision.identity, size=len(OLD))
    assert deliver(pipeline, "parse", again)
    [looking] = pipeline.queues.sent["remove"]
    assert deliver(pipeline, "remove", looking)
    assert found(pipeline) == [OLD.decode().splitlines()[-1]]
    assert len(pipeline.queues.sent["parse"]) == 1
    pipeline.drain()
    assert found(pipeline) == [NEW.decode().splitlines()[-1]]
    pipeline.uploads.put(KEY, OLD)
    assert deliver(pipeline, "remove", looking)  # a late copy
    assert found(pipeline) == [NEW.decode().splitlines()[-1]]


def test_a_late_index_part_of_a_replaced_version_leaves_no_chunks(pipeline):
    [late] = indexing(pipeline, KEY, OLD)
    pipeline.upload(KEY, NEW)
    pipeline.artifacts.put(late.chunks_key, late_chunks(pipeline, late))
    assert deliver(pipeline, "index", late)
    assert chunks_of(pipeline) == {(late.document_id, "v2"): 1}
    assert found(pipeline) == ["The harbour fee for a barge is 97 crowns."]


def test_a_late_index_part_of_a_deleted_document_leaves_no_chunks(pipeline):
    [late] = indexing(pipeline, KEY, OLD)
    body = pipeline.artifacts.get(late.chunks_key)
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    pipeline.artifacts.put(late.chunks_key, body)
    assert deliver(pipeline, "index", late)
    assert (chunks_of(pipeline), found(pipeline)) == ({}, [])


def late_chunks(pipeline, message):
    """Returns the chunks of a version that is removed, as a slow worker still holds them."""
    other = small_copy()
    [same] = indexing(other, message.key, OLD)
    assert same.chunks_key == message.chunks_key
    return other.artifacts.get(same.chunks_key)


def small_copy():
    return Pipeline(embedder=HashEmbedder(), tokenizer=Words())


# -- services fail -------------------------------------------------------------------------------


def test_an_index_that_fails_twice_is_tried_a_third_time(pipeline):
    pipeline.index = Flaky(pipeline.index, write=[UnavailableError("index busy")] * 2)
    assert pipeline.upload(KEY, OLD).status == "READY"
    assert found(pipeline) == ["The harbour fee for a barge is 84 crowns."]


def test_an_index_that_keeps_failing_ends_as_failed_with_what_to_do(pipeline):
    busy = UnavailableError("the index is busy", code="index_busy", action="Try later.")
    pipeline.index = Flaky(pipeline.index, write=[busy] * OUTAGE)
    record = pipeline.upload(KEY, OLD)
    assert record.status == "FAILED"
    assert record.error.model_dump() == {
        "code": "index_busy",
        "message": "the index is busy",
        "action": "Try later.",
    }
    assert found(pipeline) == []


def test_a_retry_forgets_the_failure_and_ends_ready(pipeline):
    pipeline.index = Flaky(pipeline.index, write=[UnavailableError("index busy")] * OUTAGE)
    record = pipeline.upload(KEY, OLD)
    again = Service(pipeline, "acme").retries.retry("fees/harbour.md")
    assert (again.status, again.error, again.parts_done) == ("INDEXING", None, ())
    pipeline.drain()
    after = pipeline.catalog.get(record.document_id)
    assert (after.status, after.error) == ("READY", None)
    assert found(pipeline) == ["The harbour fee for a barge is 84 crowns."]


def test_a_retry_has_as_many_attempts_as_an_upload(pipeline):
    busy = [UnavailableError("index busy")] * (OUTAGE + 2)
    pipeline.index = Flaky(pipeline.index, write=busy)
    record = pipeline.upload(KEY, OLD)
    Service(pipeline, "acme").retries.retry("fees/harbour.md")
    pipeline.drain()
    assert pipeline.catalog.get(record.document_id).status == "READY"


def test_a_part_that_is_in_before_a_failure_is_written_again_by_a_retry(pipeline):
    messages = indexing(pipeline, KEY, long_text(parts=2))
    assert deliver(pipeline, "index", messages[0])
    pipeline.index = Flaky(pipeline.index, write=[ConfigurationError("no rights")])
    assert not deliver(pipeline, "index", messages[1], last=True)
    pipeline.index.remove(messages[0].revision)
    Service(pipeline, "acme").retries.retry("fees/harbour.md")
    for message in reversed(pipeline.queues.sent["index"]):
        assert deliver(pipeline, "index", message)
    record = pipeline.catalog.get(messages[0].document_id)
    assert chunks_of(pipeline) == {(record.document_id, "v1"): record.chunks}


def test_a_new_file_is_added_without_looking_for_what_it_replaces(pipeline):
    pipeline.index = Flaky(pipeline.index, remove_older=[AssertionError("looked for")])
    assert pipeline.upload(KEY, OLD).status == "READY"


@pytest.mark.parametrize("ended", ["READY", "FAILED", "DELETED"])
def test_whatever_became_of_the_first_version_the_next_one_leaves_nothing_of_it(pipeline, ended):
    first = indexing(pipeline, KEY, long_text(2))
    deliver(pipeline, "index", first[0])
    if ended == "READY":
        deliver(pipeline, "index", first[1])
    elif ended == "FAILED":
        problem = Problem(code="internal", message="crashed", action="Run `footnote retry`.")
        pipeline.catalog.advance(first[0], "FAILED", Facts(error=problem))
    else:
        pipeline.catalog.remove(first[0].model_copy(update={"sequencer": first[0].sequencer + "1"}))
    record = pipeline.upload(KEY, NEW)
    assert chunks_of(pipeline) == {(record.document_id, record.version): record.chunks}
    assert {key.split("/")[2] for key in artifacts(pipeline)} == {event_folder(record.revision)}


def test_a_delete_is_repeated_until_the_index_has_forgotten(pipeline):
    pipeline.upload(KEY, OLD)
    pipeline.index = Flaky(pipeline.index, remove_older=[UnavailableError("index busy")] * 2)
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    assert (chunks_of(pipeline), artifacts(pipeline)) == ({}, [])


def test_a_deleted_document_is_not_found_even_when_the_index_cannot_forget_it(pipeline):
    record = pipeline.upload(KEY, OLD)
    pipeline.index = Flaky(pipeline.index, remove_older=[UnavailableError("index busy")] * OUTAGE)
    pipeline.uploads.delete(KEY)
    pipeline.drain()
    gone = pipeline.catalog.get(record.document_id)
    assert (gone.status, gone.error.code) == ("DELETED", "unavailable")
    assert found(pipeline) == []


def test_a_question_whose_search_fails_ends_as_failed_and_is_not_answered_from_nothing(pipeline):
    pipeline.upload(KEY, OLD)
    pipeline.index = Flaky(pipeline.index, search=[UnavailableError("the index is down")] * 9)
    service = Service(pipeline, "acme")
    asked = service.questions.ask("What is the harbour fee for a barge?")
    record = service.questions.get(asked.question_id)
    assert (record.status, record.answer) == ("FAILED", None)
    assert (record.error.code, record.error.message) == ("unavailable", "the index is down")
    assert service.questions.events(asked.question_id)[-1].kind == "failed"


def test_a_step_that_comes_again_after_the_end_changes_nothing(pipeline):
    pipeline.upload(KEY, OLD)
    service = Service(pipeline, "acme")
    question_id = service.questions.ask("What is the harbour fee for a barge?").question_id
    before = (service.questions.get(question_id), service.questions.events(question_id))
    plan = plan_key(question_id, 2)
    again = SynthesizeRequest(tenant="acme", question_id=question_id, plan_key=plan, round=1)
    assert step_of("synthesize").run(again, pipeline).citations == 1
    failed = {"error": "UnavailableError", "cause": ""}
    step_of("fail").run(FailRequest(tenant="acme", question_id=question_id, **failed), pipeline)
    assert (service.questions.get(question_id), service.questions.events(question_id)) == before


# -- what it is made of --------------------------------------------------------------------------


def test_a_pipeline_takes_the_model_it_is_given():
    llm = ScriptedLLM([])
    assert Pipeline(llm=llm).llm is llm


def test_a_step_that_does_not_exist_is_named():
    with pytest.raises(ConfigurationError, match="'dance'"):
        step_of("dance")


def test_each_queue_carries_its_own_messages(pipeline):
    revision = Revision(key=KEY, version="v1", sequencer="1")
    kinds = [
        ParseRequest(**revision.identity),
        ChunkRequest(**revision.identity, document_key="k"),
        IndexRequest(**revision.identity, chunks_key="k", part=0, parts=1),
    ]
    for queue, message in zip(("parse", "chunk", "index"), kinds, strict=True):
        assert step_of(queue).request_type is type(message)
