"""Grids as files, over the API, the client and the command line: all faces say the same."""

import csv
import io
import json

import openpyxl
import pytest
from typer.testing import CliRunner

from footnote.ask.grid.sheets import to_csv, to_xlsx
from footnote.ask.grid.summary import MAX_TEXT, cell_after
from footnote.ask.grid.table import Row, say_cell
from footnote.ask.grid.workbook import workbook
from footnote.cli import commands
from footnote.cli.connect import transport
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import (
    Answer,
    Cell,
    Citation,
    Coverage,
    Grid,
    Problem,
    QuestionRecord,
    Record,
    Scope,
    Sentence,
    Source,
    document_id,
)
from footnote.text.own_words import BY_MODEL
from tests.unit.faces import URL, InProcess, connect, small
from tests.unit.test_grids import CLUB, CLUBS, FEE, lease

SCOPE = Scope(tenant="acme")


@pytest.fixture
def pipeline():
    made = small()
    for path, fee in CLUBS.items():
        made.upload(f"acme/leases/{path}", lease(path[2:-3].title(), fee))
    return made


@pytest.fixture
def client(pipeline):
    with connect(pipeline) as made:
        yield made


@pytest.fixture
def run(pipeline, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_URL", URL)
    monkeypatch.setenv("FOOTNOTE_API_KEY", "acme-key")
    token = transport.set(InProcess(pipeline))

    def invoke(*words):
        return CliRunner().invoke(commands.app, [str(word) for word in words])

    yield invoke
    transport.reset(token)


def sheets(body):
    book = openpyxl.load_workbook(io.BytesIO(body))
    return {
        sheet.title: [[cell.value or "" for cell in row] for row in sheet.iter_rows()]
        for sheet in book
    }


def record_of(path, version="v1"):
    key = f"acme/leases/{path}"
    return Record(
        document_id=document_id(key),
        key=key,
        version=version,
        live_version=version,
        sequencer="1",
        status="READY",
    )


def cited(n, pages=(3,), quote="The fee is 84 crowns."):
    return Citation(
        n=n,
        document="a.pdf",
        document_id="d",
        collection="leases",
        version="v1",
        pages=pages,
        section=(),
        quote=quote,
        start=0,
        end=len(quote),
        verified=True,
    )


def ended(**fields):
    answer = Answer(id="q", **{"kind": "answer", "found": True, "answer": "", **fields})
    return QuestionRecord(
        question_id="q", tenant="acme", status="DONE", question=FEE, scope=SCOPE, answer=answer
    )


CELL = Cell(column=0, document_id="d", status="RUNNING", question_id="q", version="v1")


# -- an answer as a cell ---------------------------------------------------------------------------


def test_a_cell_shows_the_first_sentences_that_hold_with_the_weakest_fate():
    sentences = (
        Sentence(text="The fee is low.", citations=(2,), checked="unconfirmed"),
        Sentence(text="The fee is 84 crowns.", citations=(1,), checked="exact"),
        Sentence(text="It falls due in May.", citations=(2,), checked="ocr"),
        Sentence(text="x" * MAX_TEXT, citations=(2,), checked="exact"),
    )
    citations = (cited(1, (3, 4)), cited(2, (9,)))
    record = ended(outcome="answer", sentences=sentences, citations=citations, confidence=0.9)
    cell = cell_after(CELL, record)
    assert cell.text == "The fee is 84 crowns. It falls due in May."
    assert (cell.checked, cell.source.pages, cell.status) == ("ocr", (3, 4), "DONE")
    assert say_cell(cell, "rates.pdf") == f"{cell.text} [pages 3, 4, read by OCR]"


def test_where_no_sentence_holds_the_first_is_shown_as_not_confirmed():
    sentences = (Sentence(text="The fee is low.", citations=(1,), checked="unconfirmed"),)
    cell = cell_after(CELL, ended(outcome="answer", sentences=sentences, citations=(cited(1),)))
    assert say_cell(cell, "rates.pdf") == "The fee is low. [page 3, not confirmed]"


def test_a_cell_of_a_sheet_names_the_sheet():
    sentences = (Sentence(text="The fee is 84 crowns.", citations=(1,), checked="exact"),)
    cell = cell_after(CELL, ended(outcome="answer", sentences=sentences, citations=(cited(1),)))
    assert say_cell(cell, "rates.xlsx") == "The fee is 84 crowns. [sheet 3]"


def test_a_long_sentence_is_cut():
    sentences = (Sentence(text="long " * 200, citations=(1,), checked="exact"),)
    cell = cell_after(CELL, ended(outcome="answer", sentences=sentences, citations=(cited(1),)))
    assert len(cell.text) <= MAX_TEXT
    assert cell.text.endswith("long…")


def test_the_nearest_passage_is_shown_as_such():
    sentences = (
        Sentence(text="The berth is dry.", citations=(1,), checked="exact"),
        Sentence(text="The quay is wet.", citations=(2,), checked="exact"),
    )
    record = ended(found=False, outcome="nearest", sentences=sentences, citations=(cited(1),))
    assert (
        say_cell(cell_after(CELL, record), "rates.pdf")
        == "no answer, nearest: The berth is dry. [page 3]"
    )


def test_of_what_a_search_has_not_found_a_cell_says_no_more():
    refused = (Sentence(text="The documents do not say."),)
    record = ended(found=False, outcome="none", sentences=refused, answer=refused[0].text)
    assert say_cell(cell_after(CELL, record), "rates.pdf") == "no passage with these words"


def test_not_in_it_is_said_only_where_a_model_has_read_all_of_it():
    refused = (Sentence(text="Nothing was found."),)
    none = {"found": False, "outcome": "none", "sentences": refused, "answer": refused[0].text}
    read = {**none, "degraded": (BY_MODEL,)}
    whole, part = Coverage(documents=1, of=1), Coverage(documents=0, of=1, stopped="time")
    said = [
        say_cell(cell_after(CELL, ended(**case)), "rates.pdf")
        for case in ({**read, "coverage": whole}, {**read, "coverage": part}, read, none)
    ]
    assert said == ["not in it", *["no passage with these words"] * 3]


def test_a_question_back_and_a_failure_are_told():
    asked = ended(found=False, kind="clarify", answer="Which fee do you mean?")
    assert say_cell(cell_after(CELL, asked), "rates.pdf") == "asked back: Which fee do you mean?"
    problem = Problem(code="timeout", message="it took too long", action="Ask again.")
    failed = asked.model_copy(update={"status": "FAILED", "answer": None, "error": problem})
    assert say_cell(cell_after(CELL, failed), "rates.pdf") == "failed: timeout"
    assert [say_cell(one, "rates.pdf") for one in (None, CELL)] == ["", ""]


# -- files -----------------------------------------------------------------------------------------

FORMULAS = ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", " =1", '=HYPERLINK("x")')


def grid_with(texts):
    grid = Grid(id="g", tenant="acme", questions=(texts[0],), scope=SCOPE)
    cells = [
        Cell(
            column=0,
            document_id="d",
            status="DONE",
            outcome="answer",
            checked="exact",
            text=text,
            source=Source(quote=text),
        )
        for text in texts
    ]
    rows = [Row(record_of(f"={n}.md"), (cell,)) for n, cell in enumerate(cells)]
    return grid, rows


def test_no_text_of_a_csv_is_a_formula():
    lines = list(csv.reader(io.StringIO(to_csv(*grid_with(FORMULAS)))))
    texts = [text for line in lines for text in line]
    assert not [text for text in texts if text.lstrip().startswith(("=", "+", "-", "@"))]
    assert [line[2] for line in lines[1:]][:4] == ["'=1+1", "'+1", "'-1", "'@SUM(A1)"]
    assert lines[0] == ["document", "collection", "'=1+1"]


def test_no_cell_of_a_workbook_is_a_formula():
    book = openpyxl.load_workbook(io.BytesIO(to_xlsx(*grid_with(FORMULAS))))
    kinds = {cell.data_type for sheet in book for row in sheet.iter_rows() for cell in row}
    assert kinds <= {"s", "inlineStr", "n"}  # n: an empty one
    assert book["grid"]["C2"].value == "=1+1"


def test_a_workbook_holds_any_text_and_is_the_same_each_time():
    lines = [["a & <b>", "é 漢 \U0001f980", "two\nlines"], ["", "x" * 40_000, "'q'"]]
    body = workbook({'one & "two"': lines, "empty": []})
    assert body == workbook({'one & "two"': lines, "empty": []})
    found = sheets(body)
    assert list(found) == ['one & "two"', "empty"]
    assert found['one & "two"'] == [lines[0], ["", "x" * 32_767, "'q'"]]


def test_controls_never_reach_a_file():
    grid, rows = grid_with(["bell \x07 and \x0b, half \ud83e, back \u202e"])
    for lines in sheets(to_xlsx(grid, rows)).values():
        assert "\x07" not in str(lines) and "\u202e" not in str(lines)
    assert "\x07" not in to_csv(grid, rows)


# -- faces -----------------------------------------------------------------------------------------


def test_the_client_makes_follows_and_reads_a_grid(client):
    started = client.start_grid([FEE, CLUB], collection="leases", name="fees")
    assert (started["name"], started["documents"], "rows" in started) == ("fees", 3, False)
    *_, last = client.follow_grid(started["id"])
    assert (last["status"], last["counts"]["answered"]) == ("DONE", 6)
    whole = client.grid(started["id"])
    assert [row["document"] for row in whole["rows"]] == list(CLUBS)
    cell = whole["rows"][0]["cells"][0]
    assert cell["shown"] == cell["text"] == "The harbour fee for a barge is 84 crowns."
    assert cell["citation"]["quote"] == cell["text"]
    assert client.question(cell["question_id"])["citations"]
    [entry] = client.grids()
    assert (entry["id"], entry["questions"]) == (started["id"], [FEE, CLUB])


def test_rows_come_page_by_page(client, monkeypatch):
    monkeypatch.setattr("footnote.api.grid_views.PAGE", 2)
    grid = client.start_grid([FEE], collection="leases")["id"]
    assert [row["document"] for row in client.grid(grid)["rows"]] == list(CLUBS)
    with pytest.raises(BadRequestError, match="not a page"):
        client._api.call("GET", f"grids/{grid}", params={"after": "nowhere"})


def test_a_budget_and_an_estimate(client):
    expected = client.estimate_grid([FEE, CLUB], collection="leases")
    assert (expected["documents"], expected["cells"], expected["usd"]) == (3, 6, 0)
    assert client.start_grid([FEE], collection="leases", budget={"usd": 0.01})["documents"] == 3
    with pytest.raises(BadRequestError):
        client.start_grid([FEE], budget={"usd": 0})


def test_a_repeated_request_makes_one_grid(pipeline, client):
    headers = {"idempotency-key": "k-1"}
    body = {"questions": [FEE], "collection": "leases"}
    first, second = (
        client._api.call("POST", "grids", json=body, headers=headers)["id"] for _ in range(2)
    )
    assert first == second
    assert len(list(client.grids())) == 1


def test_exports_hold_what_the_grid_shows(client):
    grid = client.start_grid([FEE, CLUB], collection="leases")["id"]
    table = [
        [row["document"], row["collection"], *(cell["shown"] for cell in row["cells"])]
        for row in client.grid(grid)["rows"]
    ]
    head = ["document", "collection", FEE, CLUB]
    book = sheets(client.export_grid(grid))
    assert book["grid"] == [head, *table]
    quotes = {line[7] for line in book["citations"][1:]}
    assert quotes == {cell for line in table for cell in line[2:]}
    text = client.export_grid(grid, "csv").decode()
    assert list(csv.reader(io.StringIO(text))) == [head, *table]
    whole = json.loads(client.export_grid(grid, "json"))
    assert whole["rows"] == client.grid(grid)["rows"]
    browser = client._api.http.get(f"grids/{grid}/export", headers={"accept": "*/*"})
    assert browser.status_code == 302
    with pytest.raises(BadRequestError, match="not a format of grids"):
        client.export_grid(grid, "docx")


def test_another_tenant_finds_no_grid(pipeline, client):
    grid = client.start_grid([FEE], collection="leases")["id"]
    with connect(pipeline, "other-key") as other:
        for call in (other.grid, other.fill_grid, other.stop_grid, other.delete_grid):
            with pytest.raises(NotFoundError):
                call(grid)


def test_the_command_line_writes_a_grid_to_a_file(run, tmp_path):
    questions, out = tmp_path / "questions.txt", tmp_path / "grid.xlsx"
    questions.write_text(f"# what we ask\n{FEE}\n\n  {CLUB}\n")
    made = run(
        "grid", questions, "--collection", "leases", "--document", "a-marten.md", "--out", out
    )
    assert made.exit_code == 0, made.output
    assert sheets(out.read_bytes())["grid"][1][2] == "The harbour fee for a barge is 84 crowns."
    listed = json.loads(run("grids", "--json").stdout)["grids"]
    assert [entry["questions"] for entry in listed] == [[FEE, CLUB]]


def test_the_command_line_shows_fills_asks_again_stops_and_deletes(run, pipeline, tmp_path):
    questions = tmp_path / "questions.txt"
    questions.write_text(FEE)
    made = json.loads(run("grid", questions, "--collection", "leases", "--json").stdout)
    assert (made["status"], len(made["rows"])) == ("DONE", 3)
    pipeline.upload("acme/leases/z-quill.md", lease("Quill", 41))
    shown = run("grids", "fill", made["id"]).stdout
    assert "z-quill.md" in shown
    assert "The harbour fee for a barge is 41 crowns." in shown
    again = json.loads(run("grids", "again", made["id"], "a-marten.md", 1, "--json").stdout)
    before, after = (grid["rows"][0]["cells"][0]["question_id"] for grid in (made, again))
    assert before != after
    assert json.loads(run("grids", "stop", made["id"], "--json").stdout)["stopped"] == 0
    assert run("grids", "show", made["id"]).stdout == shown
    assert json.loads(run("grids", "delete", made["id"], "--json").stdout)["deleted"] == 4
    assert "no grids yet" in run("grids").stdout


def test_an_estimate_on_the_command_line_asks_nothing(run, client, tmp_path):
    questions = tmp_path / "questions.txt"
    questions.write_text(FEE)
    said = run("grid", questions, "--collection", "leases", "--estimate").stdout
    assert said.startswith("3 cells of 3 documents: 0 tokens, $0.0000")
    assert list(client.grids()) == []


@pytest.mark.parametrize(
    ("text", "out"),
    [(None, "x.csv"), ("\n# nothing\n", "x.csv"), (FEE, "x.pdf"), (FEE, "no/x.csv")],
)
def test_a_file_that_cannot_be_read_or_written_is_refused_before_anything_is_asked(
    run, client, tmp_path, text, out
):
    questions = tmp_path / "questions.txt"
    if text is not None:
        questions.write_text(text)
    failed = run("grid", questions, "--out", tmp_path / out)
    assert isinstance(failed.exception, BadRequestError)
    assert list(client.grids()) == []
