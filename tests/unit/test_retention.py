"""Retention: what is under hold stays whoever deletes it, and what has run out goes by itself."""

import json

import pytest

from footnote.contracts import SweepRequest
from footnote.errors import (
    BadDocumentError,
    BadRequestError,
    ConflictError,
    FootnoteError,
    ForbiddenError,
)
from footnote.model import ALL, document_id
from footnote.service import Service
from footnote.store.retention import must_replace_nothing_held
from footnote.wiring.local_workflow import step_of
from tests.unit.faces import connect, small

KEY = "acme/default/fees.md"
PAPER = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
OTHER = b"# Fees\n\nThe harbour fee for a barge is 85 crowns.\n"
DAY = 86_400.0
WHY = "case 12 of 2026"


class House:
    """A deployment with one document, and who is responsible for it."""

    def __init__(self):
        self.now = 1_795_435_200.0
        self.services = small()
        self.services.clock = lambda: self.now
        self.services.uploads._clock = lambda: self.now
        self.uploads = self.services.uploads
        self.officer = Service(self.services, "acme", (ALL,), "k9")
        self.anyone = Service(self.services, "acme")
        self.services.upload(KEY, PAPER)

    def hold(self, reason=WHY, days=0, **documents):
        self.officer.retention.set("default", days, reason, documents)

    def sweep(self):
        done = step_of("sweep").run(SweepRequest(), self.services)
        self.drain()
        return done

    def drain(self):
        self.services.drain()

    @property
    def record(self):
        return self.services.catalog.get(document_id(KEY))

    @property
    def found(self):
        answer = self.anyone.questions.get(
            self.anyone.questions.ask("What is the harbour fee for a barge?").question_id
        ).answer
        return [citation.quote for citation in answer.citations]


@pytest.fixture
def house():
    return House()


FEE = ["The harbour fee for a barge is 84 crowns."]


@pytest.mark.parametrize("who", ["officer", "anyone"])
def test_nobody_removes_or_replaces_what_is_under_hold(house, who):
    house.hold()
    documents = getattr(house, who).documents
    for call in (
        lambda: documents.remove("fees.md"),
        lambda: documents.add("fees.md"),
        lambda: documents.add_text("fees.md", "# Other"),
    ):
        with pytest.raises(ConflictError, match=WHY) as refused:
            call()
        assert refused.value.code == "held"
    documents.add_text("another.md", "# A new one")
    house.drain()
    assert house.found == FEE


def test_a_document_is_held_by_itself(house):
    house.services.upload("acme/default/b.md", PAPER)
    house.hold("", **{"fees.md": WHY})
    with pytest.raises(ConflictError):
        house.anyone.documents.remove("fees.md")
    house.anyone.documents.remove("b.md")


def test_once_it_is_released_it_is_removed(house):
    house.hold()
    house.hold("")
    house.anyone.documents.remove("fees.md")
    house.drain()
    assert house.record.status == "DELETED"


def test_what_the_bucket_was_told_to_delete_is_put_back(house):
    house.hold()
    for _ in range(2):
        house.uploads.delete(KEY)
        house.drain()
    assert house.uploads.current(KEY).version == house.record.version
    assert (house.record.status, house.found) == ("READY", FEE)


def test_of_what_was_deleted_for_good_that_is_kept_which_was_read_of_it(house):
    house.hold()
    house.uploads.delete_version(KEY, house.record.version)
    house.drain()
    house.sweep()
    assert house.uploads.current(KEY) is None
    assert (house.record.status, house.found) == ("READY", FEE)


def test_a_file_that_comes_over_it_is_refused_and_the_one_before_is_read(house):
    house.hold()
    house.uploads.put(KEY, OTHER)
    house.drain()
    assert (house.record.status, house.record.error.code) == ("FAILED", "replaces_held")
    assert house.found == FEE


def test_the_version_that_is_read_may_be_parsed_again(house):
    house.hold()
    there = house.uploads.current(KEY)
    must_replace_nothing_held(house.services.artifacts, house.record, there)
    other = there.model_copy(update={"version": "another"})
    with pytest.raises(BadDocumentError):
        must_replace_nothing_held(house.services.artifacts, house.record, other)


def test_what_was_removed_before_the_hold_stays_removed(house):
    house.anyone.documents.remove("fees.md")
    house.drain()
    house.hold()
    house.services.queues.send("remove", [step_request(house)])
    house.drain()
    assert (house.record.status, house.uploads.current(KEY)) == ("DELETED", None)


def step_request(house):
    from footnote.contracts import RemoveRequest

    return RemoveRequest(**house.record.revision.identity)


# -- days ------------------------------------------------------------------------------------------


def test_the_sweep_removes_what_was_there_for_longer_than_the_days_and_nothing_else(house):
    house.hold("", days=30)
    house.services.upload("acme/other/fees.md", PAPER)
    house.now += 29 * DAY
    house.services.upload("acme/default/new.md", OTHER)
    assert house.sweep().expired == 0
    house.now += 2 * DAY
    assert house.sweep().expired == 1
    assert house.record.status == "DELETED"
    left = {record.key for record in house.officer.documents.page()[0] if record.status == "READY"}
    assert left == {"acme/other/fees.md", "acme/default/new.md"}


@pytest.mark.parametrize("documents", [{}, {"fees.md": WHY}])
def test_a_hold_wins_over_days(house, documents):
    house.hold("" if documents else WHY, days=30, **documents)
    house.now += 31 * DAY
    assert (house.sweep().expired, house.record.status) == (0, "READY")


# -- who, and the faces ----------------------------------------------------------------------------


def test_only_members_of_all_see_and_change_it(house):
    for call in (
        lambda: house.anyone.retention.of("default"),
        lambda: house.anyone.retention.set("default", 0, "", {}),
    ):
        with pytest.raises(ForbiddenError) as refused:
            call()
        assert refused.value.code == "retention_forbidden"


def test_another_tenant_has_rules_of_its_own(house):
    house.hold()
    assert Service(house.services, "other", (ALL,)).retention.of("default").hold == ""


def test_a_rule_says_since_when_and_by_whom(house):
    house.hold(days=7)
    rule = house.officer.retention.of("default")
    assert rule.model_dump() == {
        "days": 7,
        "hold": WHY,
        "documents": {},
        "since": "2026-11-23T12:00:00.000+00:00",
        "by": "k9",
    }


def test_a_name_that_is_none_is_refused(house):
    for collection, documents in (("a/b", {}), ("default", {"../x": "why"})):
        with pytest.raises(BadRequestError):
            house.officer.retention.set(collection, 0, "", documents)


def test_the_client_sets_and_shows_it(house, monkeypatch):
    monkeypatch.setattr(house.services.tenants, "of", lambda _: house.officer._who)
    client = connect(house.services)
    changed = client.set_retention("a b", days=3, documents={"x/y.md": WHY})
    assert client.retention("a b") == changed
    assert (changed["collection"], changed["documents"]) == ("a b", {"x/y.md": WHY})
    for body in ({"days": -1}, {"days": 40_000}, {"hold": "x" * 501}):
        with pytest.raises(FootnoteError):
            client.set_retention("default", **body)
    assert json.loads(json.dumps(changed)) == changed
