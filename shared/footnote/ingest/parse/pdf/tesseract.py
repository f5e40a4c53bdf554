"""Implements the port PageReader with the Tesseract inside PyMuPDF."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pymupdf

from footnote.ingest.parse import tessdata
from footnote.ingest.parse.pdf import page
from footnote.ingest.parse.pdf.page_items import Fragment
from footnote.model import OcrLine, OcrWord, Picture, Reading

DPI = 200  # letters of 8 points are 22 pixels high; 300 dpi read no better and took longer
# Tesseract's language names (ISO 639-2) → ISO 639-1; other languages it reads are not claimed
_CODES: Mapping[str, str] = {
    "ara": "ar", "chi_sim": "zh", "chi_tra": "zh", "deu": "de", "eng": "en", "fra": "fr",
    "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "por": "pt", "rus": "ru", "spa": "es",
}  # fmt: skip


class Tesseract:
    """Reads in all languages at once that `folder` has data for. Costs nothing."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = tessdata.languages(folder)

    @property
    def name(self) -> str:
        return f"tesseract-{self._data}"

    @property
    def languages(self) -> frozenset[str]:
        return frozenset(_CODES[name] for name in self._data.split("+") if name in _CODES)

    def read(self, picture: Picture) -> Reading:
        library: Any = pymupdf  # not typed
        with library.open(stream=self._searchable(picture), filetype="pdf") as file:
            leaf = file[0]
            zoom = picture.width / leaf.rect.width
            matrix = library.Matrix(zoom, zoom)
            read = leaf.get_textpage(clip=page.NO_CLIP, flags=page.TEXT_FLAGS, matrix=matrix)
            found = page.all_fragments(read)
        return Reading(lines=tuple(_line(fragment) for fragment in found))

    def _searchable(self, picture: Picture) -> bytes:
        """Returns a PDF that has the picture's words as text."""
        library: Any = pymupdf  # not typed
        # in colour: it finds nothing in grey
        made = library.Pixmap(library.csRGB, picture.columns, picture.rows, picture.pixels, False)
        made.set_dpi(DPI, DPI)
        pdf: bytes = made.pdfocr_tobytes(
            compress=False, language=self._data, tessdata=str(self._folder)
        )
        return pdf


def _line(fragment: Fragment) -> OcrLine:
    words = (
        OcrWord(x0=word.x0, y0=word.y0, x1=word.x1, y1=word.y1, text=word.text)
        for word in fragment.words
    )
    return OcrLine(words=tuple(words), size=fragment.size, upright=fragment.upright)
