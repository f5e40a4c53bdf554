"""Measures what OCR reads right and what it costs. `-s` prints it.

The pages are those of real reports, turned into pictures, and of a real scan.
"""

import resource
import time

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.ocr import tessdata
from footnote.ingest.parse.ocr.tesseract import Tesseract
from footnote.ingest.parse.pdf.ocr import draw_page
from tests.conftest import ROOT
from tests.scans import error_rate, scan_pages
from tests.unit.test_shared_documents import SCAN

DOCS = ROOT.parent / "shared" / "data" / "docs"
REPORTS = [
    # prose and tables; two columns of prose, and a figure full of formulas; charts; a press release
    ("NETFLIX_2015_10K.pdf", [3, 30, 40]),
    ("10Q_2022_Q3_NVDA.pdf", [2, 3, 20]),
    ("2023.acl-long.386.pdf", [0, 3]),
    ("PIP_Seniors-and-Tech-Use_040314.pdf", [2, 5, 8]),
    ("ULTABEAUTY_2023Q4_EARNINGS.pdf", [0, 2, 5]),
]
pytestmark = [
    pytest.mark.skipif(not DOCS.is_dir(), reason="../shared/data is not there"),
    pytest.mark.skipif(tessdata.folder() is None, reason="no OCR language data: `make setup`"),
    pytest.mark.timeout(600),
]


def read(body, name):
    started = time.process_time()
    document = parse(body, name).document
    seconds = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
    words = len(document.text.split())
    print(
        f"\n{name}: {len(document.pages)} pages, {len(document.pages) / seconds:.2f} pages/s,"
        f" {words} words, {1000 * seconds / words:.1f} ms/word, peak {peak} MB",
        end="",
    )
    return document, seconds


@pytest.mark.parametrize(("name", "pages"), REPORTS, ids=[name for name, _ in REPORTS])
def test_characters_of_a_report_that_are_read_wrong(name, pages):
    with pymupdf.open(DOCS / name) as file:
        made = scan_pages(file, pages)
        file.select(pages)
        text = parse(file.tobytes(), name).document.text
    document, seconds = read(made.tobytes(), name)
    in_order = error_rate(text, document.text)
    # the character error also counts text read in another order; missing words are OCR's own errors
    wanted, found = text.split(), document.text.split()
    missing = [word for word in set(wanted) if word not in set(found)]
    print(f", character error {in_order:.2%}, words missing {len(missing) / len(set(wanted)):.2%}")
    assert len(missing) < 0.15 * len(set(wanted))  # the page with a figure; prose is below 0.05
    assert seconds < 25 * len(pages)


def test_words_of_a_scan_nobody_has_typed():
    document, seconds = read((DOCS / SCAN).read_bytes(), SCAN)
    print(f"; {document.warnings}")
    assert len(document.text.split()) > 500
    assert seconds < 100


def test_one_language_takes_less_than_all_at_once_and_reads_no_worse():
    spent, missing, wanted = [0.0, 0.0], [0, 0], 0
    reader = Tesseract(tessdata.folder())
    for name, pages in REPORTS:
        with pymupdf.open(DOCS / name) as file:
            shown, text = draw_page(file[pages[-1]]), set(file[pages[-1]].get_text().split())
        wanted += len(text)
        for way, likely in enumerate(("en", None)):
            started = time.process_time()
            found = reader.read(shown, likely) if likely else reader.read_at_once(shown)
            spent[way] += time.process_time() - started
            seen = {word.text for line in found.lines for word in line.words}
            missing[way] += len(text - seen)
    shares = [
        f"{seconds:.1f} s, {lost / wanted:.2%} missing"
        for seconds, lost in zip(spent, missing, strict=True)
    ]
    print(
        f"\n{len(REPORTS)} pages in their language: {shares[0]}; in all at once: {shares[1]}",
        end="",
    )
    assert spent[0] < spent[1]
    assert missing[0] < missing[1] + 0.01 * wanted
