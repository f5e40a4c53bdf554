"""PDF: pages that are turned, cropped, or read from right to left or downwards."""

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.ocr import tessdata
from footnote.ingest.parse.pdf.page import read_layer
from tests.pdfs import Pages
from tests.scans import scan_pages

LINES = ["The first line of the page", "The second line of it", "And here is the last one"]


def misses(body, parsed):
    """Returns the words whose box has no ink on the rendered page."""
    missed = []
    with pymupdf.open(stream=body, filetype="pdf") as file:
        for number, boxes in parsed.words.items():
            page = file[number - 1]
            for box in boxes:
                assert page.rect.contains(pymupdf.Rect(box[:4]))
                drawn = page.get_pixmap(clip=pymupdf.Rect(box[:4]), colorspace=pymupdf.csGRAY)
                if not drawn.samples or min(drawn.samples) > 128:
                    missed.append(parsed.document.text[box.start : box.end])
    return missed


def turned(rotation, written=None, crop=None):
    """Makes a PDF whose page is shown turned by `rotation`, with lines that are upright then."""
    file = pymupdf.open()
    page = file.new_page(width=400, height=600)
    page.set_rotation(rotation)
    for i, line in enumerate(LINES):
        at = pymupdf.Point(60, 80 + 14 * i) * page.derotation_matrix
        page.insert_text(at, line, rotate=rotation if written is None else written)
    if crop:
        page.set_cropbox(crop)
    return file.tobytes()


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_rotated_page_is_read_in_order_and_its_boxes_lie_on_its_words(rotation):
    body = turned(rotation)
    parsed = parse(body, "made.pdf")
    assert parsed.document.text.split() == " ".join(LINES).split()
    assert misses(body, parsed) == []
    first = parsed.words[1][0]
    assert (round(first.x0), 60 < first.y0 < 80 < first.y1 < 90) == (60, True)


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_a_page_whose_text_lies_on_its_side_is_read_in_order(rotation):
    file = pymupdf.open()
    page = file.new_page(width=400, height=600)
    for i, line in enumerate(LINES):
        page.insert_text((100 + 14 * i, 400), line, rotate=90)
    page.set_rotation(rotation)
    body = file.tobytes()
    parsed = parse(body, "made.pdf")
    assert parsed.document.text.split() == " ".join(LINES).split()
    assert misses(body, parsed) == []
    shown = parsed.document.pages[0]
    assert (shown.width, shown.height) == ((600, 400) if rotation in {90, 270} else (400, 600))


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_boxes_of_a_cropped_page_count_from_its_visible_corner(rotation):
    body = turned(rotation, crop=(30, 40, 370, 560))
    parsed = parse(body, "made.pdf")
    assert parsed.document.text.split() == " ".join(LINES).split()
    assert misses(body, parsed) == []


def test_what_lies_outside_of_the_cropped_page_is_not_read():
    pdf = Pages()
    pdf.page((72, 100, "Inside."), (20, 20, "Outside.")).set_cropbox((50, 50, 400, 600))
    assert pdf.document().text == "Inside."


@pytest.mark.parametrize("rotation", [90, 270])
def test_boxes_of_a_rotated_scan_lie_on_its_words(rotation):
    if tessdata.folder() is None:
        pytest.skip("no OCR language data: `make setup` installs it")
    with pymupdf.open(stream=turned(0), filetype="pdf") as file:
        scan = scan_pages(file, [0])
    # the picture lies on its side in the file, which tells how to turn it
    page = scan[0]
    picture = page.get_pixmap(dpi=200).tobytes("png")
    made = pymupdf.open()
    side = made.new_page(width=page.rect.height, height=page.rect.width)
    side.insert_image(side.rect, stream=picture, rotate=rotation)
    side.set_rotation(rotation)
    body = made.tobytes()
    parsed = parse(body, "scan.pdf")
    assert parsed.document.text.split() == " ".join(LINES).split()
    assert misses(body, parsed) == []


def test_hebrew_is_read_from_right_to_left_with_its_numbers():
    file = pymupdf.open()
    page = file.new_page()
    html = "<p dir='rtl'>שלום עולם זה מסמך 2023 בעברית</p>"
    page.insert_htmlbox((72, 72, 500, 300), html)
    body = file.tobytes()
    parsed = parse(body, "made.pdf")
    assert parsed.document.text == "שלום עולם זה מסמך 2023 בעברית"
    assert misses(body, parsed) == []


def test_arabic_words_are_whole_and_in_letters_that_a_keyboard_types():
    file = pymupdf.open()
    page = file.new_page()
    page.insert_htmlbox((72, 72, 500, 300), "<p dir='rtl'>مرحبا هذا مستند رقم ١٢٣ و 456</p>")
    body = file.tobytes()
    parsed = parse(body, "made.pdf")
    assert parsed.document.text == "مرحبا هذا مستند رقم ١٢٣ و 456"
    assert parsed.document.language == "ar"
    assert misses(body, parsed) == []


def test_a_hebrew_table_has_its_first_column_first():
    file = pymupdf.open()
    page = file.new_page()
    for y, cells in ((100, ("נכסים", "2023", "2022")), (120, ("מזומן", "1,234", "987"))):
        for x, cell in zip((400, 250, 100), cells, strict=True):
            page.insert_htmlbox((x, y, x + 80, y + 18), f"<p dir='rtl'>{cell}</p>")
    assert parse(file.tobytes(), "made.pdf").document.tables[0].rows == (
        ("נכסים", "2023", "2022"),
        ("מזומן", "1,234", "987"),
    )


def test_chinese_and_japanese_lines_are_joined_without_blanks():
    file = pymupdf.open()
    page = file.new_page()
    page.insert_text((72, 100), "縦書きの文章は日本語で書か", fontname="japan")
    page.insert_text((72, 114), "れています。", fontname="japan")
    assert parse(file.tobytes(), "made.pdf").document.text == (
        "縦書きの文章は日本語で書かれています。"
    )


def test_japanese_that_runs_downwards_is_read_from_the_right():
    file = pymupdf.open()
    page = file.new_page(width=400, height=600)
    for i, column in enumerate(("日本語の文章です", "縦に書きます")):
        page.insert_text((300 - 18 * i, 60), column, fontname="japan")
    file.xref_set_key(page.get_fonts()[0][0], "Encoding", "/UniJIS-UTF16-V")
    body = file.tobytes()
    parsed = parse(body, "made.pdf")
    assert parsed.document.text == "日本語の文章です縦に書きます"
    assert misses(body, parsed) == []


@pytest.mark.parametrize("sign", [".", "-", "_", "* "])
def test_a_rule_along_the_margin_does_not_turn_the_page(sign):
    file = pymupdf.open()
    page = file.new_page()
    page.insert_text((72, 100), "The board approved the plan.")
    page.insert_text((580, 800), sign * 100, fontsize=6, rotate=90)
    assert parse(file.tobytes(), "made.pdf").document.text.startswith("The board approved")
    with pymupdf.open(stream=file.tobytes(), filetype="pdf") as made:
        assert read_layer(made[0]).turn == 0
