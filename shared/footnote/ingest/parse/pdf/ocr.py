"""Reads pictures of pages with the Tesseract inside PyMuPDF, within bounds of time and memory."""

import time
from collections.abc import Callable, Sequence
from math import sqrt
from pathlib import Path
from statistics import median
from typing import Any

import pymupdf

from footnote.ingest.parse import tessdata
from footnote.ingest.parse.pdf import legibility, page
from footnote.ingest.parse.pdf.marks import Fragment

DPI = 200  # letters of 8 points are 22 pixels high; 300 read no better and took longer
MAX_PIXELS = 6_000_000  # of a picture: A4 and a half at 200 dpi. Noise takes 12 s a million
MAX_IMAGE = 80_000_000  # pixels of a page's images, or of an image file: 240 MB when unpacked
# Parse has 300 s. A page takes 0.2 s and a word 8 to 16 ms: the first two come to 130 to 220 s, and
# do not depend on the machine, so that the same file gives the same text. The clock stops what is
# slower, pictures of noise above all (75 s a page), while there is time to write what was read.
MAX_PAGES = 150
MAX_WORDS = 12_000
MAX_SECONDS = 180.0
_LARGER = 1.3  # than the page's usual line: a heading; below, boxes are not exact enough to tell
_ALIKE = 0.25  # two pages' usual lines differ by less: they are of one size


class Ocr:
    """OCR for one document: in which languages, and how much more it may read."""

    def __init__(
        self,
        folder: Path | None,
        *,
        pages: int = MAX_PAGES,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._folder = folder
        self._languages = tessdata.languages(folder) if folder else ""
        self._pages = pages
        self._words = MAX_WORDS
        self._now = now
        self._until = now() + MAX_SECONDS
        self._usual = 0.0  # size of most lines of the page before

    @property
    def is_available(self) -> bool:
        return bool(self._languages)

    @property
    def is_used_up(self) -> bool:
        return self._pages <= 0 or self._words <= 0 or self._now() > self._until

    def read(self, picture: Any, width: float) -> list[Fragment]:
        """What stands on a picture of a page `width` points wide; nothing if that is noise."""
        if _is_blank(picture):
            return []
        self._pages -= 1
        library: Any = pymupdf  # not typed
        with library.open(stream=self._searchable(picture), filetype="pdf") as file:
            leaf = file[0]
            zoom = width / leaf.rect.width
            found = page.visible(
                leaf.get_textpage(flags=page.FLAGS, matrix=library.Matrix(zoom, zoom))
            )
        words = [word.text for fragment in found for word in fragment.words]
        self._words -= len(words)
        return self._sized(found) if words and not legibility.is_noise(words) else []

    def _searchable(self, picture: Any) -> bytes:
        pdf: bytes = picture.pdfocr_tobytes(
            compress=False, language=self._languages, tessdata=str(self._folder)
        )
        return pdf

    def _sized(self, fragments: Sequence[Fragment]) -> list[Fragment]:
        """Sizes come from the boxes of letters and waver: most lines of a page, and of pages that
        are alike, get one.
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


def picture(leaf: Any) -> Any:
    """The page as a picture, in the RGB that PyMuPDF's OCR wants (it finds nothing in grey);
    None: its images are too large to unpack.
    """
    library: Any = pymupdf  # not typed
    images = {image[0]: image[2] * image[3] for image in leaf.get_images(full=True)}
    if sum(images.values()) > MAX_IMAGE:
        return None
    zoom = scale(leaf.rect.width, leaf.rect.height)
    made = leaf.get_pixmap(matrix=library.Matrix(zoom, zoom), colorspace=pymupdf.csRGB, alpha=False)
    made.set_dpi(DPI, DPI)
    return made


def _is_blank(picture: Any) -> bool:
    """All of one colour. PyMuPDF's own `is_unicolor` takes nine seconds a page."""
    samples: bytes = picture.samples
    return samples == samples[:3] * (len(samples) // 3)


def scale(width: float, height: float) -> float:
    """Pixels a point: 200 dpi, or fewer where the page is large."""
    return min(DPI / 72, sqrt(MAX_PIXELS / max(width * height, 1.0)))
