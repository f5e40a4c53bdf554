"""PDF: reading order, tables by position, headers, hidden text, and locked files."""

import pymupdf
import pytest

from footnote.errors import BadDocumentError
from tests.pdfs import Pages

LEFT = (
    "The left column tells everybody a story about the little town by the sea where nobody ever"
    " wanted to live before the railway finally arrived there"
)
RIGHT = (
    "The right column describes the dreadful weather in that little town which was rainy almost"
    " every single day between September and following August"
)


@pytest.fixture
def pdf():
    return Pages()


def column(x, text, top=100):
    words = text.split()
    lines = [" ".join(words[i : i + 5]) for i in range(0, len(words), 5)]
    return [(x, top + 14 * i, line) for i, line in enumerate(lines)]


def test_cells_far_apart_stay_in_their_row(pdf):
    pdf.page(
        (72, 100, "Total current assets"), (350, 100, "$"), (380, 100, "5,466"),
        (450, 100, "4,587"),
        (72, 115, "Inventories"), (380, 115, "(12)"), (450, 115, "7"),
        (72, 130, "Cash"), (450, 130, "9"),
    )  # fmt: skip
    found = pdf.document()
    assert found.text == (
        "Total current assets | $ 5,466 | 4,587\nInventories | (12) | 7\nCash | 9"
    )
    assert found.tables[0].rows == (
        ("Total current assets", "$ 5,466", "4,587"),
        ("Inventories", "(12)", "7"),
        ("Cash", "", "9"),
    )


def test_columns_of_prose_are_read_one_after_the_other(pdf):
    pdf.page(*column(72, LEFT), *column(320, RIGHT))
    text = " ".join(pdf.document().text.split())
    assert text.index("town by the sea") < text.index("The right column")
    assert " | " not in text


def test_lines_of_a_paragraph_are_joined_and_broken_words_mended(pdf):
    pdf.page(
        (72, 100, "The engineers wanted to decom-"),
        (72, 113, "pose a well-known problem into well-"),
        (72, 126, "known parts that everybody knows"),
        (72, 160, "A new paragraph."),
    )
    assert pdf.document().text == (
        "The engineers wanted to decompose a well-known problem into well-known parts that"
        " everybody knows\n\nA new paragraph."
    )


def test_word_boxes_point_at_their_words(pdf):
    pdf.page((72, 100, "Hello there decom-"), (72, 113, "pose"))
    parsed = pdf.to_parsed()
    words = [parsed.document.text[box.start : box.end] for box in parsed.words[1]]
    assert words == ["Hello", "there", "decom", "pose"]
    first = parsed.words[1][0]
    assert (round(first.x0), 85 < first.y0 < 100 < first.y1 < 110) == (72, True)


def test_running_headers_and_page_numbers_are_left_out(pdf):
    for n in range(1, 6):
        text = (72, 300, f"Text number {n} is here.")
        pdf.page((72, 40, "Acme report 2025"), text, (300, 800, str(n + 10)))
    assert pdf.document().text == "\n\n".join(f"Text number {n} is here." for n in range(1, 6))


CHAPTERS = ("The year in brief", "The harbour", "Our people", "Risks", "The lamps")


def test_a_running_header_of_which_one_side_tells_the_chapter_is_left_out(pdf):
    for n, chapter in enumerate(CHAPTERS):
        head = [(72, 40, "Acme Harbours report"), (380, 40, chapter)]
        pdf.page(*head, (72, 200, chapter), (72, 300, f"Text {'abcde'[n]} is here."))
    text = pdf.document().text
    assert "Acme" not in text
    assert [text.count(chapter) for chapter in CHAPTERS] == [1] * 5


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Receipts of the harbours", "1{n}2,000"),  # a row of figures
        ("Responsible person", "Warden of {chapter}"),  # of a form
        ("Name", "Harbour of {chapter}"),  # the head of a table
        ("{chapter} and its harbour", "{chapter} and its lamps"),  # neither side recurs
    ],
)
def test_what_stands_in_the_margin_and_is_no_running_header_stays(pdf, left, right):
    for n, chapter in enumerate(CHAPTERS):
        told = {"n": n, "chapter": chapter}
        head = [(72, 40, left.format(**told)), (380, 40, right.format(**told))]
        pdf.page(*head, (72, 300, f"Text {'abcde'[n]} is here."))
    text = pdf.document().text
    for n, chapter in enumerate(CHAPTERS):
        assert right.format(n=n, chapter=chapter) in text


def test_headings_by_size_and_weight_are_sections(pdf):
    body = [(72, 130 + 14 * i, "Some plain text that fills the line well.") for i in range(9)]
    pdf.page((72, 100, "Overview", 18, "hebo"), *body, (72, 300, "Details", 11, "hebo"), *[
        (72, 330 + 14 * i, "More plain text that fills the line well.") for i in range(9)
    ])  # fmt: skip
    found = pdf.document()
    assert [(section.title, section.level) for section in found.sections] == [
        ("Overview", 1),
        ("Details", 2),
    ]
    assert found.title == "Overview"


def test_a_row_in_lower_case_is_a_heading_if_it_is_larger_and_bold_and_ends_no_sentence(pdf):
    body = "Some plain text that fills the line well."
    heads = [
        ("lamp.light([colour])", 14, "hebo"),
        ("lamp.colour", 11, "hebo"),
        ("lamp.code", 14, "helv"),
        ("the quay and all of its lamps.", 14, "hebo"),
    ]
    rows = [(72, 100, "The lamp", 18, "hebo"), (72, 130, body), (72, 144, body)]
    for n, head in enumerate(heads):
        rows += [(72, 200 + 100 * n, *head)]
        rows += [(72, 230 + 100 * n + 14 * i, body) for i in range(3)]
    pdf.page(*rows)
    assert [one.title for one in pdf.document().sections] == ["The lamp", "lamp.light([colour])"]


def test_the_outline_gives_the_sections_where_there_is_one(pdf):
    for n in range(1, 5):
        pdf.page((72, 100, f"Part {n}"), (72, 130, "Text."))
    pdf.file.set_toc([[1 if n == 1 else 2, f"Part {n}", n] for n in range(1, 5)])
    assert [(section.title, section.level) for section in pdf.document().sections] == [
        ("Part 1", 1), ("Part 2", 2), ("Part 3", 2), ("Part 4", 2),
    ]  # fmt: skip


def test_text_that_cannot_be_seen_is_left_out_with_a_warning(pdf):
    white = (11, "helv", (1, 1, 1))
    page = pdf.page((72, 100, "The warranty is 21 months."), (72, 200, "Ignore this.", *white))
    page.draw_rect((60, 280, 400, 320), fill=(0, 0, 0.4))
    page.insert_text((72, 300), "White on blue", color=(1, 1, 1))
    found = pdf.document()
    assert found.text == "The warranty is 21 months.\n\nWhite on blue"
    assert found.warnings == ("Page 1 has hidden text, which is left out.",)


def test_a_page_without_text_is_a_warning(pdf):
    pdf.page((72, 100, "One."))
    pdf.page()
    found = pdf.document()
    assert found.warnings == ("Page 2 has no text: blank or an image.",)
    assert [(page.start, page.end) for page in found.pages] == [(0, 4), (4, 4)]


def test_a_scan_is_refused(pdf):
    pdf.page()
    with pytest.raises(BadDocumentError, match="none of its 1 pages has text") as refused:
        pdf.to_parsed()
    assert refused.value.code == "no_text"


def test_a_password_is_asked_for_and_an_empty_one_is_not(pdf):
    pdf.page((72, 100, "Secret."))
    lock = {"encryption": pymupdf.PDF_ENCRYPT_AES_256, "owner_pw": "owner"}
    read = pdf.to_parsed(**lock, user_pw="").document
    assert (read.text, read.warnings) == ("Secret.", ())  # nothing of it was lost
    with pytest.raises(BadDocumentError) as refused:
        pdf.to_parsed(**lock, user_pw="user")
    assert refused.value.code == "encrypted"


def test_a_sentence_may_go_on_to_the_next_page(pdf):
    pdf.page((72, 100, "The agreement that was made"))
    pdf.page((72, 100, "in May ends in June."))
    assert pdf.document().text == "The agreement that was made\nin May ends in June."


def test_a_footer_is_known_on_pages_that_end_early(pdf):
    for n in range(1, 6):
        lines = [(72, 200 + 14 * i, f"Line {'abcdefgh'[i]} of {n * n}") for i in range(5 + n % 3)]
        pdf.page(*lines, (72, 420 + 30 * n, f"Acme Inc. Form 10-K {n + 3}"))
    text = pdf.document().text
    assert "Acme" not in text
    assert all(f"Line a of {n * n}" in text for n in range(1, 6))


def test_a_footer_with_a_date_and_the_number_of_pages_is_left_out(pdf):
    for n in range(1, 5):
        foot = f"Quay works, 28.02.2024, page {n} of 4"
        pdf.page((72, 200, f"Depot {'abcd'[n - 1]} is open."), (72, 770, foot))
    assert "Quay works" not in pdf.document().text


def test_slides_whose_titles_are_numbered_keep_them(pdf):
    for n in range(1, 6):
        pdf.page((72, 120, f"Step {n}", 20), (72, 300, "Do it."))
    assert [f"Step {n}" in pdf.document().text for n in range(1, 6)] == [True] * 5


def test_units_under_a_title_and_labels_in_a_table_are_no_headings(pdf):
    body = [(72, 300 + 14 * i, "Some plain text that fills the line well.") for i in range(9)]
    pdf.page(
        (72, 100, "Balance Sheets", 14, "hebo"), (72, 116, "(In millions)", 14, "hebo"),
        (300, 150, "2025"), (380, 150, "2024"),
        (72, 164, "Assets", 11, "hebo"), (72, 178, "Current assets:", 11, "hebo"),
        (72, 192, "Cash"), (300, 192, "1,234"), (380, 192, "987"),
        (72, 206, "Total"), (300, 206, "1,234"), (380, 206, "987"),
        *body,
    )  # fmt: skip
    found = pdf.document()
    assert [section.title for section in found.sections] == ["Balance Sheets"]
    assert [row[0] for row in found.tables[0].rows] == [
        "", "Assets", "Current assets:", "Cash", "Total",
    ]  # fmt: skip


def test_a_large_sentence_is_no_heading(pdf):
    body = [(72, 300 + 14 * i, "Some plain text that fills the line well.") for i in range(9)]
    pdf.page(
        (72, 100, "We sold more bicycles in this year than we did in any of", 14),
        (72, 117, "the years that came before it, and all of them in Spain.", 14), *body,
    )  # fmt: skip
    assert pdf.document().sections == ()
