"""Implements the port PageReader with Tesseract, which tesserocr brings as a library."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import tesserocr

from footnote.ingest.parse.ocr import legibility, tessdata
from footnote.ingest.parse.ocr.leader_dots import remove_dots
from footnote.ingest.parse.pdf.ocr_leaders import is_leader
from footnote.model import OcrLine, OcrWord, Picture, Reading
from footnote.text.language import prevailing_language, shows_another

# Tesseract's language names (ISO 639-2) → ISO 639-1. Its other languages are not claimed.
_CODES: Mapping[str, str] = {
    "ara": "ar", "chi_sim": "zh", "chi_tra": "zh", "deu": "de", "eng": "en", "fra": "fr",
    "ita": "it", "jpn": "ja", "kor": "ko", "nld": "nl", "por": "pt", "rus": "ru", "spa": "es",
}  # fmt: skip
_FIRST = "en"  # most scans are in English, and its data shows the other languages
_TRIES = 2  # single languages that are tried before all at once
# noise in one of them is noise in all
_LATIN = frozenset({"de", "en", "es", "fr", "it", "nl", "pt"})
_APART = 0.8  # of the type's size: words further apart are in two cells


class Tesseract:
    """Reads in the languages that `folder` has data for. Costs nothing.

    A page that is clearly in one language is read in that language alone. The likely one is tried
    first, or English: even a wrong reading shows which language it is. A page that shows no
    language, as a slide or a table may, counts as in the likely one. All others are read in all
    languages at once, which takes 15 to 200 % longer and misreads more.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._data = tessdata.languages(folder)
        self._names = {_CODES[name]: name for name in self._data.split("+") if name in _CODES}

    @property
    def name(self) -> str:
        return f"tesserocr-{tesserocr.__version__}-{self._data}"

    @property
    def languages(self) -> frozenset[str]:
        return frozenset(self._names)

    def read(self, picture: Picture, likely: str = "") -> Reading:
        picture = remove_dots(picture)
        language = likely if likely in self._names else _FIRST
        for _ in range(_TRIES):
            if language not in self._names:
                break
            reading = self._read_in(picture, self._names[language])
            words = [word.text for line in reading.lines for word in line.words]
            clear = prevailing_language(words, self.languages)
            if clear == language or (self.languages <= _LATIN and legibility.is_noise(words)):
                return reading
            if language == likely and not shows_another(words, likely, self.languages):
                return reading
            language = clear
        return self._read_in(picture, self._data)

    def read_at_once(self, picture: Picture) -> Reading:
        """Reads in all languages: each word in the one that fits it best."""
        return self._read_in(remove_dots(picture), self._data)

    def _read_in(self, picture: Picture, data: str) -> Reading:
        library: Any = tesserocr  # its types leave gaps
        # Rows over the whole page, which footnote splits into columns and cells. Tesseract's own
        # analysis of the layout takes a table's figures for a column of letters ("N On fF").
        mode, engine_kind = library.PSM.SINGLE_BLOCK, library.OEM.LSTM_ONLY
        with library.PyTessBaseAPI(
            path=str(self._folder), lang=data, psm=mode, oem=engine_kind
        ) as engine:
            columns, rows = picture.columns, picture.rows
            engine.SetImageBytes(picture.pixels, columns, rows, 3, 3 * columns)
            engine.SetSourceResolution(round(72 * columns / picture.width))
            engine.Recognize()
            words = engine.GetIterator()
            lines = _lines(read_words(words, picture)) if words else ()
            return Reading(lines=tuple(lines))


class _Seen(NamedTuple):
    """A word from the engine, whether it begins a line, and that line's type size in points."""

    word: OcrWord
    begins: bool
    size: float
    upright: bool


def read_words(words: Any, picture: Picture) -> Iterator[_Seen]:
    library: Any = tesserocr
    level = library.RIL.WORD
    scale = picture.width / picture.columns
    begins = False
    for item in library.iterate_level(words, level):
        begins = begins or item.IsAtBeginningOf(library.RIL.TEXTLINE)
        if item.Empty(level):
            continue
        ink = item.BoundingBox(level)
        text, confidence = item.GetUTF8Text(level), round(item.Confidence(level) / 100, 3)
        type_ = item.RowAttributes()
        upright = item.Orientation()[0] == library.Orientation.PAGE_UP
        box = ink
        if upright and (base := _base(item, ink)) is not None:
            size, below = type_["row_height"], -type_["descenders"]
            shape = (base - ink[1], ink[3] - ink[1], ink[2] - ink[0])
            if is_leader(text, confidence, *(length / size for length in shape)):
                continue
            # as high as the line's type: a dash's flat ink would be on no line
            box = (ink[0], min(ink[1], base + below - size), ink[2], max(ink[3], base + below))
        word = OcrWord(
            x0=max(box[0], 0) * scale,
            y0=max(box[1], 0) * scale,
            x1=min(box[2], picture.columns) * scale,
            y1=min(box[3], picture.rows) * scale,
            text=text,
            confidence=confidence,
        )
        yield _Seen(word, begins, round(type_["row_height"] * scale, 1), upright)
        begins = False


def _base(item: Any, ink: tuple[int, int, int, int]) -> float | None:
    """Returns the base line's height below the middle of a word. Lines may be askew."""
    ends = item.Baseline(tesserocr.RIL.TEXTLINE)
    if ends is None:
        return None
    (left, start), (right, end) = ends
    along = ((ink[0] + ink[2]) / 2 - left) / max(right - left, 1)
    return float(start + along * (end - start))


def _lines(words: Iterator[_Seen]) -> Iterator[OcrLine]:
    """Yields the words of a line or of one of its cells: words far apart form separate lines."""
    line: list[_Seen] = []
    for word in words:
        if line and (word.begins or _is_apart(line[-1], word)):
            yield _line(line)
            line = []
        line.append(word)
    if line:
        yield _line(line)


def _is_apart(before: _Seen, word: _Seen) -> bool:
    gap = max(word.word.x0 - before.word.x1, before.word.x0 - word.word.x1)
    return word.upright and gap > _APART * word.size


def _line(words: Sequence[_Seen]) -> OcrLine:
    line_words = tuple(each.word for each in words)
    return OcrLine(words=line_words, size=words[0].size, upright=words[0].upright)
