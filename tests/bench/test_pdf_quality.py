"""Measures words of real PDFs and cells of drawn tables against PyMuPDF. `-s` prints it.

Words are compared with PyMuPDF's own text. Cells must stand where they were drawn, and its
`find_tables` is measured beside them.
"""

import re
import time
import unicodedata
from collections import Counter

import pymupdf
import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.ingest.parse.pdf.ocr import Ocr
from footnote.ingest.parse.pdf.reader import Reader
from footnote.ingest.parse.pdf.running_headers import remove_running
from tests.conftest import ROOT
from tests.made_tables import CASES, count_right

DOCS = ROOT.parent / "shared" / "data" / "docs"
# A word that a line's end breaks is one word in both texts, and so is "well-known". A mark raised
# above a word is none of the word's letters.
_HYPHEN = re.compile(r"(?<=\w)[-\u00ad\u2010]\s*(?=\w)")
_WORD = re.compile(r"[^\W\d_]+|\d+")
pytestmark = pytest.mark.timeout(900)


def words(text):
    return Counter(_WORD.findall(_HYPHEN.sub("", unicodedata.normalize("NFKC", text))))


def running_words(body):
    """Counts the words of running headers and footers, which parsing leaves out on purpose."""
    with pymupdf.open(stream=body, filetype="pdf") as file:
        reader = Reader(Ocr(None))
        sheets = [reader.read(file, number).sheet for number in range(1, file.page_count + 1)]
    return _rows(sheets) - _rows(remove_running(sheets))


def _rows(sheets):
    return words("\n".join(row.text for sheet in sheets for row in sheet.rows))


@pytest.mark.skipif(not DOCS.is_dir(), reason="../shared/data is not there")
def test_words_agree_with_the_library_s_own_text():
    hits = total = 0
    below = {}
    for path in sorted(DOCS.glob("*.pdf")):
        body = path.read_bytes()
        with pymupdf.open(stream=body, filetype="pdf") as file:
            wanted = words("\n".join(page.get_text() for page in file))
        if not wanted:
            print(f"\n{path.name}: a scan, without a word to compare", end="")
            continue
        try:
            found = words(parse(body, path.name).document.text)
        except BadDocumentError:
            found = Counter()
        wanted -= running_words(body)
        same = (wanted & found).total()
        most = max(wanted.total(), found.total())
        hits, total = hits + same, total + most
        below |= {path.name: same / most} if same < 0.99 * most else {}
        print(f"\n{path.name}: {same / most:.2%} of {most}", end="")
    print(f"\nall: {hits / total:.3%} of {total}; below 99 %: {below}")
    assert hits > 0.99 * total
    assert below == {}


def test_cells_of_drawn_tables_stand_where_they_were_drawn():
    ours, theirs = [0, 0], [0, 0]
    spent = [0.0, 0.0]
    for name, make in CASES.items():
        made = make()
        wanted = [rows for rows, _ in made.tables]
        started = time.process_time()
        found = [table.rows for table in parse(made.body, "made.pdf").document.tables]
        spent[0] += time.process_time() - started
        started = time.process_time()
        with pymupdf.open(stream=made.body, filetype="pdf") as file:
            other = [
                tuple(tuple(cell or "" for cell in row) for row in table.extract())
                for page in file
                for table in page.find_tables().tables
            ]
        spent[1] += time.process_time() - started
        counts = count_right(found, wanted), count_right(other, wanted)
        for sums, count in zip((ours, theirs), counts, strict=True):
            sums[0] += count[0]
            sums[1] += count[1]
        print(f"\n{name}: {counts[0][0]}/{counts[0][1]}, find_tables {counts[1][0]}/{counts[1][1]}",
              end="")  # fmt: skip
    print(f"\nall: {ours[0] / ours[1]:.1%} in {spent[0]:.2f} s; find_tables"
          f" {theirs[0] / theirs[1]:.1%} in {spent[1]:.2f} s")  # fmt: skip
    assert ours[0] == ours[1]
