"""PDF: what stands between two rules of a table is one row, however many lines its cells take."""

from itertools import pairwise

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.pdf import ruled

EDGES = (60, 160, 330, 420)
HEIGHTS = (100, 130, 160, 190)
ROWS = (
    (("Line",), ("Route",), ("First car", "on workdays")),
    (("1",), ("Old Quay to", "Corn Gate"), ("04:52",)),
    (("2",), ("Corn Gate", "to Mill"), ("05:07",)),
)
READ = [
    "Line | Route | First car on workdays",
    "1 | Old Quay to Corn Gate | 04:52",
    "2 | Corn Gate to Mill | 05:07",
]


def by_lines(page, edges=EDGES, heights=HEIGHTS):
    for y in heights:
        page.draw_line((edges[0], y), (edges[-1], y))
    for x in edges:
        page.draw_line((x, heights[0]), (x, heights[-1]))


def by_boxes(page, edges=EDGES, heights=HEIGHTS):
    for top, bottom in pairwise(heights):
        for left, right in pairwise(edges):
            page.draw_rect((left, top, right, bottom))


def by_thin_boxes(page, edges=EDGES, heights=HEIGHTS):
    for y in heights:
        page.draw_rect((edges[0], y, edges[-1], y + 0.5), color=None, fill=(0, 0, 0))
    for x in edges:
        page.draw_rect((x, heights[0], x + 0.5, heights[-1]), color=None, fill=(0, 0, 0))


def write(page, rows=ROWS, edges=EDGES, heights=HEIGHTS):
    for row, top in zip(rows, heights, strict=False):
        for lines, left in zip(row, edges, strict=False):
            for n, line in enumerate(lines):
                page.insert_text((left + 4, top + 12 + 12 * n), line, fontsize=9)


def read_all(*draw, rotation=0):
    with pymupdf.open() as file:
        page = file.new_page()
        for one in draw:
            one(page)
        page.set_rotation(rotation)
        return parse(file.tobytes(), "made.pdf")


def read(*draw, rotation=0):
    return read_all(*draw, rotation=rotation).document


@pytest.mark.parametrize("rules", [by_lines, by_boxes, by_thin_boxes])
def test_a_row_has_all_lines_of_its_cells(rules):
    document = read(write, rules)
    assert document.text.splitlines() == READ
    [table] = document.tables
    assert table.rows == tuple(tuple(row.split(" | ")) for row in READ)


def test_without_rules_each_line_is_a_row():
    assert len(read(write).text.splitlines()) > len(READ)


def test_rows_of_sentences_are_no_columns_of_prose():
    rows = [
        ((f"Whoever stays at the {quay} quay",), (f"pays the warden of the {quay} gate",))
        for quay in ("north", "south", "east", "west", "old", "new")
    ]
    heights = range(100, 240, 20)

    def fill(page):
        write(page, rows, (60, 300), heights)
        by_lines(page, (60, 290, 520), heights)

    lines = read(fill).text.splitlines()
    assert lines == [f"{left} | {right}" for (left,), (right,) in rows]


def test_a_word_has_its_box_in_whatever_line_of_its_cell():
    parsed = read_all(write, by_lines)
    at = parsed.document.text.index("Corn Gate | 04:52")
    [box] = [word for word in parsed.words[1] if word.start == at]
    assert 163 <= box.x0 <= 166
    assert 140 <= box.y0 <= box.y1 <= 160  # the second line between the second and the third rule


def unlike(rows, edges=EDGES, heights=HEIGHTS, rules=by_lines):
    """Returns the text of rows with rules and without."""

    def fill(page):
        write(page, rows, edges, heights)

    return read(fill, lambda page: rules(page, edges, heights)).text, read(fill).text


def test_lines_of_figures_between_two_rules_stay_rows():
    heights = (100, 130, 200)
    rows = ((("Quay",), ("2025",), ("2024",)), (("Old", "New"), ("12", "15"), ("11", "14", "9")))
    with_rules, without = unlike(rows, heights=(*heights, 230))
    assert with_rules == without


def test_cells_of_as_many_lines_may_be_rows():
    rows = ((("Quay",), ("Warden",)), (("Old", "New"), ("Anna", "Bob")), (("Sum",), ("Two",)))
    with_rules, without = unlike(rows, (60, 160, 330))
    assert with_rules == without


def test_rules_between_some_columns_only_part_no_row():
    rows = tuple(((name,), ("412", ""), ("390",)) for name in ("Sales", "Costs", "Gain"))

    def rules(page, edges, heights):
        by_lines(page, (edges[0], edges[2], edges[3]), heights)

    with_rules, without = unlike(rows, rules=rules)
    assert with_rules == without == "Sales | 412 | 390\nCosts | 412 | 390\nGain | 412 | 390"


def test_a_word_across_a_rule_leaves_its_row_as_it_is():
    rows = (*ROWS[:2], (("2",), ("runs from here to the mill and on", "to sea"), ()))
    with_rules, _ = unlike(rows, (60, 160, 250, 420))
    assert "mill and on to sea" not in with_rules


NAMED = (*ROWS[:1], (("1",), ("Old Quay",), ("Anna",)), ((), ("Corn Gate", "to Mill"), ("Bob",)))


def test_a_cell_over_several_rows_makes_them_none():
    def fill(page):
        write(page, NAMED)
        by_lines(page, EDGES, (100, 130, 190))
        for _ in range(2):  # drawn twice, it is no longer
            page.draw_line((230, 160), (420, 160))

    text = read(fill).text
    assert "1 | Old Quay Corn Gate to Mill" not in text
    assert "Corn Gate to Mill" not in text

    def fill_whole(page):
        write(page, NAMED)
        by_lines(page)

    assert "Corn Gate to Mill | Bob" in read(fill_whole).text


def test_a_single_row_in_a_frame_is_no_table():
    with_rules, without = unlike(ROWS[1:2], heights=(100, 130))
    assert with_rules == without


def test_a_label_over_two_columns_is_one_cell():
    def rules(page):
        by_boxes(page, EDGES, HEIGHTS[1:])
        by_boxes(page, (EDGES[0], EDGES[1], EDGES[3]), HEIGHTS[:2])

    rows = ((("Line", "number"), (), ()), *ROWS[1:])

    def fill(page):
        write(page, rows)
        page.insert_text((230, 112), "Route and first car on workdays", fontsize=9)

    assert read(fill, rules).text.splitlines()[0] == (
        "Line number | Route and first car on workdays"
    )


def test_shades_are_no_rules():
    def shade(page):
        for top in HEIGHTS[:-1]:
            for left, right in pairwise(EDGES):
                area = (left, top, right, top + 30)
                page.draw_rect(area, color=None, fill=(0.9, 0.9, 0.9))

    assert read(shade, write).text == read(write).text


def test_turned_text_is_in_no_cell():
    def turn(page):
        page.insert_text((155, 185), "Lines", fontsize=9, rotate=90)

    lines = read(write, by_lines, turn).text.splitlines()
    assert [one for one in lines if one] == [*READ, "Lines"]


def test_long_text_in_a_frame_is_no_row():
    many = tuple(f"line {n} of a long text in a frame" for n in range(40))
    rows = ((("Quay",), ("Rules",)), (("Old",), many), (("New",), ("none",)))
    with_rules, without = unlike(rows, (60, 160, 420), (60, 90, 590, 620))
    assert with_rules == without


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_page_that_is_shown_turned_has_its_rules_where_its_words_are(rotation):
    assert read(write, by_lines, rotation=rotation).text.splitlines() == READ


def test_a_page_that_is_turned_to_be_read_is_read_by_its_words_alone():
    def turn(page):
        for n, (cell, more) in enumerate((("Quay", "of stone"), ("Mill", "of wood"), ("Sum", ""))):
            page.insert_text((112 + 60 * n, 700), cell, rotate=90)
            page.insert_text((126 + 60 * n, 700), more, rotate=90)
            page.insert_text((112 + 60 * n, 400), str(n + 4), rotate=90)

    def rules(page):
        by_lines(page, (90, 150, 210, 270), (380, 550, 720, 800))

    assert read(turn, rules).text == read(turn).text


def test_a_page_that_is_read_from_the_right_has_its_first_cell_first():
    rows = (("רציף", "הגשר הישן<br>של העיר"), ("שוק", "בכניסה"), ("מגדל", "בצפון"))

    def fill(page):
        for (first, second), top in zip(rows, (100, 160, 220), strict=True):
            page.insert_htmlbox((430, top, 520, top + 50), f"<p dir='rtl'>{first}</p>")
            page.insert_htmlbox((60, top, 420, top + 50), f"<p dir='rtl'>{second}</p>")
        by_lines(page, (60, 425, 530), (98, 158, 218, 278))

    lines = [line for line in read(fill).text.splitlines() if line]
    assert lines == [" | ".join(row).replace("<br>", " ") for row in rows]


def test_a_page_of_very_many_rules_is_read_by_its_words_alone():
    rules = [("l", (x, 0.0), (x, 30_000.0)) for x in (0, 50, 99)]
    rules += [("l", (0.0, 10.0 * n), (99.0, 10.0 * n)) for n in range(3_000)]
    assert len(ruled.bands([{"type": "s", "items": rules[:103]}])) == 99
    assert ruled.bands([{"type": "s", "items": rules}]) == []


def test_a_page_of_very_many_drawings_is_read_by_its_words_alone():
    def scatter(number):
        def draw(page):
            shape = page.new_shape()
            for n in range(number):
                shape.draw_line((n % 500, 400 + n % 300), (n % 500 + 2, 402 + n % 300))
                shape.finish()
            shape.commit()

        return draw

    assert read(write, by_lines, scatter(1_000)).text.splitlines() == READ
    assert read(write, by_lines, scatter(20_001)).text == read(write).text


def test_curves_and_slanted_lines_are_no_rules():
    def rules(page):
        by_lines(page)
        page.draw_line((60, 100), (420, 190))
        page.draw_bezier((60, 100), (100, 50), (200, 50), (420, 190))
        page.draw_quad(pymupdf.Quad((70, 300), (90, 310), (75, 330), (95, 340)))

    assert read(write, rules).text.splitlines() == READ
