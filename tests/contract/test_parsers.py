"""Holds every parser in PARSERS to the same expectations, with the samples as input."""

import subprocess
import sys
import unicodedata

import pymupdf
import pytest

from footnote.errors import BadDocumentError, UnsupportedError
from footnote.ingest.parse import PARSERS, media_type, parse
from footnote.ingest.parse.formats import IMAGES as IMAGE_TYPES
from footnote.ingest.parse.ocr import tessdata
from tests import formats
from tests.compound import compound
from tests.conftest import ROOT
from tests.scans import image

pytestmark = pytest.mark.slow

SAMPLES = sorted((ROOT / "samples" / "documents").iterdir())
NOTE = pymupdf.open()
NOTE.new_page(width=300, height=80).insert_text((20, 40), "The delivery took eleven weeks.")
IMAGES = {
    f"page.{kind}": image(NOTE[0], kind, dpi=100)
    for kind in ("png", "jpeg", "tiff", "gif", "bmp", "webp")
    if tessdata.folder() is not None  # `make setup` installs it
}
FILES = {path.name: path.read_bytes() for path in SAMPLES} | formats.FILES | IMAGES
BY_TYPE = {media_type(body, name): name for name, body in FILES.items()}
# the other text formats are told apart by their names
TOLD_BY_CONTENT = {kind for kind in BY_TYPE if not kind.startswith("text/")} | {"text/html"}


@pytest.fixture(params=sorted(FILES))
def name(request):
    return request.param


@pytest.fixture
def parsed(name):
    return parse(FILES[name], name)


def test_there_is_a_sample_of_every_format():
    unread = set() if IMAGES else set(IMAGE_TYPES)  # without OCR's language data: `make setup`
    assert set(BY_TYPE) == set(PARSERS) - unread


def test_a_file_becomes_clean_text_with_a_title(name, parsed):
    document = parsed.document
    assert document.text.strip()
    assert unicodedata.is_normalized("NFC", document.text)
    assert not set(document.text) & {"\x00", "\r", "\xa0", "\xad", "\ufb01"}
    assert document.title.strip()
    assert document.language == "en"
    assert document.media_type == media_type(FILES[name], name)


def test_spans_are_inside_the_text(parsed):
    document = parsed.document
    for span in (*document.sections, *document.tables):
        assert 0 <= span.start < span.end <= len(document.text)
        assert document.text[span.start : span.end].strip()


def test_sections_nest_and_begin_with_their_title(parsed):
    document = parsed.document
    for section in document.sections:
        begins = " ".join(document.text[section.start : section.end].split())
        letters = "".join(filter(str.isalnum, begins))
        assert letters.startswith("".join(filter(str.isalnum, section.title)))
    for i, outer in enumerate(document.sections):
        for inner in document.sections[i + 1 :]:
            assert inner.start >= outer.end or inner.end <= outer.end
    starts = [section.start for section in document.sections]
    assert starts == sorted(starts)


def test_the_cells_of_a_table_are_in_its_text(parsed):
    document = parsed.document
    for table in document.tables:
        text = " ".join(document.text[table.start : table.end].split())
        assert 0 <= table.header_rows <= len(table.rows)
        assert all(cell in text for row in table.rows for cell in row if "|" not in cell)


def test_pages_tile_the_text(parsed):
    document = parsed.document
    if document.pages:
        assert document.pages[0].start == 0
        assert document.pages[-1].end == len(document.text)
        assert [page.number for page in document.pages] == [*range(1, len(document.pages) + 1)]
    for page, following in zip(document.pages, document.pages[1:], strict=False):
        assert page.end == following.start


def test_word_boxes_are_on_their_page_and_say_what_the_text_says(parsed):
    document = parsed.document
    for page in document.pages:
        boxes = parsed.words.get(page.number, [])
        assert boxes == sorted(boxes, key=lambda box: box.start)
        for box in boxes:
            assert page.start <= box.start < box.end <= page.end
            assert not set(document.text[box.start : box.end]) & set(" \n")
            assert -1 <= box.x0 < box.x1 <= page.width + 1
            assert -1 <= box.y0 < box.y1 <= page.height + 1


def test_parsing_again_gives_the_same(name, parsed):
    assert parse(FILES[name], name) == parsed


@pytest.mark.parametrize("body", [b"", b"\n \n", b"\x00" * 50])
def test_an_empty_file_is_refused(name, body):
    with pytest.raises(BadDocumentError) as refused:
        parse(body, name)
    assert refused.value.code == "empty_file"
    assert name in refused.value.message
    assert refused.value.action


DAMAGED = frozenset({"corrupt", "no_text", "too_large", "unsupported", "encrypted"})
TEXTS = ("text/plain", "text/markdown", "text/csv", "text/tab-separated-values", "text/html")
REFUSALS = {kind: frozenset({"unsupported"}) for kind in TEXTS} | {
    "application/json": frozenset({"corrupt"}),
    "application/jsonl": frozenset({"corrupt"}),
    "application/xml": frozenset({"corrupt"}),
    "message/rfc822": frozenset({"corrupt", "no_text"}),
    "application/mbox": frozenset({"corrupt", "no_text"}),
    "application/rtf": frozenset({"corrupt", "no_text"}),
}
"""How a scrambled file may be refused, by its format; any other ends in one of DAMAGED."""
READ_AS = {
    "application/jsonl": {"application/json"},
    "application/json": {"application/jsonl"},
    # without their first bytes nothing tells these from plain text
    "application/rtf": {"text/plain"},
    "application/mbox": {"message/rfc822"},
}
"""As what else a scrambled file may be read."""


def outcome_of(body, name):
    """Returns (document, refusal), one of them None; any other exception fails the test."""
    try:
        return parse(body, name).document, None
    except BadDocumentError as refused:
        return None, refused


@pytest.mark.parametrize("share", [0.02, 0.3, 0.6, 0.9, 0.99])
def test_a_truncated_file_is_read_or_refused(name, share):
    found, refused = outcome_of(FILES[name][: max(1, int(len(FILES[name]) * share))], name)
    assert found.text.strip() if found else refused.code in {"corrupt", "no_text"}
    assert refused is None or name in refused.message


@pytest.mark.parametrize("seed", range(6))
def test_a_scrambled_file_is_read_or_refused(name, seed):
    body = bytearray(FILES[name])
    for i in range(seed, len(body), 97 + 31 * seed):
        body[i] ^= 0x15 + seed
    kind = media_type(FILES[name], name)
    found, refused = outcome_of(bytes(body), name)
    if refused is not None:
        assert refused.code in REFUSALS.get(kind, DAMAGED)
        assert refused.action
        assert name in refused.message
    else:
        assert found.text.strip()
        assert found.media_type in {kind, *READ_AS.get(kind, ())}


@pytest.mark.parametrize("kind", sorted(TOLD_BY_CONTENT))
def test_content_decides_and_not_the_name(kind):
    assert media_type(FILES[BY_TYPE[kind]], "file.bin") == kind


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"Rar!" + bytes(100), "a compressed archive"),
        (b"\x7fELF" + bytes(100), "a program"),
        (compound({"WordDocument": b"x"}), "soffice --convert-to docx"),
        (compound({"PowerPoint Document": b"x"}), "soffice --convert-to pptx"),
        (bytes(range(256)) * 40, "neither text nor a format"),
    ],
)
def test_other_kinds_are_unsupported_with_what_to_do(body, what):
    with pytest.raises(UnsupportedError) as refused:
        parse(body, "thing")
    assert refused.value.code == "unsupported"
    assert what in refused.value.message + refused.value.action
    assert "PDF, DOCX, PPTX, XLSX" in refused.value.message


def test_no_parser_is_imported_before_it_is_needed():
    libraries = "{'pymupdf', 'docx', 'pptx', 'openpyxl', 'lxml', 'PIL', 'xlrd', 'olefile'}"
    program = f"import sys, footnote.ingest.parse; assert not {libraries} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", program], check=True)
