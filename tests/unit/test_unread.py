"""Files of formats that are not read are refused by their name, with what to do."""

import pytest

from footnote.errors import UnsupportedError
from footnote.ingest.parse import media_type
from tests.formats import make_zip

TYPES = "<Types/>"


def old_tar():
    block = bytearray(b"readme.txt".ljust(512, b"\0"))
    block[148:156] = b" " * 8
    block[148:156] = b"%06o\0 " % sum(block)
    return bytes(block) + b"Some words".ljust(512, b"\0")


@pytest.mark.parametrize(
    ("body", "what", "action"),
    [
        (b"\0\0\0\x18ftypheic" + bytes(90), "a HEIC picture", "PNG or JPEG"),
        (b"\0\0\0\x20ftypM4A " + bytes(90), "a sound file", "transcript"),
        (b"\0\0\0\x20ftypisom" + bytes(90), "a film", "transcript"),
        (b"RIFF\0\0\0\0WAVEfmt ", "a sound file", "transcript"),
        (b"\xff\xfb\x90\x64" + bytes(90), "a sound file", "transcript"),
        (bytes.fromhex("e4525c7b8cd8a74daeb15378d02996d3") + bytes(90), "a OneNote file", "PDF"),
        (bytes(257) + b"ustar\x0000", "a tar archive", "Unpack it"),
        (old_tar(), "a tar archive", "Unpack it"),
        (b"\xfd7zXZ\0" + bytes(90), "a compressed archive", "Unpack it"),
        (b"\xffWPC" + bytes(90), "a WordPerfect file", "DOCX"),
        (b"\0\1\0\0Standard Jet DB\0", "a database", "CSV"),
        (b"bplist00\xd1", "a web archive", "HTML or PDF"),
        (bytes(60) + b"BOOKMOBI", "a book for Kindle", "EPUB"),
        (b"AC1027\0\0" + bytes(90), "a drawing of AutoCAD", "PDF"),
    ],
)
def test_the_beginning_of_a_file_names_its_format(body, what, action):
    with pytest.raises(UnsupportedError) as refused:
        media_type(body, "thing")
    assert what in refused.value.message
    assert action in refused.value.action


@pytest.mark.parametrize(
    ("members", "what"),
    [
        ({"[Content_Types].xml": TYPES, "xl/workbook.bin": "x"}, "a binary Excel file"),
        ({"[Content_Types].xml": TYPES, "visio/document.xml": "<v/>"}, "a Visio drawing"),
        ({"[Content_Types].xml": TYPES, "Fixed.fdseq": "<f/>"}, "an XPS file"),
        ({"index.xml": "<n/>", "buildVersionHistory.plist": "p"}, "a Pages, Numbers or Keynote"),
        ({"Index/Document.iwa": "x"}, "a Pages, Numbers or Keynote"),
        ({"mimetype": "application/vnd.oasis.opendocument.graphics"}, "an OpenDocument drawing"),
        ({"mimetype": "application/vnd.oasis.opendocument.base"}, "an OpenDocument database"),
        ({"designmap.xml": "<d/>"}, "an InDesign file"),
    ],
)
@pytest.mark.parametrize("name", ["thing", "thing.xlsx"])
def test_the_members_of_a_package_name_its_format(members, what, name):
    with pytest.raises(UnsupportedError, match=what):
        media_type(make_zip(members), name)


@pytest.mark.parametrize("words", ["MZ is a mark.", "ID3 tags", "OTTO sails.", "AC1027 flows"])
def test_a_text_that_only_begins_like_a_signature_is_a_text(words):
    assert media_type(words.encode(), "a.txt") == "text/plain"
