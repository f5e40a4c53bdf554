"""ODT, ODS and ODP: structure, hidden and repeated content, and hostile files."""

import zipfile
from io import BytesIO

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import odf, parse
from tests import formats


def document(body, name):
    return parse(body, name).document


def refusal(body, name="a.odt"):
    with pytest.raises(BadDocumentError) as refused:
        document(body, name)
    return refused.value


def headings(found):
    return [(section.level, section.title) for section in found.sections]


def test_a_text_has_headings_lists_tables_and_footnotes():
    found = document(formats.ODT, "shop.odt")
    assert found.title == "All about the shop"
    assert found.text == (
        "Where it is\n\nThe shop is in the  old town.\n\nWhen it is open\n\n- on weekdays\n"
        "- not in May\n- on Saturday\n\nday | hours\nMonday | 9 to 18\n\n"
        "Footnotes\n- Next to the river."
    )
    assert headings(found) == [(1, "Where it is"), (2, "When it is open"), (1, "Footnotes")]
    assert [table.header_rows for table in found.tables] == [1]


def test_a_file_without_its_type_is_known_by_its_manifest():
    with zipfile.ZipFile(BytesIO(formats.ODS)) as package:
        parts = {name: package.read(name) for name in package.namelist() if name != "mimetype"}
    entry = '<m media-type="application/vnd.oasis.opendocument.{}" full-path="/"/>'
    parts["META-INF/manifest.xml"] = entry.format("spreadsheet").encode()
    assert document(formats.make_zip(parts), "a").text == document(formats.ODS, "a.ods").text
    parts["META-INF/manifest.xml"] = entry.format("graphics").encode()
    assert refusal(formats.make_zip(parts)).code == "unsupported"
    del parts["META-INF/manifest.xml"]
    assert refusal(formats.make_zip(parts)).code == "corrupt"


def test_a_sheet_is_a_page_and_a_hidden_one_is_left_out():
    found = document(formats.ODS, "stock.ods")
    assert headings(found) == [(1, "Stock"), (1, "Other")]
    assert found.tables[0].rows == (("bike", "price"), ("Heron", "3,690.50"), ("7", "7"))
    assert [found.text[page.start : page.end].strip() for page in found.pages] == [
        "Stock\n\nbike | price\nHeron | 3,690.50\n7 | 7", "", "Other\n\nand | the\nof | 1",
    ]  # fmt: skip
    assert found.warnings == ("The hidden sheet 'Secret' is left out.",)


def test_a_slide_is_a_page_with_its_notes_and_without_its_number():
    found = document(formats.ODP, "pitch.odp")
    assert [found.text[page.start : page.end].strip() for page in found.pages] == [
        "What the shop is for\n\n- To sell bikes\n\nNotes:\n\nSay it with a smile.",
        "And to mend them",
    ]
    assert headings(found) == [(1, "What the shop is for")]


def test_deleted_text_is_counted_and_a_comment_follows_its_paragraph():
    body = (
        "<text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p>"
        "</text:deletion></text:changed-region></text:tracked-changes><text:p>Kept"
        '<office:annotation xmlns:dc="d"><dc:creator>Ines</dc:creator><text:p>Why?</text:p>'
        "<text:p>So?</text:p></office:annotation>.</text:p><text:p>On</text:p>"
    )
    found = document(formats.opendocument("text", body), "a.odt")
    assert found.text == "Kept.\n\nComment by Ines: Why? So?\n\nOn"
    assert found.warnings == ("1 deleted passage is left out. [deleted_text]",)


def test_cells_repeated_without_end_are_refused():
    wide = '<table:table-cell table:number-columns-repeated="999"><text:p>' + "x" * 99
    wide += "</text:p></table:table-cell>"
    row = f'<table:table-row table:number-rows-repeated="999">{wide}</table:table-row>'
    body = f'<table:table table:name="T">{row}</table:table>'
    assert refusal(formats.opendocument("spreadsheet", body)).code == "too_large"
    assert odf.MAX_TABLE_CHARACTERS < 999 * 999 * 99


def test_a_password_is_told():
    manifest = "<manifest:manifest><manifest:encryption-data/></manifest:manifest>"
    body = formats.opendocument("text", "", **{"META-INF/manifest.xml": manifest})
    assert refusal(body).code == "encrypted"


def test_entities_are_refused():
    content = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    assert refusal(formats.opendocument("text", "", **{"content.xml": content})).code == "corrupt"


@pytest.mark.parametrize("content", ["<a/>", "<a", "<a><body/></a>"])
def test_a_package_without_a_document_is_corrupt(content):
    assert refusal(formats.opendocument("text", "", **{"content.xml": content})).code == "corrupt"
