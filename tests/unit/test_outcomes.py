"""What an answer claims: that it answers, that passages are near, or that nothing is there."""

import pytest

from footnote.api.chat import write as write_message
from footnote.ask.answer.material import Material
from footnote.ask.export.report import blocks
from footnote.ask.question.asked_share import describe_share
from footnote.ask.question.handoff import Progress
from footnote.ask.quote.lines import RankedLine
from footnote.ask.quote.stated import states_surely
from footnote.ask.quote.table_rows import add_siblings, keep_sure
from footnote.ask.retrieve import retrieve
from footnote.ask.synthesize import synthesize
from footnote.ask.write.quoted_places import with_unit
from footnote.ask.write.unanswered import is_nowhere
from footnote.cli.answer_lines import print_answer
from footnote.cli.conversation import sources
from footnote.mcp.tool_messages import AskResult
from footnote.mcp.wording import say_answer
from footnote.model import (
    Answer,
    Document,
    Evidence,
    Passage,
    Plan,
    Scope,
    ScoredSentence,
    SubQuestion,
    Table,
    Turn,
    Verdict,
)
from footnote.text.fates import NEAREST, name_outcome
from tests.corpus import Corpus

FERRY = {"ferry.md": ["The ferry to Orm is painted green. It runs at noon."]}


def asked(question, pages=FERRY, *, confidence=0.3, share="", llm=None):
    """Returns the answer to a question whose evidence was graded so."""
    corpus = Corpus(pages)
    verdict = Verdict(decision="enough", confidence=confidence)
    sub = SubQuestion(id="q1", text=question, verdict=verdict, searches=1)
    evidence = retrieve(sub, Scope(tenant="acme"), (), corpus.ports)
    plan = Plan(kind="retrieve", question=question, sub_questions=(sub,))
    return synthesize(
        Material(
            "id-1",
            Progress(plan=plan),
            {"q1": evidence},
            corpus.document,
            corpus.words,
            llm,
            lambda *_: None,
            describe_share=lambda: share,
        )
    )


# -- the three outcomes ----------------------------------------------------------------------------


def test_a_sentence_that_says_what_was_asked_is_an_answer():
    answer = asked("What is the ferry to Orm painted?", confidence=0.9)
    assert (answer.outcome, answer.found) == ("answer", True)


def test_the_nearest_passages_claim_nothing_and_say_how_many_documents_were_asked():
    share = "1 of 18 documents was asked."
    answer = asked("What does the ferry of Zorblax cost?", share=share)
    assert (answer.outcome, answer.found, answer.confidence) == ("nearest", False, 0.0)
    head, facts, *quotes = answer.sentences
    assert head.text == "No sentence was found that surely states what was asked."
    assert facts.text == f"No document that was asked has: zorblax. {share}"
    assert [(one.checked, bool(one.citations)) for one in quotes] == [(None, True)] * len(quotes)
    assert {one.quote for one in answer.citations} == {one.text for one in quotes}


def test_nearest_rows_of_one_kind_are_all_of_them_as_the_table_goes():
    zones = ["Zone North | 4 | 5", "Zone South | 6 | 7", "Zone East | 6 | 8", "Zone West | 5 | 8"]
    table = "\n".join(["Stop | 2025 | 2026", *zones, "Mill | 8 | 9", "Barn | 8 | 9"])
    answer = asked("What were the audited tolls by zone in 2026?", {"fares.md": [table]})
    assert answer.outcome == "nearest"
    assert [one.text for one in answer.sentences if one.citations] == zones


@pytest.mark.parametrize(
    ("question", "pages", "outcome"),
    [
        ("What does it cost?", {}, "none"),
        ("Zorblax quibbleton frumious?", FERRY, "none"),
        ("Zorblax quibbleton ferry?", FERRY, "nearest"),
        # no word of it is there, but it is in another language: that says nothing
        ("Welches Schiff fährt zu welcher Insel und was kostet die Fahrt?", FERRY, "nearest"),
    ],
)
def test_that_nothing_is_there_is_said_only_where_the_search_knows(question, pages, outcome):
    answer = asked(question, pages)
    assert answer.outcome == outcome
    assert ("No passage with these words" in answer.answer) == (outcome == "none")


def test_of_a_passage_of_prose_only_the_likeliest_sentence_is_shown():
    pages = {"ferry.md": ["The ferry to Orm is painted green. The ferry to Orm is painted twice."]}
    shown = asked("Who painted the ferry to Orm green?", pages).sentences
    assert [bool(one.citations) for one in shown] == [False, True]


def test_a_line_that_two_passages_have_is_cited_once():
    page = "The ferry to Orm is painted green."
    answer = asked("What does the ferry of Zorblax cost?", {"a.md": [page], "b.md": [page]})
    assert [one.quote for one in answer.citations] == [page]


def test_a_search_that_failed_knows_nothing():
    verdict = Verdict(decision="failed", confidence=0.0)
    sub = SubQuestion(id="q1", text="What does it cost?", verdict=verdict)
    plan = Plan(kind="retrieve", question=sub.text, sub_questions=(sub,))
    corpus = Corpus({})
    ports = (corpus.document, corpus.words, None, lambda *_: None)
    answer = synthesize(Material("id-1", Progress(plan=plan), {}, *ports))
    assert (answer.outcome, "do not say" in answer.answer) == ("nearest", False)


def test_a_sentence_that_is_near_by_meaning_is_shown_though_no_word_of_the_question_is_there():
    corpus = Corpus({"berth.md": ["The price of a berth is 40 crowns."]})
    sub = SubQuestion(id="q1", text="What is the fee?", searches=1)
    evidence = retrieve(sub, Scope(tenant="acme"), (), corpus.ports)
    plan = Plan(kind="retrieve", question=sub.text, sub_questions=(sub,))
    [passage] = evidence.passages

    def found(similarity, states=-5.0):
        near = ScoredSentence(start=0, end=34, similarity=similarity, overlap=0.0, states=states)
        passages = (passage.model_copy(update={"sentences": (near,)}),)
        piece = evidence.model_copy(update={"passages": passages, "absent": ("fee",)})
        return is_nowhere(plan, {"q1": piece})

    assert (found(0.38), found(0.12)) == (False, True)
    assert found(0.38, -9.0)  # the judge of lines knows that it is about something else
    assert found(0.38, None)  # of another embedding model


# -- what states it surely -------------------------------------------------------------------------


def line(text, *, states=None, document="ferry.md", **passage):
    sentence = ScoredSentence(start=0, end=len(text), similarity=0.5, overlap=0.5, states=states)
    there = Passage(
        document_id="d1",
        document=document,
        collection="docs",
        version="v1",
        title="",
        section=(),
        pages=(1,),
        start=0,
        end=len(text),
        text=text,
        score=1.0,
        sentences=(sentence,),
    ).model_copy(update=passage)
    return RankedLine(text, there, sentence, fits=True)


def evidence_of(one, **more):
    fields = {"sub_question": "q1", "question": "", "strategy": "hybrid"} | more
    return Evidence(**fields, passages=(one.passage,))


@pytest.mark.parametrize(
    ("question", "told", "more", "is_sure"),
    [
        # read by the judge: beyond its own threshold, or with all words
        ("When does the boat leave?", line("It sails at noon.", states=0.1), {}, True),
        ("When does the boat leave?", line("It sails at noon.", states=-0.1), {}, False),
        ("When does the boat leave?", line("The boat leaves at noon.", states=-0.1), {}, True),
        # of a year, of a document and of a kind that were asked for
        ("What was revenue in 2024?", line("Revenue was 8 million.", states=2.0), {}, False),
        (
            "What was revenue in 2024?",
            line("Revenue was 8 million.", states=2.0, title="Report 2024"),
            {},
            True,
        ),
        (
            "What was revenue in 2024?",
            line("Revenue was 8 million in 2023.", states=2.0, title="Report 2024"),
            {},
            False,
        ),
        (
            "When does the boat leave?",
            line("It sails at noon.", states=2.0),
            {"strange": ("d1",)},
            False,
        ),
        ("How many boats are there?", line("The boats are green.", states=2.0), {}, False),
        # a figure of a part of the year is not the year's
        *(
            ("What was revenue in 2024?", line(text, states=2.0, title="Report 2024"), {}, is_whole)
            for text, is_whole in [
                ("Revenue in the third quarter of 2024 was 2 million.", False),
                ("Revenue was 2 million in Q3 2024.", False),
                ("In 2024 Q3 revenue was 2 million.", False),
                ("Revenue for the three months ended 30 September 2024 was 2 million.", False),
                ("Revenue for the first half of 2024 was 4 million.", False),
                ("Revenue was 8 million in 2024, after 2 million in the fourth quarter.", True),
                ("Revenue of 2024 was 8 million, of which 2 million in Q3 2024.", True),
            ]
        ),
        (
            "What was revenue in 2024?",
            line("Revenue was 2 million.", states=2.0, title="Results of Q3 2024"),
            {},
            False,
        ),
        (
            "What was revenue in fiscal 2024?",
            line("Revenue in the third quarter of 2024 was 2 million.", states=2.0),
            {},
            False,
        ),
        (
            "How many boats were sold in June 2024?",
            line("In the second quarter of 2024 12 boats were sold.", states=2.0),
            {},
            True,
        ),
        (
            "What was revenue in the third quarter of 2024?",
            line("Revenue in the third quarter of 2024 was 2 million.", states=2.0),
            {},
            True,
        ),
        (
            "Who became warden in 2024?",
            line("In the third quarter of 2024 Holt became warden.", states=2.0),
            {},
            True,
        ),
        # likewise in a row, also where a measure is asked for that no rule knows
        *(
            (
                "What was the brine yield in fiscal 2024 compared with fiscal 2023?",
                line("Brine yield | 12 | 14", states=2.0)._replace(header=header),
                {},
                is_whole,
            )
            for header, is_whole in [
                (
                    "tonnes | Three months ended June 30, 2023 | Three months ended June 30, 2024",
                    False,
                ),
                ("tonnes | Q4 2023 | Q4 2024", False),
                ("tonnes | 2023 | 2024", True),
                ("tonnes | Year ended June 30, 2023 | Year ended June 30, 2024", True),
            ]
        ),
        (
            "What was the brine yield in the fourth quarter of 2024?",
            line("Brine yield | 12 | 14", states=2.0)._replace(header="t | Q4 2023 | Q4 2024"),
            {},
            True,
        ),
        # a number counts what follows it
        *(
            ("How many people work at the mill?", line(text, states=2.0), {}, counts_people)
            for text, counts_people in [
                ("At the mill 12 accidents at work were reported.", False),
                ("The mill, where many people work, treated 45 cases.", False),
                ("At the mill 45 people work on 12 machines.", True),
                ("Of the 45 who work at the mill, 12 are new.", True),
                ("Nobody at work was hurt at the mill, two fewer than in 2024.", False),
                ("At the mill work more than 45.", True),
            ]
        ),
        (
            "How many common shares does the mill have?",
            line("The mill has 45 shares of common stock.", states=2.0),
            {},
            True,
        ),
        # read by nobody: names and figures, and half of the words
        ("What does the ferry to Orm cost?", line("The ferry to Orm costs 9."), {}, True),
        ("What does the ferry to Orm cost?", line("The ferry to Lund costs 9."), {}, False),
        ("What does the ferry cost on Sundays?", line("Fares cost 9."), {}, False),
    ],
)
def test_what_surely_states_an_answer(question, told, more, is_sure):
    assert states_surely(question, told, evidence_of(told, **more)) == is_sure


# -- rows of a table -------------------------------------------------------------------------------

FARES = "Stop | 2025 | 2026\nPier North | 4 | 5\nPier South | 6 | 7\nMill | 8 | 9"


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("What is the fare by pier in 2026?", ["Pier North", "Pier South"]),
        ("What is the fare of Pier South in 2026?", ["Pier South"]),
        ("What is the fare in 2026?", ["Mill"]),
    ],
)
def test_a_question_for_rows_of_one_kind_gets_all_of_them_as_the_table_goes(question, labels):
    header, *texts = FARES.splitlines()
    rows = [line(text, start=n)._replace(header=header) for n, text in enumerate(texts)]
    rows = [
        row._replace(
            sentence=row.sentence.model_copy(update={"start": n}),
            is_named=all(word in question for word in row.text.partition(" |")[0].split()),
        )
        for n, row in enumerate(rows)
    ]
    best = next(row for row in rows if row.text.startswith(labels[-1]))
    shown = add_siblings([best], [best, *reversed(rows)][1:], question)
    assert [row.text.partition(" |")[0] for row in shown] == labels


def test_rows_of_the_same_table_stay_beside_the_row_that_answers():
    header, *texts = FARES.splitlines()
    sure = line(texts[0], states=1.0)._replace(header=header)
    beside = line(texts[1], states=-9.0)._replace(header=header)
    other = line("Piers are old.", states=-9.0)
    evidence = evidence_of(sure)
    assert keep_sure([sure, beside, other], "What does Pier North cost?", evidence) == [
        sure,
        beside,
    ]


# -- in records of other releases ------------------------------------------------------------------


def test_an_answer_of_an_earlier_release_reads_as_what_it_was():
    former = {"id": "a", "kind": "answer", "answer": "It runs."}
    assert Answer.model_validate(former | {"found": True}).outcome == "answer"
    assert Answer.model_validate(former | {"found": False}).outcome is None
    assert Answer.model_validate(former | {"found": False, "outcome": "proven"}).outcome is None
    turn = {"question_id": "q", "session": "s", "question": "?", "created": "", "status": "DONE"}
    assert Turn.model_validate(turn | {"found": True}).outcome is None


# -- on every face ---------------------------------------------------------------------------------


@pytest.mark.parametrize("face", ["chat", "assistant", "export"])
def test_every_face_heads_the_nearest_passages_and_marks_none_of_them(face):
    answer = asked("What does the ferry to Orm cost?")
    record = answer.model_dump() | {"status": "DONE", "question": "?", "session": "s"}
    match face:
        case "chat":
            shown = write_message(answer, "http://a").text
        case "assistant":
            shown = say_answer(AskResult.model_validate(record))
        case _:
            shown = "\n".join(piece.text for block in blocks(answer) for piece in block)
    assert NEAREST in shown.splitlines()[0]
    assert "The ferry to Orm is painted green." in shown
    assert not any(word in shown for word in ("word for word", "not confirmed", "✓"))


def test_the_command_line_lists_the_nearest_passages_without_a_mark(capsys):
    told = asked("What does the ferry to Orm cost?").model_dump(mode="json")
    print_answer(told)
    shown = capsys.readouterr().out
    assert shown.startswith(NEAREST)
    assert "The ferry to Orm is painted green. [1]" in shown
    assert not any(word in shown for word in ("word for word", "not confirmed", "✓", "?"))
    assert sources(told)[0].startswith("[1] ferry.md")
    assert not any("not confirmed" in line for line in sources(told))


def test_a_list_names_the_outcome():
    assert [name_outcome(one) for one in ("nearest", "none", None, "", "proven", 3)] == [
        *("nearest", "no passage"),
        *["not found"] * 4,
    ]


# -- how many were asked ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("scope", "words"),
    [
        ({}, ""),
        ({"documents": ("a.md",)}, "1 of 3 documents was asked."),
        ({"documents": ("a.md",), "document_ids": {"x": "b.md"}}, "2 of 3 documents were asked."),
        ({"documents": ("a.md", "b.md", "c.md")}, ""),
        ({"collection": "papers"}, ""),
        ({"collection": "other"}, "0 of 3 documents were asked."),
        ({"filters": {"year": 1}}, "Only documents that fit the filters were asked."),
    ],
)
def test_that_only_some_documents_were_asked_is_said(scope, words):
    corpus = Corpus({name: ["A ferry."] for name in ("a.md", "b.md", "c.md")})
    assert describe_share(Scope(tenant="acme", **scope), corpus.ports.catalog) == words


# -- a table's unit --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("caption", "labels", "header"),
    [
        (
            "Fares, in thousands of pounds",
            ("Stop", "2025"),
            ("Stop (in thousands of pounds)", "2025"),
        ),
        ("Fares, in thousands of pounds", ("", "2025"), ("(in thousands of pounds)", "2025")),
        ("Fares, in thousands", ("Stop", "in millions"), ("Stop", "in millions")),
        ("Fares", ("Stop", "2025"), ("Stop", "2025")),
        ("Fares, in thousands", (), ()),
    ],
)
def test_the_unit_of_a_caption_is_shown_with_the_columns(caption, labels, header):
    text = f"All about it.\n\n{caption}\n\nStop | 2025\nQuay | 4"
    start = text.index("Stop | 2025")
    table = Table(start=start, end=len(text), rows=(("Stop", "2025"), ("Quay", "4")), header_rows=1)
    document = Document(title="", media_type="text/plain", text=text, tables=(table,))
    assert with_unit(labels, document, text.index("Quay"), len(text)) == header
