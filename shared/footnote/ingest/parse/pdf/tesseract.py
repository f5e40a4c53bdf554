"""Implements the port PageReader with the Tesseract inside PyMuPDF."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pymupdf

from footnote.ingest.parse import legibility, tessdata
from footnote.ingest.parse.pdf import page
from footnote.ingest.parse.pdf.page_items import Fragment
from footnote.model import OcrLine, OcrWord, Picture, Reading
from footnote.text.language import prevailing_language, shows_another

DPI = 200  # letters of 8 points are 22 pixels high; 300 dpi read no better and took longer
# Tesseract's language names (ISO 639-2) → ISO 639-1; other languages it reads are not claimed
_CODES: Mapping[str, str] = {
    "ara": "ar", "chi_sim": "zh", "chi_tra": "zh", "deu": "de", "eng": "en", "fra": "fr",
    "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "por": "pt", "rus": "ru", "spa": "es",
}  # fmt: skip
_FIRST = "en"  # most scans are in English, and its data tells the other languages apart
_TRIES = 2  # languages that are read alone before all at once
_LATIN = frozenset({"de", "en", "es", "fr", "it", "nl", "pt"})  # noise to one is noise to all


class Tesseract:
    """Reads in the languages that `folder` has data for. Costs nothing.

    A page that is clearly in one language is read in that one alone. The likely one is tried first,
    or English; what it makes of another language still tells which that is. A page that shows no
    language, as a slide or a table may, is taken to be in the likely one. All others are read in
    all languages at once, which takes 15 to 200 % longer and misreads more.
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
        language = likely if likely in self._names else _FIRST
        for _ in range(_TRIES):
            if language not in self._names:
                break
            reading = self._read_in(picture, self._names[language])
            words = [word.text for line in reading.lines for word in line.words]
            found = prevailing_language(words, self.languages)
            if found == language or (self.languages <= _LATIN and legibility.is_noise(words)):
                return reading
            if language == likely and not shows_another(words, likely, self.languages):
                return reading
            language = found
        return self.read_at_once(picture)

    def read_at_once(self, picture: Picture) -> Reading:
        """Reads in all languages: each word in the one that fits it best."""
        return self._read_in(picture, self._data)

    def _read_in(self, picture: Picture, data: str) -> Reading:
        library: Any = pymupdf  # not typed
        with library.open(stream=self._searchable(picture, data), filetype="pdf") as file:
            leaf = file[0]
            zoom = picture.width / leaf.rect.width
            matrix = library.Matrix(zoom, zoom)
            read = leaf.get_textpage(clip=page.NO_CLIP, flags=page.TEXT_FLAGS, matrix=matrix)
            found = page.all_fragments(read)
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
