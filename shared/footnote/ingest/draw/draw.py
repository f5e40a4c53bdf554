"""Draws a page of a PDF or an image as a picture, with boxes around cited words.

The picture has the frame of the word boxes: the page as a reader sees it, turned and cropped as the
file says, with the origin in its top left corner. It runs in a child process (`wiring/child.py`),
and imports nothing later than `packed.prepare`.
"""

from collections.abc import Sequence
from io import BytesIO
from itertools import islice
from math import sqrt
from typing import Any, NamedTuple

import pymupdf
from PIL import Image, ImageChops, ImageDraw

from footnote.errors import BadDocumentError, NotFoundError
from footnote.ingest.draw.inside import find_inside
from footnote.ingest.draw.missing import no_page, no_picture
from footnote.ingest.parse import media_type
from footnote.ingest.parse.formats import IMAGES, PDF
from footnote.ingest.parse.images import frames, open_image, show
from footnote.ingest.parse.pdf import MAX_PAGES, open_pdf, page_bounds
from footnote.ingest.parse.pdf.ocr import MAX_IMAGE, is_oversized
from footnote.ingest.parse.pdf.page_labels import label
from footnote.ingest.parse.pdf.reader import PDF_ERRORS
from footnote.ingest.parse.refusals import too_large
from footnote.model import Box

SCALE = 2.0  # pixels a point: 144 dpi, so that small print is readable on a dense screen
MAX_PIXELS = 2_500_000  # A4 has 2.0 million. Larger pages are drawn smaller
MAX_SIDE = 8_000  # pixels, of a long and narrow page; WebP takes 16,383
# WebP at 80 without search takes as long as PNG (42 ms to 38) and has two thirds of its bytes
# (168 KB to 248), half for photographs: docs/benchmarks.md, "Pictures of pages".
QUALITY = 80
_FILL = (255, 238, 140)  # multiplied with the page, so that the words stay as dark as they are
_LINE = (196, 116, 0)
_MARGIN = 1.5  # points between the words and the line around them


class Drawn(NamedTuple):
    """A picture, and facts about its page. `pages` counts those of the file."""

    body: bytes
    width: float
    height: float
    pages: int
    label: str = ""


class Inside(NamedTuple):
    """A page of a file inside the file: page `number` among those of the
    inner files of this name.
    """

    name: str
    number: int


def draw(body: bytes, name: str, page: int | Inside, boxes: Sequence[Box]) -> Drawn:
    """Draws a page of the file called `name`, with `boxes` (in points) around cited words.

    Raises NotFoundError for a missing page or picture, and BadDocumentError for a file or page that
    cannot be drawn: damaged, protected, too large.
    """
    if isinstance(page, Inside):
        return _draw_inside(body, name, page, boxes)
    kind = media_type(body, name)
    if kind == PDF:
        return _draw_pdf(body, name, page, boxes)
    if kind in IMAGES:
        return _draw_image(body, name, page, boxes)
    raise no_picture(name, f"pages of {kind} have no picture")


def _draw_inside(body: bytes, name: str, page: Inside, boxes: Sequence[Box]) -> Drawn:
    """Draws a page of a nested file. The pages of files with one name follow each other."""
    number = page.number
    for inner in find_inside(body, name, page.name):
        try:
            return draw(inner, page.name, number, boxes)
        except NotFoundError as error:
            if error.code != "no_page":
                raise
            number -= _count(inner, page.name)
        except BadDocumentError:  # it has no pages in the document either
            continue
    raise no_picture(name, f"page {page.number} of {page.name} is not in it")


def _count(body: bytes, name: str) -> int:
    if media_type(body, name) == PDF:
        with open_pdf(body, name) as (file, _):
            return int(file.page_count)
    with open_image(body, name) as image:
        return sum(1 for _ in frames(image))


def _draw_pdf(body: bytes, name: str, number: int, boxes: Sequence[Box]) -> Drawn:
    library: Any = pymupdf  # not typed
    with open_pdf(body, name) as (file, _):
        if number > file.page_count:
            raise no_page(name, number, file.page_count)
        leaf = file[number - 1]
        if page_bounds.is_bomb(leaf) or page_bounds.is_endless(leaf) or is_oversized(leaf):
            raise too_large(name, f"page {number} holds more than a page can")
        width, height = leaf.rect.width, leaf.rect.height
        zoom = scale(width, height)
        pixmap = leaf.get_pixmap(
            matrix=library.Matrix(zoom, zoom), colorspace=pymupdf.csRGB, alpha=False
        )
        picture = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
        return Drawn(
            _finish(picture, boxes, zoom), width, height, file.page_count, _label(file, number)
        )


def _label(file: Any, number: int) -> str:
    try:
        return label(file, number)
    except PDF_ERRORS:
        return ""


def _draw_image(body: bytes, name: str, number: int, boxes: Sequence[Box]) -> Drawn:
    with open_image(body, name) as image:
        pages = sum(1 for _ in frames(image))
        if number > pages or pages >= MAX_PAGES:
            raise no_page(name, number, pages)
        frame = next(islice(frames(image), number - 1, None))
        if frame.width * frame.height > MAX_IMAGE:
            raise too_large(name, f"{frame.width:,} by {frame.height:,} pixels")
        turned, width, height = show(frame)
        zoom = min(scale(width, height), turned.width / width)
        size = max(1, round(width * zoom)), max(1, round(height * zoom))
        picture = turned.resize(size, Image.Resampling.LANCZOS)
        return Drawn(_finish(picture, boxes, zoom), width, height, pages)


def scale(width: float, height: float) -> float:
    """Returns the pixels a point for a page of this size in points."""
    fits = sqrt(MAX_PIXELS / max(width * height, 1.0))
    return min(SCALE, fits, MAX_SIDE / max(width, height, 1.0))


def _finish(picture: Image.Image, boxes: Sequence[Box], zoom: float) -> bytes:
    """Draws the boxes into the picture and encodes it."""
    pencil = ImageDraw.Draw(picture)
    for box in boxes:
        left = max(0, round((box.x0 - _MARGIN) * zoom))
        top = max(0, round((box.y0 - _MARGIN) * zoom))
        right = min(round((box.x1 + _MARGIN) * zoom), picture.width)
        bottom = min(round((box.y1 + _MARGIN) * zoom), picture.height)
        if left >= right or top >= bottom:
            continue  # a box outside of the page
        area = (left, top, right, bottom)
        under = picture.crop(area)
        picture.paste(ImageChops.multiply(under, Image.new("RGB", under.size, _FILL)), area)
        line = (left, top, right - 1, bottom - 1)
        pencil.rectangle(line, outline=_LINE, width=max(1, round(zoom)))
    packed = BytesIO()
    picture.save(packed, format="WEBP", quality=QUALITY, method=0)
    return packed.getvalue()
