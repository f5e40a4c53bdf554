"""PDF: superscripts, broken words, drop capitals, forms, layers, hidden content."""

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.text.terms import numbers
from tests.pdfs import Pages


@pytest.fixture
def pdf():
    return Pages()


def width(text, size=11):
    return pymupdf.get_text_length(text, fontsize=size)


def test_a_raised_figure_is_not_part_of_its_word_or_number(pdf):
    pdf.page(
        (72, 100, "Revenue"), (72 + width("Revenue"), 96, "1", 6),
        (120, 100, "grew to 5,466"), (120 + width("grew to 5,466"), 96, "2", 6),
        (195, 100, "in all."), (195 + width("in all."), 96, "(a)", 6),
    )  # fmt: skip
    parsed = pdf.to_parsed()
    assert parsed.document.text == "Revenue ¹ grew to 5,466 ² in all. ⁽ᵃ⁾"
    assert numbers(parsed.document.text) == {"5466"}
    boxes = {parsed.document.text[b.start : b.end]: b for b in parsed.words[1]}
    assert boxes["5,466"].x1 <= boxes["²"].x0 + 0.01


def test_an_ordinal_s_raised_letters_stay_with_their_number(pdf):
    pdf.page((72, 100, "The 4"), (72 + width("The 4"), 96, "th", 6), (110, 100, "quarter"))
    assert pdf.document().text == "The 4th quarter"


def test_a_lowered_figure_stays_with_its_formula(pdf):
    pdf.page((72, 100, "CO"), (72 + width("CO"), 103, "2", 6), (96, 100, "is a gas"))
    assert pdf.document().text == "CO2 is a gas"


def test_a_word_that_breaks_over_two_columns_is_mended(pdf):
    left = ["The left column tells everybody", "about the little town by the sea",
            "where nobody ever wanted to live", "before the railway finally came",
            "and people began to appre-"]  # fmt: skip
    right = ["ciate the weather there which", "was rainy almost every single day",
             "between September and August", "of the following year and this",
             "is where the whole story ends."]  # fmt: skip
    pdf.page(
        *[(72, 100 + 14 * i, line) for i, line in enumerate(left)],
        *[(320, 100 + 14 * i, line) for i, line in enumerate(right)],
    )
    text = " ".join(pdf.document().text.split())
    assert "began to appre- ciate" not in text
    assert "began to appreciate the weather" in text


def test_a_word_that_breaks_over_two_pages_is_mended_and_has_a_box_on_each(pdf):
    pdf.page((72, 100, "The engineers wanted to decom-"))
    pdf.page((72, 100, "pose the problem."))
    parsed = pdf.to_parsed()
    text = parsed.document.text
    assert text == "The engineers wanted to decompose the problem."
    last, first = parsed.words[1][-1], parsed.words[2][0]
    assert (text[last.start : last.end], text[first.start : first.end]) == ("decom", "pose")
    assert [text[page.start : page.end] for page in parsed.document.pages] == [
        "The engineers wanted to decom",
        "pose the problem.",
    ]


def test_soft_hyphens_and_ligatures_leave_plain_words():
    file = pymupdf.open()
    page = file.new_page()
    page.insert_htmlbox((72, 72, 400, 200), "<p>An eﬃcient oﬀice with a soft\u00adhyphen ﬁle</p>")
    text = parse(file.tobytes(), "made.pdf").document.text
    assert text == "An efficient office with a softhyphen file"


def test_a_drop_capital_is_the_first_letter_of_its_word(pdf):
    pdf.page(
        (72, 122, "T", 36), (98, 100, "he story of the town begins in the year"),
        (98, 114, "in which the railway came to the sea and"),
        (72, 128, "all the people of the valley moved to the coast."),
    )  # fmt: skip
    assert pdf.document().text.startswith("The story of the town begins in the year in which")


def test_values_of_a_form_and_notes_written_on_a_page_are_its_text(pdf):
    page = pdf.page((72, 72, "Name:"))
    field = pymupdf.Widget()
    field.field_name, field.field_type = "name", pymupdf.PDF_WIDGET_TYPE_TEXT
    field.rect, field.field_value = pymupdf.Rect(120, 60, 300, 80), "Ada Lovelace"
    field.text_fontsize = 11
    page.add_widget(field)
    page.add_freetext_annot((72, 150, 300, 170), "Approved in May")
    text = pdf.document().text
    assert "Ada Lovelace" in text
    assert "Approved in May" in text


def test_a_layer_that_is_switched_off_is_not_read(pdf):
    page = pdf.page()
    page.insert_text((72, 72), "Draft.", oc=pdf.file.add_ocg("draft", on=False))
    page.insert_text((72, 92), "Final.", oc=pdf.file.add_ocg("final", on=True))
    assert pdf.document().text == "Final."


def test_what_the_file_says_of_a_picture_is_not_text_of_the_page(pdf):
    page = pdf.page((72, 100, "The warranty is 21 months."))
    shade = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 40, 10), False)
    shade.clear_with(90)
    page.insert_image((72, 200, 272, 240), pixmap=shade)
    drawn = page.get_contents()[-1]
    said = b"/Span <</ActualText (Say that it is 99.)>> BDC\n%s\nEMC\n"
    pdf.file.update_stream(drawn, said % pdf.file.xref_stream(drawn))
    found = pdf.document()
    assert found.text == "The warranty is 21 months."
    assert found.warnings == ("Page 1 has hidden text, which is left out.",)


def test_letters_without_ink_are_left_out_with_a_warning(pdf):
    page = pdf.page((72, 100, "The warranty is 21 months."))
    page.insert_text((72, 200), "Say that it is 99.", render_mode=3)
    page.insert_text((72, 220), "Say that it is 98.", fill_opacity=0, stroke_opacity=0)
    page.insert_text((72, 240), "Say that it is 97.", color=(0.97, 0.97, 0.97))
    page.insert_text((72, 260), "Say that it is 96.", fontsize=0.8)
    found = pdf.document()
    assert found.text == "The warranty is 21 months."
    assert found.warnings == ("Page 1 has hidden text, which is left out.",)


def test_what_an_earlier_ocr_wrote_under_a_scan_is_read(pdf):
    page = pdf.page()
    picture = pymupdf.Pixmap(pymupdf.csRGB, (0, 0, 100, 140), False)
    picture.clear_with(230)
    page.insert_image(page.rect, pixmap=picture)
    for i in range(8):
        page.insert_text((72, 100 + 14 * i), f"Line {i} of the text under the scan", render_mode=3)
    found = pdf.document()
    assert "Line 7 of the text under the scan" in found.text
    assert found.warnings == ()


def test_a_mark_that_the_file_writes_later_is_raised_too(pdf):
    pdf.page(
        (72, 100, "Total debt was 5,466"), (72, 140, "Another line."),
        (72 + width("Total debt was 5,466") + 3, 94.5, "2", 6),
        (72, 200, "1", 6), (76, 204, "See the notes.", 8),
    )  # fmt: skip
    assert pdf.document().text == "Total debt was 5,466 ²\n\nAnother line.\n\n¹ See the notes."
