"""OCR of PDF pages: draws them as pictures and reads these, within bounds of time and memory."""

import time
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import median
from typing import Any

import pymupdf

from footnote.ingest.parse.allowance import MAX_OCR_PAGES
from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.ingest.parse.pdf import page
from footnote.ingest.parse.pdf.ocr_leaders import remove_leaders
from footnote.ingest.parse.pdf.page_items import Fragment
from footnote.model import Picture

DPI = 200  # letters of 8 points are 22 pixels high; 300 dpi read no better and took longer
MAX_PIXELS = 6_000_000  # of a picture: one and a half A4 at 200 dpi; noise takes 12 s a million
MAX_IMAGE = 80_000_000  # pixels of a page's images, or of an image file: 240 MB when unpacked
# Parse has 300 s. A page takes 0.2 s and a word 2 to 3 ms, up to three times as much where its
# language is unclear. So the limits of pages and words take 55 to 200 s. They do not depend on the
# machine: the same file gives the same text. The clock stops slower files, above all pictures of
# noise. It leaves time to write the result.
MAX_WORDS = 12_000
MAX_SECONDS = 180.0
_LARGER = 1.3  # times the usual line: a heading; smaller differences are errors of the boxes
_ALIKE = 0.25  # of their size: if the usual lines of two pages differ by less, they have one size


class Ocr:
    """OCR for one file: holds the engines, and the rest of its limits."""

    def __init__(
        self,
        engines: OcrEngines,
        *,
        pages: int = MAX_OCR_PAGES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._engines = engines
        self._pages = pages
        self._words = MAX_WORDS
        self._now = now
        self._until = now() + MAX_SECONDS
        self._usual = 0.0  # size of most lines of the page before

    @property
    def is_available(self) -> bool:
        return self._engines.is_available

    @property
    def is_foreign(self) -> bool:
        """Whether the last page is in a language that OCR does not know."""
        return self._engines.is_foreign

    @property
    def is_used_up(self) -> bool:
        return self._pages <= 0 or self._words <= 0 or self._now() > self._until

    def expect(self, words: Sequence[str]) -> None:
        """Takes the words of a page with a text layer: most files are in one language."""
        self._engines.expect(words)

    def read(self, picture: Picture) -> list[Fragment]:
        """Returns the text on a picture of a page; nothing if it is blank or noise."""
        if _is_blank(picture):
            return []
        self._pages -= 1
        fragments = page.to_fragments(remove_leaders(self._engines.read(picture)))
        self._words -= sum(len(fragment.words) for fragment in fragments)
        return self._sized(fragments) if fragments else []

    def _sized(self, fragments: Sequence[Fragment]) -> list[Fragment]:
        """Gives most lines of a page, and of pages that are alike, one size.

        Sizes come from the boxes of letters and vary.
        """
        usual = median(fragment.size for fragment in fragments for _ in fragment.words)
        if abs(usual - self._usual) > _ALIKE * usual:
            self._usual = usual
        return [
            fragment._replace(
                size=self._usual if fragment.size < _LARGER * usual else round(fragment.size)
            )
            for fragment in fragments
        ]


def draw_page(leaf: Any) -> Picture | None:
    """Draws the page as a picture; None if its images are too large to unpack."""
    library: Any = pymupdf  # not typed
    if is_oversized(leaf):
        return None
    width, height = leaf.rect.width, leaf.rect.height
    zoom = scale(width, height)
    pixmap = leaf.get_pixmap(
        matrix=library.Matrix(zoom, zoom), colorspace=pymupdf.csRGB, alpha=False
    )
    return Picture(
        pixels=pixmap.samples, columns=pixmap.width, rows=pixmap.height, width=width, height=height
    )


def is_oversized(leaf: Any) -> bool:
    """Tells whether the images of a page are too large to unpack."""
    images = {image[0]: int(image[2]) * int(image[3]) for image in leaf.get_images(full=True)}
    return sum(images.values()) > MAX_IMAGE


def _is_blank(picture: Picture) -> bool:
    """Tells whether all pixels have one colour.

    PyMuPDF's own `is_unicolor` takes nine seconds a page.
    """
    pixels = picture.pixels
    return pixels == pixels[:3] * (len(pixels) // 3)


def scale(width: float, height: float) -> float:
    """Returns the pixels a point: those of 200 dpi, or fewer where the page is large."""
    return min(DPI / 72, sqrt(MAX_PIXELS / max(width * height, 1.0)))
