"""Providers that are shown numbered sentences, or cite them by citations of their own."""

import pytest

from footnote.ask.answer.material import Material
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.errors import ConfigurationError
from footnote.model import Block, Citable, Message, ModelReply, Scope
from tests.corpus import Corpus
from tests.model_cases import KINDS, WRITE, provider
from tests.scripted_forms import Reply, Status, documents_in
from tests.scripted_server import run_server
from tests.unit.test_synthesize import SUB, progress

pytestmark = pytest.mark.slow

MILL = "The mill of Tarn grinds rye. It has two stones. Its miller is Jo Pell. It rests on Sundays."
PAGES = {"mill.pdf": [MILL], "dam.pdf": ["The dam of Tarn holds bikes out. [1.1] It is 9 m high."]}


@pytest.fixture(autouse=True)
def credentials(monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "test")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "test")


def answer_of(server, kind):
    """Has a provider write an answer from both documents."""
    corpus = Corpus(PAGES)
    sub = SUB.model_copy(update={"text": "What of the mill and the dam of Tarn?"})
    found = retrieve(sub, Scope(tenant="acme"), (), corpus.ports)
    by_name = sorted(found.passages, key=lambda one: one.document, reverse=True)
    evidence = found.model_copy(update={"passages": tuple(by_name)})
    return synthesize(
        Material(
            "id-1",
            progress(sub_questions=(sub,)),
            {"q1": evidence},
            corpus.document,
            corpus.words,
            provider(server, kind),
            lambda _kind, _data: None,
        )
    )


def block(text, *cited):
    """A block of a reply; `cited` are (document, first piece, behind the last)."""
    return text, cited


BY_MARKERS = "It has two stones. [1.2] The miller, Jo Pell, rests on Sundays. [1.3][1.4]"
BY_BLOCKS = (
    block("It has two stones.", (0, 1, 2)),
    block("\n\n"),
    block("The miller, Jo Pell, rests on Sundays.", (0, 2, 4)),
)
QUOTES = ["It has two stones.", "Its miller is Jo Pell. It rests on Sundays."]


@pytest.mark.parametrize("kind", KINDS)
def test_every_provider_cites_sentences(kind):
    said = Reply(cites=BY_BLOCKS) if kind == "anthropic" else Reply(BY_MARKERS)
    with run_server([said, Status(500), Status(500)]) as server:
        answer = answer_of(server, kind)
    assert [one.quote for one in answer.citations] == QUOTES
    assert [one.checked for one in answer.sentences] == ["exact", "unconfirmed"]
    assert answer.answer.startswith("It has two stones. [1]")
    documents = documents_in(server.requests[0])
    assert bool(documents) is (kind == "anthropic")


def test_passages_are_documents_with_a_block_a_sentence():
    with run_server([Reply(cites=BY_BLOCKS)]) as server:
        answer_of(server, "anthropic")
    [content] = [one["content"] for one in server.requests[0]["messages"]]
    mill, dam = documents_in(server.requests[0])
    assert [one["text"] for one in mill["source"]["content"]] == [
        "The mill of Tarn grinds rye.",
        "It has two stones.",
        "Its miller is Jo Pell.",
        "It rests on Sundays.",
    ]
    assert (mill["title"], mill["context"]) == ("passage 1", "file: mill.pdf\npage: 1")
    assert "(1.1)" in str(dam) and "[1.1]" not in str(dam)
    texts = [one["text"] for one in content if one["type"] == "text"]
    assert len(texts) == 1 and "two stones" not in texts[0]


PASSAGES = (
    Citable(number=2, about="file: a.md", pieces=((1, "A is 1."), (4, "B is 2."))),
    Citable(number=5, about="file: b.md", pieces=((3, "C is 3."),)),
)
ASKED = WRITE.model_copy(
    update={
        "messages": (
            Message(role="user", blocks=(Block(text="Q"), Block(text="[2.1]", citable=PASSAGES))),
        )
    }
)


def streamed(cites, status=(), request=ASKED, kind="anthropic"):
    """Returns the pieces of a stream, the reply's text, and the server."""
    with run_server([*status, Reply(cites=cites)]) as server:
        *pieces, reply = provider(server, kind).stream(request)
    assert isinstance(reply, ModelReply)
    assert "".join(pieces) == reply.text
    return reply.text, pieces, server


@pytest.mark.parametrize(
    ("cites", "text"),
    [
        ([block("A is 1.", (0, 0, 1))], "A is 1.[2.1]"),
        ([block("Both.", (0, 0, 2), (1, 0, 1))], "Both.[2.1][2.4][5.3]"),
        ([block("Twice.", (0, 0, 2), (0, 1, 2))], "Twice.[2.1][2.4]"),
        # markers stand before the blanks with which a block ends
        ([block("A is 1.\n\n", (0, 0, 1)), block("B is 2.", (0, 1, 2))],
         "A is 1.[2.1]\n\nB is 2.[2.4]"),
        ([block("A is 1", (0, 0, 1)), block(" and "), block("C is 3", (1, 0, 1)), block(".")],
         "A is 1[2.1] and C is 3[5.3]."),
        # there is no such document, no such piece
        ([block("A is 1.", (7, 0, 1))], "A is 1."),
        ([block("A is 1.", (1, 4, 9))], "A is 1."),
        ([block("The documents do not say it.")], "The documents do not say it."),
    ],
)  # fmt: skip
def test_what_blocks_cite_becomes_markers(cites, text):
    assert streamed(tuple(cites))[0] == text


def test_a_citing_stream_is_passed_on_as_it_comes():
    _, pieces, _ = streamed((block("A is 1 and more", (0, 0, 1)), block(".")))
    assert pieces == ["A", " is", " 1", " and", " more", "[2.1]", "."]


def test_a_server_that_takes_no_documents_is_asked_for_markers_from_then_on():
    with run_server([Reply("A is 1. [2.1]"), Reply("A is 1. [2.1]")]) as server:
        server.messages.cites = False
        llm = provider(server)
        texts = [list(llm.stream(ASKED))[-1].text for _ in range(2)]
    assert texts == ["A is 1. [2.1]"] * 2
    assert [bool(documents_in(body)) for body in server.requests] == [True, False, False]
    assert "[2.1]" in str(server.requests[1])


def test_another_refusal_is_passed_on():
    refused = Status(400, "invalid_request_error", why="prompt is too long")
    with run_server([refused]) as server, pytest.raises(ConfigurationError, match="too long"):
        list(provider(server).stream(ASKED))
    assert len(server.requests) == 1


def test_bedrock_and_whole_replies_get_numbered_sentences():
    with run_server([Reply("A is 1. [2.1]"), Reply("A is 1. [2.1]")]) as server:
        list(provider(server, "bedrock").stream(ASKED))
        provider(server).complete(ASKED)
    assert [documents_in(body) for body in server.requests] == [[], []]
    assert all("[2.1]" in str(body["messages"]) for body in server.requests)
