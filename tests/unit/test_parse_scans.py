"""Scans, images and junk text layers: OCR reads them page by page, and a warning says so."""

import io
import random
import subprocess
import sys

import pymupdf
import pytest
from PIL import Image

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.ingest.parse.ocr import tessdata
from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.ingest.parse.ocr.legibility import is_garbled, is_noise
from footnote.ingest.parse.pdf import ocr
from footnote.ingest.parse.pdf.ocr import Ocr
from footnote.ingest.parse.pdf.reader import Reader, notes
from tests.conftest import ROOT
from tests.scans import PROSE, error_rate, picture, scan_pages, typed_page

pytestmark = pytest.mark.slow

REPORT = ROOT / "samples" / "documents" / "annual-report-2025.pdf"
needs_tessdata = pytest.mark.skipif(
    tessdata.folder() is None, reason="no OCR language data: `make setup` installs it"
)
BY_OCR = "text that was read by OCR: check what matters on the page itself."
# a list of subsidiaries has no "the" on it
NAMES = "".join(
    f"{place} {kind} Holding Limited {state} "
    for place, kind, state in zip(
        ("Arden", "Calder", "Morven", "Tamar", "Severn", "Lomond") * 3,
        ("Bicycle", "Battery", "Harbour Logistics", "Insurance", "Leasing", "Finance") * 3,
        ("Delaware", "Ireland", "Singapore") * 6,
        strict=True,
    )
)
CAESAR = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "defghijklmnopqrstuvwxyzabcDEFGHIJKLMNOPQRSTUVWXYZABC",
)


def png(file, number=0):
    return picture(file[number]).tobytes("png")


def document(file):
    return parse(file.tobytes(), "made.pdf").document


@needs_tessdata
def test_a_scan_says_what_the_page_says():
    with pymupdf.open(REPORT) as file:
        file.select([1])
        text, found = document(file).text, document(scan_pages(file))
    assert error_rate(text, found.text) < 0.005
    assert found.warnings == (f"Page 1 has {BY_OCR}",)


@needs_tessdata
def test_words_of_a_scan_have_the_boxes_of_the_words_they_show():
    file = typed_page("The delivery took eleven weeks")
    parsed = parse(scan_pages(file).tobytes(), "made.pdf")
    shown = {word[4]: word[:4] for word in file[0].get_text("words")}
    seen = {parsed.document.text[box.start : box.end]: box[:4] for box in parsed.words[1]}
    assert seen.keys() == shown.keys()
    apart = [abs(a - b) for word in shown for a, b in zip(seen[word], shown[word], strict=True)]
    assert max(apart) < 5  # points: a line is 15 high


@needs_tessdata
def test_large_type_on_a_scan_is_a_heading():
    file = typed_page(*[PROSE] * 3)
    file[0].insert_text((72, 60), "Warranty of the bikes", fontsize=22)
    found = document(scan_pages(file))
    assert [section.title for section in found.sections] == ["Warranty of the bikes"]


@needs_tessdata
def test_pages_with_and_without_text_make_one_document():
    file = typed_page("This page has a text layer.")
    file.insert_pdf(scan_pages(typed_page("This page is a picture of text.")))
    file.new_page()
    found = document(file)
    assert found.text == "This page has a text layer.\n\nThis page is a picture of text."
    assert found.warnings == (f"Page 2 has {BY_OCR}", "Page 3 has no text: blank or an image.")


@needs_tessdata
def test_a_stamp_on_a_scan_does_not_hide_its_text():
    file = scan_pages(typed_page(PROSE))
    file[0].insert_text((500, 820), "BATES 000123", fontsize=8)
    assert error_rate(PROSE, document(file).text.replace("BATES 000123", "")) < 0.05


@needs_tessdata
@pytest.mark.parametrize("sign", ["-", "=", "* "])
def test_rules_on_a_scan_do_not_hide_its_text(sign):
    file = scan_pages(typed_page(PROSE))
    for n in range(4):
        file[0].insert_text((72, 780 + 10 * n), sign * 80, fontsize=6)
    found = document(file)
    assert found.warnings == (f"Page 1 has {BY_OCR}",)
    assert found.text.count("delivery") == 1


@needs_tessdata
def test_a_junk_text_layer_is_replaced():
    file = scan_pages(typed_page(*[PROSE] * 3))
    junk = " ".join([PROSE] * 3).translate(CAESAR)
    file[0].insert_textbox((72, 72, 500, 700), junk, render_mode=3)  # invisible, over the picture
    found = document(file)
    assert found.warnings == (f"Page 1 has {BY_OCR}",)
    assert found.text.count("delivery") == 3


@needs_tessdata
def test_a_layer_in_a_language_we_do_not_know_is_kept():
    words = "Valdyba kasmet tikrina įmonės finansinius rezervus, veiklos išlaidas, pelną."
    shown = words.encode("ascii", "ignore").decode()
    assert is_garbled((shown + " ").split() * 8)
    found = document(typed_page(*[shown] * 8))
    assert found.text.count("kasmet") == 8
    assert found.warnings == ()


@needs_tessdata
def test_german_umlauts_are_read():
    text = "Die Geschäftsführung prüft jährlich außergewöhnliche Aufwendungen für Überschüsse."
    assert document(scan_pages(typed_page(text))).text == text


@pytest.mark.parametrize(
    ("text", "junk"),
    [
        (PROSE * 3, False),
        ((PROSE * 3).translate(CAESAR), True),
        ("\ufffd\ufffd\ufffd the \ue001\ue002", True),
        ("\uf0b7 a list item with the usual bullet of office software", False),
        ("!\"#$%&'()*+,-./ " * 12, True),
        ("Revenue 5,466 4,587 (12) 7 Cash 9 8 " * 10, False),
        ("", False),
        (NAMES, False),
        (NAMES.translate(CAESAR), True),
        (" ".join(NAMES), True),  # torn into letters
    ],
)
def test_text_is_told_from_junk(text, junk):
    assert is_garbled(text.split()) == junk


def test_what_ocr_sees_in_pictures_is_told_from_text():
    assert not is_noise(PROSE.split())
    assert not is_noise(["Total", "5,466", "(12.5", "%)", "2025", "H1", "of"])
    assert is_noise(["tA", ":", "A", "Bae", "§", "rs", "oeeFF", "aSoe", ".—", "x2", "«tf"])


@needs_tessdata
def test_noise_in_a_picture_is_not_text():
    noise = random.Random(7).randbytes(60 * 80)
    body = io.BytesIO()
    Image.frombytes("L", (60, 80), noise).resize((600, 800)).save(body, "PNG")
    with pytest.raises(BadDocumentError) as refused:
        parse(body.getvalue(), "photo.png")
    assert (refused.value.code, "OCR found nothing" in refused.value.action) == ("no_text", True)


@needs_tessdata
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "GIF", "BMP", "WEBP"])
def test_an_image_is_a_document_of_a_page(kind):
    body = io.BytesIO()
    Image.open(io.BytesIO(png(typed_page("The delivery took eleven weeks")))).save(body, kind)
    found = parse(body.getvalue(), "file").document
    assert (found.text, found.media_type, len(found.pages)) == (
        "The delivery took eleven weeks", f"image/{kind.lower()}", 1,
    )  # fmt: skip


@needs_tessdata
def test_a_tiff_has_the_pages_it_has():
    pages = [Image.open(io.BytesIO(png(typed_page(f"Page number {n}")))) for n in ("one", "two")]
    body = io.BytesIO()
    pages[0].save(body, "TIFF", save_all=True, append_images=pages[1:], dpi=(200, 200))
    found = parse(body.getvalue(), "fax.tiff").document
    assert found.text == "Page number one\n\nPage number two"
    sizes = [(page.number, round(page.width), round(page.height)) for page in found.pages]
    assert sizes == [(1, 595, 842), (2, 595, 842)]
    assert found.warnings == (f"Pages 1-2 have {BY_OCR}",)


@needs_tessdata
def test_a_photo_is_read_as_its_camera_was_held():
    image = Image.open(io.BytesIO(png(typed_page("The delivery took eleven weeks")))).rotate(
        90, expand=True
    )
    notes_of_camera = image.getexif()
    notes_of_camera[0x0112] = 6  # turn it clockwise
    body = io.BytesIO()
    image.save(body, "JPEG", exif=notes_of_camera)
    found = parse(body.getvalue(), "photo.jpg").document
    assert found.text == "The delivery took eleven weeks"
    assert found.pages[0].height > found.pages[0].width


@needs_tessdata
@pytest.mark.parametrize("mode", ["RGBA", "LA", "P", "1", "CMYK", "I;16", "L"])
def test_every_way_to_store_pixels_is_read(mode):
    grey = Image.open(io.BytesIO(png(typed_page("The delivery took eleven weeks")))).convert("L")
    image = grey.point(lambda value: value * 256, "I").convert("I;16") if mode == "I;16" else None
    if mode in {"RGBA", "LA"}:  # black letters on a transparent ground
        image = Image.new("LA", grey.size, 0)
        image.putalpha(grey.point(lambda value: 255 - value))
        image = image.convert(mode)
    body = io.BytesIO()
    (image or grey.convert(mode)).save(body, "TIFF")
    assert parse(body.getvalue(), "file").document.text == "The delivery took eleven weeks"


@pytest.mark.parametrize("kind", ["PNG", "TIFF"])
def test_an_image_with_too_many_pixels_is_refused_unread(kind):
    side = 10_000
    body = io.BytesIO()
    Image.new("1", (side, side)).save(body, kind)
    with pytest.raises(BadDocumentError, match="10,000 by 10,000 pixels") as refused:
        parse(body.getvalue(), "map")
    assert refused.value.code == "too_large"


def test_a_page_whose_images_are_too_large_is_named():
    file = typed_page("A page with text.")
    page = file.new_page()
    page.insert_image(page.rect, stream=png(typed_page("A picture.")))
    xref = page.get_images()[0][0]
    file.xref_set_key(xref, "Width", "90000")
    file.xref_set_key(xref, "Height", "90000")
    if tessdata.folder() is None:
        pytest.skip("no OCR language data: `make setup` installs it")
    assert document(file).warnings == (
        "Page 2 has no text but images too large for OCR: scan with fewer dots per inch.",
    )


@needs_tessdata
def test_what_is_beyond_the_bound_is_named_and_the_rest_is_read():
    file = scan_pages(typed_page("One bike."))
    for text in ("Two bikes.", "Three bikes."):
        file.insert_pdf(scan_pages(typed_page(text)))
    reader = Reader(Ocr(OcrEngines(), pages=2))
    read = [reader.read(file, number) for number in (1, 2, 3)]
    assert [one.outcome for one in read] == ["ocr", "ocr", "skipped"]
    assert notes(read)[1].startswith("Page 3 has no text layer and will not be read")


@needs_tessdata
class Noting(OcrEngines):
    """Notes what stood as text before a picture was read."""

    def __init__(self):
        super().__init__()
        self.expected = []

    def expect(self, words):
        self.expected.append(" ".join(words))
        super().expect(words)


@needs_tessdata
def test_the_page_with_text_before_a_scan_tells_what_the_scan_may_be_in():
    file = typed_page("First page", "with text")
    file.insert_pdf(scan_pages(typed_page("The scan")))
    engines = Noting()
    reader = Reader(Ocr(engines))
    outcomes = [reader.read(file, number).outcome for number in (1, 2)]
    assert (outcomes, engines.expected) == (["text", "ocr"], ["First page with text"])


def test_ocr_stops_when_its_time_is_up():
    times = iter([0.0, 1.0, ocr.MAX_SECONDS + 1])
    reader = Ocr(OcrEngines(), now=lambda: next(times))
    assert [reader.is_used_up, reader.is_used_up] == [False, True]


def test_without_language_data_a_scan_is_refused_with_what_to_do():
    program = (
        "import sys\n"
        "from footnote.errors import BadDocumentError\n"
        "from footnote.ingest.parse import parse\n"
        "try:\n"
        "    parse(sys.stdin.buffer.read(), 'scan.pdf')\n"
        "except BadDocumentError as refused:\n"
        "    print(refused.code, refused.action)\n"
    )
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program],
        input=scan_pages(typed_page("Some text")).tobytes(),
        capture_output=True,
        check=True,
        env={"PYTHONPATH": str(ROOT / "shared")},
    )  # fmt: skip
    assert run.stdout.decode().startswith("no_text OCR is not installed: whoever operates")
