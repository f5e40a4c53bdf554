"""EPUB and RTF: chapters in reading order, paragraphs, and hostile files."""

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.model import Section
from tests import formats


def document(body, name="a.epub"):
    return parse(body, name).document


def refusal(body, name="a.epub"):
    with pytest.raises(BadDocumentError) as refused:
        document(body, name)
    return refused.value.code


def rtf(text):
    return document(b"{\\rtf1\\ansi " + text + b"}", "a.rtf").text


def test_a_book_is_its_chapters_in_the_order_of_the_spine():
    found = document(formats.book())
    assert found.title == "The book of bikes"
    assert found.text == (
        "Contents\n\nThis is only a list of the chapters.\n\n"
        "The start\n\nIt was in the shop that he saw it.\n\n"
        "The end\n\nAnd so it was that he rode on."
    )
    assert found.sections == (
        Section(title="Contents", level=1, start=0, end=48),
        Section(title="The start", level=1, start=48, end=95),
        Section(title="The end", level=1, start=95, end=134),
    )


def test_a_chapter_that_is_missing_is_named():
    assert document(formats.book()).warnings == (
        "Left out: OEBPS/gone.xhtml is damaged: it could not be read.",
    )


def test_pages_of_a_book_that_are_no_chapters_are_counted():
    items = (
        '<item id="p" href="p.jpg" fallback="q" media-type="image/jpeg"/>'
        '<item id="o" href="o.xml" fallback="q" media-type="application/xml"/>'
        '<item id="q" href="q.xhtml" media-type="application/xhtml+xml"/></manifest>'
    )
    package = formats.PACKAGE.replace("</manifest>", items)
    package = package.replace("</spine>", '<itemref idref="p"/><itemref idref="o"/></spine>')
    page = formats.chapter("Plan", "It is drawn here.")
    found = document(formats.book(**{"OEBPS/content.opf": package, "OEBPS/q.xhtml": page}))
    assert found.text.endswith("he rode on.\n\nPlan\n\nIt is drawn here.")
    assert "1 picture is not read: p.jpg. [picture]" in found.warnings
    assert "1 embedded file is not read: o.xml. [embedded_file]" in found.warnings


def test_a_book_of_pictures_has_no_text():
    manifest = '<manifest><item id="p" href="p.jpg" media-type="image/jpeg"/></manifest>'
    package = f'<package>{manifest}<spine><itemref idref="p"/></spine></package>'
    assert refusal(formats.book(**{"OEBPS/content.opf": package})) == "no_text"


def test_a_chapter_outside_of_the_book_is_not_read():
    package = formats.PACKAGE.replace("gone.xhtml", "../../../../../../etc/passwd")
    found = document(formats.book(**{"OEBPS/content.opf": package}))
    assert "root" not in found.text
    assert "etc/passwd is damaged" in found.warnings[0]


@pytest.mark.parametrize(
    ("uri", "code"), [("OEBPS/text/start.xhtml", "encrypted"), ("OEBPS/font.otf", "read")]
)
def test_a_locked_book_is_refused_and_one_with_obscured_fonts_is_read(uri, code):
    locks = f'<encryption><CipherReference URI="{uri}"/></encryption>'
    body = formats.book(**{"META-INF/encryption.xml": locks})
    assert (refusal(body) if code != "read" else code) == code


@pytest.mark.parametrize(
    "members",
    [
        {"META-INF/container.xml": "<a/>"},
        {"META-INF/container.xml": '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'},
        {"OEBPS/content.opf": "<package/>"},
        {"OEBPS/content.opf": "no"},
    ],
)
def test_a_book_without_chapters_is_corrupt(members):
    assert refusal(formats.book(**members)) == "corrupt"


def test_a_bomb_in_a_book_is_refused():
    assert refusal(formats.book(**{"OEBPS/text/start.xhtml": " " * (20 << 20)})) == "too_large"


def test_rich_text_has_headings_lists_tables_and_footnotes():
    found = document(formats.RTF, "price.rtf")
    assert found.text == (
        "The price of a bike\n\nIt is 3690 € and that is “good” for the  Heron.\n\n"
        "- with a bell\n- and a light\n\nbike | price\nHeron | 3690\n\n"
        "Да means yes, and 😀 is a smile.\n\nFootnotes\n- With tax.\n\nAll rights reserved"
    )
    assert [section.title for section in found.sections] == ["The price of a bike", "Footnotes"]
    assert [table.rows for table in found.tables] == [(("bike", "price"), ("Heron", "3690"))]


def test_binary_data_and_what_no_reader_sees_is_left_out():
    assert rtf(b"a{\\pict\\bin6 {}{}{}}b{\\deleted no}{\\*\\unknown no}\\par") == "ab"
    assert rtf(b"a{\\object{\\v no\\v0 no}}b{\\uc2\\u228 ae}c \\{x\\}") == "abäc {x}"


def test_double_byte_letters_are_read_in_their_font_s_encoding():
    assert rtf(b"{\\fonttbl{\\f1\\fcharset128 M;}}\\f1 \\'93\\'fa\\'96\\'7b") == "日本"


@pytest.mark.parametrize(
    "piece", [b"\\'41", b"{\\field{\\*\\fldinst{", b"\\f1", b"\\bin-99 ", b"}", b"\\u1"]
)
def test_rich_text_takes_time_in_proportion_to_its_size(piece):
    body = b"{\\rtf1 Hello\\par " + piece * 200_000
    try:
        assert "Hello" in document(body, "a.rtf").text
    except BadDocumentError as refused:
        assert refused.code == "corrupt"  # noqa: PT017 either outcome will do
