"""A page of a PDF that unpacks to more than a page can hold is left out before it is read."""

import zlib

import pymupdf
import pytest

from footnote.ingest.parse import parse
from footnote.ingest.parse.pdf.page_bounds import MAX_CONTENT, is_endless
from tests.limits import bounded

WORDS = b"BT /F 8 Tf 30 30 Td (There is a lighthouse on the rock, and its lamp is lit.) Tj ET "


def make_pdf(*streams):
    """Returns a PDF of one page whose contents are these (packed bytes, filters)."""
    file = pymupdf.open()
    file.new_page().insert_text((30, 90), "The harbour has two lamps, and both are lit by hand.")
    leaf = file.new_page()
    leaf.insert_text((30, 60), "x")
    contents = []
    for body, filters in streams:
        xref = file.get_new_xref()
        file.update_object(xref, "<<>>")
        file.update_stream(xref, body, compress=False)
        file.xref_set_key(xref, "Filter", f"[{filters}]")
        contents.append(f"{xref} 0 R")
    file.xref_set_key(leaf.xref, "Contents", f"[{' '.join(contents)}]")
    return file.tobytes()


def pack(body, times=1):
    for _ in range(times):
        body = zlib.compress(body, 9)
    return body


def leaf_of(body):
    return pymupdf.open(stream=body, filetype="pdf")[1]


BLANK = b" " * (MAX_CONTENT + 1)
ENDLESS = {
    "one stream": [(pack(BLANK), "/FlateDecode")],
    "two that are too much together": [(pack(BLANK[: MAX_CONTENT // 2 + 1]), "/FlateDecode")] * 2,
    "packed twice": [(pack(BLANK * 8, 2), "/FlateDecode/FlateDecode")],
    "words": [(pack(WORDS * (MAX_CONTENT // len(WORDS) + 1)), "/FlateDecode")],
}


@pytest.mark.parametrize("streams", ENDLESS.values(), ids=ENDLESS)
def test_a_page_without_end_is_left_out_with_a_warning_and_the_others_are_read(streams):
    body = make_pdf(*streams)
    assert len(body) < 1 << 20
    document = bounded(parse, seconds=5, megabytes=100)(body, "a.pdf").document
    assert "The harbour has two lamps" in document.text
    assert "There is a lighthouse" not in document.text
    (warning,) = document.warnings
    assert warning.startswith("Page 2 has more in it than there is time or memory for")


@pytest.mark.parametrize("size", [10, MAX_CONTENT - 200])
def test_a_page_that_keeps_the_bound_is_read(size):
    body = make_pdf((pack(WORDS.ljust(size)), "/FlateDecode"))
    assert not is_endless(leaf_of(body))
    assert "There is a lighthouse" in parse(body, "a.pdf").document.text


def test_a_stream_that_is_not_packed_or_damaged_is_not_endless():
    assert not is_endless(leaf_of(make_pdf((WORDS, ""), (pack(BLANK)[:90_00], "/FlateDecode"))))
    assert not is_endless(leaf_of(make_pdf((b"\xff" * 40_000, "/FlateDecode"))))
