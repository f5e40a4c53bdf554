"""The Python client, against the API itself: what comes back, and which exception."""

import inspect
import json
import time

import httpx
import pytest

import footnote
from footnote.adapters.memory.small import MemoryTenants
from footnote.client import Client, answer_of
from footnote.client.connection import RETRY_PAUSES, error_of
from footnote.client.looks import MAX_PAUSE, MIN_PAUSE, PAUSE_FACTOR, has_arrived
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ConflictError,
    FootnoteError,
    ForbiddenError,
    LimitedError,
    NotFoundError,
    UnauthorizedError,
    UnavailableError,
)
from footnote.model import document_id
from tests.unit.faces import OUTAGE, URL, Flaky, InProcess, connect, small
from tests.unit.test_api import Idle
from tests.unit.test_once import BODIES

TEXT = "# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
QUESTION = "What is the harbour fee for a barge?"


WITH_WORDS = [
    (name, words)
    for name, method in inspect.getmembers(Client, inspect.isfunction)
    if not name.startswith("_")
    and (words := [
        one.name
        for one in inspect.signature(method).parameters.values()
        if one.annotation == "str" or one.annotation is str
    ])
]  # fmt: skip
"""The methods that take texts, each with the names of these."""


@pytest.fixture
def pipeline():
    return small()


@pytest.fixture
def client(pipeline):
    with connect(pipeline) as made:
        yield made


@pytest.fixture
def file(tmp_path):
    made = tmp_path / "fees.md"
    made.write_text(TEXT)
    return made


def test_it_is_what_the_package_offers():
    assert footnote.Client is Client
    assert footnote.__all__ == ["Client"]


def test_the_package_offers_nothing_else():
    with pytest.raises(AttributeError, match="'footnote' has no attribute 'Clint'"):
        footnote.Clint  # noqa: B018  # the look-up is the test


def test_it_connects_to_where_footnote_is(pipeline, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    with Client.connect(transport=InProcess(pipeline)) as client:
        assert client.health()["status"] == "ok"


def test_without_a_footnote_connecting_says_how_to_get_one(tmp_path, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_STACK", "none")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError) as error:
        Client.connect()
    assert error.value.code == "no_endpoint"
    assert "make demo" in error.value.action


class Answers(httpx.BaseTransport):
    """Stands for a server: gives one of these replies to each request, and raises errors."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def handle_request(self, request):
        request.read()
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


def ticket(max_bytes=100):
    found = {"id": "d1", "document": "fees.md", "collection": "default"}
    where = {"url": "http://bucket.test/", "fields": {"key": "k"}, "max_bytes": max_bytes}
    return httpx.Response(200, json=found | where)


# -- documents -----------------------------------------------------------------------------------


def test_a_file_is_added_under_its_name(client, file):
    added = client.add(file)
    key_id = document_id("acme/default/fees.md")
    assert added == {
        "id": key_id,
        "document": "fees.md",
        "collection": "default",
        "sidecar": False,
        "version": "v1",
        "same": False,
    }
    seen = []
    [record] = client.wait([added], seen.append)
    assert (record["id"], record["status"], record["version"]) == (key_id, "READY", "v1")
    assert seen == [record]


@pytest.mark.parametrize(
    "name", ["reports/2025/q3.md", "a b+c%20d ü?#&.md", 'quo"te.md', "日本.md", "n" * 900 + ".md"]
)
def test_a_document_is_reached_by_any_name(client, file, name):
    added = client.add(file, name, "notes")
    assert client.document(name, "notes")["document"] == name
    assert client.document(added["id"])["document"] == name
    assert client.search("harbour", collection="notes")["hits"][0]["document"] == name
    client.remove(name, "notes")
    assert client.document(added["id"])["status"] == "DELETED"


def test_documents_are_read_page_by_page(pipeline, client):
    for number in range(101):
        revision = pipeline.uploads.put(f"acme/default/{number:03}.md", b"")
        pipeline.catalog.receive(revision, 0)
    pipeline.uploads.take_events()
    assert [d["document"] for d in client.documents()] == [f"{n:03}.md" for n in range(101)]
    assert list(client.documents("READY")) == []


def test_an_overwrite_is_waited_for_and_not_what_was_there_before(client, file):
    first = client.add(file)
    file.write_text(TEXT.replace("84", "97"))
    second = client.add(file)
    assert client.wait([second], lambda _: None)[0]["version"] == second["version"]
    assert not has_arrived(client.document(second["id"]), first)
    assert has_arrived(client.document(second["id"]), first | {"version": ""})


def test_what_an_upload_replaces_is_not_shown_as_its_progress(slept):
    states = [("READY", "v1"), ("PARSING", "v2"), ("READY", "v2")]
    looks = [
        {"id": "d", "status": status, "version": version, "parts": {"done": 0}}
        for status, version in states
    ]
    replies = Answers(*(httpx.Response(200, json={"documents": [look]}) for look in looks))
    added = [{"id": "d", "document": "a.md", "version": "v2"}]
    seen = []
    assert Client(URL, "key", transport=replies).wait(added, seen.append) == looks[-1:]
    assert seen == looks[1:]


def test_many_uploads_are_waited_for_together(client, tmp_path):
    added = []
    for name in "abcde":
        (tmp_path / f"{name}.md").write_text(TEXT)
        added.append(client.add(tmp_path / f"{name}.md"))
    seen = []
    records = client.wait(added, seen.append)
    assert [(r["document"], r["status"]) for r in records] == [
        (f"{name}.md", "READY") for name in "abcde"
    ]
    assert len(seen) == 5


def test_what_does_not_end_is_named(client):
    missing = {"id": "0" * 20, "document": "never.md", "version": ""}
    with pytest.raises(UnavailableError) as error:
        client.wait([missing], lambda _: None, seconds=0.01)
    assert error.value.message == ("1 documents have not ended; nothing changed for 0 s: never.md")


def test_a_retry_works_on_what_failed(pipeline, client, file):
    pipeline.index = Flaky(pipeline.index, write=[UnavailableError("index busy")] * OUTAGE)
    added = client.add(file)
    assert client.document("fees.md")["status"] == "FAILED"
    assert client.retry("fees.md")["status"] == "INDEXING"
    assert client.document(added["id"])["status"] == "READY"
    with pytest.raises(ConflictError):
        client.retry("fees.md")


def test_a_file_that_is_too_large_is_not_sent(file):
    client = Client(URL, "key", transport=Answers(ticket(max_bytes=10)))
    with pytest.raises(BadRequestError) as error:
        client.add(file)
    assert (error.value.code, error.value.message) == (
        "too_large",
        "fees.md has 50 bytes; the limit is 10",
    )


@pytest.mark.parametrize(
    ("answer", "code", "says"),
    [
        (httpx.Response(403, text="<Error/>"), "upload_refused", "HTTP 403"),
        (httpx.Response(503, text=""), "upload_refused", "HTTP 503"),
        (httpx.ConnectError("[Errno 113]"), "unavailable", "no connection can be made"),
    ],
)
def test_a_bucket_that_does_not_take_the_file_is_told(file, answer, code, says):
    client = Client(URL, "key", transport=Answers(ticket(), answer))
    with pytest.raises(UnavailableError) as error:
        client.add(file)
    assert error.value.code == code
    assert "fees.md" in error.value.message and says in error.value.message


# -- batches -------------------------------------------------------------------------------------


def test_a_batch_is_sent_waited_for_and_counted(client, tmp_path):
    files = {f"notes/{name}.md": tmp_path / f"{name}.txt" for name in "ab"}
    for file in files.values():
        file.write_text(TEXT)
    batch = client.add_batch(files, "port", {"year": 2025})
    assert ([one["document"] for one in batch["added"]], batch["refused"]) == ([*files], [])
    ended = client.wait(batch["added"], lambda _: None)
    assert [(one["status"], one["metadata"]["year"]) for one in ended] == [("READY", 2025)] * 2
    counted = client.batch(batch["id"])
    assert (counted["total"], counted["ready"], counted["problems"]) == (2, 2, [])
    assert client.document("notes/a.md", "port")["version"] == batch["added"][0]["version"]


def test_what_a_batch_refuses_or_cannot_send_is_told_and_holds_up_no_other(pipeline, tmp_path):
    pipeline.settings = pipeline.settings.model_copy(update={"max_upload_bytes": len(TEXT)})
    files = {name: tmp_path / f"{n}.md" for n, name in enumerate(["../a.md", "long.md", "c.md"])}
    for name, file in files.items():
        file.write_text(TEXT + "And more." * (name == "long.md"))
    with connect(pipeline) as client:
        batch = client.add_batch(files)
        assert [one["document"] for one in batch["added"]] == ["c.md"]
        assert [(one["document"], one["error"]["code"]) for one in batch["refused"]] == [
            ("../a.md", "bad_path"),
            ("long.md", "too_large"),
        ]
        assert client.batch(batch["id"])["missing"] == 1


def test_a_form_of_a_batch_that_has_ended_is_asked_for_once_more(pipeline, tmp_path):
    """S3 refuses a form that is too old. So does this bucket, once for each form of the batch."""
    files = {name: tmp_path / name for name in ("a.md", "b.md")}
    for name, file in files.items():
        file.write_text(f"# {name}\n")

    class Late(InProcess):
        refused = 0

        def _upload(self, request):
            if self.refused < self.bound:
                self.refused += 1
                return httpx.Response(403)
            return super()._upload(request)

    for bound, names in ((1, ["a.md", "b.md"]), (2, ["b.md"])):
        for file in files.values():  # else they would not be sent again
            file.write_text(f"# {file.name} {bound}\n")
        transport = Late(pipeline)
        transport.bound = bound
        batch = Client(URL, "acme-key", transport=transport).add_batch(files)
        assert [one["document"] for one in batch["added"]] == names
    assert [one["error"]["code"] for one in batch["refused"]] == ["upload_refused"]


def closed_files(tmp_path):
    """Returns a document, its sidecar behind it, and another document."""
    told = {"a.md": TEXT, "a.md.metadata.json": '{"acl": ["board"]}', "b.md": TEXT}
    files = {name: tmp_path / name for name in told}
    for name, file in files.items():
        file.write_text(told[name])
    return files


def test_a_batch_sends_sidecars_first(pipeline, client, tmp_path):
    pipeline.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("@all",)})
    batch = client.add_batch(closed_files(tmp_path))
    assert [one["document"] for one in batch["added"]] == ["a.md.metadata.json", "a.md", "b.md"]


def test_of_a_batch_no_document_is_sent_whose_sidecar_was_refused(client, tmp_path):
    batch = client.add_batch(closed_files(tmp_path))
    assert [one["document"] for one in batch["added"]] == ["b.md"]
    assert [(one["document"], one["error"]["code"]) for one in batch["refused"]] == [
        ("a.md.metadata.json", "sidecar_forbidden"),
        ("a.md", "sidecar_refused"),
    ]


def test_of_a_batch_with_a_file_that_is_not_there_nothing_is_asked(tmp_path):
    with pytest.raises(FileNotFoundError):
        Client(URL, "key", transport=Answers()).add_batch({"a.md": tmp_path / "a.md"})


# -- questions -----------------------------------------------------------------------------------


def test_a_search_takes_its_options(client, file):
    client.add(file)
    found = client.search("harbour", strategy="lexical", k=1, documents=["fees.md"])
    assert (found["strategy"], len(found["hits"])) == ("lexical", 1)


def test_a_question_is_answered_with_its_citation(client, file):
    client.add(file)
    answer = client.ask(QUESTION)
    assert (answer["status"], answer["found"]) == ("DONE", True)
    assert [c["quote"] for c in answer["citations"]] == [
        "The harbour fee for a barge is 84 crowns."
    ]


class Listening(httpx.BaseTransport):
    """Stands for an API that lets requests wait: each path has its replies, in order."""

    def __init__(self, replies):
        self.replies = replies
        self.bodies = []

    def handle_request(self, request):
        if request.method == "POST":
            assert request.headers["prefer"] == "wait=20"
            self.bodies.append(json.loads(request.read()))
        path = str(request.url).removeprefix(URL).partition("?")[0]
        return httpx.Response(200, json=self.replies[request.method, path].pop(0))


def test_an_answer_that_comes_in_time_takes_one_request():
    asked = Listening({("POST", "/questions"): [{"status": "DONE", "answer": "84 crowns"}]})
    with Client(URL, "acme-key", transport=asked) as client:
        assert client.ask(QUESTION, k=3) == {"status": "DONE", "answer": "84 crowns"}
    assert asked.bodies == [{"question": QUESTION, "k": 3}]


def test_a_question_that_takes_longer_than_a_request_is_followed():
    running = {"id": "q-1", "status": "RUNNING"}
    ended = {"id": "q-1", "status": "DONE", "answer": "84 crowns"}
    events = [{**running, "events": [{"id": "e-1"}]}, {"status": "DONE", "events": []}]
    asked = Listening(
        {
            ("POST", "/questions"): [running],
            ("GET", "/questions/q-1/events"): events,
            ("GET", "/questions/q-1"): [ended],
        }
    )
    with Client(URL, "acme-key", transport=asked) as client:
        assert client.ask(QUESTION) == ended
    assert asked.replies == {route: [] for route in asked.replies}


def test_a_question_is_followed_to_its_end(client):
    started = client.start("Hello!")
    kinds = [event["kind"] for event in client.follow(started["id"])]
    assert (kinds[0], kinds[-1]) == ("estimate", "answered")
    assert [e["kind"] for e in client.events(started["id"], wait=0)["events"]] == kinds


def test_a_follower_that_may_not_wait_does_not_ask_without_pause(pipeline, monkeypatch):
    """A deployment may let no request wait; then only the client's pauses keep it from asking."""
    asked, slept = [], []

    def reply(request):
        asked.append(request.url.path)
        status = "RUNNING" if len(asked) < 6 else "DONE"
        return httpx.Response(200, json={"status": status, "events": []})

    monkeypatch.setattr("footnote.client.questions.time.sleep", slept.append)
    with Client(URL, "acme-key", transport=httpx.MockTransport(reply)) as client:
        assert list(client.follow("q-1")) == []
    assert (len(asked), slept) == (6, [MIN_PAUSE] * 5)


def test_a_question_that_takes_long_is_looked_at_less_often(monkeypatch):
    """Each look takes places to run that the answer needs, where there are few."""
    now, slept = [0.0], []

    def sleep(seconds):
        slept.append(seconds)
        now[0] += seconds

    def reply(_):
        return httpx.Response(
            200, json={"status": "DONE" if now[0] > 90 else "RUNNING", "events": []}
        )

    monkeypatch.setattr("footnote.client.questions.time.sleep", sleep)
    monkeypatch.setattr("footnote.client.questions.time.monotonic", lambda: now[0])
    with Client(URL, "acme-key", transport=httpx.MockTransport(reply)) as client:
        assert list(client.follow("q-1")) == []
    assert (slept[0], slept[-1]) == (MIN_PAUSE, MAX_PAUSE)
    assert slept == sorted(slept)
    assert len(slept) < 50  # 225 with a pause that stays


def test_sessions_of_an_api_that_tells_no_names_are_listed_as_it_tells_them():
    told = [
        {"session": "s", "updated": "2026-11-02T08:00:00Z", "last": "And the year before?"},
        {"session": "s", "updated": "2026-11-01T08:00:00Z", "last": "What was revenue?"},
    ]

    def reply(request):
        return httpx.Response(200, json={"sessions": told, "after": ""})

    with Client(URL, "acme-key", transport=httpx.MockTransport(reply)) as client:
        assert client.sessions() == told[:1]


def test_a_question_that_failed_raises_what_it_ended_with(pipeline, client, file):
    client.add(file)
    pipeline.index = Flaky(pipeline.index, search=[UnavailableError("the index is down")] * 9)
    with pytest.raises(UnavailableError) as error:
        client.ask(QUESTION)
    assert error.value.message == "the index is down"


def test_a_question_that_runs_is_stopped(pipeline, client):
    pipeline.workflow = Idle()
    started = client.start(QUESTION)
    stopped = client.stop(started["id"])
    assert (stopped["status"], stopped["error"]["code"]) == ("FAILED", "stopped")
    assert client.question(started["id"]) == stopped
    with pytest.raises(UnavailableError) as error:
        answer_of(stopped)
    assert error.value.code == "stopped"


def test_a_question_that_has_ended_is_stopped_in_vain(client):
    answered = client.ask("Hello!")
    assert client.stop(answered["id"])["answer"] == answered["answer"]


def test_an_answer_is_itself():
    assert answer_of({"status": "DONE", "found": True}) == {"status": "DONE", "found": True}


# -- operating -----------------------------------------------------------------------------------


def test_a_client_is_told_who_it_is(client):
    found = client.me()
    assert (found["tenant"], found["by"], found["used"]["questions"]) == ("acme", "key", 0)
    client.ask("Hello!")
    assert client.me()["used"]["questions"] == 1


def test_a_reindex_is_started_and_looked_at(client, file):
    client.add(file)
    before = client.health()["index"]["generation"]
    run = client.reindex()
    assert client.reindex_status(run["id"])["outcome"] == "unchanged"
    assert client.health()["index"]["generation"] == before
    run = client.reindex(force=True)
    assert client.reindex_status(run["id"])["outcome"] == "rebuilt"
    assert client.health()["index"]["generation"] != before


# -- errors --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "code"),
    [
        (lambda c: c.document("nothing.md"), NotFoundError, "unknown_document"),
        (lambda c: c.remove("nothing.md"), NotFoundError, "unknown_document"),
        (lambda c: c.question("none"), NotFoundError, "not_found"),
        (lambda c: c.reindex_status("none"), NotFoundError, "not_found"),
        (lambda c: c.search(""), BadRequestError, "empty_query"),
        (lambda c: c.search("x", surprise=1), BadRequestError, "invalid_body"),
        (lambda c: c.start("x", documents=["nothing.md"]), NotFoundError, "unknown_document"),
    ],
)
def test_an_error_of_the_api_is_the_exception_it_came_from(client, call, kind, code):
    with pytest.raises(kind) as error:
        call(client)
    assert error.value.code == code
    assert error.value.message and error.value.action


def test_a_wrong_key_is_forbidden(pipeline):
    with pytest.raises(ForbiddenError) as error:
        connect(pipeline, key="stranger").health()
    assert error.value.message == "HTTP 403: Forbidden"


def test_a_key_without_a_tenant_is_forbidden(pipeline):
    with pytest.raises(ForbiddenError, match="no tenant"):
        connect(pipeline, key="nobody-key").health()


def test_a_footnote_that_is_not_there_is_told_with_what_to_do():
    client = Client(URL, "key", transport=Answers(httpx.ConnectError("refused")))
    with pytest.raises(UnavailableError) as error:
        client.health()
    assert error.value.code == "unreachable"
    assert error.value.message == f"{URL}/ does not answer: no connection can be made"
    assert "make up" in error.value.action


def test_where_the_operating_system_says_why_it_is_told():
    refused = httpx.ConnectError("[Errno 111] Connection refused")
    refused.__cause__ = ConnectionRefusedError(111, "Connection refused")
    client = Client(URL, "key", transport=Answers(refused))
    with pytest.raises(UnavailableError, match="does not answer: Connection refused"):
        client.health()


@pytest.mark.parametrize("text", ["<html>", "[]", "15"])
@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, BadRequestError),
        (403, ForbiddenError),
        (404, NotFoundError),
        (409, ConflictError),
        (413, BadRequestError),
        (429, UnavailableError),
        (500, FootnoteError),
        (502, UnavailableError),
        (503, UnavailableError),
        (504, UnavailableError),
    ],
)
def test_a_reply_that_is_no_json_of_ours_is_an_error_of_its_status(status, kind, text):
    client = Client(URL, "key", transport=Answers(httpx.Response(status, text=text)))
    with pytest.raises(FootnoteError) as error:
        client.health()
    assert type(error.value) is kind
    assert error.value.message == f"HTTP {status}: no explanation"


THROTTLED = {"error": {"code": "throttled", "message": "too many", "action": "Wait."}}
LIMITED = {"error": {"code": "limited", "message": "used up", "action": "Wait."}}
USED_UP = {"error": {"code": "quota_exceeded", "message": "used up", "action": "Wait."}}


class Busy(httpx.BaseTransport):
    """Answers the first `times` requests with 429, and all others well."""

    def __init__(self, times, problem, retry_after=""):
        self.left = times
        self.problem = problem
        self.headers = {"retry-after": retry_after} if retry_after else {}
        self.asked = 0

    def handle_request(self, request):
        request.read()
        self.asked += 1
        if self.asked <= self.left:
            return httpx.Response(429, json=self.problem, headers=self.headers)
        return httpx.Response(200, json={"status": "ok"})


@pytest.fixture
def slept(monkeypatch):
    pauses = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    return pauses


def test_a_throttled_request_is_sent_again_after_longer_and_longer(slept):
    busy = Busy(3, THROTTLED)
    assert Client(URL, "key", transport=busy).health() == {"status": "ok"}
    assert busy.asked == 4
    ratios = [pause / rule for pause, rule in zip(slept, RETRY_PAUSES, strict=False)]
    assert len(ratios) == 3 and all(0.5 <= ratio <= 1.5 for ratio in ratios)


def test_what_is_throttled_again_and_again_is_an_error(slept):
    busy = Busy(99, THROTTLED)
    with pytest.raises(UnavailableError) as error:
        Client(URL, "key", transport=busy).health()
    assert (error.value.code, busy.asked) == ("throttled", len(RETRY_PAUSES) + 1)


NO_PLACE = {"error": {"code": "unavailable", "message": "the service did not answer"}}
"""What API Gateway says where our function, or another failure, gave no reply."""
NOBODY_ASKED = {"error": {"code": "sign_in_unavailable", "message": "who asks is not known"}}
OURS = {"error": {"code": "internal", "message": "a bug"}}
RUNNING = {"error": {"code": "request_running", "message": "still worked on"}}


class Crowded(httpx.BaseTransport):
    """Refuses the first two requests; keeps all that come."""

    def __init__(self, status=500, problem=NO_PLACE):
        self.status, self.problem = status, problem
        self.requests = []

    def handle_request(self, request):
        request.read()
        self.requests.append(request)
        if len(self.requests) <= 2:
            return httpx.Response(self.status, json=self.problem)
        return httpx.Response(200, json={"documents": [], "status": "DONE", "tickets": [], "id": 1})


READS = {
    "health": lambda client: client.health(),
    "search": lambda client: client.search("fees"),
    "statuses": lambda client: client.statuses(["a"]),
    "estimate": lambda client: client.estimate("fees?"),
    "estimate_grid": lambda client: client.estimate_grid(["fees?"]),
    "document": lambda client: client.document("fees.md"),
    "set_retention": lambda client: client.set_retention("default", days=9),
    "remove": lambda client: client.remove("fees.md"),
}
KEYED = {
    "ask": lambda client: client.ask("fees?"),
    "start": lambda client: client.start("fees?"),
    "add_text": lambda client: client.add_text("fees.md", "a", new=True),
    "add_batch": lambda client: client.add_batch({}),
    "start_grid": lambda client: client.start_grid(["fees?"]),
    "reindex": lambda client: client.reindex(),
}
UNKEYED = {
    "retry": lambda client: client.retry("fees.md"),
    "say": lambda client: client.say("q", "good"),
    "fill_grid": lambda client: client.fill_grid("g"),
    "erase": lambda client: client.begin_erasure("fees.md"),
}


def send(call, crowd):
    """Makes a call of the client. Returns its error, if it has one that is of footnote."""
    try:
        call(Client(URL, "key", transport=crowd))
    except FootnoteError as error:
        return error
    except KeyError:  # what the last reply lacks
        return None
    return None


@pytest.mark.parametrize("name", [*READS, *KEYED])
def test_what_found_no_place_is_sent_again_where_that_does_nothing_twice(slept, name):
    crowd = Crowded()
    assert send((READS | KEYED)[name], crowd) is None
    assert len(crowd.requests) == 3
    ratios = [pause / rule for pause, rule in zip(slept, RETRY_PAUSES, strict=False)]
    assert len(ratios) == 2 and all(0.5 <= ratio <= 1.5 for ratio in ratios)
    keys = {one.headers.get("idempotency-key", "") for one in crowd.requests}
    assert len(keys) == 1  # a new one would do the work again
    assert bool(keys.pop()) == (name in KEYED)


def test_every_route_that_takes_a_key_gets_one():
    """`BODIES` has all of these routes, and KEYED a call of each."""
    sent = set()
    for call in KEYED.values():
        send(call, crowd := Crowded(404))
        sent |= {one.url.path.removeprefix("/prod") for one in crowd.requests}
    assert sent == BODIES.keys()


def test_each_call_has_a_key_of_its_own(slept):
    crowd = Crowded()
    client = Client(URL, "key", transport=crowd)
    for _ in range(2):
        client.start("fees?")
    keys = [one.headers["idempotency-key"] for one in crowd.requests]
    assert (len(keys), len(set(keys))) == (4, 2)


@pytest.mark.parametrize("status", [500, 503])
@pytest.mark.parametrize("name", UNKEYED)
def test_a_post_that_could_do_its_work_twice_is_sent_once(slept, name, status):
    crowd = Crowded(status)
    error = send(UNKEYED[name], crowd)
    assert (type(error), error.code, len(crowd.requests)) == (UnavailableError, "unavailable", 1)


@pytest.mark.parametrize("name", [*READS, *KEYED, *UNKEYED])
@pytest.mark.parametrize(("status", "problem"), [(429, THROTTLED), (503, NOBODY_ASKED)])
def test_what_has_reached_nobody_is_sent_again_whatever_it_is(slept, name, status, problem):
    crowd = Crowded(status, problem)
    assert send((READS | KEYED | UNKEYED)[name], crowd) is None
    assert len(crowd.requests) == 3


@pytest.mark.parametrize(("status", "problem"), [(500, OURS), (503, NO_PLACE), (504, NO_PLACE)])
@pytest.mark.parametrize("name", [*READS, *KEYED])
def test_what_is_no_throttle_is_told_at_once(slept, name, status, problem):
    crowd = Crowded(status, problem)
    assert send((READS | KEYED)[name], crowd) is not None
    assert (len(crowd.requests), slept) == (1, [])


def test_a_request_whose_first_is_still_worked_on_is_sent_again(slept):
    crowd = Crowded(409, RUNNING)
    assert send(KEYED["start"], crowd) is None
    assert len(crowd.requests) == 3


def test_a_quota_that_is_used_up_is_not_asked_again(slept):
    busy = Busy(99, USED_UP)
    with pytest.raises(UnavailableError) as error:
        Client(URL, "key", transport=busy).health()
    assert (error.value.code, busy.asked, slept) == ("quota_exceeded", 1, [])


def test_a_limit_of_a_second_is_waited_for_and_one_of_the_day_is_told_at_once(slept):
    busy = Busy(1, LIMITED, "1")
    assert Client(URL, "key", transport=busy).health() == {"status": "ok"}
    busy = Busy(99, LIMITED, "3600")
    with pytest.raises(LimitedError) as error:
        Client(URL, "key", transport=busy).health()
    assert (error.value.code, error.value.seconds, busy.asked) == ("limited", 3600, 1)


def test_a_client_with_a_token_sends_it_and_no_key():
    class Seen(httpx.BaseTransport):
        def handle_request(self, request):
            sent.update(request.headers)
            return httpx.Response(401, json={"error": {"code": "unauthorized", "message": "no"}})

    sent = {}
    with pytest.raises(UnauthorizedError):
        Client(URL, "", transport=Seen(), token="a.b.c").health()
    assert (sent["authorization"], "x-api-key" in sent) == ("Bearer a.b.c", False)


def test_what_takes_long_to_look_at_is_looked_at_less_often(client, monkeypatch, slept):
    """A look takes 2 s by this clock."""
    moments = iter(range(0, 10_000, 2))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(moments)))
    missing = {"id": "0" * 20, "document": "never.md", "version": ""}
    with pytest.raises(UnavailableError):
        client.wait([missing], lambda _: None, seconds=30)
    assert slept and set(slept) == {PAUSE_FACTOR * 2.0}


def test_as_long_as_something_changes_it_is_waited_for(monkeypatch, slept):
    """A look takes 1 s by this clock, and 19 of them are needed."""
    moments = iter(range(10_000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(moments)))
    states = [(status, done) for status in ("PARSING", "INDEXING") for done in range(9)]
    records = [
        {"id": "d", "status": status, "version": "v", "parts": {"done": done}}
        for status, done in [*states, ("READY", 9)]
    ]
    looks = [httpx.Response(200, json={"documents": [record]}) for record in records]
    added = [{"id": "d", "document": "a.md", "version": "v"}]
    waited = Client(URL, "key", transport=Answers(*looks)).wait(added, lambda _: None, seconds=10)
    assert [one["status"] for one in waited] == ["READY"]


def test_a_gateways_own_message_is_kept():
    error = error_of(429, {"message": "Too Many Requests"})
    assert error.message == "HTTP 429: Too Many Requests"


def test_the_key_goes_to_the_api_and_not_to_the_bucket(pipeline, file):
    transport = InProcess(pipeline)
    assert Client(URL, "acme-key", transport=transport).add(file)["version"] == "v1"


@pytest.mark.parametrize(("method", "words"), WITH_WORDS)
def test_what_cannot_be_sent_is_a_bad_request_before_it_is(client, tmp_path, method, words):
    (file := tmp_path / "a.txt").write_text(TEXT)
    takes = inspect.signature(getattr(client, method)).parameters
    needed = {"page": 1, "question": 1, "file": file, "files": {"a.txt": file}}
    needed = {name: value for name, value in needed.items() if name in takes}
    for word in set(words) - {"text"}:  # of a text that is added, what is no character is replaced
        given = needed | dict.fromkeys(words, "a") | {word: "a\ud800"}
        with pytest.raises(FootnoteError) as refused:
            list(getattr(client, method)(**given))  # some read page by page
        assert refused.value.http_status in {400, 404}, (word, refused.value)
