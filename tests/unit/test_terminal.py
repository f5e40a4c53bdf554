"""What a person sees of places, answers and documents. A document's text is never markup."""

import json

import pytest

from footnote.cli import terminal
from footnote.cli.answer_lines import print_answer, print_expected
from footnote.cli.conversation import sources
from footnote.cli.document_lines import document_line, print_documents, print_refusal
from footnote.cli.event_lines import print_event
from footnote.cli.hit_lines import print_hits
from footnote.cli.progress import AddProgress
from footnote.errors import BadRequestError
from footnote.text.fates import NOT_HELD

NO_PRICE = "No price is known for quill-9: its cost is not counted."
WARNED = "".join(f"\n{'':12}warning: {name}" for name in ("one", "two", "three"))
MORE = f"\n{'':12}1 more: --json shows all warnings"


def record(**changes):
    fields = {
        "id": "d1",
        "document": "report.pdf",
        "status": "READY",
        "error": None,
        "pages": 12,
        "chunks": 40,
        "parts": {"done": 1, "of": 1},
        "warnings": [],
        "usd": 0.0,
    }
    return fields | changes


def citation(**changes):
    fields = {
        "n": 1,
        "document": "report.pdf",
        "pages": [3],
        "labels": [],
        "section": ["Risks", "Supply"],
        "header": [],
        "row": "",
        "quote": "Supply is [bold]short[/bold].",
        "verified": True,
    }
    return fields | changes


def sentence(text, checked, *citations, judged_by="rules"):
    return {"text": text, "checked": checked, "citations": citations, "judged_by": judged_by}


def answer(**changes):
    fields = {
        "answer": "Supply is [red]short[/red]. [1]",
        "found": True,
        "sentences": [sentence("Supply is [red]short[/red].", "exact", 1)],
        "removed": [],
        "citations": [citation()],
        "timings_ms": {"total": 1234.5},
        "mode": "extractive",
        "confidence": 0.756,
        "usage": {"tokens": 0, "usd": 0.0},
        "degraded": [],
    }
    return fields | changes


@pytest.mark.parametrize(
    ("usage", "shown"),
    [
        ({"usd": 0.0}, "$0.0000"),  # of a release that did not say
        ({"usd": 0.0, "priced": True}, "$0.0000"),
        ({"usd": 0.0, "priced": False}, "cost not counted"),
        ({"usd": 0.2, "priced": False}, "$0.2000 and what is not"),
    ],
)
def test_a_cost_that_is_not_known_is_not_0(usage, shown, capsys):
    print_answer(answer(usage={"tokens": 7, **usage}, degraded=[NO_PRICE]))
    assert f"7 tokens, {shown}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("pages", "section", "shown"),
    [
        ([], [], "report.pdf"),
        ([3], [], "report.pdf, page 3"),
        ([3, 4], ["Risks", "Supply"], "report.pdf, pages 3, 4, Risks > Supply"),
        ([], ["Risks"], "report.pdf, Risks"),
    ],
)
def test_a_place_is_document_pages_and_section(pages, section, shown):
    assert terminal.place("report.pdf", pages, section) == shown


def test_a_printed_page_number_stands_beside_the_page_s_own():
    shown = terminal.place("report.pdf", [3, 4], [], ["iii", "1"])
    assert shown == "report.pdf, pages 3, 4 (labelled iii, 1)"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("short", "short"), ("two\n  lines", "two lines"), ("0123456789", "0123456789"),
     ("01234567890", "012345678…")],
)  # fmt: skip
def test_a_long_text_is_clipped_to_one_line(text, shown):
    assert terminal.clip(text, 10) == shown


@pytest.mark.parametrize(
    ("changes", "line"),
    [
        ({}, "READY       report.pdf  12 pages, 40 passages"),
        ({"pages": 0}, "READY       report.pdf  40 passages"),
        ({"status": "PARSING"}, "PARSING     report.pdf"),
        (
            {
                "status": "FAILED",
                "error": {"code": "no_text", "message": "No text.", "action": "Use OCR."},
            },
            "FAILED      report.pdf  no_text: No text. Use OCR.",
        ),
        (
            {"usd": 0.0042},
            "READY       report.pdf  12 pages, 40 passages, $0.0042",
        ),
        (
            {"warnings": ["one", "two", "three", "four"]},
            f"READY       report.pdf  12 pages, 40 passages{WARNED}{MORE}",
        ),
    ],
)
def test_a_document_is_a_line(changes, line):
    assert document_line(record(**changes)).plain == line


def test_an_answer_names_each_citation_and_whether_it_was_checked(capsys):
    second = citation(n=2, verified=False, section=[], quote="x" * 300)
    print_answer(answer(citations=[citation(), second], degraded=["no re-ranking"]))
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "Supply is [red]short[/red]. [1]"
    assert lines[1] == "  [1] ✓ report.pdf, page 3, Risks > Supply"
    assert lines[2].strip() == "“Supply is [bold]short[/bold].”"
    assert lines[3:] == [
        "  [2] ✗ report.pdf, page 3",
        f"      “{'x' * 239}…”",
        "  extractive, 1 word for word, confidence 0.76, 1.2 s, 0 tokens, $0.0000",
        "  note: no re-ranking",
    ]


def test_an_answer_tells_what_was_removed_and_what_a_row_s_figures_are(capsys):
    row = citation(quote="Costs | 3 | 2", header=["Item", "2025", "2024"], row="Costs")
    print_answer(
        answer(
            citations=[row],
            sentences=[
                sentence("Costs | 3 | 2", "exact", 1),
                sentence("Costs rose.", "confirmed", 1),
                sentence("Costs rose by 1.", "confirmed", 1, judged_by="model"),
                sentence("The documents do not say more.", None),
            ],
            removed=[{"text": "Costs were [b]4[/b].", "reason": "“4” is not in the passage"}],
        )
    )
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[-4:-1] == [
        "“Costs | 3 | 2”",
        "columns: Item | 2025 | 2024",
        "removed: “Costs were [b]4[/b].”: “4” is not in the passage",
    ]
    counted = "1 word for word, 1 confirmed by rules, 1 confirmed by a model"
    assert lines[-1].startswith(f"extractive, {counted}, confidence 0.76")


def test_what_ocr_read_has_no_tick_also_among_what_was_checked(capsys):
    doubts = [{"start": 10, "end": 15, "reason": "unsure", "other": ""}]
    scan = citation(n=2, quote="Supply is short.", read="ocr", doubts=doubts)
    lost = citation(n=3, quote="Supply.", read="ocr", doubts=[], verified=False)
    kept = [
        sentence("Supply is short.", "exact", 1),
        sentence("It is.", "ocr", 2),
        sentence("So it was.", "ocr", 3),
    ]
    values = [
        {"field": "supply", "value": "short", "read": "ocr"},
        {"field": "demand", "value": 7, "read": "text"},
    ]
    made = answer(
        citations=[citation(), scan, lost], sentences=kept, data={"supply": "short"}, fields=values
    )
    print_answer(made)
    lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
    assert lines[4] == 'supply: "short", read by OCR: compare with the page'
    assert not any(line.startswith("demand") for line in lines)
    assert lines[5:] == [
        "[1] ✓ report.pdf, page 3, Risks > Supply",
        "“Supply is [bold]short[/bold].”",
        "[2] OCR report.pdf, page 3, Risks > Supply",
        "“Supply is short [?].”",
        "read by OCR: compare with the page",
        "short: OCR is not sure of this figure",
        "[3] ✗ report.pdf, page 3, Risks > Supply",
        "“Supply.”",
        "read by OCR: compare with the page",
        "extractive, 1 word for word, 2 read by OCR, confidence 0.76, 1.2 s, 0 tokens, $0.0000",
    ]
    assert sources(made)[:2] == [
        "[1] report.pdf, page 3, Risks > Supply",
        "[2] report.pdf, page 3, Risks > Supply (read by OCR: compare with the page)",
    ]


def test_what_nothing_confirms_has_its_own_mark_and_its_whole_quote(capsys):
    long = f"Supply was {'very ' * 60}short."
    made = answer(
        answer="Supply is short. [1] It ran out. [2][1] It never came back. [2]",
        sentences=[
            sentence("Supply is short.", "exact", 1),
            sentence("It ran out.", "unconfirmed", 2, 1),
            sentence("It never came back.", "unconfirmed", 2),
        ],
        citations=[citation(), citation(n=2, quote=long)],
    )
    print_answer(made)
    open_ = "? not confirmed"
    assert capsys.readouterr().out.splitlines() == [
        f"Supply is short. [1] It ran out. [2][1] {open_} It never came back. [2] {open_}",
        "  [1] ✓ report.pdf, page 3, Risks > Supply",
        "      “Supply is [bold]short[/bold].”",
        "  [2] ? report.pdf, page 3, Risks > Supply",
        f"      “{long}”",
        "      not confirmed: compare it with its quote",
        "  extractive, 1 word for word, 2 not confirmed, confidence 0.76, 1.2 s, 0 tokens, $0.0000",
    ]
    assert sources(made) == [
        "[1] report.pdf, page 3, Risks > Supply",
        "[2] report.pdf, page 3, Risks > Supply (not confirmed: compare it with its quote)",
    ]


def test_the_nearest_passages_are_headed_so_and_have_no_mark(capsys):
    print_answer(answer(outcome="nearest"))
    assert capsys.readouterr().out.splitlines() == [
        "Nearest passages, not an answer",
        "Supply is [red]short[/red]. [1]",
        "  [1] · report.pdf, page 3, Risks > Supply",
        "      “Supply is [bold]short[/bold].”",
        "  extractive, confidence 0.76, 1.2 s, 0 tokens, $0.0000",
    ]


def test_a_failed_check_never_reads_as_if_the_documents_did_not_say_it(capsys):
    said = "The documents do not say. Looked for: supply."
    wrong = {"text": "Supply is 9.", "reason": "“9” is not in the passage"}
    lost = {"answer": said, "found": False, "sentences": [sentence(said, None)], "citations": []}
    for removed, shown in (
        ([wrong], f"{NOT_HELD} Looked for: supply."),
        ([wrong | {"field": "supply"}], said),
        ([], said),
    ):
        print_answer(answer(**lost, removed=removed))
        assert capsys.readouterr().out.splitlines()[0] == shown


def test_rows_of_a_table_are_one_table_with_a_citation_a_row(capsys):
    columns = ["Stop", "Single (crowns)"]
    rows = [
        citation(n=n, quote=quote, header=columns, row=quote.split(" ")[0])
        for n, quote in ((2, "Quay | 2.70"), (3, "Mill of Wexmoor | 3.60"))
    ]
    print_answer(
        answer(
            answer="They are these. [1]\n\nStop | Single (crowns) [1]\n\nQuay | 2.70 [2]\n\n"
            "Mill of Wexmoor | 3.60 [3]",
            sentences=[
                sentence("They are these.", "exact", 1),
                sentence("Stop | Single (crowns)", "exact", 1),
                sentence("Quay | 2.70", "exact", 2),
                sentence("Mill of Wexmoor | 3.60", "unconfirmed", 3),
            ],
            citations=[citation(), *rows],
        )
    )
    assert capsys.readouterr().out.splitlines()[:6] == [
        "They are these. [1]",
        "",
        "Stop             Single (crowns)",
        "Quay             2.70            [2]",
        "Mill of Wexmoor  3.60            [3] ? not confirmed",
        "  [1] ✓ report.pdf, page 3, Risks > Supply",
    ]


def test_lines_are_broken_for_a_terminal_and_not_for_a_pipe(capsys, monkeypatch):
    long = "word " * 60
    terminal.make_console().print(long)
    assert capsys.readouterr().out == f"{long}\n"
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    terminal.make_console().print(long)
    assert len(capsys.readouterr().out.splitlines()) == 4


def test_where_no_model_read_or_wrote_a_word_its_price_matters_not(capsys):
    print_answer(answer(estimate={"priced": False}))
    assert ", 0 tokens, $0.0000\n" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("usd", "priced", "shown"),
    [(0.0, False, ["cost not counted"] * 2), (0.5, True, ["$0.500000"] * 2),
     (0.5, False, ["$0.500000", "$0.500000 and what is not counted"])],
)  # fmt: skip
def test_an_estimate_without_a_price_is_not_free(capsys, usd, priced, shown):
    spent = {"tokens": 900, "usd": usd}
    print_expected({"by_task": {"plan": spent}, **spent, "priced": priced, "notes": []})
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" tokens  ")[1] for line in lines] == shown
    notes = [] if priced else [NO_PRICE]
    told = {"mode": "openai", **spent, "priced": priced, "notes": notes}
    print_event({"kind": "estimate", "data": told})
    assert ("not counted" in capsys.readouterr().err) is not priced


def test_hits_are_numbered_with_place_and_score(capsys):
    hit = {
        "rank": 1,
        "document": "[red]report[/red].pdf",
        "pages": [3],
        "labels": [],
        "section": [],
        "score": 0.5,
        "text": "Supply [link]is short.",
    }
    print_hits({"hits": [hit], "strategy": "hybrid", "took_ms": 7.1})
    assert [line.rstrip() for line in capsys.readouterr().out.splitlines()] == [
        " 1. [red]report[/red].pdf, page 3  0.500",
        "    Supply [link]is short.",
        "1 hits, hybrid, 7.1 ms",
    ]


def test_what_auto_took_and_what_a_named_page_added_is_shown(capsys):
    hit = {
        "rank": 1,
        "document": "a.pdf",
        "pages": [7],
        "labels": [],
        "section": [],
        "score": 0.5,
        "text": "Supply.",
        "explain": {"legs": [], "signals": [{"signal": "page", "added": 0.25}]},
    }
    chosen = {"strategy": "lexical", "why": "the question is a quotation"}
    found = {"hits": [hit], "strategy": "auto", "took_ms": 7.1, "chosen": chosen}
    print_hits(found)
    assert [line.strip() for line in capsys.readouterr().out.splitlines()][2:] == [
        "page      adds 0.250",
        "1 hits, auto, 7.1 ms",
        "by lexical: the question is a quotation",
    ]


@pytest.mark.parametrize(
    ("kind", "data", "shown"),
    [
        ("plan", {"kind": "retrieve", "questions": ["Why?"]}, "plan: retrieve"),
        (
            "plan",
            {"kind": "retrieve", "questions": ["Why?", "When?"]},
            "plan: retrieve\n      Why?\n      When?",
        ),
        (
            "found",
            {"question": "Why?", "passages": 5, "best": 0.868, "ms": 212.4},
            "found: 5 passages, best 0.87, 212 ms: Why?",
        ),
        (
            "found",
            {"question": "Why?", "passages": 5, "best": 0.868, "ms": 212.4, "n": 2, "of": 3},
            "found 2 of 3: 5 passages, best 0.87, 212 ms: Why?",
        ),
        (
            "verdict",
            {"decision": "expand", "round": 1, "verdicts": [{"missing": "a date"}]},
            "verdict: expand in round 1: a date",
        ),
        ("answered", {"citations": 2, "removed": 0}, "answered: 2 citations"),
        (
            "answered",
            {"citations": 3, "ocr": 1, "removed": 0},
            "answered: 2 citations, 1 citation read by OCR: compare with the page",
        ),
        (
            "answered",
            {"citations": 2, "ocr": 2, "removed": 0},
            "answered: 2 citations read by OCR: compare with the page",
        ),
        (
            "answered",
            {"citations": 2, "removed": 1},
            "answered: 2 citations, 1 sentence removed",
        ),
        ("failed", {"code": "unavailable", "message": "no"}, "failed: unavailable: no"),
        (
            "words",
            {"text": "It is\nso. [1]", "read": "text", "checked": "exact", "judged_by": "rules"},
            "✓ word for word: It is so. [1]",
        ),
        (
            "words",
            {"text": "It is. [1]", "read": "text", "checked": "confirmed", "judged_by": "model"},
            "✓ confirmed by a model: It is. [1]",
        ),
        (
            "words",
            {"text": "It is. [1]", "read": "text", "checked": "unconfirmed"},
            "? not confirmed: It is. [1]",
        ),
        ("words", {"text": "It is. [1]", "read": "ocr"}, "OCR read by OCR: It is. [1]"),
        ("restart", {}, "it is written anew: the sentences so far are void"),
    ],
)
def test_an_event_reads_as_a_line(capsys, kind, data, shown):
    print_event({"kind": kind, "data": data})
    assert capsys.readouterr().err == f"  · {shown}\n"


def test_words_of_which_nobody_says_how_they_were_checked_are_shown_by_the_answer_alone(capsys):
    print_event({"kind": "words", "data": {"text": "84 crowns"}})
    assert capsys.readouterr().err == ""


OBEYED = "a\x1b]8;;http://evil.example\x07b\x1b[31m\u202ec\td\x9b"


def test_no_text_of_a_document_is_obeyed_by_the_terminal(capsys):
    cited = citation(document=OBEYED, quote=OBEYED, section=[OBEYED], header=[OBEYED])
    wrong = [{"text": OBEYED, "reason": OBEYED}]
    said = {"answer": OBEYED, "sentences": [sentence(OBEYED, "exact", 1)]}
    print_answer(answer(**said, citations=[cited], removed=wrong, degraded=[OBEYED]))
    print_documents([record(document=OBEYED, warnings=[OBEYED])])
    print_event({"kind": "failed", "data": {"code": "x", "message": OBEYED}})
    shown = "".join(capsys.readouterr())
    assert shown.count("evil.example") == 11
    assert not [char for char in shown if char != "\n" and not char.isprintable()]


def test_a_refused_file_is_named_in_short(capsys):
    error = BadRequestError("too long", code="path_too_long", action="Rename it.")
    print_refusal("n" * 200, error)
    said = capsys.readouterr().err.split()
    assert said == ["REFUSED", f"{'n' * 79}…", *["path_too_long:", "too", "long", "Rename", "it."]]


def test_progress_ends_with_a_line_for_each_file(capsys):
    with AddProgress() as progress:
        progress.begin("d1", "n" * 100)
        progress.note(record(status="PARSING"))
        progress.note(record(status="INDEXING", parts={"done": 1, "of": 4}))
        [task] = progress._progress.tasks
        assert (task.completed, task.fields["name"]) == (6.25, f"…{'n' * 59}")
        progress.note(record(status="INDEXING", parts={"done": 0, "of": 0}))
        assert task.completed == 5
        progress.note(record())
        progress.note(record(id="never begun", document="other.pdf", status="PARSING"))
        progress.note(record(id="never begun", document="other.pdf"))
        assert progress._progress.tasks == []
    words = " ".join(capsys.readouterr().err.split())
    assert words == "READY report.pdf 12 pages, 40 passages READY other.pdf 12 pages, 40 passages"


def test_json_keeps_every_letter(capsys):
    terminal.print_json({"document": "ü [1]"})
    assert json.loads(capsys.readouterr().out) == {"document": "ü [1]"}
    assert terminal.headline("[x]").plain == "[x]"
