"""The comparison with independent readers: what it counts, and what it says of each file."""

import json
from pathlib import Path

import pytest

from evals import reading
from evals.office_readers import Shown
from evals.reading import (
    Compared,
    Read,
    compare,
    compare_all,
    files_of,
    judge,
    read_file,
    show_files,
)  # fmt: skip
from footnote.ingest.parse.builder import DocumentBuilder


def test_a_word_counts_as_often_as_it_stands_there():
    found = compare(Path("a.txt"), "one one Two", Shown("one two two three", "one two two three"))
    assert (found.found, found.wanted, found.fitting, found.ours) == (2, 4, 2, 3)
    assert (found.recall, round(found.precision, 2)) == (0.5, 0.67)
    assert (found.lost, found.added) == (("two", "three"), ("one",))


def test_what_may_be_found_is_no_surplus_and_no_loss():
    shown = Shown("moss", "moss comment")
    assert compare(Path("a.docx"), "moss comment", shown).precision == 1
    assert compare(Path("a.docx"), "moss", shown).recall == 1
    assert compare(Path("a.docx"), "comment", shown).recall == 0
    assert compare(Path("a.docx"), "moss hidden", shown).precision == 0.5


def test_headings_that_a_tool_sets_itself_are_no_surplus():
    text = "moss\n\nHeaders and footers\n\n### Notes:\n\nComment by Ann: wet"
    found = compare(Path("a.docx"), text, Shown("moss wet", "moss wet"))
    assert found.added == ()


def test_files_with_hardly_a_word_are_not_counted():
    few, many = Path("few.html"), Path("many.html")
    shown = {few: Shown("a b", "a b"), many: Shown("a " * 10, "a " * 10)}
    assert [each.file for each in compare_all(dict.fromkeys(shown, "a"), shown)] == [many]


def test_a_file_is_read_as_an_upload_is(tmp_path):
    good, bad = tmp_path / "good.txt", tmp_path / "bad.docx"
    good.write_text("Moss grows here.", encoding="utf-8")
    bad.write_bytes(b"PK\x03\x04 broken")
    assert read_file(good).text == "Moss grows here."
    assert read_file(bad).refusal.startswith("corrupt: bad.docx")


def test_only_a_loss_without_a_warning_is_one_in_silence(capsys):
    loss = Compared(Path("quiet.docx"), 1, 2, 1, 1, ("word",), ())
    warned = loss._replace(file=Path("warned.docx"))
    read = {loss.file: Read("text"), warned.file: Read("text", ("1 chart is not read. [chart]",))}
    show_files([loss, warned], read, 5)
    silent = capsys.readouterr().out.partition("losses in silence: 1 of 2 files")[2]
    assert "quiet.docx" in silent
    assert "warned.docx" not in silent


def test_files_are_judged_by_what_the_folder_expects(tmp_path):
    lines = [
        {"file": "a.txt", "must": ["two  words"], "must_not": ["gone"]},
        {"file": "b.txt", "must": ["there"], "must_not": ["two"]},
        {"file": "c.bin", "must": [], "must_not": []},
        {"file": "d.txt", "must": ["x"], "must_not": []},
    ]
    (tmp_path / "expect.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    for name, text in (("a.txt", "Two words: two words."), ("b.txt", "two"), ("c.bin", "text")):
        (tmp_path / name).write_text(text, encoding="utf-8")
    read = {file: read_file(file) for file in files_of(tmp_path)}
    assert [each.partition(":")[0] for each in judge(tmp_path, read)] == ["b.txt", "c.bin", "d.txt"]


def test_the_readers_want_programs_only_for_their_formats(monkeypatch):
    monkeypatch.setattr("evals.readers.shutil.which", lambda _: None)
    assert reading.missing([Path("a.eml"), Path("b.pdf")]) == []
    assert len(reading.missing([Path("a.docx"), Path("b.html")])) == 2


PAGE = (
    "<p>Moss grows on the north side of every stone wall here.</p>"
    "<table><tr><th>place<th>height<tr><td>harbour<td>12 mm</table>"
)
SHOWN = "Moss grows on the north side of every stone wall here. place height harbour 12 mm"


def lose(_builder, _rows, _header_rows):
    """Adds no table at all."""


def glue(builder, rows, _header_rows):
    """Adds a table as one word."""
    builder.paragraph("".join(map("".join, rows)))


@pytest.mark.parametrize(
    ("broken", "recall", "precision"), [(lose, 11 / 16, 1.0), (glue, 12 / 16, 12 / 13)]
)
def test_a_parser_that_is_broken_is_seen(tmp_path, monkeypatch, broken, recall, precision):
    path = tmp_path / "a.html"
    path.write_text(PAGE, encoding="utf-8")
    shown = {path: Shown(SHOWN, SHOWN)}
    whole = compare_all({path: read_file(path).text}, shown)[0]
    assert (whole.recall, whole.precision) == (1, 1)
    monkeypatch.setattr(DocumentBuilder, "table", broken)
    less = compare_all({path: read_file(path).text}, shown)[0]
    assert (less.recall, less.precision) == (recall, precision)
