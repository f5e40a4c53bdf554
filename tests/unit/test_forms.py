"""A form for an upload is used later than it was signed: what was closed meanwhile stays so."""

import json

import pytest

from footnote.errors import ForbiddenError
from footnote.metadata.collect import SEEN_ACL
from footnote.model import document_id
from footnote.service import Service
from tests.unit.faces import small

KEY = "acme/default/plan.md"
OURS = b"# Plan\n\nThe budget of the harbour is 84 million crowns.\n"
THEIRS = b"# Plan\n\nThe budget of the harbour is 1 crown.\n"
QUESTION = "What is the budget of the harbour?"


class Bucket:
    """A deployment whose bucket and records have one clock, which goes on with each upload."""

    def __init__(self):
        self.now = 1_795_435_200.0
        self.pipeline = small()
        self.pipeline.uploads._clock = lambda: self.now

    def form(self, *groups, **more):
        return Service(self.pipeline, "acme", groups).documents.add("plan.md", **more)["fields"]

    def post(self, form, body=THEIRS):
        """Does what S3 does: it looks at the signature, and at nothing else."""
        given = {name.removeprefix("x-amz-meta-"): text for name, text in form.items()}
        marks = {name: text for name, text in given.items() if name.startswith("footnote")}
        self.put(form["key"], body, marks)

    def put(self, key, body, attributes=None):
        self.now += 1
        return self.pipeline.uploads.put(key, body, attributes)

    def close(self, *groups):
        self.put(f"{KEY}.metadata.json", json.dumps({"acl": groups}).encode())

    def drain(self):
        self.pipeline.drain()
        return self.record()

    def record(self):
        return self.pipeline.catalog.get(document_id(KEY))

    def answer(self, *groups):
        questions = Service(self.pipeline, "acme", groups).questions
        answer = questions.get(questions.ask(QUESTION).question_id).answer
        return answer.answer if answer.found else ""


@pytest.fixture
def bucket():
    return Bucket()


def test_a_form_of_a_free_name_does_not_replace_what_others_closed_meanwhile(bucket):
    form = bucket.form("sales")
    bucket.close("board")
    bucket.put(KEY, OURS)
    ours = bucket.drain()
    bucket.post(form)
    record = bucket.drain()
    assert (record.status, record.error.code) == ("FAILED", "acl_changed")
    assert (record.live_version, record.sidecar.acl) == (ours.version, ("board",))
    assert "84 million" in bucket.answer("board")
    with pytest.raises(ForbiddenError):
        bucket.form("sales")


def test_a_form_for_an_open_document_does_not_replace_it_once_it_is_closed(bucket):
    bucket.put(KEY, OURS)
    bucket.drain()
    form = bucket.form("sales")
    bucket.close("board")
    bucket.drain()
    bucket.post(form)
    assert bucket.drain().error.code == "acl_changed"
    assert "84 million" in bucket.answer("board")


def test_who_leaves_an_acl_does_not_replace_the_document_by_an_old_form(bucket):
    bucket.close("board", "sales")
    bucket.put(KEY, OURS)
    bucket.drain()
    form = bucket.form("sales")
    bucket.close("board")
    bucket.post(form)  # before the change of the sidecar is noted
    assert bucket.drain().error.code == "acl_changed"


def test_a_document_that_is_read_stays_though_its_sidecar_is_written_again_meanwhile(bucket):
    form = bucket.form("sales")
    bucket.close("board")
    bucket.put(KEY, OURS)
    bucket.drain()
    bucket.post(form)
    bucket.close("board", "audit")
    assert bucket.drain().error.code == "acl_changed"
    assert "84 million" in bucket.answer("board")


def test_a_form_of_a_free_name_adds_nothing_below_a_sidecar_that_came_meanwhile(bucket):
    form = bucket.form("sales")
    bucket.close("board")
    bucket.post(form)
    record = bucket.drain()
    assert (record.status, record.error.code, record.live_version) == ("FAILED", "acl_changed", "")


def test_the_refused_upload_stays_refused_and_the_next_good_one_counts(bucket):
    form = bucket.form("sales")
    bucket.close("board")
    bucket.put(KEY, OURS)
    bucket.drain()
    bucket.post(form)
    bucket.drain()
    Service(bucket.pipeline, "acme", ("board",)).retries.retry("plan.md")
    assert bucket.drain().error.code == "acl_changed"
    bucket.post(
        bucket.form("board"), b"# Plan\n\nThe budget of the harbour is 85 million crowns.\n"
    )
    assert bucket.drain().status == "READY"
    assert "85 million" in bucket.answer("board")


def test_what_came_before_its_sidecar_is_closed_and_not_refused(bucket):
    bucket.post(bucket.form("sales"), OURS)
    bucket.close("board")  # before the upload is read
    assert (bucket.drain().status, bucket.record().sidecar.acl) == ("READY", ("board",))


@pytest.mark.parametrize("groups", [("sales",), ("board",), (), ("@all",)])
def test_nothing_is_refused_where_nobody_closed_anything(bucket, groups):
    for body in (OURS, THEIRS):
        bucket.post(bucket.form(*groups), body)
        assert bucket.drain().status == "READY"


def test_what_was_opened_meanwhile_may_be_replaced(bucket):
    bucket.close("sales")
    bucket.put(KEY, OURS)
    bucket.drain()
    form = bucket.form("sales")
    bucket.pipeline.uploads.delete(f"{KEY}.metadata.json")
    bucket.drain()
    bucket.post(form)
    assert bucket.drain().status == "READY"


def test_members_of_all_and_writers_to_the_bucket_may_replace_what_was_closed(bucket):
    form = bucket.form("@all")
    assert not [name for name in form if SEEN_ACL in name]
    bucket.close("board")
    bucket.put(KEY, OURS)
    bucket.drain()
    bucket.post(form)
    assert bucket.drain().status == "READY"
    bucket.put(KEY, OURS)
    assert (bucket.drain().status, bucket.record().live_version) == (
        "READY",
        bucket.record().version,
    )


def test_the_mark_is_no_attribute_of_the_document(bucket):
    bucket.post(bucket.form("sales", metadata={"year": 2026}))
    assert bucket.drain().metadata == {"year": 2026}


def test_a_text_is_marked_too(bucket):
    Service(bucket.pipeline, "acme", ("sales",)).documents.add_text("plan.md", "# Plan\n\nA.\n")
    assert SEEN_ACL in bucket.pipeline.uploads.current(KEY).attributes
