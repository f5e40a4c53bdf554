"""DOCX, PPTX and XLSX: reading order, sections, tables, and hostile archives."""

import random
import zipfile
from datetime import date
from io import BytesIO

import docx
import openpyxl
import pptx
import pytest
from docx.oxml import parse_xml
from pptx.util import Inches

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse, zip_bounds
from tests import formats

WORD = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


def saved(file):
    body = BytesIO()
    file.save(body)
    return body.getvalue()


def test_a_docx_is_read_in_document_order():
    file = docx.Document()
    file.add_heading("Contract", 1)
    file.add_paragraph("First.")
    table = file.add_table(2, 2)
    for cell, text in zip((c for row in table.rows for c in row.cells), "abcd", strict=True):
        cell.text = text
    file.add_heading("Terms", 2)
    file.add_paragraph("one", style="List Bullet")
    file.add_paragraph("Last.")
    file.sections[0].header.paragraphs[0].text = "Confidential"
    found = parse(saved(file), "c.docx").document
    assert found.text.startswith("Contract\n\nFirst.\n\na | b\nc | d\n\nTerms\n\n")
    assert found.text.endswith("one\n\nLast.\n\nHeaders and footers\n\nConfidential")
    assert [(section.title, section.level) for section in found.sections] == [
        ("Contract", 1),
        ("Terms", 2),
        ("Headers and footers", 1),
    ]
    assert found.tables[0].rows == (("a", "b"), ("c", "d"))
    assert found.pages == ()


def test_insertions_are_read_and_deletions_are_not():
    file = docx.Document()
    file.element.body.insert(
        0,
        parse_xml(
            f'<w:p xmlns:w="{WORD}"><w:r><w:t>Pay </w:t></w:r>'
            "<w:del><w:r><w:delText>100</w:delText></w:r></w:del>"
            "<w:ins><w:r><w:t>200</w:t></w:r></w:ins></w:p>"
        ),
    )
    assert parse(saved(file), "c.docx").document.text == "Pay 200"


def test_a_slide_is_a_page_with_its_title_as_section():
    deck = pptx.Presentation()
    slide = deck.slides.add_slide(deck.slide_layouts[1])
    slide.shapes.title.text = "Where we stand"
    slide.placeholders[1].text = "Good\nBad"
    rows = slide.shapes.add_table(2, 2, Inches(1), Inches(5), Inches(3), Inches(1)).table
    for cell, text in zip(rows.iter_cells(), ("kpi", "2025", "NPS", "51"), strict=True):
        cell.text = text
    slide.notes_slide.notes_text_frame.text = "Smile."
    deck.slides.add_slide(deck.slide_layouts[6])
    last = deck.slides.add_slide(deck.slide_layouts[5])
    last.shapes.title.text = "Thanks"
    found = parse(saved(deck), "d.pptx").document
    assert found.text == (
        "Where we stand\n\nGood\n\nBad\n\nkpi | 2025\nNPS | 51\n\nNotes:\n\nSmile.\n\nThanks"
    )
    assert [found.text[page.start : page.end].strip() for page in found.pages] == [
        found.text[: -len("\n\nThanks")],
        "",
        "Thanks",
    ]
    assert [section.title for section in found.sections] == ["Where we stand", "Thanks"]


def test_a_deck_of_pictures_has_no_text():
    deck = pptx.Presentation()
    deck.slides.add_slide(deck.slide_layouts[6])
    with pytest.raises(BadDocumentError, match="none of its 1 pages has text") as refused:
        parse(saved(deck), "d.pptx")
    assert refused.value.code == "no_text"


def test_a_sheet_is_a_page_of_values():
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Budget"
    for row in (
        ["Plan for the year"],
        ["line", "2025", "due", "share"],
        ["Rent", 1200.5, date(2026, 3, 1), 0.125],
        [],
        ["Power", 80, None, 0.5],
        [],
        ["name", "role"],
        ["Ann", "chair"],
    ):
        sheet.append(row)
    sheet["D3"].number_format = "0.0%"
    sheet["D5"].number_format = "0%"
    hidden = book.create_sheet("Secret")
    hidden["A1"] = "hidden"
    hidden.sheet_state = "hidden"
    found = parse(saved(book), "b.xlsx").document
    assert found.text == (
        "Budget\n\nPlan for the year\n\nline | 2025 | due | share\n"
        "Rent | 1200.5 | 2026-03-01 | 12.5%\nPower | 80 |  | 50%\n\nname | role\nAnn | chair"
    )
    assert [table.header_rows for table in found.tables] == [1, 1]
    assert len(found.pages) == 2
    assert found.warnings == ("The hidden sheet 'Secret' is left out.",)


def test_a_sheet_that_claims_a_million_rows_is_read_quickly():
    book = openpyxl.Workbook()
    book.active["A1"] = "near"
    book.active["A200000"] = "far"
    assert "far" in parse(saved(book), "b.xlsx").document.text


def rezipped(body, **changes):
    """Replaces parts of an archive, given by the last piece of their name."""
    out = BytesIO()
    with zipfile.ZipFile(BytesIO(body)) as old, zipfile.ZipFile(out, "w", 8) as new:
        for entry in old.namelist():
            key = entry.rsplit("/", 1)[-1].removesuffix(".xml")
            new.writestr(entry, changes.get(key, old.read(entry)))
    return out.getvalue()


@pytest.fixture
def letter():
    file = docx.Document()
    file.add_paragraph("Hello.")
    return saved(file)


def refusal(body, name="a.docx"):
    with pytest.raises(BadDocumentError) as refused:
        parse(body, name)
    return refused.value.code


def test_xml_entities_are_refused(letter):
    xml = (
        '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/hostname">]>'
        f'<w:document xmlns:w="{WORD}"><w:body><w:p><w:r><w:t>&x;</w:t></w:r></w:p></w:body>'
        "</w:document>"
    )
    assert refusal(rezipped(letter, document=xml)) == "corrupt"
    assert refusal(rezipped(letter, document=xml.encode("utf-16"))) == "corrupt"


def test_a_bomb_is_refused_before_it_is_unpacked(letter):
    assert refusal(rezipped(letter, document=b" " * (20 << 20))) == "too_large"
    assert refusal(rezipped(letter, document=b" " * (zip_bounds.MAX_PART + 1))) == "too_large"


def test_one_part_that_is_packed_tightly_is_no_bomb(letter):
    with zipfile.ZipFile(BytesIO(letter)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    notes = f'<w:footnotes xmlns:w="{WORD}">{" " * (20 << 20)}</w:footnotes>'
    parts["word/footnotes.xml"] = notes.encode()
    assert refusal(formats.make_zip(parts)) == "too_large"
    parts["word/media/a.bin"] = random.Random(0).randbytes(100_000)
    assert parse(formats.make_zip(parts), "a.docx").document.text == "Hello."


def test_broken_parts_are_corrupt(letter):
    assert refusal(rezipped(letter, document=b"<w:document")) == "corrupt"
    assert refusal(rezipped(letter, document=b"<x/>")) in {"corrupt", "no_text"}
    assert refusal(letter[:-30]) == "corrupt"


def test_a_protected_office_file_is_encrypted():
    body = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + "EncryptedPackage".encode("utf-16-le")
    assert refusal(body) == "encrypted"
