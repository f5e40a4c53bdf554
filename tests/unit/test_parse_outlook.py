"""What Outlook packs: winmail.dat, and message bodies of compressed RTF."""

import struct

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import lzfu, parse
from tests import formats
from tests.compound import compound, outlook

RICH = rb"{\rtf1\ansi The pilot boards at dawn.\par}"


def packed(body, kind=b"LZFu"):
    """Compresses a body as far as the format demands: every byte as it is, then the end."""
    out = bytearray()
    for at in range(0, len(body), 8):
        out += b"\0" + body[at : at + 8]
    end = (207 + len(body)) % 4096
    rest = len(body) % 8
    flags = struct.pack(">H", end << 4)
    if rest:
        out[-rest - 1] = 1 << rest
        out += flags
    else:
        out += b"\1" + flags
    return struct.pack("<II4sI", len(out) + 12, len(body), kind, 0) + bytes(out)


def test_a_body_that_is_only_compressed_rich_text_is_read():
    body = compound(outlook("Plan", "", **{"__substg1.0_10090102": packed(RICH)}))
    found = parse(body, "a.msg").document
    assert "The pilot boards at dawn." in found.text
    assert found.warnings == ()


def test_references_into_the_window_and_into_themselves_are_followed():
    # the window begins with the header of an RTF; a copy of 6 from the last byte repeats it
    tokens = struct.pack(">HBHH", 0 << 4 | 3, ord("a"), (207 + 5) << 4 | 4, (207 + 12) << 4)
    body = struct.pack("<II4sI", 0, 12, b"LZFu", 0) + b"\x0d" + tokens
    assert lzfu.unpack(body, "a.msg") == b"{\\rtf" + b"a" * 7


def test_an_uncompressed_body_is_read():
    assert lzfu.unpack(struct.pack("<II4sI", 0, 3, b"MELA", 0) + b"abc", "a") == b"abc"


@pytest.mark.parametrize("body", [b"", b"x" * 40, struct.pack("<II4sI", 0, 9, b"LZFu", 0)])
def test_a_broken_body_has_no_text(body):
    assert lzfu.text(body, "a.msg") == ""


def test_html_in_rich_text_is_read_once():
    rich = (
        rb"{\rtf1\ansi\fromhtml1 {\*\htmltag64 <p>}\htmlrtf {\htmlrtf0 Moor here"
        rb"\htmlrtf\par}\htmlrtf0 {\*\htmltag72 </p>}}"
    )
    assert lzfu.text(packed(rich), "a.msg") == "Moor here"


def test_a_winmail_dat_gives_its_body_and_attachments():
    message = formats.message("Delivery", "See the file.")
    body = formats.tnef(**{"tolls.csv": b"pier,toll\nnorth,4471\n"})
    message.add_attachment(body, "application", "ms-tnef", filename="winmail.dat")
    found = parse(message.as_bytes(), "a.eml").document
    assert "The bikes come on Monday morning." in found.text
    assert "tolls.csv\n\npier | toll\nnorth | 4471" in found.text


def properties(*values):
    out = struct.pack("<I", len(values))
    for number, kind, data in values:
        padded = data + bytes(-len(data) % 4)
        out += struct.pack("<HHII", kind, number, 1, len(data)) + padded
    return out


def test_the_long_name_and_the_rich_body_are_among_the_properties():
    parts = [
        (0x00069003, properties((0x1009, 0x102, packed(RICH)))),
        (0x00069002, b""),
        (0x00018010, b"TOLLS~1.CSV\0"),
        (0x00069005, properties((0x3701, 0x102, b"pier,toll\nnorth,4471\n"))),
        (0x00069005, properties((0x3707, 0x1F, "tolls of May.csv".encode("utf-16-le")))),
    ]
    body = b"\x78\x9f\x3e\x22\1\0" + b"".join(
        struct.pack("<BII", 1, kind, len(data)) + data + b"\0\0" for kind, data in parts
    )
    found = parse(body, "winmail.dat").document
    assert found.text == (
        "The pilot boards at dawn.\n\ntolls of May.csv\n\npier | toll\nnorth | 4471"
    )


def test_a_broken_winmail_dat_is_refused():
    broken = b"\x78\x9f\x3e\x22\1\0" + struct.pack("<BII", 1, 0x00069003, 4) + b"\xff" * 9
    with pytest.raises(BadDocumentError) as refused:
        parse(broken, "winmail.dat")
    assert refused.value.code == "corrupt"
