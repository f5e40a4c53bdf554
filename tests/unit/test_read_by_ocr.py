"""What was read by OCR is called so wherever it is shown, and no face shows it as checked."""

import json
import re
import unicodedata
from io import BytesIO

import docx
import pymupdf
import pytest

from footnote.adapters.memory.buckets import MemoryBlobStore
from footnote.api import routes
from footnote.api.waiting import Waiting
from footnote.ask.export.export import EXPORT_FORMATS
from footnote.mcp.server import make_server
from footnote.model import Doubt
from footnote.store.artifacts import dump_document, load_document
from tests.held import PATIENCE
from tests.mcp_clients import call, talk, text_of
from tests.pdfs import Pages
from tests.unit.faces import Context, connect, event
from tests.unit.test_cli import pipeline as command_line
from tests.unit.test_cli import run

__all__ = ["command_line"]

FEE = "The harbour fee for a barge is 1437.30 crowns."
QUESTION = "What is the harbour fee for a barge?"
OTHER = "14,377.30"
SAYS = "read by OCR: compare with the page"
NEVER = ("✓", "exact", "confirmed", "checked")


class ReadByOcr(MemoryBlobStore):
    """Stores each document as if OCR had read its pages, with doubts about a figure."""

    reason, other = "differs", OTHER

    def put(self, key, body):
        if key.endswith("/document.json.gz"):
            document = load_document(body)
            at = document.text.index("1437.30")
            doubt = Doubt(start=at, end=at + 7, reason=self.reason, other=self.other)
            pages = [
                page.model_copy(update={"read": "ocr", "doubts": (doubt,)})
                for page in document.pages
            ]
            body = dump_document(document.model_copy(update={"pages": tuple(pages)}))
        super().put(key, body)


def scan():
    made = Pages()
    made.page((72, 100, "Fares of the northern harbour are told by the pilots."), (72, 160, FEE))
    return made.file.tobytes()


@pytest.fixture
def pipeline(command_line):
    command_line.artifacts = ReadByOcr()
    command_line.upload("acme/default/fees.pdf", scan())
    return command_line


@pytest.fixture
def client(pipeline):
    return connect(pipeline)


@pytest.fixture
def answer(client):
    return client.ask(QUESTION)


def words_of(made, form):
    """Returns what a file that was exported says, on one line."""
    if form == "docx":
        text = " ".join(one.text for one in docx.Document(BytesIO(made)).paragraphs)
    elif form == "pdf":
        pages = pymupdf.open(stream=made, filetype="pdf")
        text = " ".join(page.get_text() for page in pages)
    else:
        text = made.decode()
    plain = unicodedata.normalize("NFKC", text)  # a PDF has signs for "fi"
    return " ".join(plain.replace("\\", "").split())


def exports(form):
    def shown(pipeline):
        client = connect(pipeline)
        return words_of(client.export(client.ask(QUESTION)["id"], form), form)

    return shown


def chat(pipeline):
    said = {"model": "footnote", "messages": [{"role": "user", "content": QUESTION}]}
    headers = {"x-api-key": "acme-key"}
    made = event("POST", "/v1/chat/completions", None, json.dumps(said), headers)
    made["requestContext"]["domainName"] = "api.example.com"
    body = json.loads(routes.handle(made, Context())["body"])
    return body["choices"][0]["message"]["content"]


def assistant(pipeline):
    server = make_server(connect(pipeline), lambda: Waiting(PATIENCE, None))
    return text_of(call(server, "ask", question=QUESTION))


def terminal(pipeline):
    out, err = run("ask", QUESTION)
    return " ".join(f"{out} {err}".split())


FACES = {
    "command line": terminal,
    "chat": chat,
    "assistant": assistant,
    **{form: exports(form) for form in EXPORT_FORMATS if form not in {"json", "svg"}},
}
"""What a face shows of an answer, as words. JSON is looked at field by field."""


@pytest.mark.parametrize("face", FACES)
def test_no_face_shows_it_as_checked_and_each_says_that_ocr_read_it(pipeline, face):
    shown = FACES[face](pipeline)
    assert "1437.30" in shown
    assert [word for word in NEVER if word in shown] == []
    assert SAYS in shown


@pytest.mark.parametrize("face", FACES)
def test_each_face_marks_the_doubtful_figure_and_says_what_else_is_told(pipeline, face):
    shown = FACES[face](pipeline).replace("\\", "")  # Markdown's escapes are not seen
    assert "is 1437.30 [?] crowns" in shown
    why = rf"1437\.30: the file's own text layer says {re.escape(OTHER)}"
    assert re.search(rf"\[\?\] crowns\.” (\({why}\)|{SAYS} {why})", shown)


def test_the_json_of_the_api_tells_how_the_quote_was_read(answer):
    [sentence], [citation] = answer["sentences"], answer["citations"]
    assert (sentence["text"], sentence["checked"]) == (FEE, "ocr")
    assert (citation["quote"], citation["read"], citation["verified"]) == (FEE, "ocr", True)
    [doubt] = citation["doubts"]
    assert citation["quote"][doubt["start"] : doubt["end"]] == "1437.30"
    assert (doubt["reason"], doubt["other"]) == ("differs", OTHER)
    [note] = answer["degraded"][-1:]
    assert "1437.30" in note
    assert OTHER in note


def test_the_json_of_an_export_is_that_of_the_answer(client, answer):
    told = json.loads(client.export(answer["id"], "json"))
    assert [one["checked"] for one in told["sentences"]] == ["ocr"]
    assert [one["read"] for one in told["citations"]] == ["ocr"]


def test_hits_say_how_they_were_read(pipeline, client):
    [hit] = client.search(QUESTION)["hits"]
    assert hit["read"] == "ocr"
    server = make_server(client, lambda: Waiting(PATIENCE, None))
    found = call(server, "search", query=QUESTION)
    assert [one["read"] for one in found.structured_content["hits"]] == ["ocr"]
    assert SAYS in text_of(found)


def resource(path):
    def shown(pipeline):
        [record] = connect(pipeline).documents()
        uri = f"footnote://documents/{record['id']}{path}"
        server = make_server(connect(pipeline), lambda: Waiting(PATIENCE, None))
        found = talk(server, lambda client: client.read_resource(uri))
        return " ".join(one.text for one in found.contents)

    return shown


def opened(**where):
    def shown(pipeline):
        server = make_server(connect(pipeline), lambda: Waiting(PATIENCE, None))
        return text_of(call(server, "open_section", document="fees.pdf", **where))

    return shown


TEXTS = {
    "found by the command line": lambda _: run("search", QUESTION)[0],
    "told in the tree of a trace": lambda _: run("ask", QUESTION, "--trace")[1],
    "opened by an assistant, from the beginning": opened(),
    "opened by an assistant, a page": opened(page=1),
    "a document as a resource": resource(""),
    "a page as a resource": resource("/pages/1"),
}
"""Where words that OCR read are shown, or told of, without being cited."""


@pytest.mark.parametrize("place", TEXTS)
def test_wherever_its_words_are_shown_that_is_said(pipeline, place):
    assert SAYS in " ".join(TEXTS[place](pipeline).split())


@pytest.mark.parametrize("place", TEXTS)
def test_of_a_file_with_its_own_text_nothing_is_said_of_ocr(command_line, place):
    command_line.upload("acme/default/fees.pdf", scan())
    assert "OCR" not in TEXTS[place](command_line)


def test_what_is_read_of_a_document_says_how_in_json(pipeline, client):
    assert client.page_text("fees.pdf", 1)["read"] == "ocr"
    assert client.text("fees.pdf")["read"] == "ocr"
    assert [one["read"] for one in client.contents("fees.pdf")["pages"]] == ["ocr"]


def test_cases_of_feedback_say_how_what_was_cited_was_read(pipeline, client, answer):
    client.say(answer["id"], "down", reason="It is 14,377.30.")
    [line] = run("feedback", "--cases")[0].splitlines()
    [cited] = json.loads(line)["cited"]
    assert cited == {"doc": "fees.pdf", "pages": [1], "read": "ocr"}


def test_the_trace_counts_what_ocr_read(client, answer):
    told = {one["kind"]: one["data"] for one in client.question(answer["id"], trace=True)["trace"]}
    assert told["words"]["read"] == "ocr"
    assert (told["written"]["citations"], told["written"]["ocr"]) == (1, 1)
    assert (told["answered"]["citations"], told["answered"]["ocr"]) == (1, 1)


def test_a_file_with_its_own_text_is_shown_as_ever(command_line):
    command_line.upload("acme/default/fees.pdf", scan())
    out, err = run("ask", QUESTION)
    assert "[1] ✓ fees.pdf, page 1\n" in out
    assert "extractive, 1 word for word, " in out
    assert "answered: 1 citation\n" in err
    assert "OCR" not in out + err
