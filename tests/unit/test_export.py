"""Answers as files: the sentences with numbered footnotes, and documents' words as mere text."""

import json
from io import BytesIO
from zipfile import ZipFile

import docx
import pymupdf
import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from typer.testing import CliRunner

from evals.questions import rows
from evals.run import cases as eval_cases
from footnote.ask.export.answer_docx import to_docx
from footnote.ask.export.answer_pdf import to_pdf
from footnote.ask.export.report import Footnote, Piece, Report, plain
from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.errors import BadRequestError, ConflictError, NotFoundError
from footnote.text.escaping import escape
from tests.unit.faces import InProcess
from tests.unit.test_access import CLOSED, QUESTION, of, pipeline

__all__ = ["of", "pipeline"]

HOSTILE = [
    '=HYPERLINK("http://evil.example","x")',
    "<script>alert(1)</script><img src=x onerror=alert(1)>",
    "[click](javascript:alert(1)) ![x](http://evil.example/p.png)",
    "# heading *bold* _it_ `code` | a | b | ~~no~~ $x^2$ \\x",
    "- item\n1. one\n> quote\n---\n    code",
    "http://evil.example www.evil.example a@evil.example ftp://x mailto:a@b.c",
    "&lt;b&gt; &amp; &#x41; <b>",
    "1. first 2) second + plus",
    "[^1]: mine [1] [^9]",
    "{\\rtf1} \x00\x07 \u202eevil\u202c \ufffe",
    "{{7*7}} %s %n ${x}",
]


MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def report(*texts):
    pieces = tuple((Piece(plain(text), (1, 2)),) for text in texts)
    notes = tuple(
        Footnote(n, plain(f"{text}.pdf, page 2"), plain(text)) for n, text in enumerate(texts, 1)
    )
    return Report(plain(texts[0]), pieces, notes, ("It was late.",), "2026-11-20T10:00:00+00:00")


def shown(markdown):
    """Returns the text that Markdown shows, and the kinds of all that is in it."""
    kinds, text = set(), []
    for token in MARKDOWN.parse(markdown):
        kinds.add(token.type)
        for child in token.children or ():
            kinds.add(child.type)
            text.append(child.content)
    return " ".join("".join(text).split()), kinds


PLAIN = {"paragraph_open", "paragraph_close", "inline", "text", "text_special", "code_inline"}


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_words_are_mere_text_in_markdown(text):
    said, kinds = shown(escape(plain(text), first=True))
    assert said == " ".join(plain(text).split())
    assert kinds <= PLAIN


@given(st.text(st.sampled_from("ab1 *_`#-+.)(>[]!<&;|~:/@=\\$^w"), max_size=40))
def test_any_words_are_mere_text_in_markdown(text):
    said, kinds = shown(escape(plain(text), first=True))
    assert (said, kinds <= PLAIN) == (" ".join(plain(text).split()), True)


def test_hostile_words_are_mere_text_in_word():
    body = to_docx(report(*HOSTILE))
    read = docx.Document(BytesIO(body))
    text = "\n".join(paragraph.text for paragraph in read.paragraphs)
    for words in HOSTILE:
        assert plain(words) in text
    with ZipFile(BytesIO(body)) as package:
        written = package.read("word/document.xml").decode()
        links = package.read("word/_rels/document.xml.rels").decode()
    for field in ("w:fldSimple", "w:instrText", "w:hyperlink", "w:object", "w:drawing"):
        assert f"<{field}" not in written
    assert "External" not in links
    assert "evil" not in links


def test_hostile_words_are_mere_text_in_pdf():
    with pymupdf.open(stream=to_pdf(report(*HOSTILE)), filetype="pdf") as file:
        pages = (page.get_text(flags=0) for page in file)  # without ligatures
        text = "".join("".join(text.split()) for text in pages)
        for words in HOSTILE:
            assert "".join(plain(words).split()) in text
        for page in file:
            assert page.get_links() == []
            assert page.get_images() == []
        assert file.embfile_count() == 0
    assert b"/JavaScript" not in to_pdf(report(*HOSTILE))


def test_words_of_other_scripts_are_in_the_pdf():
    words = ["Größe: 4 €", "縦書きの文章", "Δοκιμή", "Проверка"]
    with pymupdf.open(stream=to_pdf(report(*words)), filetype="pdf") as file:
        text = "".join(page.get_text() for page in file)
    for word in words:
        assert word in text


def test_a_long_answer_has_many_pages():
    with pymupdf.open(stream=to_pdf(report(*["A sentence of words. " * 30] * 40))) as file:
        assert file.page_count > 5


@pytest.fixture
def asked(of):
    return of("board").ask(QUESTION)["id"]


def test_markdown_has_the_answer_and_numbered_footnotes(of, asked):
    made = of("board").export(asked).decode()
    assert made.splitlines() == [
        "# What is the salary of the harbour master?",
        "",
        "The salary of the harbour master is 7,120 crowns a month.[^1]",
        "",
        "_Its sentences: 1 word for word._",
        "",
        "_No language model is configured: the answer is made of the documents' own sentences._",
        "",
        f"[^1]: {CLOSED}, Salaries: “The salary of the harbour master is 7,120 crowns a month.”",
    ]


def test_each_format_has_the_answer_and_its_source(of, asked):
    client = of("board")
    answer = json.loads(client.export(asked, "json"))
    assert answer["citations"][0]["document"] == CLOSED
    assert answer["plan"]["sub_questions"]
    assert "evidence" not in json.dumps(answer["plan"])  # keys of artifacts are not for callers
    word = docx.Document(BytesIO(client.export(asked, "docx")))
    paper = pymupdf.open(stream=client.export(asked, "pdf"), filetype="pdf")
    for text in ("\n".join(one.text for one in word.paragraphs), paper[0].get_text()):
        assert "7,120 crowns a month." in text
        assert CLOSED in text


@pytest.mark.parametrize("form", ["docx", "pdf"])
def test_a_browser_is_led_to_a_file(of, asked, form):
    path = f"questions/{asked}/export?format={form}"
    reply = of("board")._api.http.get(path, headers={"accept": "*/*"})
    assert (reply.status_code, reply.headers["content-type"]) == (302, "text/plain")


def test_an_export_goes_with_its_session(pipeline, of):
    asked = of("board").ask(QUESTION, session="s")["id"]
    of("board").export(asked, "pdf")
    assert pipeline.artifacts.keys(f"questions/{asked}/export/")
    of("board").delete_session("s")
    assert pipeline.artifacts.keys(f"questions/{asked}/") == []


def test_others_export_nothing(of, asked):
    for key in ("guest", "other"):
        with pytest.raises(NotFoundError):
            of(key).export(asked)


def test_what_is_no_format_is_refused_and_a_failed_question_has_no_file(pipeline, of, asked):
    with pytest.raises(BadRequestError, match="'exe'") as caught:
        of("board").export(asked, "exe")
    assert caught.value.action == "Known: md, docx, pdf, json, svg."
    record = pipeline.questions.get("acme", asked)
    failed = record.model_copy(update={"question_id": "x", "status": "RUNNING", "answer": None})
    pipeline.questions.create(failed)
    with pytest.raises(ConflictError) as caught:
        of("board").export("x")
    assert caught.value.code == "not_answered"


# -- the command line ----------------------------------------------------------------------------


def run(pipeline, monkeypatch, *words):
    monkeypatch.setenv("FOOTNOTE_URL", "http://footnote.test/prod")
    monkeypatch.setenv("FOOTNOTE_API_KEY", "k-board")
    token = transport.set(InProcess(pipeline))
    try:
        return CliRunner().invoke(commands.app, list(words), catch_exceptions=False)
    finally:
        transport.reset(token)


def test_the_command_line_exports(pipeline, asked, monkeypatch, tmp_path):
    assert "[^1]:" in run(pipeline, monkeypatch, "export", asked).output
    file = tmp_path / "a.pdf"
    run(pipeline, monkeypatch, "export", asked, "--format", "pdf", "--output", str(file))
    assert file.read_bytes().startswith(b"%PDF")
    with pytest.raises(BadRequestError, match="cannot be written") as error:
        run(pipeline, monkeypatch, "export", asked, "--output", str(tmp_path / "none" / "a.md"))
    assert error.value.code == "unwritable_file"


def test_a_down_and_a_gap_become_cases_that_evals_reads(pipeline, of, asked, monkeypatch, tmp_path):
    of("board").say(asked, "up")
    of("board").say(asked, "down", reason="It is an old salary.")
    of("board").say(asked, "gap", reason="The new contract is missing.")
    listed = run(pipeline, monkeypatch, "feedback").output
    assert "The new contract is missing." in listed
    file = tmp_path / "qa.jsonl"
    file.write_text(run(pipeline, monkeypatch, "feedback", "--cases").output)
    kept = sorted(rows(file), key=lambda row: row["source"])
    assert [(row["source"], row["answerable"]) for row in kept] == [
        ("feedback (down)", True),
        ("feedback (gap)", False),
    ]
    assert kept[0]["cited"] == [{"doc": CLOSED, "pages": [], "read": "text"}]
    assert [case.question for case in eval_cases(file, None)] == [QUESTION, QUESTION]
