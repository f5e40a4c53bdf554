"""The OCR engines that read a document's pictures, in order, and their cost."""

from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.util import find_spec

from footnote.errors import BadDocumentError
from footnote.ingest.parse.ocr import legibility, tessdata
from footnote.model import OcrLine, Picture
from footnote.ports import PageReader
from footnote.text.language import detect_language, prevailing_language

_ENOUGH_WORDS = 30  # words that show a language; fewer do not


def installed_engines() -> Sequence[PageReader]:
    """Returns Tesseract if it and its language data are installed: the OCR layer has both."""
    folder = tessdata.folder()
    if folder is None or find_spec("tesserocr") is None:
        return []
    return [import_module("footnote.ingest.parse.ocr.tesseract").Tesseract(folder)]


class OcrEngines:
    """Reads the pictures of one document and of the files inside it.

    It loads the engines at the first picture: a text file needs none.
    """

    def __init__(self, load: Callable[[], Sequence[PageReader]] = installed_engines) -> None:
        self._installed = load
        self.is_asked = False
        """Whether a picture, or the lack of an engine, may have changed what was read."""
        self.usd = 0.0
        self.is_foreign = False
        """Whether the last text is in a language that the engine does not know."""
        self._likely = ""  # the clear language of the pages read so far

    @property
    def names(self) -> str:
        """Names all engines, in order, with their versions."""
        return ", ".join(engine.name for engine in self._installed())

    def _load(self) -> Sequence[PageReader]:
        self.is_asked = True
        return self._installed()

    @property
    def is_available(self) -> bool:
        return bool(self._load())

    def expect(self, words: Sequence[str]) -> None:
        """Notes the words of the text beside the pictures: pictures are likely in its language."""
        if engines := self._load():
            self._likely = prevailing_language(words, engines[0].languages) or self._likely

    def read(self, picture: Picture) -> tuple[OcrLine, ...]:
        """Returns the lines on a picture; none if they are noise.

        The first engine reads. If it reads nothing, or an unknown language, engines with
        more languages try in turn.
        """
        first, *others = self._load()
        lines = self._lines(first, picture)
        language = _language(lines)
        self.is_foreign = bool(lines) and bool(language) and language not in first.languages
        if lines and not self.is_foreign:
            return lines
        for other in others:
            knows = {language} & other.languages if lines else other.languages - first.languages
            if knows and (retried := self._lines(other, picture)):
                self.is_foreign = False
                return retried
        return lines

    def _lines(self, engine: PageReader, picture: Picture) -> tuple[OcrLine, ...]:
        try:
            reading = engine.read(picture, self._likely)
        except BadDocumentError:  # this engine cannot take the picture
            return ()
        self.usd = round(self.usd + reading.usd, 9)
        words = _words(reading.lines)
        if not words or legibility.is_noise(words):
            return ()
        self._likely = prevailing_language(words, engine.languages) or self._likely
        return reading.lines


def _words(lines: Sequence[OcrLine]) -> list[str]:
    return [word.text for line in lines for word in line.words]


def _language(lines: Sequence[OcrLine]) -> str:
    words = _words(lines)
    return detect_language(" ".join(words)) if len(words) >= _ENOUGH_WORDS else ""
