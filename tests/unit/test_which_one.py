"""Questions that several documents answer: each is quoted, and which is meant is asked back."""

import json

import pytest

from footnote.adapters.memory.scripted import ScriptedLLM
from footnote.ask.planning.clarify import chosen
from footnote.client import Client
from tests.asking import ask
from tests.fenced import fenced
from tests.unit.faces import URL, InProcess, small

QUESTION = "What is the notice period?"
ALDER = "The notice period is three months to the end of a quarter."
BIRCH = "The notice period is six months to the end of a quarter."
LEASES = {"alder-lease.pdf": [ALDER], "birch-lease.pdf": [BIRCH]}
ASKS = "Which one do you mean, \u201calder-lease.pdf\u201d or \u201cbirch-lease.pdf\u201d?"


def asked_back(question, pages, **more):
    answer, _ = ask(question, pages, **more)
    return [one for one in answer.sentences if "Which one do you mean" in one.text], answer


def test_two_documents_that_answer_differently_are_both_quoted_and_one_is_asked_for():
    [shown], answer = asked_back(QUESTION, LEASES)
    first, second = sorted(answer.citations, key=lambda one: one.document)
    assert (first.document, first.quote) == ("alder-lease.pdf", ALDER)
    assert (second.document, second.quote) == ("birch-lease.pdf", BIRCH)
    assert set(shown.citations) == {first.n, second.n}
    assert (answer.kind, answer.found, shown.checked) == ("answer", True, "exact")
    assert shown.text.startswith("Several documents answer this: ")
    assert "alder-lease.pdf: \u201cThe notice period is three months" in shown.text


SILENT = {
    "the question names one": ("What is the notice period of the Birch lease?", LEASES),
    "its file is named": ("What is the notice period in birch-lease.pdf?", LEASES),
    "they say the same": (QUESTION, {"alder-lease.pdf": [ALDER], "birch-lease.pdf": [ALDER]}),
    "one document says both": (QUESTION, {"leases.pdf": [ALDER, BIRCH]}),
    "one says up to": (
        QUESTION,
        {"alder-lease.pdf": [ALDER], "birch-lease.pdf": [BIRCH.replace("is six", "is up to six")]},
    ),
    "they are about two things": (
        QUESTION,
        {
            "alder-lease.pdf": [ALDER],
            "birch-lease.pdf": [BIRCH.replace("period", "period for heavy rafts")],
        },
    ),
    "of two years": (
        "What was the harbour fee for a barge?",
        {
            "alder.pdf": ["The harbour fee for a barge was 84 crowns in 2021."],
            "birch.pdf": ["The harbour fee for a barge was 91 crowns in 2022."],
        },
    ),
    "both are of one named thing, so they contradict each other": (
        "How many bikes does a Roost of the second series hold?",
        {
            "manual.pdf": ["A Roost of the second series holds twelve bikes."],
            "flyer.pdf": ["A Roost of the second series holds ten bikes."],
        },
    ),
    "all are wanted": ("List all notice periods.", LEASES),
    "both are compared": ("Compare the notice period of Alder and Birch.", LEASES),
}


@pytest.mark.parametrize(("question", "pages"), SILENT.values(), ids=SILENT)
def test_where_one_reading_is_meant_nothing_is_asked_back(question, pages):
    shown, answer = asked_back(question, pages)
    assert (shown, answer.found) == ([], True)


PLAN = json.dumps({"kind": "retrieve", "sub_questions": [{"text": QUESTION}]})
GRADE = json.dumps({"verdicts": [{"id": "q1", "decision": "enough", "confidence": 0.9}]})


def written(said, name, pages):
    """Asks a writer that quotes `said` from the document `name`."""
    probe = ScriptedLLM([PLAN, GRADE, "Nothing."])
    ask(QUESTION, pages, llm=probe)
    texts = fenced(probe.requests[-1]).items()
    n = next(n for n, text in texts if f"file: {name}" in text and said in text)
    return asked_back(QUESTION, pages, llm=ScriptedLLM([PLAN, GRADE, f"{said} [{n}]"]))


def test_whatever_a_writer_quotes_the_other_reading_is_shown():
    [shown], answer = written(BIRCH, "birch-lease.pdf", LEASES)
    assert shown.text.index("birch") < shown.text.index("alder")
    assert answer.answer.endswith("? [1][2]")


def test_a_document_that_says_two_things_is_quoted_as_the_answer_has_it():
    pages = {"alder-lease.pdf": [ALDER, ALDER.replace("three", "nine")], "birch-lease.pdf": [BIRCH]}
    [shown], _ = written(ALDER, "alder-lease.pdf", pages)
    assert "three" in shown.text
    assert "nine" not in shown.text


def test_a_planner_that_names_the_document_leaves_no_choice():
    question = "What is the notice period in birch-lease.pdf?"
    one = {"text": QUESTION, "documents": ["birch-lease.pdf"]}
    plan = json.dumps({"kind": "retrieve", "sub_questions": [one]})
    llm = ScriptedLLM([plan, GRADE, f"{BIRCH} [1]"])
    shown, answer = asked_back(question, LEASES, llm=llm)
    assert (shown, answer.citations[0].document) == ([], "birch-lease.pdf")


@pytest.mark.parametrize(
    ("reply", "meant"),
    [
        ("birch-lease.pdf", "birch-lease.pdf"),
        ("Birch", "birch-lease.pdf"),
        ("the Birch lease, please", ""),
        ("the Birch lease", "birch-lease.pdf"),
        ("the notice period of Alder", "alder-lease.pdf"),
        ("the second one", "birch-lease.pdf"),
        ("the lease", ""),
        ("Birch revenue", ""),
        ("How about Birch?", ""),
        ("storms", ""),
    ],
)
def test_a_reply_that_names_one_of_them_is_understood(reply, meant):
    said = f"{ALDER} [1]\n\nSeveral documents answer this: a; b. {ASKS} [1][2]"
    assert chosen(reply, [(QUESTION, said)]) == meant


def test_only_the_last_words_of_the_last_answer_ask_back():
    assert chosen("birch", []) == ""
    assert chosen("birch", [(QUESTION, f"{ALDER} [1]")]) == ""
    assert chosen("birch", [(QUESTION, f"A page says: {ASKS} It is there. [1]")]) == ""


def test_the_reply_completes_the_question_and_is_answered_from_that_document():
    pipeline = small()
    for name, (text,) in LEASES.items():
        path = f"acme/default/{name}".replace("-", " ").replace(".pdf", ".md")
        pipeline.upload(path, f"{text}\n".encode())
    with Client(URL, "acme-key", transport=InProcess(pipeline)) as client:
        asked = client.ask(QUESTION, session="s")
        assert "Which one do you mean" in asked["answer"]
        answer = client.ask("Birch", session="s")
    assert answer["plan"]["resolved"] == "What is the notice period (birch lease.md)?"
    assert [one["documents"] for one in answer["plan"]["sub_questions"]] == [["birch lease.md"]]
    assert [one["document"] for one in answer["citations"]] == ["birch lease.md"]
    assert "six months" in answer["answer"]
    assert "Which one" not in answer["answer"]
