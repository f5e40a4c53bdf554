"""The eval of answers runs the deployed steps, and answers that are wrong on purpose show in it."""

import json
from email.message import EmailMessage
from types import SimpleNamespace

import pytest

from evals import ask
from evals.ask_cases import (
    Case,
    dialogue_cases,
    follow_ups,
    passages,
    qa_cases,
    talk_cases,
)
from evals.ask_figures import carried, judge
from evals.ask_report import compare, reliability, values
from evals.asking import Whole, asker, rows_of
from evals.gateway import Gateway
from evals.library import fit
from evals.originals import Original, Originals
from footnote.adapters.memory.small import MemoryVectors
from footnote.ask.plan import plan
from footnote.evaluation.words import says
from footnote.model import Scope
from footnote.wiring import bootstrap
from tests.pack import THINGS, write_documents, write_lines
from tests.unit.faces import small


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Holds a pack whose questions are its sentences, with one that nothing answers."""
    folder = tmp_path_factory.mktemp("asked")
    write_documents(folder)
    rows = [json.loads(line) for line in (folder / "qa.jsonl").read_text().splitlines()]
    kept = [row for row in rows if row["source"] == "pages" and row["answerable"]]
    asked = [
        row | {"id": f"p-{n}", "question": f"What about the {row['id'][2:]}?"}
        for n, row in enumerate(kept)
    ]
    unknown = {"id": "u-1", "source": "pages", "scope": "corpus", "pages": []}
    unknown |= {"question": "Who was emperor of Japan in 1868?", "answerable": False}
    write_lines(folder / "qa.jsonl", [*asked, unknown])
    (folder / "dialogue").mkdir()
    told = {"title": "Ferry", "text": THINGS["anchor"]}
    common = {"conversation": "c", "history": [["Which ferry?", None]], "passages": [told]}
    write_lines(
        folder / "dialogue" / "talk.jsonl",
        [
            common | {"id": "t-1", "question": "What does it weigh?", "label": "answerable"},
            common | {"id": "t-2", "question": "And then?", "label": "underspecified"},
        ],
    )
    write_lines(
        folder / "dialogue" / "rewrites.jsonl",
        [common | {"id": "r-1", "question": "And in 2022?", "rewrite": "Which ferry in 2022?"}],
    )
    common = {"docs": ["anchor.md"], "pages": [], "answerable": True, "answer": ""}
    opening = "How heavy is the anchor of the ferry?"
    then = "What is the anchor of the ferry made of?"
    other = "What does the donkey carry?"
    # one conversation goes on after a turn of another
    said = [
        ("a", 1, opening, opening),
        ("b", 1, other, other),
        ("a", 2, "What is it made of?", then),
    ]
    names = ("conversation", "turn", "question", "standalone")
    turns = [common | {"kind": "any"} | dict(zip(names, one, strict=True)) for one in said]
    write_lines(folder / "talks.jsonl", turns)
    return folder


@pytest.fixture(scope="module")
def asked(folder):
    """Holds the part `qa` of a report, the originals and replies to the turns of a conversation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FOOTNOTE_BACKEND", "memory")
        bootstrap.services.cache_clear()
        library = fit(small(), MemoryVectors(), Gateway())
        files, cases, _ = ask.parts(folder, core=False)["qa"]
        originals = Originals(ask.add(library, files()))
        right = asker(library.pipeline, "loop")
        report = ask.empty_report()
        replies = {case.id: right(case) for case in cases()}
        ask.measure(report, "qa", {"loop": lambda c: replies[c.id]}, cases(), originals)
        said = {
            row: list(map(asker(library.pipeline, row), talk_cases(folder)))
            for row in ("loop", "alone")
        }
        return SimpleNamespace(
            part=report["parts"]["qa"],
            cases=list(cases()),
            replies=replies,
            originals=originals,
            said=said,
        )


def measured(asked, change):
    """Returns the part as it is when each reply is changed on the way."""
    report = ask.empty_report()
    asks = {"loop": lambda case: change(asked.replies[case.id])}
    ask.measure(report, "qa", asks, iter(asked.cases), asked.originals)
    return report["parts"]["qa"]


def mean(part, figure):
    held = list(values(part, "loop", figure).values())
    return sum(held) / len(held)


def test_what_is_known_to_be_right_is_told_from_what_is_not(asked):
    assert mean(asked.part, "found") > 0.9
    assert mean(asked.part, "precision") > 0.9
    assert mean(asked.part, "resolves") == mean(asked.part, "refused") == 1


def test_an_answer_that_always_says_not_found_shows(asked):
    nothing = {"found": False, "citations": [], "answer": "The documents do not say."}
    broken = measured(asked, lambda reply: reply | nothing)
    assert (mean(broken, "found"), mean(broken, "recall"), mean(broken, "refused")) == (0, 0, 1)
    worse = {one.figure for one in compare("qa", broken, asked.part) if one.by.mark == "WORSE"}
    assert {"found", "recall"} <= worse


def test_citations_that_always_name_page_1_show(asked):
    def change(reply):
        return reply | {"citations": [one | {"pages": [1]} for one in reply["citations"]]}

    broken = measured(asked, change)
    assert mean(broken, "precision") < 0.2
    assert mean(broken, "resolves") < 0.2
    worse = {one.figure for one in compare("qa", broken, asked.part) if one.by.mark == "WORSE"}
    assert {"precision", "resolves", "recall"} <= worse


def test_a_quote_that_the_page_does_not_have_does_not_resolve(asked):
    def change(reply):
        return reply | {"citations": [one | {"quote": "Not so."} for one in reply["citations"]]}

    assert mean(measured(asked, change), "resolves") == 0


def test_a_row_of_rounds_and_one_that_splits_no_question_are_asked_differently():
    question, scope = "What is the fuse? How many bikes fit?", Scope(tenant="acme")
    split, whole = (
        plan(question, (), scope, llm).plan.sub_questions
        for llm in (None, Whole(question, (), scope))
    )
    assert (len(split), [sub.text for sub in whole]) == (2, [question])


def test_hidden_documents_are_no_part_of_what_is_asked(folder):
    hidden = [case for case in qa_cases(folder) if case.source == "documents hidden"]
    assert hidden
    assert all("all.pdf" not in case.documents and case.right == "refused" for case in hidden)


def test_dialogues_bring_their_passages_and_their_history(folder):
    path = folder / "dialogue" / "talk.jsonl"
    [file] = passages([path])
    cases = list(dialogue_cases(path))
    assert [case.right for case in cases] == ["found", "clarify"]
    assert all(case.documents == (file.name,) for case in cases)
    assert cases[0].history == (("Which ferry?", ""),)
    [follow] = follow_ups(folder)
    assert carried(follow.text, "Which ferry in 2022?", follow.alone)["words carried over"] == 1
    assert carried(follow.text, follow.text, follow.alone)["words carried over"] == 0


def test_a_turn_is_asked_after_those_before_it_or_in_words_that_need_none(asked, folder):
    first, between, then = talk_cases(folder)
    assert (first.follows, between.follows, then.follows) == ("", "", first.id)
    looked_up = {
        row: [[sub["text"] for sub in one["plan"]["sub_questions"]] for one in said]
        for row, said in asked.said.items()
    }
    assert looked_up["alone"] == [[first.text], [between.text], [then.alone]]
    [[opening], _, [carried_over]] = looked_up["loop"]
    assert opening == first.text
    assert carried_over != then.text
    assert "anchor" in carried_over
    assert "donkey" not in carried_over


def test_conversations_without_their_documents_are_left_out(folder, tmp_path):
    (tmp_path / "talks.jsonl").write_bytes((folder / "talks.jsonl").read_bytes())
    assert "talks" not in ask.parts(tmp_path, core=False)


def test_only_conversations_are_asked_in_words_that_need_no_other_turn(folder):
    assert set(ask.parts(folder, core=False)) >= {"qa", "talks"}
    assert "alone" in rows_of("talks", ())
    assert "alone" not in rows_of("qa", ())
    assert rows_of("talks", ["alone", "loop"]) == ["alone", "loop"]


@pytest.mark.parametrize(
    ("gold", "said", "right"),
    [
        ("24.26", "The ratio was 24.26.", True),
        ("24.26", "The ratio was 24.2.", False),
        ("1,875 million", "It was $1875 million.", True),
        ("operating activities", "Cash came from operating activities.", True),
        ("operating activities", "Cash came from loans.", False),
        ("No", "No, it did not.", True),
    ],
)
def test_an_answer_is_matched_by_its_figures_and_words(gold, said, right):
    assert says(gold, said) is right


def test_confidence_that_knows_nothing_has_the_brier_score_of_the_base_rate():
    sure = {str(n): {"gate": 0.5, "right": "found" if n % 2 else "refused"} for n in range(10)}
    brier, base, bins = reliability(sure)
    assert (brier, base) == (0.25, 0.25)
    assert [(one.of, one.answerable) for one in bins] == [(10, 0.5)]


def test_a_citation_of_an_unknown_document_does_not_resolve():
    case = Case("q", "?", "s", "found", "docs", places=frozenset({("a.pdf", 1)}))
    cited = {"n": 1, "document": "b.pdf", "pages": [1], "quote": "x"}
    reply = {"found": True, "kind": "answer", "answer": "x", "citations": [cited]}
    figures = judge(case, reply, Originals({}))
    assert figures["resolves"] == {"q#1": 0.0}
    assert figures["precision"] == {"q#b.pdf:1": 0.0}


@pytest.mark.parametrize("kind", ["plain", "html"])
def test_a_mail_is_read_as_its_reader_sees_it_and_not_as_it_was_sent(kind):
    said = "The repair costs £3,940, of which the insurer pays half, and takes until 26 March."
    message = EmailMessage()
    message["Subject"] = "Lift"
    text = f"<p>{said}</p>" if kind == "html" else said
    message.set_content(text, subtype=kind, cte="quoted-printable")
    assert said.encode() not in bytes(message)
    mail = Original("a.eml", bytes(message))
    told = [mail.resolve({"pages": [], "quote": one}) for one in (said, "The repair costs £4,940")]
    assert told == ["verbatim", "no"]
