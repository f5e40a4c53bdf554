import re
from pathlib import Path

import pytest

from footnote.text.part_names import PARTS, name_parts, part_of

PAGE = Path("web/footnote_web/js/format.js")


@pytest.mark.parametrize(
    ("document", "part"),
    [
        ("a/stock.xlsx", "sheet"),
        ("STOCK.CSV", "sheet"),
        ("talk.v2.odp", "slide"),
        ("report.pdf", "page"),
        ("xlsx", "page"),
        ("", "page"),
    ],
)
def test_a_part_is_called_by_the_ending_of_the_file(document, part):
    assert part_of(document) == part


def test_numbers_and_labels_are_named():
    assert name_parts("report.pdf", [3]) == "page 3"
    assert name_parts("report.pdf", ["iv", "v"]) == "pages iv, v"
    assert name_parts("stock.xlsx", (1, 2)) == "sheets 1, 2"
    assert name_parts("talk.pptx", []) == ""


def test_a_label_that_names_a_file_is_said_alone():
    inside = ["terms.pdf, page 3", "stock.xlsx, sheet 1"]
    assert name_parts("mail.eml", inside) == "terms.pdf, page 3; stock.xlsx, sheet 1"


def test_the_page_calls_the_parts_of_the_same_files_so():
    rows = re.findall(r"\[/\\\.\(([a-z|]+)\)\$/i, \"(\w+)\"\]", PAGE.read_text())
    assert {part: tuple(endings.split("|")) for endings, part in rows} == PARTS
