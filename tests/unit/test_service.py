"""What one tenant can do: invalid names and questions are refused, others' documents hidden."""

import time
from datetime import UTC, datetime, timedelta
from itertools import chain

import pytest

from footnote.ask.question.sessions import QUESTION_SECONDS
from footnote.ask.question.usage_limits import Most, UsageLimits
from footnote.errors import (
    BadRequestError,
    ConflictError,
    LimitedError,
    NotFoundError,
    UnavailableError,
)
from footnote.model import NOBODY, Estimate, QuestionRecord, Revision, Scope, document_id
from footnote.service import Service, question_service
from footnote.service.document_service import MAX_LOOKUPS
from footnote.service.named_documents import MOST_CALLS
from tests.unit.faces import CountingCatalog, Flaky, small

TEXT = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"


@pytest.fixture
def pipeline():
    return small()


@pytest.fixture
def service(pipeline):
    return Service(pipeline, "acme")


@pytest.mark.parametrize("tenant", ["", NOBODY])
def test_there_is_no_service_for_nobody(pipeline, tenant):
    with pytest.raises(ConflictError):
        Service(pipeline, tenant)


# -- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["a.md", "reports/2025/q3 + ü 100%.pdf", "...", "a..b", ".hidden"])
def test_a_path_may_have_folders_and_any_printable_letters(service, path):
    ticket = service.documents.add(path)
    assert ticket["fields"]["key"] == f"acme/default/{path}"
    assert ticket["id"] == document_id(f"acme/default/{path}")


@pytest.mark.parametrize(
    "path",
    ["", "/", "/a.md", "a//b.md", "a/", ".", "..", "a/../b.md", "../other/x.md", "a\nb", "a\x00b"],
)
def test_a_path_that_cannot_be_a_document_is_refused(service, path):
    with pytest.raises(BadRequestError) as error:
        service.documents.add(path)
    assert error.value.code == "bad_path"


@pytest.mark.parametrize("collection", ["", "a/b", "/", NOBODY])
def test_a_collection_is_one_segment(service, collection):
    with pytest.raises(BadRequestError) as error:
        service.documents.add("a.md", collection)
    assert error.value.code == "bad_collection"


def test_a_name_is_as_long_as_s3_takes_it_and_no_longer(service):
    fits = "ü" * ((1024 - len("acme/default/")) // 2)
    assert service.documents.add(fits)["document"] == fits
    with pytest.raises(BadRequestError) as error:
        service.documents.add(fits + "üü")
    assert error.value.code == "path_too_long"
    assert error.value.message == (
        "the document's path is too long: a key of 1027 bytes, S3 takes 1024"
    )


def test_a_name_that_s3_would_rewrite_is_refused(service):
    with pytest.raises(BadRequestError):
        service.documents.add("${filename}")


# -- documents -----------------------------------------------------------------------------------


def test_a_document_is_found_by_id_and_by_path(pipeline, service):
    record = pipeline.upload("acme/default/a/b.md", TEXT)
    assert service.documents.get(record.document_id) == record
    assert service.documents.get("a/b.md") == record


def test_another_tenants_document_does_not_exist(pipeline):
    record = pipeline.upload("acme/default/a.md", TEXT)
    other = Service(pipeline, "other")
    for name in (record.document_id, "a.md"):
        for attempt in (other.documents.get, other.documents.remove, other.retries.retry):
            with pytest.raises(NotFoundError) as error:
                attempt(name)
            assert error.value.code == "unknown_document"
    assert other.documents.page() == ([], "")
    assert other.searches.search("harbour fee")[0] == []


def test_a_document_is_removed_once(pipeline, service):
    pipeline.upload("acme/default/a.md", TEXT)
    assert service.documents.remove("a.md").status == "READY"
    pipeline.drain()
    with pytest.raises(NotFoundError) as error:
        service.documents.remove("a.md")
    assert (error.value.code, error.value.message) == ("deleted", "a.md is deleted already")


def test_only_what_failed_is_retried(pipeline, service):
    pipeline.upload("acme/default/a.md", TEXT)
    with pytest.raises(ConflictError) as error:
        service.retries.retry("a.md")
    assert error.value.message == "a.md is READY; only FAILED or UNSUPPORTED is retried"


def test_a_retry_that_cannot_be_sent_leaves_the_document_failed(pipeline, service):
    record = pipeline.upload("acme/default/empty.md", b"")
    pipeline.queues = Flaky(pipeline.queues, send=[UnavailableError("queue busy")])
    with pytest.raises(UnavailableError):
        service.retries.retry("empty.md")
    left = pipeline.catalog.get(record.document_id)
    assert (left.status, left.error.code, left.error.message) == (
        "FAILED",
        "unavailable",
        "queue busy",
    )


# -- searching and asking ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "code"), [("", "empty"), (" \t\n", "empty"), ("x" * 4001, "too_long")]
)
def test_a_text_that_cannot_be_searched_or_asked_is_refused(service, text, code):
    with pytest.raises(BadRequestError) as error:
        service.searches.search(text)
    assert error.value.code in {f"{code}_query", f"query_{code}"}
    with pytest.raises(BadRequestError) as error:
        service.questions.ask(text)
    assert error.value.code in {f"{code}_question", f"question_{code}"}


def test_the_longest_text_is_searched(service):
    assert service.searches.search("x " * 2000)[0] == []


@pytest.mark.parametrize("k", [-1, 0, 1001])
def test_the_number_of_hits_has_bounds(service, k):
    with pytest.raises(BadRequestError) as error:
        service.searches.search("fees", k=k)
    assert error.value.message == f"k is {k}; it must be from 1 to 1000"


def test_a_scope_is_of_the_tenant_and_names_documents_by_path(pipeline, service):
    record = pipeline.upload("acme/board/a.md", TEXT)
    assert service.searches.scope() == Scope(tenant="acme")
    narrowed = service.searches.scope("board", [record.document_id], {"language": "en"})
    assert narrowed == Scope(
        tenant="acme",
        collection="board",
        document_ids={record.document_id: "a.md"},
        filters={"language": "en"},
    )


def test_a_document_is_looked_for_on_every_page_of_the_list(pipeline, service):
    for number in range(501):
        revision = pipeline.uploads.put(f"acme/default/{number:04}.md", b"")
        pipeline.catalog.receive(revision, 0)
    assert service.searches.scope(documents=["0500.md"]).documents == ("0500.md",)


def test_a_search_in_a_document_by_its_id_leaves_its_namesakes_out(pipeline, service):
    text = b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
    mine = pipeline.upload("acme/board/fees.md", text)
    pipeline.upload("acme/default/fees.md", text + b"That of a ferry is 12 crowns.\n")
    by_id, by_path = (
        service.searches.scope(documents=[mine.document_id]),
        service.searches.scope(documents=["fees.md"]),
    )
    found = [
        {hit.collection for hit in service.searches.search("barge", scope=s)[0]}
        for s in (by_id, by_path)
    ]
    assert found == [{"board"}, {"board", "default"}]
    asked = service.questions.ask("What is the harbour fee for a barge?", by_id)
    answer = service.questions.get(asked.question_id).answer
    assert {citation.document_id for citation in answer.citations} == {mine.document_id}


@pytest.mark.parametrize("collection", [None, "default"])
def test_a_document_that_is_unknown_or_deleted_cannot_be_searched_in(pipeline, service, collection):
    pipeline.upload("acme/default/gone.md", TEXT)
    pipeline.uploads.delete("acme/default/gone.md")
    pipeline.drain()
    for name in ("nothing.md", "gone.md"):
        with pytest.raises(NotFoundError) as error:
            service.searches.scope(collection, [name])
        assert error.value.code == "unknown_document"


def test_a_session_remembers_what_was_said(pipeline, service):
    pipeline.upload("acme/default/a.md", TEXT)
    first = service.questions.ask("What is the harbour fee for a barge?", session="s1")
    second = service.questions.ask("And for a raft?", session="s1")
    said = service.questions.get(first.question_id).answer.answer
    assert (first.history, second.history) == ((), ((first.question, said),))
    assert service.questions.ask("Hello!", session="s2").history == ()
    assert Service(pipeline, "other").questions.ask("Hello!", session="s1").history == ()


def test_a_question_that_cannot_be_started_is_failed_and_says_so(pipeline, service):
    busy = UnavailableError("too many", code="throttled", action="Wait.")
    pipeline.workflow = Flaky(pipeline.workflow, ask=[busy])
    created = []
    pipeline.questions = Watched(pipeline.questions, created)
    with pytest.raises(UnavailableError):
        service.questions.ask("Hello!")
    record = service.questions.get(created[0])
    assert (record.status, record.error.code, record.error.action) == (
        "FAILED",
        "throttled",
        "Wait.",
    )


class Watched:
    """Records the ids of the questions that are created."""

    def __init__(self, questions, created):
        self.get, self.finish, self._create = questions.get, questions.finish, questions.create
        self.created = created

    def create(self, record):
        self.created.append(record.question_id)
        self._create(record)


@pytest.mark.parametrize(
    ("seconds", "status"), [(QUESTION_SECONDS - 20, "RUNNING"), (QUESTION_SECONDS + 1, "FAILED")]
)
def test_a_question_that_nobody_works_on_any_more_is_failed(pipeline, service, seconds, status):
    record = QuestionRecord(
        question_id="q1",
        tenant="acme",
        status="RUNNING",
        question="Why?",
        scope=Scope(tenant="acme"),
        created=(datetime.now(UTC) - timedelta(seconds=seconds)).isoformat(),
    )
    pipeline.questions.create(record)
    shown = service.questions.get("q1")
    assert shown.status == status
    assert (shown.error.code if shown.error else None) == (
        "timeout" if status == "FAILED" else None
    )


def test_another_tenants_question_and_trace_do_not_exist(pipeline, service):
    asked = service.questions.ask("Hello!")
    other = Service(pipeline, "other")
    for look in (other.questions.get, other.questions.events):
        with pytest.raises(NotFoundError):
            look(asked.question_id)


def test_health_is_of_the_catalog_too(pipeline, service):
    pipeline.catalog = Flaky(pipeline.catalog, documents=[UnavailableError("table down")])
    with pytest.raises(UnavailableError, match="table down"):
        service.operating.health()


# -- a name in any collection --------------------------------------------------------------------


@pytest.mark.parametrize("name", ["0042.md", "nothing.md"])
def test_a_name_in_any_collection_is_looked_up_without_reading_the_whole_tenant(pipeline, name):
    for n in range(600):
        revision = Revision(key=f"acme/c{n % 3}/{n:04}.md", version="v1", sequencer="10")
        pipeline.catalog.receive(revision, 5)
    pipeline.catalog = CountingCatalog(pipeline.catalog)
    service = Service(pipeline, "acme")
    if name == "nothing.md":
        with pytest.raises(NotFoundError, match="any collection"):
            service.searches.scope(documents=[name])
    else:
        service.searches.scope(documents=[name])
    assert pipeline.catalog.read <= 2 + 2 * 3  # by id, in `default`; then each collection


class Calls:
    """Makes a catalog count calls, as the table takes them; it has `empty` more collections."""

    def __init__(self, catalog, empty=0):
        self._catalog, self._empty = catalog, empty
        self.walks = self.listed = self.reads = 0

    def __getattr__(self, name):
        return getattr(self._catalog, name)

    def collections(self, tenant):
        self.walks += 1
        for found in chain(self._catalog.collections(tenant), map(str, range(self._empty))):
            self.listed += 1
            yield found

    def records(self, ids):
        assert len(ids) <= MAX_LOOKUPS
        self.reads += 1
        return self._catalog.records(ids)


def test_names_are_looked_for_in_the_collections_together(pipeline):
    """Each collection is asked once, however many names there are."""
    for n in range(50):
        revision = Revision(key=f"acme/c{n:03}/{n}.md", version="v1", sequencer="10")
        pipeline.catalog.receive(revision, 5)
    names = [f"{n}.md" for n in range(50)]
    calls = {}
    for many in (1, 50):
        pipeline.catalog = Calls(pipeline.catalog)
        scope = Service(pipeline, "acme").searches.scope(documents=names[-many:])
        assert scope.documents == tuple(names[-many:])
        calls[many] = (pipeline.catalog.walks, pipeline.catalog.listed)
        pipeline.catalog = pipeline.catalog._catalog
    assert calls == {1: (1, 50), 50: (1, 50)}


@pytest.mark.parametrize("many", [1, 50, 100])
def test_twice_the_collections_are_no_more_calls_where_there_are_many(pipeline, many):
    """For a name that is nowhere, too, a request makes a thousand calls and no more."""
    names = [f"typo-{n}.md" for n in range(many)]
    calls = []
    catalog = pipeline.catalog
    for empty in (3_000, 6_000):
        pipeline.catalog = Calls(catalog, empty)
        with pytest.raises(BadRequestError, match="there are more") as refused:
            Service(pipeline, "acme").searches.scope(documents=names)
        assert refused.value.code == "collection_needed"
        calls.append(pipeline.catalog.listed + pipeline.catalog.reads)
    assert calls[0] == calls[1] <= MOST_CALLS + MAX_LOOKUPS  # those of the last step


def test_named_documents_may_be_ids_paths_and_given_twice(pipeline):
    for key in ("acme/c1/a.md", "acme/default/b.md", "acme/c2/a.md"):
        pipeline.catalog.receive(Revision(key=key, version="v1", sequencer="10"), 5)
    name = document_id("acme/c2/a.md")
    found = Service(pipeline, "acme").searches.scope(documents=["a.md", name, "b.md", "a.md"])
    assert (found.documents, found.document_ids) == (("a.md", "b.md", "a.md"), {name: "a.md"})


# -- limits --------------------------------------------------------------------------------------


def test_what_an_answer_did_cost_takes_the_place_of_what_it_was_expected_to(pipeline, monkeypatch):
    dear = Estimate(mode="anthropic", usd=0.5)
    monkeypatch.setattr(question_service, "estimate_question", lambda *_, **__: dear)
    service = Service(pipeline, "acme", person="ada")
    record = service.questions.ask("What is the harbour fee?")
    assert record.person == "ada"
    assert service.questions.get(record.question_id).answer.usage.usd == 0
    assert service.limits()[1][:2] == (1, 0.0)


def test_a_question_that_cannot_be_started_is_not_counted(pipeline, monkeypatch):
    pipeline.workflow = Flaky(pipeline.workflow, ask=[UnavailableError("busy")])
    service = Service(pipeline, "acme", person="ada")
    with pytest.raises(UnavailableError):
        service.questions.ask("What is the harbour fee?")
    assert service.limits()[1].questions == 0


def test_a_question_over_the_limit_is_neither_stored_nor_started(pipeline):
    pipeline.usage_limits = UsageLimits(pipeline.counters, Most(questions=1), Most(), time.time)
    service = Service(pipeline, "acme", person="ada")
    service.questions.ask("Hello!", session="s")
    with pytest.raises(LimitedError):
        service.questions.ask("Hello!", session="s")
    assert len(service.sessions.turns("s")[0]) == 1
    assert Service(pipeline, "acme", person="bob").questions.ask("Hello!").question_id


def test_an_estimate_is_free(pipeline):
    service = Service(pipeline, "acme", person="ada")
    service.questions.estimate("What is the harbour fee?")
    assert service.limits()[1].questions == 0
