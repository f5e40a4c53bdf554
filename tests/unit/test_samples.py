"""The sample documents: every format is there, and every question's passage is where it says.

Making the binary files again changes nothing.
"""

import csv
import json
import re
import subprocess
import sys
import unicodedata
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import docx
import openpyxl
import pptx
import pymupdf
import pytest
from lxml import html

from footnote.evaluation.cases import Gold, read_cases
from footnote.evaluation.words import holds

SAMPLES = Path(__file__).parents[2] / "samples"
DOCUMENTS = SAMPLES / "documents"
QUESTIONS = [
    json.loads(line) for line in (SAMPLES / "questions.jsonl").read_text("utf-8").splitlines()
]
GOLDEN = read_cases(SAMPLES / "golden.yaml").cases
GOLD = [pytest.param(place, id=case.id) for case in GOLDEN for place in case.gold]
MADE = sorted(path.name for path in DOCUMENTS.iterdir() if path.suffix in {
    ".pdf", ".docx", ".pptx", ".xlsx"
})  # fmt: skip
PAGED = {".pdf", ".pptx", ".xlsx"}


def pdf_pages(path: Path) -> list[str]:
    with pymupdf.open(path) as document:
        return [page.get_text() for page in document]


def docx_text(path: Path) -> list[str]:
    document = docx.Document(str(path))
    cells = [cell.text for table in document.tables for row in table.rows for cell in row.cells]
    return ["\n".join([*(paragraph.text for paragraph in document.paragraphs), *cells])]


def pptx_slides(path: Path) -> list[str]:
    return [slide_text(slide) for slide in pptx.Presentation(str(path)).slides]


def slide_text(slide: "pptx.slide.Slide") -> str:
    texts = [shape.text_frame.text for shape in slide.shapes if shape.has_text_frame]
    tables = [shape.table for shape in slide.shapes if shape.has_table]
    texts += [cell.text for table in tables for row in table.rows for cell in row.cells]
    return "\n".join([*texts, slide.notes_slide.notes_text_frame.text])


def xlsx_sheets(path: Path) -> list[str]:
    book = openpyxl.load_workbook(path, data_only=True)
    return [
        "\n".join(str(value) for row in sheet.iter_rows(values_only=True) for value in row)
        for sheet in book
    ]


def html_text(path: Path) -> list[str]:
    return [" ".join(html.fromstring(path.read_text("utf-8")).itertext())]


def plain_text(path: Path) -> list[str]:
    return [path.read_text("utf-8")]


EXTRACT: dict[str, Callable[[Path], list[str]]] = {
    ".pdf": pdf_pages,
    ".docx": docx_text,
    ".pptx": pptx_slides,
    ".xlsx": xlsx_sheets,
    ".html": html_text,
    ".md": plain_text,
    ".txt": plain_text,
    ".csv": plain_text,
}


def orders() -> list[dict[str, str]]:
    return list(csv.DictReader((DOCUMENTS / "orders-2026-q1.csv").read_text("utf-8").splitlines()))


@cache
def pages_of(path: Path) -> list[str]:
    pages = EXTRACT[path.suffix](path)
    return [re.sub(r"\s+", " ", unicodedata.normalize("NFC", page)) for page in pages]


def searched_pages(question: dict[str, object]) -> list[str]:
    """Returns the pages that the question names, and all of each document that has no pages."""
    names = question["documents"]
    paged = [name for name in names if Path(name).suffix in PAGED]
    flowing = [name for name in names if Path(name).suffix not in PAGED]
    pages = zip(paged, question["pages"], strict=True)
    named = [pages_of(DOCUMENTS / name)[number - 1] for name, number in pages]
    return named + [pages_of(DOCUMENTS / name)[0] for name in flowing]


def test_there_is_one_document_in_each_format() -> None:
    assert Counter(path.suffix for path in DOCUMENTS.iterdir()) == Counter(list(EXTRACT))


def test_the_documents_together_are_small() -> None:
    assert sum(path.stat().st_size for path in DOCUMENTS.iterdir()) < 400_000


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_every_passage_stands_where_its_question_says(question: dict[str, object]) -> None:
    pages = searched_pages(question)
    missing = [text for text in question["passages"] if not any(text in page for page in pages)]
    unused = [page[:60] for page in pages if not any(text in page for text in question["passages"])]
    assert (missing, unused) == ([], [])


@pytest.mark.parametrize("place", GOLD)
def test_every_place_of_the_golden_set_has_its_words(place: Gold) -> None:
    pages = pages_of(DOCUMENTS / place.document)
    assert place.page or Path(place.document).suffix not in PAGED
    assert holds(pages[(place.page or 1) - 1], place.sentence)


def test_the_golden_set_asks_for_all_that_should_not_break() -> None:
    tags = Counter(tag for case in GOLDEN for tag in case.tags)
    assert len(GOLDEN) >= 40
    asked = {"table", "list", "follow-up", "german", "absent", "two-documents", "scope"}
    assert asked | {path.suffix[1:] for path in DOCUMENTS.iterdir()} <= set(tags)
    assert sum(case.must_refuse for case in GOLDEN) >= 8
    assert any(place.box for case in GOLDEN for place in case.gold)


def test_only_answerable_questions_name_documents_and_passages() -> None:
    stated = {question["id"]: question["answerable"] for question in QUESTIONS}
    shown = {
        question["id"]: bool(question["documents"] and question["passages"])
        for question in QUESTIONS
    }
    assert stated == shown


def test_the_demo_asks_for_a_number_for_two_documents_and_for_something_absent() -> None:
    first_tags = [question["tags"][0] for question in QUESTIONS[:3]]
    assert first_tags == ["number", "two-documents", "absent"]


def test_what_the_demo_asks_last_is_in_no_document() -> None:
    text = " ".join(" ".join(pages_of(path)) for path in DOCUMENTS.iterdir()).lower()
    assert [word for word in ("insur", "warehouse", "flood") if word in text] == []


def test_every_question_asked_has_its_own_id() -> None:
    assert [question["id"] for question in QUESTIONS] == [
        f"s{number:02}" for number in range(1, len(QUESTIONS) + 1)
    ]


@pytest.fixture(scope="module")
def made_again(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("samples")
    maker = [sys.executable, "-B", str(SAMPLES / "make_samples.py"), str(folder)]
    subprocess.run(maker, check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("name", MADE)
def test_a_binary_file_made_again_has_the_same_text(name: str, made_again: Path) -> None:
    assert pages_of(made_again / name) == pages_of(DOCUMENTS / name)


def test_the_report_has_an_outline_of_two_levels_whose_titles_stand_on_their_pages() -> None:
    pages = pages_of(DOCUMENTS / "annual-report-2025.pdf")
    with pymupdf.open(DOCUMENTS / "annual-report-2025.pdf") as report:
        outline = report.get_toc()
    assert {level for level, _, _ in outline} == {1, 2}
    assert [title for _, title, page in outline if title not in pages[page - 1]] == []


def test_every_formula_of_the_budget_carries_the_value_it_computes() -> None:
    path = DOCUMENTS / "budget-2026.xlsx"
    formulas, values = openpyxl.load_workbook(path), openpyxl.load_workbook(path, data_only=True)
    checked = {
        (sheet.title, cell.coordinate): computed(cell.value, values[sheet.title])
        for sheet in formulas
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f"
    }
    stored = {(sheet, cell): values[sheet][cell].value for sheet, cell in checked}
    assert len(checked) == 26
    assert stored == pytest.approx(checked, abs=1e-6)


def computed(formula: str, sheet: "openpyxl.worksheet.worksheet.Worksheet") -> float:
    """Computes one of the budget's two kinds of formula: a sum, or two cells with -, + or /."""
    total = re.fullmatch(r"=SUM\((\w+:\w+)\)", formula)
    if total:
        return float(sum(cell.value for (cell,) in sheet[total[1]]))
    left, sign, right = re.fullmatch(r"=(\w+)([-+/])(\w+)(?:-1)?", formula).groups()
    one, other = sheet[left].value, sheet[right].value
    return {"+": one + other, "-": one - other, "/": one / other - 1}[sign]


def test_every_order_costs_its_quantity_times_its_price() -> None:
    rows = orders()
    totals = {row["order_id"]: float(row["total_gbp"]) for row in rows}
    assert len(totals) == 41
    assert totals == pytest.approx(
        {row["order_id"]: int(row["quantity"]) * float(row["unit_price_gbp"]) for row in rows}
    )


def test_the_largest_order_is_the_one_the_board_speaks_about() -> None:
    rows = orders()
    largest = max(rows, key=lambda row: int(row["quantity"]))
    described = [largest[name] for name in ("customer", "quantity", "product", "order_date")]
    transcript = (DOCUMENTS / "board-meeting-2026-02-24.txt").read_text("utf-8")
    assert described == ["Lumen Parcel", "120", "Badger", "2026-01-12"]
    assert "Lumen ordered 120 Badgers on 12 January, our largest single order" in transcript
