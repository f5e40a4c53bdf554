"""Implements the port PageReader with the Tesseract inside PyMuPDF."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pymupdf

from footnote.ingest.parse import tessdata
from footnote.ingest.parse.pdf import page
from footnote.ingest.parse.pdf.page_items import Fragment
from footnote.model import OcrLine, OcrWord, Picture, Reading
from footnote.text.language import prevailing_language

DPI = 200  # letters of 8 points are 22 pixels high; 300 dpi read no better and took longer
# Tesseract's language names (ISO 639-2) → ISO 639-1; other languages it reads are not claimed
_CODES: Mapping[str, str] = {
    "ara": "ar", "chi_sim": "zh", "chi_tra": "zh", "deu": "de", "eng": "en", "fra": "fr",
    "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "por": "pt", "rus": "ru", "spa": "es",
}  # fmt: skip


class Tesseract:
    """Reads in the languages that `folder` has data for. Costs nothing.

    A page is read in the likely language alone, and kept if it is clearly in that one. Else it is
    read in all languages at once, which takes 15 to 50 % longer and is as good.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = tessdata.languages(folder)
        self._names = {_CODES[name]: name for name in self._data.split("+") if name in _CODES}

    @property
    def name(self) -> str:
        return f"tesseract-{self._data}"

    @property
    def languages(self) -> frozenset[str]:
        return frozenset(self._names)

    def read(self, picture: Picture, likely: str = "") -> Reading:
        if likely in self._names:
            reading = self._read_in(picture, self._names[likely])
            words = [word.text for line in reading.lines for word in line.words]
            if prevailing_language(words, self.languages) == likely:
                return reading
        return self._read_in(picture, self._data)

    def _read_in(self, picture: Picture, data: str) -> Reading:
        library: Any = pymupdf  # not typed
        with library.open(stream=self._searchable(picture, data), filetype="pdf") as file:
            leaf = file[0]
            zoom = picture.width / leaf.rect.width
            matrix = library.Matrix(zoom, zoom)
            found = page.all_fragments(leaf.get_textpage(flags=page.TEXT_FLAGS, matrix=matrix))
        return Reading(lines=tuple(_line(fragment) for fragment in found))

    def _searchable(self, picture: Picture, data: str) -> bytes:
        """Returns a PDF that has the picture's words as text, read with this language data."""
        library: Any = pymupdf  # not typed
        # in colour: it finds nothing in grey
        made = library.Pixmap(library.csRGB, picture.columns, picture.rows, picture.pixels, False)
        made.set_dpi(DPI, DPI)
        pdf: bytes = made.pdfocr_tobytes(compress=False, language=data, tessdata=str(self._folder))
        return pdf


def _line(fragment: Fragment) -> OcrLine:
    words = (
        OcrWord(x0=word.x0, y0=word.y0, x1=word.x1, y1=word.y1, text=word.text)
        for word in fragment.words
    )
    return OcrLine(words=tuple(words), size=fragment.size, upright=fragment.upright)
