"""Erasure: no copy of a document is left, and the receipt says so without its content."""

import json
import threading

import pytest

from footnote.errors import ConflictError, ForbiddenError, NotFoundError
from footnote.model import ALL, document_id
from footnote.service import Service
from footnote.service.grid_service import Wanted
from tests.unit.faces import connect, small

KEY = "acme/default/fees.md"
PAPER = b"# Fees of Quillfeather\n\nThe harbour fee for a barge is 84 crowns.\n"
OTHER = b"# Berths\n\nThe berth of a raft costs 12 crowns a night.\n"
ID = document_id(KEY)
ONE = {"files": 3, "artifacts": 0, "chunks": 1, "vectors": 1, "questions": 2, "cells": 1}
NOTHING = dict.fromkeys(("files", "artifacts", "chunks", "cells"), 0)


@pytest.fixture
def services():
    made = small()
    made.upload(KEY, b"# Fees\n\nAn older version.\n")
    made.upload(KEY, PAPER)
    made.uploads.put(f"{KEY}.metadata.json", b'{"metadataAttributes": {"who": "us"}}')
    made.upload("acme/default/berths.md", OTHER)
    made.drain()
    return made


@pytest.fixture
def officer(services):
    return Service(services, "acme", (ALL,), "k9")


def ask(services, question, *documents):
    me = Service(services, "acme")
    return me.questions.ask(question, me.searches.scope(documents=documents)).question_id


def erased(services, officer):
    receipt = officer.erasures.begin("fees.md")
    services.drain()
    return officer.erasures.go_on(receipt.id)


def everything(services):
    """Returns all that is stored anywhere, as one text."""
    kept = [*services.artifacts._blobs.items(), services.vector_cache._vectors]
    kept += [*services.questions._records.values(), *services.questions._events.values()]
    kept += [services.uploads._stored]
    return repr(kept)


def test_no_copy_is_left_anywhere_and_others_keep_theirs(services, officer):
    about = ask(services, "What is the harbour fee for a barge?")
    both = ask(services, "What is the harbour fee for a barge, and what costs the berth of a raft?")
    other = ask(services, "What does the berth of a raft cost a night?", "berths.md")
    grid = officer.grids.create(Wanted(("What is the fee?",)))
    before, cached = everything(services), len(services.vector_cache._vectors)
    assert "84 crowns" in before and "12 crowns" in before
    receipt = erased(services, officer)
    assert receipt.status == "DONE"
    assert (receipt.left.model_dump(), receipt.deleted.files) == (NOTHING, 3)
    assert receipt.deleted.vectors == receipt.deleted.chunks == 1
    assert receipt.deleted.cells == 1 and receipt.deleted.questions >= 2
    after = everything(services)
    assert len(services.vector_cache._vectors) == cached - 1
    assert "84 crowns" not in after and "An older version" not in after
    assert "12 crowns" in after
    for question in (about, both):
        with pytest.raises(NotFoundError):
            services.questions.get("acme", question)
    assert grid
    assert other in {turn.question_id for turn in services.questions.newest("acme")[0]}


def test_a_receipt_is_found_by_its_id_and_has_no_word_of_the_document(services, officer):
    receipt = erased(services, officer)
    shown = officer.erasures.get(receipt.id)
    assert shown == receipt
    assert (shown.document_id, shown.by, len(shown.versions)) == (ID, "k9", 1)
    stored = b"".join(
        body for key, body in services.artifacts._blobs.items() if key.startswith("erasures/")
    )
    assert not any(word in stored for word in (b"fees", b"Quill", b"crowns", b"default"))


def test_it_is_pending_until_the_pipeline_has_removed_the_document(services, officer):
    receipt = officer.erasures.begin("fees.md")
    assert officer.erasures.go_on(receipt.id).status == "PENDING"
    services.drain()
    assert officer.erasures.go_on(receipt.id).status == "DONE"


def test_it_waits_for_questions_that_are_being_answered(services, officer):
    class Idle:
        def ask(self, *_):
            pass

    workflow, services.workflow = services.workflow, Idle()
    running = ask(services, "What is the harbour fee for a barge?")
    receipt = erased(services, officer)
    assert receipt.status == "PENDING"
    services.workflow = workflow
    workflow.ask("acme", running)
    assert officer.erasures.go_on(receipt.id).status == "DONE"


def test_a_generation_that_is_kept_for_a_roll_back_is_looked_at_too(services, officer, monkeypatch):
    officer.operating.reindex("api", force=True)
    receipt = officer.erasures.begin("fees.md")
    services.drain()
    [kept] = [one.name for one in services.index.generations() if not one.serving]
    counts = services.index.counts
    monkeypatch.setattr(
        services.index, "counts", lambda name, _: {(ID, "v"): 2} if name == kept else {}
    )
    pending = officer.erasures.go_on(receipt.id)
    assert (pending.status, pending.left.chunks) == ("PENDING", 2)
    monkeypatch.setattr(services.index, "counts", counts)
    assert officer.erasures.go_on(receipt.id).status == "DONE"


def test_what_comes_after_the_last_look_keeps_it_pending(services, officer, monkeypatch):
    receipt = officer.erasures.begin("fees.md")
    services.drain()
    counts = services.index.counts
    monkeypatch.setattr(services.index, "counts", lambda *_: {(ID, "v"): 2})
    pending = officer.erasures.go_on(receipt.id)
    assert (pending.status, pending.left.chunks) == ("PENDING", 2)
    monkeypatch.setattr(services.index, "counts", counts)
    assert officer.erasures.go_on(receipt.id).status == "DONE"


def test_what_is_under_hold_is_not_erased(services, officer):
    officer.retention.set("default", 0, "case 12", {})
    with pytest.raises(ConflictError) as refused:
        officer.erasures.begin("fees.md")
    assert refused.value.code == "held"
    assert services.uploads.current(KEY)


def test_what_was_deleted_before_is_erased_as_well(services, officer):
    officer.documents.remove("fees.md")
    services.drain()
    receipt = officer.erasures.begin(ID)
    assert officer.erasures.go_on(receipt.id).deleted.files == 4
    assert not services.uploads.version_ids(KEY)


def test_only_members_of_all_and_of_the_tenant_erase_and_see_receipts(services, officer):
    receipt = officer.erasures.begin("fees.md")
    for call in (
        lambda: Service(services, "acme").erasures.begin("berths.md"),
        lambda: Service(services, "acme").erasures.get(receipt.id),
    ):
        with pytest.raises(ForbiddenError):
            call()
    other = Service(services, "other", (ALL,)).erasures
    for call in (lambda: other.begin(ID), lambda: other.get(receipt.id), lambda: other.get("../x")):
        with pytest.raises(NotFoundError):
            call()


def test_the_client_erases_and_shows_the_receipt(services, officer, monkeypatch):
    monkeypatch.setattr(services.tenants, "of", lambda _: officer._who)
    client = connect(services)
    receipt = client.begin_erasure("fees.md")
    services.drain()
    done = client.go_on_erasing(receipt["id"])
    assert (receipt["status"], done["status"]) == ("PENDING", "DONE")
    assert client.receipt(receipt["id"]) == done
    assert "fees" not in json.dumps(done)


def test_questions_are_looked_at_several_at_a_time(services, officer, monkeypatch):
    for number in range(4):
        ask(services, f"What is the harbour fee for barge {number}?")
    together, get = threading.Barrier(2), services.questions.get

    def both(tenant, question):
        together.wait(timeout=30)  # breaks where nobody else comes
        return get(tenant, question)

    receipt = officer.erasures.begin("fees.md")
    services.drain()
    monkeypatch.setattr(services.questions, "get", both)
    monkeypatch.setattr(officer.erasures, "_delete", bool)
    assert officer.erasures.go_on(receipt.id).deleted.questions == 4
