"""What a reader opens on the stack: pictures with the quote marked, text, the file, exports."""

import json

import httpx
import pymupdf
import pytest

from footnote.errors import NotFoundError
from tests.pixels import check_marks, pixels
from tests.stack import PATIENCE

QUESTION = "How many cargo bikes did Ottermoss deliver in 2025?"
REPORT = "annual-report-2025.pdf"


@pytest.fixture(scope="module")
def answer(samples):
    client, _ = samples
    return client.ask(QUESTION)


@pytest.fixture(scope="module")
def body(samples):
    client, _ = samples
    return client.fetch(client.original(REPORT))


def test_the_picture_of_a_citation_marks_its_quote(samples, answer, body):
    client, _ = samples
    [citation] = answer["citations"]
    page = citation["pages"][0]
    link = client.picture(citation["document"], page, question=answer["id"], n=citation["n"])
    assert (link["page"], link["version"], link["live"]) == (page, citation["version"], True)
    assert link["boxes"] == citation["boxes"] != []
    check_marks(body, page, citation["quote"], link, client.fetch(link))


def test_a_rotated_page_is_shown_upright_with_its_quote_marked(new_tenant, tmp_path):
    client, _ = new_tenant()
    file = pymupdf.open()
    page = file.new_page(width=400, height=600)
    page.set_rotation(90)
    lines = ["The harbour of Skerry has nine lamps.", "Each lamp burns 41 litres of oil a year."]
    for i, line in enumerate(lines):
        at = pymupdf.Point(60, 80 + 14 * i) * page.derotation_matrix
        page.insert_text(at, line, rotate=90)
    page.set_cropbox(pymupdf.Rect(20, 20, 390, 590))
    made = tmp_path / "turned.pdf"
    made.write_bytes(file.tobytes())
    client.wait([client.add(made)], lambda _: None)
    answer = client.ask("How many litres of oil does each lamp burn a year?")
    [citation] = answer["citations"]
    link = client.picture("turned.pdf", 1, question=answer["id"], n=citation["n"])
    assert (link["width"], link["height"]) == (570, 370)
    check_marks(made.read_bytes(), 1, citation["quote"], link, client.fetch(link))


def test_every_route_reaches_its_function(samples, stack):
    """Paths with an encoded slash, too: API Gateway divides them before it knows a function."""
    client, _ = samples
    for name, said in (
        ("a%2Fb.pdf", "unknown_document"),
        ("a%2Fb.pdf/text", "unknown_document"),
        ("a%2Fb.pdf/pages/1", "unknown_document"),
        ("a%2Fb.pdf/pages/1/text", "unknown_document"),
        ("a%2Fb.pdf/pages/1/more", "unknown_route"),
        ("a%2Fb.pdf/pages", "unknown_route"),
    ):
        with pytest.raises(NotFoundError) as caught:
            client._api.call("GET", f"documents/{name}")
        assert caught.value.code == said, name
    assert client.document(REPORT)["status"] == "READY"
    assert client.page_text(REPORT, 2)["page"] == 2


def test_without_json_a_picture_is_a_redirect_to_the_bucket(samples, stack):
    client, _ = samples
    url = f"{stack['api_url']}/documents/{REPORT}/pages/1"
    key = client._api.http.headers["x-api-key"]
    reply = httpx.get(url, headers={"x-api-key": key}, timeout=PATIENCE)
    assert reply.status_code == 302
    found = httpx.get(reply.headers["location"], timeout=PATIENCE)
    assert (found.status_code, found.headers["content-type"]) == (200, "image/webp")
    assert len(pixels(found.content)) > 1000


def test_a_file_is_got_as_it_was_uploaded_and_no_page_of_it_runs(samples, stack):
    client, _ = samples
    link = client.original("travel-and-expenses.html")
    reply = httpx.get(link["url"], timeout=PATIENCE)
    assert reply.headers["content-type"] == "application/octet-stream"
    assert reply.headers["content-disposition"].startswith("attachment; filename=")
    assert b"<html" in reply.content[:200].lower()
    shown = httpx.get(client.original(REPORT)["url"], timeout=PATIENCE)
    assert shown.headers["content-type"] == "application/pdf"
    assert shown.headers["content-disposition"].startswith("inline")


@pytest.mark.parametrize("form", ["md", "json", "docx", "pdf"])
def test_an_answer_is_exported(samples, answer, form):
    client, _ = samples
    made = client.export(answer["id"], form)
    if form == "json":
        assert json.loads(made)["citations"][0]["document"] == REPORT
    elif form == "pdf":
        text = pymupdf.open(stream=made, filetype="pdf")[0].get_text()
        assert "10,840 cargo bikes" in text
    elif form == "docx":
        assert made.startswith(b"PK")
    else:
        assert f"[^1]: {REPORT}, page 2" in made.decode()


def test_feedback_is_listed(samples, answer):
    client, _ = samples
    said = client.say(answer["id"], "down", reason="It is old.", citation=1)
    assert said in list(client.feedback())


def test_the_text_of_every_sample_is_there_in_blocks(samples):
    client, records = samples
    for record in records:
        found = client.text(record["document"])
        assert "".join(block["text"] for block in found["blocks"])
        assert found["blocks"][-1]["end"] == found["end"]
        assert client.contents(record["document"])["length"] == found["length"]


def test_a_deleted_document_has_no_page_any_more_and_its_answers_are_closed(new_tenant, samples):
    client, _ = new_tenant()
    from tests.e2e.conftest import SAMPLES

    [report] = [file for file in SAMPLES if file.name == REPORT]
    client.wait([client.add(report)], lambda _: None)
    answer = client.ask(QUESTION)
    assert client.picture(REPORT, 2)["pages"] == 7
    assert client.wait_removed([client.remove(REPORT)], PATIENCE) == []
    for call in (
        lambda: client.picture(REPORT, 2),
        lambda: client.text(REPORT),
        lambda: client.original(REPORT),
    ):
        with pytest.raises(NotFoundError):
            call()
    closed = client.question(answer["id"])
    assert (closed["status"], closed["error"]["code"]) == ("FAILED", "sources_closed")
    assert "10,840" not in json.dumps(closed)
