"""Measures how many headings of a PDF are found by their type alone.

The outline, and in a second test the printed table of contents, is hidden from the parser and
compared with the headings found. `-s` prints it.
"""

import re
from itertools import groupby, pairwise
from typing import NamedTuple

import pymupdf
import pytest

from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.pdf import headings
from footnote.ingest.parse.pdf.ocr import Ocr
from footnote.ingest.parse.pdf.reader import Reader
from footnote.ingest.parse.pdf.running_headers import remove_running
from tests.conftest import ROOT

DATA = ROOT.parent / "shared" / "data"
# all files with an outline; those under odd/ were made to test PDF readers
OUTLINED = (
    "docs/watch_d.pdf", "docs/AMCOR_2023Q4_EARNINGS.pdf", "odd/pdfjs__nested_outline.pdf",
    "odd/pypdf__outlines-with-invalid-destinations.pdf",
    "odd/qpdf__linearization-large-vector-alloc.pdf",
)  # fmt: skip
REPORTS = sorted((DATA / "docs").glob("*10[KQ]*.pdf"))
_PAGE = re.compile(r"\d{1,3}\Z")
_FIRST = 6  # a table of contents may stand on one of these first pages
pytestmark = [
    pytest.mark.skipif(not DATA.is_dir(), reason="../shared/data is not there"),
    pytest.mark.timeout(600),
]


class Title(NamedTuple):
    page: int
    level: int
    letters: str


def letters(text):
    """Returns only a title's letters: its number and its punctuation need not agree."""
    return "".join(filter(str.isalpha, squeeze(text).casefold()))


def read(file):
    reader = Reader(Ocr(None))
    return remove_running(
        [reader.read(file, number).sheet for number in range(1, file.page_count + 1)]
    )


def find_titles(sheets):
    places = headings.headings(sheets, [])
    return [Title(s + 1, level, letters(t)) for (s, _), (t, level, _) in sorted(places.items())]


def outline(file):
    """Returns the outline's entries whose title can be read on the page to which they point."""
    titles = [Title(page, level, letters(title)) for level, title, page in file.get_toc()]
    return [
        title
        for title in titles
        if 1 <= title.page <= file.page_count
        and title.letters
        and title.letters in letters(file[title.page - 1].get_text())
    ]


def contents(sheets):
    """Returns the page of a printed table of contents and its titles; (0, []) without one."""
    for number, sheet in enumerate(sheets[:_FIRST], start=1):
        cells = [[" ".join(part.text for part in cell) for cell in row.cells] for row in sheet.rows]
        entries = [letters("".join(row[:-1])) for row in cells if _PAGE.match(row[-1]) and row[:-1]]
        if sum(len(entry) > 5 for entry in entries) >= 6:
            return number, [entry for entry in entries if len(entry) > 5]
    return 0, []


def test_entries_of_hidden_outlines_that_are_found():
    right = wanted_in_all = 0
    for name in OUTLINED:
        with pymupdf.open(DATA / name) as file:
            entries, wanted = len(file.get_toc()), outline(file)
            titles = find_titles(read(file))
        hits = [(one, title) for one in wanted for title in titles[:]
                if title.page == one.page and title.letters.endswith(one.letters)]  # fmt: skip
        hits = [next(pairs) for _, pairs in groupby(hits, key=lambda pair: pair[0])]
        pages = {one.page for one in wanted}
        there = [title for title in titles if title.page in pages]
        levels = order_agreement(hits)
        right += len(hits)
        wanted_in_all += len(wanted)
        print(
            f"\n{name}: {entries} entries, {len(wanted)} of them on their page, {len(hits)} found;"
            f" {len(there)} headings on these pages, nesting agrees {levels}",
            end="",
        )
    print(f"\nrecall {right / wanted_in_all:.1%}")
    assert right > 0.9 * wanted_in_all


def order_agreement(hits):
    """Counts the pairs of neighbours that change level the same way (up, down, not) in both."""
    steps = [
        (_sign(b[0].level - a[0].level), _sign(b[1].level - a[1].level)) for a, b in pairwise(hits)
    ]
    return f"{sum(x == y for x, y in steps)}/{len(steps)}"


def _sign(number):
    return (number > 0) - (number < 0)


def test_entries_of_printed_tables_of_contents_that_are_found():
    """Uses reports' own tables of contents; rules were improved by looking at every other one."""
    counts = {"looked at": [0, 0], "held out": [0, 0]}
    for i, path in enumerate(REPORTS):
        half = "held out" if i % 2 else "looked at"
        with pymupdf.open(path) as file:
            sheets = read(file)
        page, wanted = contents(sheets)
        titles = {title.letters for title in find_titles(sheets) if title.page != page}
        hits = [one for one in wanted if any(_is_same(one, title) for title in titles)]
        counts[half][0] += len(hits)
        counts[half][1] += len(wanted)
        print(f"\n{path.name}: {len(hits)} of {len(wanted)} ({half}), {len(titles)} found", end="")
        print([one for one in wanted if one not in hits] if half == "looked at" else "", end="")
    shares = {half: hits / max(total, 1) for half, (hits, total) in counts.items()}
    print(f"\n{shares}")
    assert min(shares.values()) > 0.8


def _is_same(entry, title):
    """Compares ends: a company's name may precede a title, and "Item 7" an entry."""
    return title.endswith(entry) or (len(title) > 9 and entry.endswith(title))
