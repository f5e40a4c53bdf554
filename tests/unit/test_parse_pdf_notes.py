"""PDF: comments, the states of boxes and buttons, and embedded files."""

import zlib

import pymupdf
import pytest

from footnote.ingest.parse import allowance, parse
from footnote.ingest.parse.pdf import page_ranges

WORDS = "The pilot boards the ship at dawn, and the tug waits by the pier."


def paper(*texts):
    file = pymupdf.open()
    for text in texts or (WORDS,):
        file.new_page().insert_text((72, 72), text)
    return file


def read(file):
    return parse(file if isinstance(file, bytes) else file.tobytes(), "a.pdf").document


def test_comments_follow_the_text_of_their_page():
    file = paper(WORDS, "Second page.")
    note = file[0].add_text_annot((300, 300), "Is the tug paid?\nAsk Bob")
    note.set_info(title="Ann")
    mark = file[0].add_highlight_annot((72, 60, 200, 75))
    mark.set_info(content="Too early")
    found = read(file)
    assert found.text == (
        f"{WORDS}\n\nComment by Ann:\n\nIs the tug paid?\nAsk Bob\n\n"
        "Comment by an unnamed author:\n\nToo early\n\nSecond page."
    )
    first, second = found.pages
    assert found.text[first.start : first.end].rstrip().endswith("Too early")
    assert found.text[second.start : second.end].strip() == "Second page."


def test_hidden_comments_and_popups_are_not_read():
    file = paper()
    note = file[0].add_text_annot((300, 300), "Secret")
    note.set_flags(2)
    note.update()
    assert read(file).text == WORDS


def test_text_that_is_drawn_on_the_page_is_read_once():
    file = paper()
    file[0].add_freetext_annot((72, 120, 300, 140), "Tide 4471")
    assert read(file).text.count("4471") == 1


def test_a_page_with_nothing_but_a_comment_has_its_text():
    file = pymupdf.open()
    file.new_page().add_text_annot((300, 300), "Only this")
    file.new_page().insert_text((72, 72), WORDS)
    found = read(file)
    assert found.text == f"Comment by an unnamed author:\n\nOnly this\n\n{WORDS}"


def box(page, kind, name, y, *, is_on, label=""):
    field = pymupdf.Widget()
    field.field_type = kind
    field.field_name, field.field_label = name, label
    field.rect = pymupdf.Rect(72, y, 84, y + 12)
    field.field_value = is_on
    page.add_widget(field)


def test_boxes_say_their_state_in_words():
    file = paper()
    box(file[0], pymupdf.PDF_WIDGET_TYPE_CHECKBOX, "a1", 200, is_on=True, label="Tug wanted")
    box(file[0], pymupdf.PDF_WIDGET_TYPE_CHECKBOX, "Night tide", 220, is_on=False)
    text = read(file).text
    assert "3" not in text  # what the mark would be in another font
    assert "Form fields:\n\nTug wanted: checked\nNight tide: not checked" in text


def with_file(content, name="annex.txt"):
    file = paper()
    file.embfile_add(name, content, filename=name)
    return file


def test_an_embedded_file_is_read_as_a_section():
    found = read(with_file(b"# Fees\n\nThe retention is 5 percent.", "annex.md"))
    assert found.text == f"{WORDS}\n\nannex.md\n\n# Fees\n\nThe retention is 5 percent."
    assert [(section.title, section.level) for section in found.sections] == [
        ("annex.md", 1),
        ("Fees", 2),
    ]
    section = found.sections[-1]
    assert found.text[section.start : section.end].startswith("# Fees")


def test_the_pages_of_an_embedded_pdf_are_numbered_through():
    inner = paper("Inner words one.", "Inner words two.").tobytes()
    parsed = parse(with_file(inner, "annex.pdf").tobytes(), "a.pdf")
    found = parsed.document
    assert [(page.number, page.inside) for page in found.pages] == [
        (1, ""), (2, "annex.pdf"), (3, "annex.pdf"),
    ]  # fmt: skip
    assert found.text[found.pages[2].start : found.pages[2].end] == "Inner words two."
    assert [found.text[box.start : box.end] for box in parsed.words[3]] == [
        "Inner",
        "words",
        "two.",
    ]


def test_an_embedded_file_that_cannot_be_read_is_named():
    found = read(with_file(b"\x7fELF" + bytes(90), "tool.bin"))
    assert found.text == WORDS
    assert found.warnings == ("Left out: tool.bin is a program.",)


def test_an_embedded_bomb_is_not_unpacked(monkeypatch):
    monkeypatch.setattr("footnote.ingest.parse.pdf.attachments.MAX_BYTES", 1 << 20)
    found = read(with_file(bytes(5 << 20)).tobytes(deflate=True))
    assert found.text == WORDS
    assert "it unpacks to too much" in found.warnings[0]


def with_paperclips(*files):
    file = paper(WORDS, "Second page.")
    for name, content in files:
        file[1].add_file_annot((300, 300), content, name)
    return file


def test_a_file_that_hangs_on_a_page_is_read_as_a_section():
    found = read(
        with_paperclips(("fees.md", b"The retention is 5 percent."), ("a.bin", b"\x7fELF"))
    )
    assert found.text.endswith("Second page.\n\nfees.md\n\nThe retention is 5 percent.")
    assert found.warnings == ("Left out: a.bin is a program.",)


def test_a_file_that_is_listed_and_hangs_on_a_page_is_read_once():
    file = with_paperclips(("fees.md", b"The retention is 5 percent."))
    file.embfile_add("fees.md", b"", filename="fees.md")
    note = next(file[1].annots())
    listed = file.xref_get_key(file.pdf_catalog(), "Names/EmbeddedFiles/Names")[1]
    stream = file.xref_get_key(note.xref, "FS/EF/F")[1]
    file.xref_set_key(
        file.pdf_catalog(), "Names/EmbeddedFiles/Names",
        f"[(fees.md) <</Type/Filespec/F(fees.md)/UF(fees.md)/EF<</F {stream}>>>>]",
    )  # fmt: skip
    assert listed
    assert read(file).text.count("retention") == 1


@pytest.mark.parametrize("attached", ["null", "<</EF<</F 999 0 R>>>>", "(a)", "<</F(b)>>"])
def test_a_broken_paperclip_does_no_harm(attached):
    file = with_paperclips(("fees.md", b"The retention is 5 percent."))
    file.xref_set_key(next(file[1].annots()).xref, "FS", attached)
    found = read(file)
    assert found.text.startswith(WORDS)
    assert found.warnings[0].startswith("Left out: ")


def test_a_pdf_that_is_read_in_parts_names_its_embedded_files():
    body = with_file(b"The retention is 5 percent.").tobytes()
    part = page_ranges.read_part(body, "a.pdf", allowance.Allowance(), (1, 1))
    assert part.warnings == ["1 embedded file is not read. [embedded_file]"]
    body = with_paperclips(("a.md", b"One."), ("b.md", b"Two.")).tobytes()
    part = page_ranges.read_part(body, "a.pdf", allowance.Allowance(), (1, 1))
    assert part.warnings == ["2 embedded files are not read. [embedded_file]"]


def test_parts_keep_the_comments_of_their_pages():
    file = paper(WORDS, "Second page.")
    file[1].add_text_annot((300, 300), "Ask Bob")
    body = file.tobytes()
    parts = [
        page_ranges.load_part(
            page_ranges.dump_part(
                page_ranges.read_part(body, "a.pdf", allowance.Allowance(), (number, number))
            ),
            0,
            {},
        )
        for number in (1, 2)
    ]
    assert page_ranges.combine_parts(parts, "a.pdf") == parse(body, "a.pdf")


@pytest.mark.parametrize("entry", ["(a)", "(a)9 0 R", "(a)<</EF<</F 99 0 R>>>>", "null"])
def test_a_broken_list_of_embedded_files_does_no_harm(entry):
    file = with_file(zlib.compress(b"word"))
    file.xref_set_key(file.pdf_catalog(), "Names/EmbeddedFiles/Names", f"[{entry}]")
    assert read(file).text.startswith(WORDS)
