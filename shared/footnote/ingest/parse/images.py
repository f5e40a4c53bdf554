"""Parses images: one page, or several in a TIFF, turned upright, on white, and read by OCR."""

import struct
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO

from PIL import Image, ImageOps, UnidentifiedImageError

from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.formats import IMAGES
from footnote.ingest.parse.pdf import MAX_PAGES, reading_order, write_sheets
from footnote.ingest.parse.pdf.ocr import MAX_IMAGE, Ocr, scale
from footnote.ingest.parse.pdf.page_items import Sheet
from footnote.ingest.parse.pdf.reader import PDF_ERRORS, PageResult, notes
from footnote.ingest.parse.refusals import too_large, translate_errors
from footnote.model import ParsedDocument, Picture

_FORMATS = tuple(kind.rpartition("/")[2].upper() for kind in IMAGES)
_BROKEN: tuple[type[Exception], ...] = (
    *PDF_ERRORS,
    UnidentifiedImageError,
    Image.DecompressionBombError,
    OSError,  # "image file is truncated"
    SyntaxError,  # "broken PNG file"
    EOFError,
    MemoryError,
    struct.error,
    ZeroDivisionError,
)
MAX_SCANS = 500  # of a JPEG: each covers the whole picture, and takes only a few bytes of the file
_JPEG = b"\xff\xd8"
_SCAN = b"\xff\xda"  # in the data of a JPEG \xff is followed by a zero
_SCREEN_DPI = 96.0  # dots per inch where the file states none, or an impossible value
_LEAST_DPI, _MOST_DPI = 50, 1200


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    ocr = Ocr(allowance.engines, pages=allowance.ocr_pages)
    with open_image(body, name) as image:
        kind = Image.MIME[image.format or ""]
        results = [_read(frame, number, ocr) for number, frame in enumerate(frames(image), 1)]
    if len(results) == MAX_PAGES:
        raise too_large(name, f"{MAX_PAGES:,} pages or more")
    return write_sheets([result.sheet for result in results], notes(results), name, media_type=kind)


@contextmanager
def open_image(body: bytes, name: str) -> Iterator[Image.Image]:
    """Opens an image file. Raises BadDocumentError if it is damaged or has too many pixels."""
    if body.startswith(_JPEG) and body.count(_SCAN) > MAX_SCANS:
        raise too_large(name, f"a picture drawn in more than {MAX_SCANS} scans")
    with warnings.catch_warnings(), translate_errors(name, _BROKEN):
        warnings.simplefilter("ignore")  # Pillow warns of sizes and broken metadata
        with Image.open(BytesIO(body), formats=_FORMATS) as image:
            if image.width * image.height > MAX_IMAGE:
                raise too_large(name, f"{image.width:,} by {image.height:,} pixels")
            yield image


def frames(image: Image.Image) -> Iterator[Image.Image]:
    """Yields the pages of a TIFF, or the first picture of any other format.

    The others would be frames of an animation.
    """
    for number in range(MAX_PAGES if image.format == "TIFF" else 1):
        try:
            image.seek(number)
        except EOFError:
            return
        yield image


def _read(image: Image.Image, number: int, ocr: Ocr) -> PageResult:
    width, height = (pixels * 72 / _dpi(image) for pixels in image.size)
    blank = PageResult(Sheet(number, width, height, ()), "empty")
    if image.width * image.height > MAX_IMAGE:
        return blank._replace(outcome="oversized")
    if not ocr.is_available:
        return blank
    if ocr.is_used_up:
        return blank._replace(outcome="skipped")
    upright, width, height = show(image)
    rows = tuple(reading_order.rows(ocr.read(_picture(upright, width, height)), {}))
    sheet = Sheet(number, width, height, rows, read="ocr" if rows else "text")
    return (
        PageResult(sheet, "ocr", is_foreign=ocr.is_foreign) if rows else PageResult(sheet, "empty")
    )


def show(image: Image.Image) -> tuple[Image.Image, float, float]:
    """Returns a page as a reader sees it, in RGB, with its width and height in points."""
    width, height = (pixels * 72 / _dpi(image) for pixels in image.size)
    upright = _normalise(image)
    if (upright.width > upright.height) != (width > height):
        width, height = height, width
    return upright, width, height


def _dpi(image: Image.Image) -> float:
    """Returns the horizontal resolution in dots per inch.

    A fax has fewer dots vertically, but is treated like any other picture.
    """
    stated = image.info.get("dpi", (0, 0))[0]
    return float(stated) if _LEAST_DPI <= stated <= _MOST_DPI else _SCREEN_DPI


def _normalise(image: Image.Image) -> Image.Image:
    """Turns an image as its EXIF note says. Makes it RGB, on white where it is transparent."""
    upright = ImageOps.exif_transpose(image)
    if upright.mode.startswith("I"):  # 16 bits a pixel, which Pillow would clip, not scale
        upright = upright.point(lambda value: value * (1 / 256)).convert("L")
    if upright.has_transparency_data:
        upright = Image.alpha_composite(
            Image.new("RGBA", upright.size, "white"), upright.convert("RGBA")
        )
    return upright.convert("RGB")


def _picture(image: Image.Image, width: float, height: float) -> Picture:
    zoom = scale(width, height)
    columns, rows = max(1, round(width * zoom)), max(1, round(height * zoom))
    pixels = image.resize((columns, rows), Image.Resampling.LANCZOS).tobytes()
    return Picture(pixels=pixels, columns=columns, rows=rows, width=width, height=height)
