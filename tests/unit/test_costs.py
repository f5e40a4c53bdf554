"""`footnote estimate`: what it counts and prices, and what it says when it cannot."""

import io
import json
import sys
import zipfile

import pytest
from rich.console import Console
from typer.testing import CliRunner

from footnote.cli import commands
from footnote.cli.estimate import estimate_files
from footnote.errors import ConfigurationError, NotFoundError
from footnote.ingest.chunk.chunk import chunk
from footnote.ingest.costs import Estimate, Prices, estimate, total
from footnote.ingest.parse import parse
from footnote.model import Revision
from footnote.wiring import bootstrap
from tests.scans import PROSE, scan_pages, typed_page
from tests.unit.faces import Words, small
from tests.unit.test_situate import LEASE, Says, pipeline

PRICES = Prices(page_usd=0.0015, model="m", input_usd=0.1, output_usd=0.5)
COUNT = Words().count


def run(*words, ends=0):
    result = CliRunner().invoke(commands.app, ["estimate", *map(str, words)])
    if isinstance(result.exception, Exception):
        raise result.exception
    assert result.exit_code == ends, result.output
    return result.stdout


def test_a_file_is_counted_as_the_steps_would_cut_it():
    document = parse(LEASE.encode(), "lease.md").document
    chunks = chunk(document, Revision(key="a/b/lease.md", version="v", sequencer="1"), COUNT)
    found = estimate(LEASE.encode(), "lease.md", COUNT, PRICES)
    assert (found.chunks, found.tokens, found.pages, found.ocr_pages, found.ocr_usd) == (
        len(chunks), sum(COUNT([one.indexed_text for one in chunks])), 0, 0, 0.0,
    )  # fmt: skip
    assert found.stored > found.size == len(LEASE.encode())


def test_the_calls_for_lines_are_those_that_are_made():
    llm = Says("NONE")
    record = pipeline(llm).upload("acme/default/lease.md", LEASE.encode())
    found = estimate(LEASE.encode(), "lease.md", COUNT, PRICES)
    sent = sum(len(asked.system) + len(asked.prompt) for asked in llm.requests)
    assert found.line_calls == len(llm.requests) == record.chunks
    assert found.line_input_tokens == -(-sent * 10 // 35)
    assert found.line_usd == pytest.approx(
        (found.line_input_tokens * 0.1 + 40 * found.line_calls * 0.5) / 1e6
    )


def test_pages_without_text_are_counted_and_not_read():
    file = typed_page(PROSE)
    file.insert_pdf(scan_pages(typed_page(PROSE)))
    file.insert_pdf(scan_pages(typed_page(PROSE)))
    file.new_page()
    found = estimate(file.tobytes(), "mixed.pdf", COUNT, PRICES)
    assert (found.pages, found.ocr_pages, found.ocr_usd) == (4, 2, 0.003)
    alone = estimate(typed_page(PROSE).tobytes(), "one.pdf", COUNT, PRICES)
    assert (found.chunks, found.tokens) == (alone.chunks + 14, alone.tokens + 2_000)


def test_a_scan_and_scans_in_archives_are_no_error():
    scan = scan_pages(typed_page(PROSE)).tobytes()
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("a.pdf", scan)
        archive.writestr("b.pdf", scan)
    alone = estimate(scan, "scan.pdf", COUNT, PRICES)
    packed = estimate(body.getvalue(), "scans.zip", COUNT, PRICES)
    assert (alone.error, alone.pages, alone.ocr_pages) == (None, 1, 1)
    assert (packed.error, packed.ocr_pages, packed.ocr_usd) == (None, 2, 0.003)


def test_a_file_that_would_not_be_read_says_why_and_costs_nothing():
    found = estimate(b"MZ\x90\x00program", "a.exe", COUNT, PRICES)
    assert found.error.code == "unsupported"
    assert found == Estimate(document="a.exe", size=11, error=found.error)


def test_files_add_up_and_an_unknown_price_makes_an_unknown_sum():
    unknown = Prices(page_usd=0.0015, model="x", input_usd=None, output_usd=None)
    one = estimate(LEASE.encode(), "lease.md", COUNT, PRICES)
    both = total([one, one])
    assert (both.chunks, both.tokens, both.line_usd, both.stored) == (
        2 * one.chunks, 2 * one.tokens, pytest.approx(2 * one.line_usd), 2 * one.stored,
    )  # fmt: skip
    assert total([one, estimate(LEASE.encode(), "a.md", COUNT, unknown)]).line_usd is None
    assert total([]) == Estimate(document="")


# -- the command ---------------------------------------------------------------------------------


@pytest.fixture
def files(tmp_path):
    small()
    (tmp_path / "lease.md").write_text(LEASE)
    (tmp_path / "scan.pdf").write_bytes(scan_pages(typed_page(PROSE)).tobytes())
    return tmp_path


def test_the_command_prints_each_file_and_the_sum_for_people(files):
    printed = run(files)
    rows = [line.split()[0] for line in printed.splitlines()]
    assert rows[:4] == ["document", "lease.md", "scan.pdf", "all"]
    assert "1 pages: $0.0015 with OcrProvider=textract, else free" in " ".join(printed.split())
    assert "free embedding by the models that footnote carries" in " ".join(printed.split())


def test_the_command_prints_json_for_scripts(files):
    printed = json.loads(run(files, "--json"))
    assert [one["document"] for one in printed["documents"]] == ["lease.md", "scan.pdf"]
    assert printed["total"]["ocr_usd"] == 0.0015
    assert printed["prices"] == {
        "page_usd": 0.0015,
        "model": "claude-haiku-5-5",
        "input_usd": 0.1,
        "output_usd": 0.5,
    }
    assert printed["total"]["line_usd"] == pytest.approx(
        sum(one["line_usd"] for one in printed["documents"])
    )


def test_another_model_has_another_price_and_one_we_do_not_know_says_so(files):
    dearer = json.loads(run(files, "--json", "--context-model", "claude-haiku-4-5"))
    cheap = json.loads(run(files, "--json"))
    assert dearer["total"]["line_usd"] == pytest.approx(10 * cheap["total"]["line_usd"])
    assert "price unknown" in run(files, "--context-model", "new-model")


def test_the_command_asks_nothing_of_a_deployment(files, monkeypatch):
    monkeypatch.setenv("FOOTNOTE_URL", "http://127.0.0.1:1")
    assert run(files)


def test_files_that_would_be_refused_are_named_and_end_with_1(files, monkeypatch):
    (files / "a.exe").write_bytes(b"MZ\x90\x00program")
    monkeypatch.setenv("FOOTNOTE_MAX_UPLOAD_BYTES", "2000")
    bootstrap.services.cache_clear()
    small()
    printed = json.loads(run(files, "--json", ends=1))
    codes = {d["document"]: (d["error"] or {}).get("code") for d in printed["documents"]}
    assert codes == {"a.exe": "unsupported", "lease.md": "too_large", "scan.pdf": "too_large"}
    assert "a.exe: unsupported: " in run(files, ends=1)


def test_a_file_that_cannot_be_opened_is_named_and_the_others_are_counted(files):
    paths = [(files / "gone.md", "gone.md"), (files / "lease.md", "lease.md")]
    gone, read = estimate_files(paths, "", Console())[0]
    assert (gone.error.code, str(files / "gone.md") in gone.error.message) == ("unreadable", True)
    assert read.error is None


def test_a_path_that_is_not_there_is_an_error(files):
    with pytest.raises(NotFoundError):
        run(files / "nothing")


def test_without_the_parsers_the_command_says_how_to_get_them(files, monkeypatch):
    monkeypatch.setitem(sys.modules, "pymupdf", None)
    for name in [name for name in sys.modules if name.startswith("footnote.ingest.parse.pdf")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(ConfigurationError) as refused:
        run(files)
    assert (refused.value.code, "pymupdf" in refused.value.message) == ("no_parsers", True)
    assert "make setup" in refused.value.action
