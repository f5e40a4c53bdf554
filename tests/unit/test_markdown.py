"""Words of documents are mere words wherever Markdown may be drawn: exports, chats, assistants.

A judge of its own reads what is drawn: markdown-it tells links, images and HTML, and a plain
pattern looks for addresses in what is left, as programs do that make links of bare addresses.
"""

import random
import re

import pytest
from markdown_it import MarkdownIt

from footnote.api.chat import write
from footnote.api.resolver import in_openai_form
from footnote.ask.export.export import to_markdown
from footnote.ask.export.report import Footnote, Piece, Report, plain
from footnote.errors import NotFoundError
from footnote.mcp import wording
from footnote.mcp.tool_messages import AskResult, ListResult, OpenResult, SearchResult
from footnote.model import Answer, Citation, RemovedSentence
from footnote.text.escaping import escape, escape_around

MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
ACTIVE = {"link_open", "image", "html_block", "html_inline", "table_open", "s_open"}
LINKED = re.compile(r"[a-z][a-z0-9+.-]*://|www\.|(?:mailto|xmpp):|[\w.+-]@[\w-]", re.IGNORECASE)
SIGNS = [
    *"\\`*_{}[]<>()#|~&!$^@=-+:.,1 ab\"'/?;\n\t\u00e9\u0007",
    *["https://e.x/p.png?t=1", "HTTP://e.x", "www.e.x", "mailto:a@b.c", "xmpp:a@b.c", "a.b@c.d"],
    *["ftp://e", "<https://e.x>", "<a@b.c>", "<img src=x>", "<b", "<!--", "<?x", "<![CDATA["],
    *["&lt;", "&#91;", "\\](", "\\\\", "![", "![x\\](https://e.x)", "](http://e.x)", "[1]", "[2]"],
    *["[1](https://e.x)", "[1]: https://e.x", "\n[a]: https://e.x\n", "[a][b]", "[^1]", "\n\n"],
    *["1. ", "- ", "    ", "> ", "```", "~~~\n", "~~x~~", "\n| a | b |\n|---|---|\n", "--|--"],
]
TEXTS = 4000


def texts(seed):
    chosen = random.Random(seed)
    for _ in range(TEXTS):
        yield "".join(chosen.choices(SIGNS, k=chosen.randint(1, 14)))


def active(markdown):
    """Returns what is drawn as more than words."""
    found = []
    for token in MARKDOWN.parse(markdown):
        found += [token.type] if token.type in ACTIVE else []
        for child in token.children or ():
            found += [child.type] if child.type in ACTIVE else []
            found += LINKED.findall(child.content) if child.type.startswith("text") else []
    return found


def citation(words):
    return Citation(
        n=1, document=words, document_id="d", collection=words, version="v", pages=(3,),
        section=(words, words), quote=words, start=0, end=9, verified=True,
    )  # fmt: skip


def answered(words):
    answer = Answer(
        id="q", kind="answer", found=True, answer=f"{words}[1]{words}",
        citations=(citation(words), citation(words).model_copy(update={"n": 2})), degraded=(words,),
    )  # fmt: skip
    return write(answer, "#/questions/q").text


def asked(words):
    said = AskResult(
        id="q", status="DONE", question=words, session=words, found=True,
        answer=f"{words}[1]{words}", citations=(citation(words),), degraded=(words,),
        removed=(RemovedSentence(text=words, reason="wording"),),
    )  # fmt: skip
    return wording.say_answer(said)


def searched(words):
    hit = {
        "rank": 1, "score": 1.0, "probability": None, "document": words, "document_id": "d",
        "collection": words, "version": "v", "title": words, "section": [words], "pages": [1],
        "labels": [words], "start": 0, "end": 1, "text": words, "metadata": {},
    }  # fmt: skip
    found = SearchResult.model_validate(
        {"query": words, "strategy": "auto", "hits": [hit], "degraded": [words]}
    )
    return wording.say_passages(found)


def opened(words):
    return wording.say_opened(
        OpenResult(
            document=words, document_id="d", collection=words, version="v", title=words, start=0,
            end=1, next=1, length=2, pages=(), text=words,
        )
    )  # fmt: skip


def listed(words):
    one = {
        "id": "d", "document": words, "collection": words, "title": words, "status": "READY",
        "searchable": True, "pages": 1, "media_type": "text/plain", "updated": "2026",
    }  # fmt: skip
    return wording.say_documents(ListResult.model_validate({"documents": [one], "after": "x"}))


def exported(words):
    said = plain(words) or "x"
    pieces = ((Piece(said, (1,)), Piece(said, ())),)
    return to_markdown(Report(said, pieces, (Footnote(1, said, said),), (said,), ""))


def wrong(words):
    return wording.say_error(NotFoundError(f"no {words!r} {words}", action=f"Try {words}."))


def wrong_in_chat(words):
    error = NotFoundError(f"no {words!r} {words}", action=f"Try {words}.")
    return str(in_openai_form(error)["message"])


FACES = [answered, asked, searched, opened, listed, exported, wrong, wrong_in_chat]


@pytest.mark.parametrize("face", FACES, ids=lambda face: face.__name__)
def test_no_face_draws_words_as_anything_but_words(face):
    drawn = {words: found for words in texts(face.__name__) if (found := active(face(words)))}
    assert dict(list(drawn.items())[:3]) == {}


def test_the_judge_sees_what_is_active():
    seen = [
        "![x\\\\](https://e.x)", "[a](b)", "<img src=x>", "<https://e.x>", "https://e.x", "www.e.x",
        "https\\://e.x", "a\\@b.c", "[a]\n\n[a]: b", "~~x~~", "|a|b|\n|-|-|\n",
    ]  # fmt: skip
    assert [text for text in seen if not active(text)] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("It is 84. [1] More (so). [2]", "It is 84. [1] More (so). [2]"),
        ("q3_report.pdf & more: 5 > 4", "q3_report.pdf & more: 5 > 4"),
        ("![x\\](http://evil.example/?q)", "\\!\\[x\\\\\\](`http://evil.example/?q`)"),
        ("[1](javascript:alert(1))", "[1]\\(javascript:alert(1))"),
        ("[1]: x", "[1]\\: x"),
        ("[9](x)", "\\[9\\](x)"),
        ("[a][b]", "\\[a\\]\\[b\\]"),
        ("<img src=x>", "\\<img src=x>"),
        ("See www.evil.example, or a.b@c.d.", "See `www.evil.example`, or `a.b@c.d`."),
        ("a\x00\u202eb", "ab"),
    ],
)
def test_markers_stay_and_what_is_harmless_is_left_alone(text, shown):
    assert escape_around({1, 2}, text) == shown


def test_an_exported_line_that_begins_like_a_list_is_a_line():
    assert [escape(text, first=True) for text in ("- a", "1. a", "> a", "a - b")] == [
        "\\- a", "1\\. a", "\\> a", "a - b",
    ]  # fmt: skip
