"""Metadata and access: sidecars, attributes and tags in the bucket, several keys of one tenant."""

import json
import time
import uuid

import pytest

from footnote.errors import ConflictError, ForbiddenError, NotFoundError
from tests.stack import PATIENCE

QUESTION = "What is the salary of the harbour master?"
OPEN = "# Fees\n\nThe harbour fee for a barge is 84 crowns.\n"
CLOSED = "# Salaries\n\nThe salary of the harbour master is 7,120 crowns a month.\n"


@pytest.fixture(scope="module")
def tenant():
    return f"t{uuid.uuid4().hex[:10]}"


@pytest.fixture(scope="module")
def clients(new_tenant, tenant):
    """Gives three clients of one tenant: a board member, a guest, and one who reads everything."""
    keys = {"board": "legal board", "guest": "", "all": "@all"}
    return {name: new_tenant(tenant, groups)[0] for name, groups in keys.items()}


@pytest.fixture(scope="module")
def put(aws, stack, tenant):
    """Puts an object into the bucket as any tool would."""
    s3, bucket = aws("s3"), stack["outputs"]["UploadsBucket"]

    def upload(path, body, **options):
        s3.put_object(Bucket=bucket, Key=f"{tenant}/default/{path}", Body=body, **options)

    upload.delete = lambda path: s3.delete_object(Bucket=bucket, Key=f"{tenant}/default/{path}")
    return upload


def harbour_note(name):
    """Returns a text that no other file has: of identical texts a search finds only one."""
    return f"# {name}\n\nThe harbour of {name} takes 84 crowns for a barge.\n".encode()


def sidecar(acl=None, **attributes):
    said = {"metadataAttributes": attributes} | ({} if acl is None else {"acl": acl})
    return json.dumps(said).encode()


def eventually(check, seconds=PATIENCE):
    """Waits until `check()` is true; returns its last value."""
    until = time.monotonic() + seconds
    while not (seen := try_check(check)) and time.monotonic() < until:
        time.sleep(0.3)
    return seen


def try_check(check):
    try:
        return check()
    except (NotFoundError, ConflictError):
        return False


def becomes_ready(client, path):
    return eventually(lambda: client.document(path)["status"] == "READY")


def found_documents(client, query="harbour crowns", **options):
    return sorted({hit["document"] for hit in client.search(query, **options)["hits"]})


def test_metadata_goes_with_the_upload_and_is_filtered_by_type(clients, tmp_path):
    file = tmp_path / "fees.md"
    file.write_text(OPEN)
    metadata = {"year": 2023, "kind": "Größe", "final": True, "tags": ["a", "b"]}
    client = clients["guest"]
    [record] = client.wait([client.add(file, metadata=metadata)], lambda _: None)
    assert record["metadata"] == metadata
    for filters in (
        {"year": 2023},
        {"year": {"gte": 2023, "lt": 2024}},
        {"kind": "Größe"},
        {"final": "true"},
        {"tags": ["x", "b"]},
    ):
        assert found_documents(client, filters=filters) == ["fees.md"], filters
    assert found_documents(client, filters={"year": {"lt": 2023}}) == []
    asked = client.ask("What is the harbour fee for a barge?", filters={"year": {"gte": 2023}})
    assert "84 crowns" in asked["answer"]
    assert not client.ask("What is the harbour fee for a barge?", filters={"year": 1})["found"]


def test_attributes_and_tags_of_any_tool_are_read(clients, put):
    put(
        "tools.md",
        harbour_note("tools"),
        Metadata={"team": "port"},
        Tagging="team=tag&place=Oslo%20%2B1",
    )
    client = clients["guest"]
    assert becomes_ready(client, "tools.md")
    assert client.document("tools.md")["metadata"] == {"team": "port", "place": "Oslo +1"}
    assert found_documents(client, filters={"place": "Oslo +1"}) == ["tools.md"]


def test_a_sidecar_put_first_closes_the_document_from_the_start(clients, put):
    put("salaries.md.metadata.json", sidecar(["board"], year=2029))
    put("salaries.md", CLOSED.encode())
    board, guest = clients["board"], clients["guest"]
    assert becomes_ready(board, "salaries.md")
    assert found_documents(board, "salary", filters={"year": 2029}) == ["salaries.md"]
    assert "salaries.md" not in found_documents(guest, "salary")
    assert "salaries.md" not in [one["document"] for one in guest.documents()]
    answer = board.ask(QUESTION)
    assert "7,120" in answer["answer"]
    with pytest.raises(NotFoundError):
        guest.question(answer["id"])
    assert "7,120" not in json.dumps(guest.ask(QUESTION))


def test_a_sidecar_may_come_later_change_and_go(clients, put):
    board, guest = clients["board"], clients["guest"]
    put("later.md", harbour_note("later"))
    assert becomes_ready(guest, "later.md")
    before = guest.document("later.md")
    put("later.md.metadata.json", sidecar(["board"], year=2024))
    assert eventually(lambda: "later.md" not in found_documents(guest))
    assert eventually(lambda: found_documents(board, filters={"year": 2024}) == ["later.md"])
    after = board.document("later.md")
    assert (after["timings_ms"], after["version"]) == (before["timings_ms"], before["version"])
    put("later.md.metadata.json", b'{"acl": "board"}')
    assert eventually(lambda: "later.md" not in found_documents(board))
    assert eventually(lambda: "`acl`" in clients["all"].document("later.md")["warnings"][-1])
    put.delete("later.md.metadata.json")
    assert eventually(lambda: "later.md" in found_documents(guest))
    assert eventually(lambda: guest.document("later.md")["metadata"] == {})


def test_only_who_reads_everything_sends_sidecars_through_the_api(clients, put, tmp_path):
    put("mine.md", harbour_note("mine"))
    assert becomes_ready(clients["guest"], "mine.md")
    file = tmp_path / "mine.md.metadata.json"
    file.write_bytes(sidecar(["board"]))
    with pytest.raises(ForbiddenError):
        clients["board"].add(file)
    assert clients["all"].add(file)["sidecar"] is True
    assert eventually(lambda: "mine.md" not in found_documents(clients["guest"]))
    assert eventually(lambda: "mine.md" in found_documents(clients["board"]))
