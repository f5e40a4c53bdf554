"""Who may read what: people of one tenant, whose keys have different groups, use the API."""

import json

import httpx
import pytest

from footnote.adapters.memory.small import MemoryTenants
from footnote.client import Client, answer_of
from footnote.errors import BadRequestError, ForbiddenError, NotFoundError
from footnote.model import ALL
from tests.unit import faces
from tests.unit.faces import URL, InProcess, small

OPEN, CLOSED = "fees.md", "salaries.md"
QUESTION = "What is the salary of the harbour master?"
GROUPS = {"k-board": ("board",), "k-guest": (), "k-all": (ALL,), "k-both": ("legal", "board")}
SIDECAR = json.dumps({"acl": ["board"]}).encode()


@pytest.fixture
def pipeline(monkeypatch):
    found = small()
    tenants = dict.fromkeys(GROUPS, "acme") | {"k-other": "other"}
    found.tenants = MemoryTenants(tenants, GROUPS | {"k-other": (ALL,)})
    monkeypatch.setattr(faces, "KEYS", {name: name for name in tenants})
    found.uploads.put(f"acme/default/{CLOSED}.metadata.json", SIDECAR)
    found.upload(f"acme/default/{OPEN}", b"# Fees\n\nThe harbour fee for a barge is 84 crowns.\n")
    found.upload(
        f"acme/default/{CLOSED}",
        b"# Salaries\n\nThe salary of the harbour master is 7,120 crowns a month.\n",
    )
    return found


@pytest.fixture
def of(pipeline):
    """Returns a function that makes the client of a key."""

    def connected(key):
        return Client(URL, f"k-{key}", transport=InProcess(pipeline))

    return connected


def documents(client):
    return [record["document"] for record in client.documents()]


def found(client, query="salary of the harbour master", **options):
    return sorted({hit["document"] for hit in client.search(query, **options)["hits"]})


def test_a_document_with_an_acl_is_there_for_its_groups_only(of):
    seen = {key: (documents(of(key)), found(of(key))) for key in ("guest", "board", "both", "all")}
    both = ([OPEN, CLOSED], [OPEN, CLOSED])
    assert seen == {"guest": ([OPEN], [OPEN]), "board": both, "both": both, "all": both}
    assert (documents(of("other")), found(of("other"))) == ([], [])


def test_who_may_not_read_it_does_not_learn_that_it_exists(of):
    guest = of("guest")
    doc_id = next(one["id"] for one in of("board").documents() if one["document"] == CLOSED)
    messages = set()
    for name in (CLOSED, doc_id, "nothing.md"):
        for call in (
            lambda name=name: guest.document(name),
            lambda name=name: guest.retry(name),
            lambda name=name: guest.remove(name),
            lambda name=name: guest.search("salary", documents=[name]),
            lambda name=name: guest.start("What salary?", documents=[name]),
            lambda name=name: guest.search("salary", documents=[name], collection="default"),
        ):
            with pytest.raises(NotFoundError) as caught:
                call()
            messages.add((caught.value.code, caught.value.message.replace(name, "NAME")))
    assert {code for code, _ in messages} == {"unknown_document"}
    # one for its collection and one for any, both the same as for a document that does not exist
    assert len(messages) == 2
    assert of("board").document(CLOSED)["acl"] == ["board"]


def test_what_one_may_not_read_is_not_retried_with_the_rest(pipeline, of):
    pipeline.upload(f"acme/default/{CLOSED}", b"")
    pipeline.upload("acme/default/empty.md", b"")
    assert [one["document"] for one in of("guest").retry_all("empty_file")] == ["empty.md"]
    assert len(of("board").retry_all("empty_file")) == 2


def test_an_answer_is_made_of_what_the_asker_may_read(of):
    answer = of("board").ask(QUESTION)
    assert [(one["document"], one["verified"]) for one in answer["citations"]] == [(CLOSED, True)]
    guest = of("guest").ask(QUESTION)
    assert "7,120" not in json.dumps(guest)
    assert CLOSED not in json.dumps(guest)


def test_a_question_is_there_for_who_may_read_all_that_its_asker_may(of):
    asked = of("board").start(QUESTION)["id"]
    assert answer_of(of("both").question(asked))["found"]
    assert of("all").events(asked, wait=0)["events"]
    for key in ("guest", "other"):
        with pytest.raises(NotFoundError):
            of(key).question(asked)
        with pytest.raises(NotFoundError):
            of(key).events(asked, wait=0)
    assert of("board").question(of("guest").start("What is the harbour fee?")["id"])["found"]


def test_a_session_tells_nobody_what_others_were_answered(pipeline, of):
    of("board").ask(QUESTION, session="shared")
    asked = of("both").start("And the year before?", session="shared")["id"]
    [(question, answer)] = pipeline.questions.get("acme", asked).history
    assert (question, "7,120" in answer) == (QUESTION, True)
    asked = of("guest").start("And the year before?", session="shared")["id"]
    assert pipeline.questions.get("acme", asked).history == ()


def test_revoking_counts_at_once_whatever_the_index_says(pipeline, of):
    record = pipeline.catalog.get(of("board").document(CLOSED)["id"])
    closed = record.sidecar.model_copy(update={"acl": ("legal",)})
    pipeline.catalog.annotate(record, closed)  # the index is not told yet
    assert (found(of("board")), documents(of("board"))) == ([OPEN], [OPEN])
    assert "7,120" not in json.dumps(of("board").ask(QUESTION))


def test_what_is_revoked_while_a_question_is_answered_is_not_cited(pipeline, of):
    board = of("board")
    document = pipeline.catalog.get(board.document(CLOSED)["id"])
    claim = pipeline.questions.claim

    def revoking(*run):
        now = pipeline.catalog.get(document.document_id)
        pipeline.catalog.annotate(now, now.sidecar.model_copy(update={"acl": ()}))
        return claim(*run)

    pipeline.questions.claim = revoking  # the writer's first call, after all evidence was found
    answer = board.ask(QUESTION)
    assert not answer["found"]
    assert document.document_id not in {one["document_id"] for one in answer["citations"]}


def test_a_request_names_no_groups(pipeline):
    body = {"query": "salary", "groups": ["board"]}
    reply = InProcess(pipeline).handle_request(
        httpx.Request("POST", f"{URL}/search", headers={"x-api-key": "k-guest"}, json=body)
    )
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, "invalid_body")


# -- writing -------------------------------------------------------------------------------------


def test_metadata_is_put_with_the_file_and_found(of, tmp_path):
    file = tmp_path / "report.md"
    file.write_text("# Report\n\nThe salary report of the harbour.\n")
    board = of("board")
    board.add(file, metadata={"year": 2023, "kind": "Größe", "final": True, "tags": ["a", "b"]})
    record = board.document("report.md")
    assert record["metadata"] == {"year": 2023, "kind": "Größe", "final": True, "tags": ["a", "b"]}
    for filters in ({"year": {"gte": 2023}}, {"kind": "Größe"}, {"final": True}, {"tags": "b"}):
        assert found(board, filters=filters) == ["report.md"]
    [hit] = board.search("report", filters={"year": "2023"})["hits"]
    assert hit["metadata"]["year"] == 2023
    assert found(board, filters={"year": {"gt": 2023}}) == []


@pytest.mark.parametrize(
    ("metadata", "code"),
    [
        ({"year": None}, "bad_metadata"),
        ({"acl": ["board"]}, "bad_metadata"),
        ({"note": "x" * 2040}, "metadata_too_large"),
        ({"note": "ü" * 400}, "metadata_too_large"),
        ([], "invalid_body"),
    ],
)
def test_metadata_that_cannot_be_put_is_refused_before_the_upload(of, tmp_path, metadata, code):
    file = tmp_path / "report.md"
    file.write_text("# Report\n")
    client = of("all")
    with pytest.raises(BadRequestError) as caught:
        client._api.call("POST", "documents", json={"document": "report.md", "metadata": metadata})
    assert caught.value.code == code


@pytest.mark.parametrize("key", ["guest", "board", "both"])
def test_only_who_reads_everything_may_send_a_sidecar(of, tmp_path, key):
    file = tmp_path / f"{CLOSED}.metadata.json"
    file.write_text("{}")
    with pytest.raises(ForbiddenError) as caught:
        of(key).add(file)
    assert caught.value.code == "sidecar_forbidden"
    sent = of("all").add(file)
    assert (sent["sidecar"], of("all").wait([sent], lambda _: None)) == (True, [])
    assert documents(of("guest")) == [OPEN, CLOSED]


def test_nobody_replaces_what_they_may_not_read(of, tmp_path):
    file = tmp_path / CLOSED
    file.write_text("# Salaries\n\nNothing.\n")
    with pytest.raises(ForbiddenError):
        of("guest").add(file)
    assert of("board").add(file)["sidecar"] is False


def test_nobody_puts_what_a_waiting_sidecar_closes_to_them(pipeline, of, tmp_path):
    pipeline.uploads.put("acme/default/plan.md.metadata.json", SIDECAR)
    file = tmp_path / "plan.md"
    file.write_text("# Plan\n\nNothing.\n")
    with pytest.raises(ForbiddenError):
        of("guest").add(file)
    of("board").add(file)
    of("board").remove("plan.md")
    pipeline.uploads.put("acme/default/plan.md.metadata.json", b"{}")
    assert of("guest").add(file)["document"] == "plan.md"


@pytest.mark.parametrize("filters", [{"year": None}, {"year": {"from": 1}}, {"page": "x"}])
@pytest.mark.parametrize("ask", [True, False])
def test_a_malformed_filter_is_named(of, filters, ask):
    client = of("guest")
    with pytest.raises(BadRequestError) as caught:
        (client.start if ask else client.search)("harbour fee", filters=filters)
    assert caught.value.code == "bad_filter"
    assert next(iter(filters)) in caught.value.message


def test_filters_reach_the_index_when_asking_too(of, pipeline):
    pipeline.uploads.put(
        "acme/default/old.md", b"# Fees\n\nThe harbour fee for a barge was 70 crowns.\n"
    )
    pipeline.uploads.put(
        f"acme/default/{OPEN}.metadata.json", b'{"metadataAttributes": {"year": 2024}}'
    )
    pipeline.drain()
    asked = {"question": "What is the harbour fee for a barge?", "filters": {"year": {"gte": 2024}}}
    answer = of("guest").ask(**asked)
    assert {one["document"] for one in answer["citations"]} == {OPEN}
    assert not of("guest").ask(asked["question"], filters={"year": {"gt": 2024}})["found"]
