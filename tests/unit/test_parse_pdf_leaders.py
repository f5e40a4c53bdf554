"""Dots between an entry and its page are no text; the figure behind them is a cell of its own."""

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.pdf import leaders
from footnote.ingest.parse.pdf.page import to_fragments
from footnote.ingest.parse.pdf.page_items import Word
from footnote.model import CELL, OcrLine, OcrWord
from footnote.text.sentences import sentences
from footnote.text.table_lines import contents_lines, read_lines

LEADERS = [
    "." * 40,
    " " + "." * 40,
    " . " * 20,
    ". " * 30,
    "_" * 40,
    "\u00b7" * 40,
    " \u00b7 " * 20,
]
ENTRIES = (("Frames and forks", "4"), ("Batteries", "17"), ("Shops and what they cost", "112"))


def words(line: str) -> list[Word]:
    """Places the words of a line, each character five points wide."""
    found, at = [], 0
    for text in line.split(" "):
        found += [Word(5.0 * at, 0, 5.0 * (at + len(text)), 10, text)] if text else []
        at += len(text) + 1
    return found


def cells(line: str) -> list[str]:
    return [" ".join(word.text for word in cell) for cell in leaders.split(words(line))]


@pytest.mark.parametrize("joint", ["", " "], ids=["glued", "apart"])
@pytest.mark.parametrize("leader", LEADERS)
def test_an_entry_and_its_figure_are_two_cells(leader, joint):
    for title, page in ENTRIES:
        assert cells(f"{title}{leader}{joint}{page}") == [title, page]


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Cash ...... $ 1,204 ...... $ 988", ["Cash", "$ 1,204", "$ 988"]),
        ("Loss.......(27) (31)", ["Loss", "(27) (31)"]),
        ("Reserves .......... \u2014", ["Reserves", "\u2014"]),
        ("Preface ........... ix", ["Preface", "ix"]),
        ("I, ____________ of ____________ agree", ["I, of agree"]),  # blanks of a form
        ("Name.......... Ada", ["Name Ada"]),
        ("........", []),
        (". . . . .", []),
        ("......... 12", ["12"]),
        ("He waited... and then . . went", ["He waited... and then . . went"]),
        ("quotes . . . . and goes on", ["quotes . . . . and goes on"]),
        ("x1, \u00b7 \u00b7 \u00b7 , xn", ["x1, \u00b7 \u00b7 \u00b7 , xn"]),
        ("Price: US$[________] per Share", ["Price: US$[________] per Share"]),
        ("Date:________ 2025", ["Date:", "2025"]),
        ("Version 1.2.3 of __init__ costs 0.5", ["Version 1.2.3 of __init__ costs 0.5"]),
    ],
)
def test_blanks_and_omissions_are_told_from_leaders(line, wanted):
    assert cells(line) == wanted


@pytest.mark.parametrize("leader", LEADERS)
def test_the_parts_of_a_word_lie_in_it_one_after_the_other(leader):
    line = f"Batteries{leader}17"
    title, page = (cell[0] for cell in leaders.split(words(line)))
    assert 0 == title.x0 < title.x1 <= page.x0 < page.x1 == 5 * len(line)


@pytest.mark.parametrize("leader", LEADERS)
def test_a_table_of_contents_is_read_as_one(leader):
    file = pymupdf.open()
    page = file.new_page()
    titles = ("Frames", "Forks", "Wheels", "Batteries", "Shops", "Service", "Prices")
    for n, title in enumerate(titles):
        page.insert_text((72, 72 + 20 * n), f"{title}{leader}{3 + 4 * n}")
    found = parse(file.tobytes(), "contents.pdf").document
    assert found.warnings == ()
    assert [line.split(" | ") for line in found.text.splitlines()] == [
        [title, str(3 + 4 * n)] for n, title in enumerate(titles)
    ]
    read = read_lines(found.text, sentences(found.text), CELL)
    assert len(contents_lines(read)) == len(titles)


def test_what_ocr_reads_is_parted_too():
    read = [
        OcrWord(x0=10.0 * n, y0=0, x1=10.0 * n + 9, y1=9, text=text)
        for n, text in enumerate(("Batteries", "........", "17"))
    ]
    found = to_fragments([OcrLine(words=tuple(read), size=9.0, upright=True)])
    assert [fragment.text for fragment in found] == ["Batteries", "17"]
