"""Real reports and odd files that come with the workshop, tested where they are present."""

import re
from collections import Counter

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.ocr import tessdata
from tests import odd
from tests.odd import ALLOWED, DATA, ODD

SCAN = "measuringsuccessonfacebooktwitterlinkedin-160317142140_95.pdf"
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not ODD, reason="../shared/data is not there"),
]


@pytest.fixture(scope="module")
def outcomes():
    """Parses every odd file in a watched process with limits. Returns the outcomes."""
    return odd.parse_odd()


def test_every_odd_file_ends_as_its_label_says(outcomes):
    wrong = {
        label["file"]: odd.result(outcome)
        for label, outcome in zip(ODD, outcomes, strict=True)
        if odd.result(outcome) not in ALLOWED[label["expect"]]
    }
    assert wrong == {}


def test_no_odd_file_makes_parsing_read_write_call_or_start_anything(outcomes):
    assert {outcome["file"]: seen for outcome in outcomes if (seen := outcome["seen"])} == {}
    assert [outcome["file"] for outcome in outcomes if odd.has_leaked(outcome)] == []


def test_every_odd_file_stays_within_its_memory_and_time(outcomes):
    assert [
        (outcome["file"], outcome["megabytes"], outcome["seconds"])
        for outcome in outcomes
        if outcome["megabytes"] > odd.MOST_MEGABYTES or outcome["seconds"] > odd.MOST_SECONDS
    ] == []


def test_what_must_be_in_an_odd_file_is_in_its_text(outcomes):
    missing = [
        label["file"]
        for label, outcome in zip(ODD, outcomes, strict=True)
        if label.get("must_contain", "") not in outcome.get("text", "")
        and outcome.get("code") != "corrupt"
        and label.get("must_contain")
    ]
    assert missing == []


def test_of_the_odd_mails_and_office_files_only_doc_and_ppt_are_not_read(outcomes):
    unread = [
        label["file"].rpartition(".")[2]
        for label, outcome in zip(ODD, outcomes, strict=True)
        if label["expect"] == "ok_or_unsupported" and outcome.get("code") == "unsupported"
    ]
    assert sorted(unread) == ["doc", "ppt"]


def test_every_refusal_says_what_to_do_next(outcomes):
    assert all(outcome["action"] for outcome in outcomes if "code" in outcome)


def test_a_scan_is_read_by_ocr():
    if tessdata.folder() is None:
        pytest.skip("no OCR language data: `make setup` installs it")
    with pymupdf.open(DATA / "docs" / SCAN) as file:
        file.select([0, 1, 2])
        document = parse(file.tobytes(), SCAN).document
    assert "Linkedin\n\nClass 3: New York University" in document.text  # of "&" it makes "€"
    assert document.warnings == (
        "Pages 1-3 have text that was read by OCR: check what matters on the page itself.",
    )
    assert [page.read for page in document.pages] == ["ocr"] * 3


def test_a_statement_s_rows_stay_together():
    name = "10Q_2022_Q3_NVDA.pdf"
    text = parse((DATA / "docs" / name).read_bytes(), name).document.text
    assert "Total current liabilities | 6,855 | 4,335" in text
    assert "Revenue | $ 5,931 | $ 7,103 | $ 20,923 | $ 19,271" in text


def test_columns_are_read_one_after_the_other():
    name = "2023.acl-long.386.pdf"
    document = parse((DATA / "docs" / name).read_bytes(), name).document
    assert "outperforms seven fact-checking baselines across different settings" in document.text
    assert "1 Introduction" in [section.title for section in document.sections]


@pytest.mark.parametrize("name", ["NETFLIX_2015_10K.pdf", "f86d073b0d735ac873a65d906ba82758.pdf"])
def test_hardly_a_word_of_a_report_is_lost(name):
    body = (DATA / "docs" / name).read_bytes()
    found = Counter(re.findall(r"\w+", parse(body, name).document.text))
    with pymupdf.open(stream=body, filetype="pdf") as file:
        words = Counter(w for page in file for w in re.findall(r"\w+", page.get_text()))
    lost = (words - found).total()
    # running headers and footers are left out, and words broken at line ends are joined
    assert lost < 0.015 * words.total()
