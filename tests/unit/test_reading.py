"""What a reader opens through the API: who may, which version, and what is said of nothing."""

import json
from collections.abc import Callable
from typing import NamedTuple

import httpx
import pytest

from footnote.adapters.memory.small import MemoryTenants
from footnote.client import Client
from footnote.errors import BadRequestError, ConflictError, NotFoundError
from footnote.ingest.draw.packed import work
from footnote.model import ALL
from footnote.reading import pictures
from tests.formats import mail
from tests.pdfs import Pages
from tests.pixels import check_marks, pixels, yellow
from tests.unit import faces
from tests.unit.faces import URL, InProcess, small
from tests.unit.test_draw import image
from tests.unit.test_pages_inside import LEASE, RULES, archive


def paper(*pages):
    """Makes a PDF with a title and a sentence on each page."""
    made = Pages()
    for text in pages:
        made.page((72, 80, "Harbour", 20), (72, 140, text), (72, 170, "This is by law."))
    return made.file.tobytes()


PAPER = paper("The harbour fee for a barge is 84 crowns.", "Nobody pays on Sundays.")
NEWER = paper("The harbour fee for a barge is 97 crowns.")
SIDECAR = json.dumps({"acl": ["board"]}).encode()
GROUPS = {"k-board": ("board",), "k-guest": (), "k-all": (ALL,)}


class DrawnHere(NamedTuple):
    """Draws in this process, which starts no other: test_draw.py tries those."""

    run: Callable[[bytes], bytes]


@pytest.fixture
def pipeline(monkeypatch):
    found = small()
    tenants = dict.fromkeys(GROUPS, "acme") | {"k-other": "other"}
    found.tenants = MemoryTenants(tenants, GROUPS | {"k-other": (ALL,)})
    monkeypatch.setattr(faces, "KEYS", {name: name for name in tenants})
    found.upload("acme/default/fees.pdf", PAPER)
    found.drawing = DrawnHere(work)
    return found


@pytest.fixture
def of(pipeline):
    def connected(key):
        return Client(URL, f"k-{key}", transport=InProcess(pipeline))

    return connected


@pytest.fixture
def client(of):
    return of("board")


CALLS = {
    "picture": lambda client, name, **more: client.picture(name, 1, **more),
    "text": lambda client, name, **more: client.text(name, **more),
    "page text": lambda client, name, **more: client._of(name, "pages/1/text", "default", more),
    "contents": lambda client, name, **more: client.contents(name, **more),
    "original": lambda client, name, **more: client.original(name, **more),
}
WITH_TEXT = {name: call for name, call in CALLS.items() if name not in {"picture", "original"}}


def refused(call, *args, **more):
    """Returns code and message of the NotFoundError that a call must raise."""
    with pytest.raises(NotFoundError) as caught:
        call(*args, **more)
    return caught.value.code, caught.value.message


# -- who may -------------------------------------------------------------------------------------


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_to_others_a_document_is_not_there_by_path_or_id(pipeline, of, call):
    pipeline.uploads.put("acme/default/fees.pdf.metadata.json", SIDECAR)
    pipeline.drain()
    known = of("board").document("fees.pdf")["id"]
    assert call(of("board"), "fees.pdf")
    assert call(of("all"), known)
    for key in ("guest", "other"):
        for name in ("fees.pdf", known):
            code, message = refused(call, of(key), name)
            none = refused(call, of(key), "nothing.pdf")
            assert (code, message) == (none[0], none[1].replace("nothing.pdf", name))


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_deleted_document_is_not_there(client, call):
    version = client.document("fees.pdf")["version"]
    assert call(client, "fees.pdf")
    client.remove("fees.pdf")
    none = refused(call, client, "nothing.pdf")
    for more in ({}, {"version": version}):
        code, message = refused(call, client, "fees.pdf", **more)
        assert (code, message.replace("fees.pdf", "nothing.pdf")) == none


def test_a_version_from_before_a_deletion_is_gone_for_good(pipeline, client):
    old = client.document("fees.pdf")["version"]
    client.remove("fees.pdf")
    pipeline.upload("acme/default/fees.pdf", NEWER)
    for call in CALLS.values():
        assert refused(call, client, "fees.pdf", version=old)[0] == "gone"
    assert client.picture("fees.pdf", 1)["pages"] == 1


def test_deleting_a_document_deletes_its_pictures(pipeline, client):
    client.picture("fees.pdf", 1)
    assert len(pipeline.artifacts.keys("pictures/")) == 2  # with the facts beside it
    client.remove("fees.pdf")
    assert pipeline.artifacts.keys("pictures/") == []


# -- versions ------------------------------------------------------------------------------------


def test_an_older_version_is_drawn_and_said_to_be_old_but_its_text_is_gone(pipeline, client):
    old = client.document("fees.pdf")["version"]
    pipeline.upload("acme/default/fees.pdf", NEWER)
    link = client.picture("fees.pdf", 2, version=old)
    assert (link["live"], link["version"], link["pages"]) == (False, old, 2)
    now = client.picture("fees.pdf", 1)
    assert (now["live"], now["pages"]) == (True, 1)
    assert client.fetch(client.original("fees.pdf", version=old)) == PAPER
    assert client.fetch(client.original("fees.pdf")) == NEWER
    for call in WITH_TEXT.values():
        assert refused(call, client, "fees.pdf", version=old)[0] == "gone"


@pytest.mark.parametrize("version", ["v999", "null", "../../etc", "x" * 3000, "%00", "null:abc"])
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_version_that_never_was_is_gone(client, call, version):
    assert refused(call, client, "fees.pdf", version=version)[0] == "gone"


def test_a_version_whose_object_is_gone_is_gone(pipeline, client):
    old = client.document("fees.pdf")["version"]
    pipeline.upload("acme/default/fees.pdf", NEWER)
    [first, _] = pipeline.uploads.version_ids("acme/default/fees.pdf")
    pipeline.uploads.delete_version("acme/default/fees.pdf", first)
    for call in CALLS.values():
        assert refused(call, client, "fees.pdf", version=old)[0] == "gone"


def test_while_a_document_was_never_ready_there_is_no_text_and_the_error_says_why(pipeline, client):
    pipeline.upload("acme/default/empty.md", b"")
    for call in WITH_TEXT.values():
        with pytest.raises(ConflictError, match="FAILED") as caught:
            call(client, "empty.md")
        assert caught.value.code == "not_ready"


def test_while_a_newer_version_is_at_work_the_live_one_is_shown(pipeline, client):
    version = client.document("fees.pdf")["version"]
    pipeline.uploads.put("acme/default/fees.pdf", b"%PDF-1.7 broken")
    pipeline.drain()
    assert client.document("fees.pdf")["status"] == "FAILED"
    assert client.text("fees.pdf")["version"] == version
    assert client.picture("fees.pdf", 2)["version"] == version


# -- pictures ------------------------------------------------------------------------------------


def test_a_citation_is_marked_in_the_picture_of_its_page(client):
    answer = client.ask("What is the harbour fee for a barge?")
    [citation] = answer["citations"]
    link = client.picture("fees.pdf", 1, question=answer["id"], n=1)
    assert link["boxes"] == citation["boxes"] != []
    check_marks(PAPER, 1, citation["quote"], link, client.fetch(link))
    other = client.picture("fees.pdf", 2, question=answer["id"], n=1)
    assert (other["boxes"], other["page"]) == ([], 2)


def test_a_citation_of_a_replaced_version_is_marked_in_that_version(pipeline, client):
    answer = client.ask("What is the harbour fee for a barge?")
    pipeline.upload("acme/default/fees.pdf", NEWER)
    link = client.picture("fees.pdf", 1, question=answer["id"], n=1)
    assert link["live"] is False
    check_marks(PAPER, 1, "84 crowns", link, client.fetch(link))


def test_a_citation_is_marked_in_no_other_version_than_its_own(pipeline, client):
    answer = client.ask("What is the harbour fee for a barge?")
    newer = pipeline.upload("acme/default/fees.pdf", NEWER).version
    more = {"question": answer["id"], "n": 1}
    assert refused(client.picture, "fees.pdf", 1, version=newer, **more)[0] == "no_citation"


def test_a_page_with_boxes_and_without_are_two_pictures(client):
    answer = client.ask("What is the harbour fee for a barge?")
    plain = client.fetch(client.picture("fees.pdf", 1))
    marked = client.fetch(client.picture("fees.pdf", 1, question=answer["id"], n=1))
    assert yellow(pixels(marked)).any()
    assert not yellow(pixels(plain)).any()
    assert client.fetch(client.picture("fees.pdf", 1)) == plain


def test_a_citation_of_another_document_or_a_number_that_is_not_there_is_refused(pipeline, client):
    pipeline.upload("acme/default/other.pdf", NEWER)
    answer = client.ask("What is the harbour fee for a barge?", documents=["fees.pdf"])
    ask = {"question": answer["id"]}
    assert refused(client.picture, "other.pdf", 1, n=1, **ask)[0] == "no_citation"
    assert refused(client.picture, "fees.pdf", 1, n=7, **ask)[0] == "no_citation"
    assert refused(client.picture, "fees.pdf", 1, n=1, question="none")[0] == "not_found"


def test_whose_question_it_is_decides_on_the_boxes_too(pipeline, of):
    answer = of("board").ask("What is the harbour fee for a barge?")
    with pytest.raises(NotFoundError):
        of("guest").picture("fees.pdf", 1, question=answer["id"], n=1)
    assert of("guest").picture("fees.pdf", 1)["boxes"] == []


def test_a_picture_is_drawn_once_until_it_may_have_expired(pipeline, client):
    drawn = []

    def noting(request):
        drawn.append(json.loads(request[4 : 4 + int.from_bytes(request[:4])])["page"])
        return work(request)

    pipeline.drawing = DrawnHere(noting)
    first, again = client.picture("fees.pdf", 1), client.picture("fees.pdf", 1)
    assert (drawn, first) == ([1], again)
    client.picture("fees.pdf", 2)
    before = pipeline.clock
    pipeline.clock = lambda: before() + pictures.KEPT + 60
    client.picture("fees.pdf", 1)
    assert drawn == [1, 2, 1]


@pytest.mark.parametrize("number", [3, 999_999_999])
def test_beyond_the_last_page_it_says_how_many_there_are(client, number):
    code, message = refused(client.picture, "fees.pdf", number)
    assert (code, "it has 2" in message) == ("no_page", True)
    code, message = refused(client.page_text, "fees.pdf", number)
    assert (code, "it has 2" in message) == ("no_page", True)


@pytest.mark.parametrize("number", ["0", "-1", "1.5", "x", "٣", "1" * 40])
def test_what_is_no_page_number_is_a_bad_request(client, number):
    for path in (f"pages/{number}", f"pages/{number}/text"):
        with pytest.raises(BadRequestError) as caught:
            client._of("fees.pdf", path, "default", {})
        assert caught.value.code == "bad_number"


def test_a_page_inside_an_archive_is_drawn_and_named(pipeline, client):
    pipeline.upload("acme/default/b.zip", archive(lease_pdf=LEASE, rules_pdf=RULES))
    link = client.picture("b.zip", 3)
    assert (link["page"], link["label"], link["pages"]) == (3, "rules.pdf, page i", 3)
    pipeline.upload("acme/default/alone.pdf", RULES)
    alone = client.fetch(client.picture("alone.pdf", 1))
    assert (pixels(client.fetch(link)) == pixels(alone)).all()


def test_formats_without_pictures_say_so_before_anything_is_read(pipeline, client):
    pipeline.upload("acme/default/a.md", b"# Fees\n\nThe fee is 84 crowns.")
    pipeline.upload("acme/default/a.eml", mail())
    for name in ("a.md", "a.eml"):
        assert refused(client.picture, name, 1)[0] == "no_picture"
        assert client.contents(name)["picture"] is False


def test_a_file_that_cannot_be_drawn_has_no_picture_and_the_reason_is_told(pipeline, client):
    pipeline.upload("acme/default/bad.pdf", b"%PDF-1.7 " + b"\xff" * 500)
    code, message = refused(client.picture, "bad.pdf", 1)
    assert code in {"no_picture", "no_page"}
    assert "bad.pdf" in message


def test_a_file_larger_than_an_upload_may_be_is_not_read(pipeline, client):
    pipeline.settings = pipeline.settings.model_copy(update={"max_upload_bytes": 100})
    code, message = refused(client.picture, "fees.pdf", 1)
    assert (code, "the limit is 100" in message) == ("no_picture", True)


def test_an_image_has_a_picture(pipeline, client):
    pipeline.ocr_engines = []  # nothing reads it, so it fails; a picture it has all the same
    pipeline.upload("acme/default/a.png", image("PNG"))
    link = client.picture("a.png", 1)
    assert (link["pages"], link["label"]) == (1, "")


# -- links ---------------------------------------------------------------------------------------


def test_who_does_not_ask_for_json_is_redirected(pipeline, client):
    for path in ("pages/1", "original"):
        reply = client._api.http.get(f"documents/fees.pdf/{path}", headers={"accept": "image/*"})
        assert reply.status_code == 302
        assert reply.headers["location"].startswith("memory://")


PAGE = b"<html><script>alert(1)</script><p>A fee.</html>"
PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


@pytest.mark.parametrize(
    ("name", "body"),
    [
        ("a.html", PAGE),
        ("a.svg", PAGE),
        ("a.svg", PICTURE),
        ("a.xml", PICTURE.replace(b"svg", b"fee")),
        ("a.md", PAGE),
        ("a.md", b"# Fees\n\n<script>alert(1)</script>\n"),
        ("naughty.pdf", PAGE),
    ],
)
def test_what_a_browser_could_run_is_only_ever_saved(pipeline, client, name, body):
    pipeline.upload(f"acme/default/{name}", body)
    link = client.original(name)
    assert link["media_type"] == "application/octet-stream"
    found = client._bucket.http.get(link["url"])
    assert found.headers["content-type"] == "application/octet-stream"
    assert found.headers["content-disposition"].startswith("attachment;")


def test_a_name_cannot_add_a_header(pipeline, client):
    name = 'a"; x=y é \u202e.pdf'
    pipeline.upload(f"acme/default/{name}", PAPER)
    said = httpx.URL(client.original(name)["url"]).params["disposition"]
    plain, _, whole = said.partition("; filename*=")
    assert plain == 'inline; filename="a__ x_y _ _.pdf"'
    assert whole == "UTF-8''a%22%3B%20x%3Dy%20%C3%A9%20%E2%80%AE.pdf"


# -- text ----------------------------------------------------------------------------------------


def test_text_can_be_read_to_its_end(pipeline, client):
    body = b"# Fees\n\n" + b"A barge pays 84 crowns a day.\n\n" * 5000
    pipeline.upload("acme/default/long.md", body)
    found = client.text("long.md")
    assert (found["live"], found["document"], found["start"]) == (True, "long.md", 0)
    texts = [block["text"] for block in found["blocks"]]
    while found["next"] is not None:
        found = client.text("long.md", start=found["next"])
        texts += [block["text"] for block in found["blocks"]]
    assert len("".join(texts)) == found["length"] == found["end"]
    middle = client.text("long.md", around=100_000)
    assert middle["start"] < 100_000 < middle["end"]
    some = client.text("long.md", start=10, end=40)
    assert some["end"] - some["start"] < 100


@pytest.mark.parametrize("name", ["start", "end", "around"])
def test_an_offset_that_is_none_is_a_bad_request(client, name):
    with pytest.raises(BadRequestError, match=f"{name} is not a whole number"):
        client.text("fees.pdf", **{name: "-1"})


def test_the_text_of_a_page_is_its_own(client):
    found = client.page_text("fees.pdf", 2)
    assert "Nobody pays on Sundays." in found["text"]
    assert "84 crowns" not in found["text"]
    whole = client.text("fees.pdf")
    text = "".join(block["text"] for block in whole["blocks"])
    assert text[found["start"] : found["end"]] == found["text"]


def test_contents_say_what_was_read(client):
    found = client.contents("fees.pdf")
    assert (found["picture"], found["media_type"], found["after"]) == (True, "application/pdf", "")
    assert [(one["n"], one["words"], one["width"]) for one in found["pages"]] == [
        (1, True, 595.0),
        (2, True, 595.0),
    ]


def test_contents_list_what_was_not_read(pipeline, client):
    body = b"<p>The fee.</p><img src='a.png' width=90 height=90><p style='display:none'>no</p>"
    pipeline.upload("acme/default/fee.html", body)
    found = client.contents("fee.html")
    assert found["not_read"] == [
        {
            "code": "picture",
            "count": 1,
            "places": [],
            "message": "1 picture is not read.",
        },
        {
            "code": "hidden_text",
            "count": 1,
            "places": [],
            "message": "1 hidden passage is left out.",
        },
    ]
    assert found["warnings"] == [f"{one['message']} [{one['code']}]" for one in found["not_read"]]


def test_long_contents_come_in_pages(pipeline, client):
    body = b"".join(b"# Heading %d\n\nA word.\n\n" % n for n in range(1200))
    pipeline.upload("acme/default/long.md", body)
    after, titles = "", []
    while True:
        found = client.contents("long.md", after=after)
        titles += [one["title"] for one in found["sections"]]
        if not (after := found["after"]):
            break
    assert titles == [f"Heading {n}" for n in range(1200)]
    with pytest.raises(BadRequestError):
        client.contents("long.md", after="x")
