"""PDF: prose that flows around a table or a chart is read before it, not line by line with it."""

import pytest

from footnote.ingest.parse.pdf.asides import part_asides
from footnote.ingest.parse.pdf.page_items import Fragment, Word
from tests.pdfs import Pages

FULL = (
    "These lines are as wide as the page, which tells that what stands beside is a box of its own"
)
PROSE = (
    "Older travellers take the ferry",
    "more often than the bridge, and",
    "most of them say that they like",
    "the view of the harbour better",
    "than the toll, which has been",
    "raised twice in the last years",
    "by the town.",
)
ROWS = (
    *(("Age", "Ferry", "Bridge"), ("18 to 29", "12", "88"), ("30 to 49", "24", "76")),
    *(("50 to 64", "47", "53"), ("65 and older", "71", "29")),
)


@pytest.fixture
def pdf():
    return Pages()


def lines(texts, x=72, top=140, step=14):
    return [(x, top + step * n, text) for n, text in enumerate(texts)]


def table(rows, x=300, top=140, step=17, width=90):
    return [
        (x + width * m, top + step * n, cell)
        for n, row in enumerate(rows)
        for m, cell in enumerate(row)
    ]


def test_prose_beside_a_table_is_whole_and_the_table_has_its_own_rows(pdf):
    pdf.page((72, 100, FULL), (72, 114, FULL), *lines(PROSE), *table(ROWS), (72, 238, FULL))
    found = pdf.document()
    assert " ".join(PROSE) in " ".join(found.text.split())
    assert [each.rows for each in found.tables] == [ROWS]
    where = [found.text.index(PROSE[0]), found.text.index("18 to 29"), found.text.rindex(FULL)]
    assert where == sorted(where)
    assert found.text.count(FULL) == 3


def test_each_box_of_a_page_is_read_after_the_prose_beside_it(pdf):
    other = tuple((f"{a} years", b) for a, b in (("5", "1"), ("6", "2"), ("7", "3"), ("8", "4")))
    later = tuple(text.replace("ferry", "train") for text in PROSE)
    pdf.page(
        *(*lines(PROSE), *table(ROWS), (72, 250, FULL)),
        *(*lines(later, top=270), *table(other, top=270)),
    )
    found = pdf.document()
    text = " ".join(found.text.split())
    assert " ".join(PROSE) in text and " ".join(later) in text
    assert [each.rows for each in found.tables] == [ROWS, other]


def test_paragraphs_and_bullets_beside_a_chart_stay_together(pdf):
    bullets = (
        "and those who cross at night do so",
        "because it is cheaper then, which",
        "the town",
    )
    ticks = [(330 + 30 * n, 270, str(2010 + n)) for n in range(6)]
    pdf.page(
        (72, 100, FULL),
        *lines(PROSE),
        *lines(bullets, x=90, top=252),
        *ticks,
        *table([("100",), ("50",), ("0",)], step=50),
    )
    text = " ".join(pdf.document().text.split())
    assert " ".join((*PROSE, *bullets)) in text
    assert " ".join(PROSE[:3]) in text


def test_long_labels_of_a_table_keep_their_figures(pdf):
    labels = tuple(f"Income of ferries from harbour {n}" for n in "ABCDEFGH")
    rows = tuple((label, str(n), str(2 * n)) for n, label in enumerate(labels, 3))
    cells = [*lines(labels), *table([row[1:] for row in rows], step=14)]
    pdf.page((72, 100, FULL), *cells)
    assert [each.rows for each in pdf.document().tables] == [rows]


def test_a_single_row_beside_prose_stays_in_its_line(pdf):
    pdf.page((72, 100, FULL), *lines(PROSE), *table(ROWS[:1]), (72, 260, FULL))
    assert f"{PROSE[0]} | Age | Ferry | Bridge" in pdf.document().text


def test_a_table_of_texts_is_no_box(pdf):
    texts = tuple(f"Which the town of {name} has denied twice" for name in "ABCDEFG")
    beside = [(300 + 7 * n, 140 + 14 * n, text) for n, text in enumerate(texts)]
    pdf.page((72, 100, FULL), *lines(PROSE), *beside, (72, 260, FULL))
    assert f"{PROSE[0]} | {texts[0]}" in pdf.document().text


def fragment(x, y, text):
    words = tuple(Word(x, y, x + 5 * len(text), y + 10, word) for word in text.split())
    return Fragment(x, y, x + 5 * len(text), y + 10, words, 10.0, bold=False, upright=True)


@pytest.mark.parametrize(("marks", "parts"), [(4, 2), (990, 3), (1_000, 1)])
def test_an_area_of_thousands_of_marks_is_not_looked_at(marks, parts):
    left = [fragment(*line) for line in lines(PROSE, top=0)]
    right = [fragment(300 + 6 * (n % 40), 4 * (n // 40), "x") for n in range(marks)]
    assert len(list(part_asides([*left, *right]))) == parts


def test_a_label_of_few_lines_is_read_with_its_row(pdf):
    rows = (("2024", "2025"), ("84", "86"), ("12", "13"))
    pdf.page((72, 100, FULL), *lines(PROSE[:3]), *table(rows, step=14))
    assert f"{PROSE[0]} | 2024 | 2025" in pdf.document().text
