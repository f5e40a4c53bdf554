"""How a sentence was checked is said by every face, in the same words, and only what holds has a ✓.

tests/unit/test_terminal.py looks at the command line.
"""

import re
from io import BytesIO

import docx
import pymupdf
import pytest

from footnote.api.chat import write
from footnote.ask.export.answer_docx import to_docx
from footnote.ask.export.answer_pdf import to_pdf
from footnote.ask.export.export import to_markdown
from footnote.ask.export.report import report_of
from footnote.mcp.tool_messages import AskResult
from footnote.mcp.wording import say_answer
from footnote.model import Answer, Citation, QuestionRecord, RemovedSentence, Sentence
from footnote.model.scope import Scope
from footnote.text.fates import FATES, NOT_HELD, count_fates, fate_of, unconfirmed_numbers

QUOTES = (
    "The ferry runs twice a day.",
    "On Sundays the ferry lies at the quay | all day.",
    "Quay | 2.70",
    "Mill | 3.60",
)
LABELS = ("Stop", "Single (crowns)")
LONG = "The pilots wrote: " + "the fog came early, " * 40 + "and the ferry stayed."
SAYS = "not confirmed: compare it with its quote"


def citation(n, quote, **changes):
    fields = {"n": n, "document": "ferry.md", "document_id": "d1", "collection": "c"}
    fields |= {"version": "v", "pages": (), "section": (), "quote": quote, "start": 0, "end": 9}
    return Citation(**fields | changes)


def sentence(text, checked, *numbers, judged_by="rules"):
    return Sentence(text=text, checked=checked, citations=numbers, judged_by=judged_by)


def answer(*sentences, quotes=QUOTES):
    cited = tuple(
        citation(n, quote, header=LABELS if quote in QUOTES[2:] else ())
        for n, quote in enumerate(quotes, 1)
    )
    text = "\n\n".join(
        f"{one.text} {''.join(f'[{n}]' for n in one.citations)}".rstrip() for one in sentences
    )
    return Answer(
        id="q", kind="answer", found=True, answer=text, sentences=sentences, citations=cited
    )


MIXED = answer(
    sentence("The ferry runs twice a day.", "exact", 1),
    sentence("Two ferries leave each day.", "confirmed", 1),
    sentence("It leaves morning and evening.", "confirmed", 1, judged_by="model"),
    sentence("No ferry sails on Sundays.", "unconfirmed", 2),
    sentence("Stop | Single (crowns)", "exact", 3),
    sentence("Quay | 2.70", "exact", 3),
    sentence("Mill | 3.60", "unconfirmed", 4),
)
COUNTED = "3 word for word, 1 confirmed by rules, 1 confirmed by a model, 2 not confirmed"


def chat(told):
    return write(told, "https://x/#/questions/q").text


def assistant(told):
    record = told.model_dump() | {"status": "DONE", "question": "Q?", "session": ""}
    return say_answer(AskResult.model_validate(record))


def report(told):
    record = QuestionRecord(
        question_id="q", tenant="t", question="Q?", scope=Scope(tenant="t", groups=("@all",)),
        status="DONE", created="2026-11-27T10:00:00+00:00", answer=told,
    )  # fmt: skip
    return report_of(record)


def markdown(told):
    return to_markdown(report(told))


def word(told):
    made = docx.Document(BytesIO(to_docx(report(told))))
    paragraphs = [
        paragraph
        for block in made.iter_inner_content()
        for paragraph in (
            [one for row in block.rows for cell in row.cells for one in cell.paragraphs]
            if hasattr(block, "rows")
            else [block]
        )
    ]
    return "\n".join(paragraph.text for paragraph in paragraphs)


def paper(told):
    with pymupdf.open(stream=to_pdf(report(told)), filetype="pdf") as file:
        return "".join(page.get_text(flags=0) for page in file)


FACES = {"chat": chat, "assistant": assistant, "md": markdown, "docx": word, "pdf": paper}


def seen(face, told):
    """Returns what a reader sees, on one line, without escapes and numbers of footnotes."""
    text = FACES[face](told).replace("\\", "")
    return " ".join(re.sub(r"\[\^?\d+\]", "", text).split())


@pytest.mark.parametrize("face", FACES)
def test_each_face_counts_how_the_sentences_were_checked(face):
    assert f"Its sentences: {COUNTED}." in seen(face, MIXED)


@pytest.mark.parametrize("face", FACES)
def test_what_nothing_confirms_says_so_and_has_its_quote_beside_it(face):
    shown = seen(face, MIXED)
    beside = re.sub(r"\s*\d?\s*\(\?", " (?", shown)
    assert f"No ferry sails on Sundays. (? {SAYS} “{QUOTES[1]}”)" in beside
    assert shown.count("(?") == 2  # and nothing else is marked so
    assert "✓" not in shown


@pytest.mark.parametrize("face", FACES)
def test_a_quote_to_compare_with_is_whole(face):
    told = answer(sentence("The ferry stayed for the fog.", "unconfirmed", 1), quotes=(LONG,))
    shown = seen(face, told)
    assert shown.count("the fog came early, " * 40) >= 1
    assert "…" not in shown


@pytest.mark.parametrize("face", ["chat", "assistant", "md"])
def test_rows_are_one_table_of_markdown(face):
    lines = FACES[face](MIXED).splitlines()
    at = lines.index("| Stop | Single (crowns) |")
    assert lines[at + 1] == "|---|---|"
    assert re.fullmatch(r"\| Quay \| 2\.70 ?\[\^?3\] \|", lines[at + 2])
    assert re.match(r"\| Mill \| 3\.60 ?\[\^?4\] \(\? not confirmed", lines[at + 3])
    assert len(re.findall(r"^\|", "\n".join(lines), re.MULTILINE)) == 4


def test_rows_are_one_table_in_word():
    [table] = docx.Document(BytesIO(to_docx(report(MIXED)))).tables
    cells = [[cell.text for cell in row.cells] for row in table.rows]
    assert cells[:2] == [["Stop", "Single (crowns)"], ["Quay", "2.703"]]
    assert cells[2][1].startswith("3.604 (? not confirmed")


def test_annotations_still_mark_the_numbers_of_citations():
    made = write(MIXED, "https://x/#/questions/q")
    links = [one["url_citation"] for one in made.annotations]
    marked = [made.text[link["start_index"] : link["end_index"]] for link in links]
    assert marked == ["[1]", "[1]", "[1]", "[2]", "[3]", "[4]"]


def test_a_fate_is_told_by_what_was_checked_and_by_whom():
    assert fate_of("exact", "rules") == FATES["exact"]
    assert fate_of("confirmed", "rules") == FATES["confirmed"]
    assert fate_of("confirmed", "model") == FATES["judged"]
    assert fate_of("unconfirmed", "rules") == FATES["unconfirmed"]
    assert fate_of("ocr", "model") == FATES["ocr"]
    assert [fate_of(one) for one in (None, "proven", ["exact"])] == [None] * 3


def test_only_what_holds_has_a_tick_and_each_fate_is_told_without_colours():
    ticks = {name for name, fate in FATES.items() if fate.mark == "✓"}
    assert ticks == {"exact", "confirmed", "judged"}
    assert len({fate.short for fate in FATES.values()}) == len(FATES)


def test_fates_are_counted_in_their_order():
    told = [None, FATES["unconfirmed"], FATES["exact"], FATES["exact"]]
    assert count_fates(told) == "2 word for word, 1 not confirmed"
    assert count_fates([None]) == ""


def test_a_citation_is_doubtful_where_no_checked_sentence_or_value_uses_it():
    pairs = [("exact", (1,)), ("unconfirmed", (1, 2)), ("unconfirmed", (3,)), ("ocr", (4,))]
    assert unconfirmed_numbers([*pairs, (None, ()), ("proven", (5,))], [(3,)]) == {2, 5}


LOST = MIXED.model_copy(
    update={
        "found": False,
        "outcome": None,
        "answer": "The documents do not say. Looked for: the fare.",
        "sentences": (sentence("The documents do not say. Looked for: the fare.", None),),
        "citations": (),
    }
)


@pytest.mark.parametrize("face", FACES)
def test_a_failed_check_never_reads_as_if_the_documents_did_not_say_it(face):
    removed = (RemovedSentence(text="The fare is 9.", reason="“9” is not in the passage"),)
    shown = seen(face, LOST.model_copy(update={"removed": removed}))
    assert "do not say" not in shown
    assert f"{NOT_HELD} Looked for: the fare." in shown


@pytest.mark.parametrize("face", FACES)
def test_what_was_not_found_is_told_as_the_answer_tells_it(face):
    of_a_field = (RemovedSentence(text="9", reason="no", field="fare"),)
    for told in (LOST, LOST.model_copy(update={"removed": of_a_field})):
        assert LOST.answer in seen(face, told)
