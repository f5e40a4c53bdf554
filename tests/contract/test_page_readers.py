"""Runs the PageReader suite on its three adapters: memory, the local OCR engine, Textract."""

import pymupdf
import pytest

from footnote.adapters.aws.clients import client
from footnote.adapters.aws.textract import Textract
from footnote.adapters.memory.small import MemoryReader, MemoryReplies
from footnote.ingest.parse.ocr import tessdata
from footnote.ingest.parse.ocr.tesseract import Tesseract
from footnote.ingest.read.page_cache import CachedReader
from footnote.model import OcrLine, OcrWord, Reading
from tests.contract.suites.readers import PageReaderSuite, boxes, draw_picture
from tests.scans import GERMAN, PROSE, typed_page
from tests.scripted_textract import Line, run_textract


class TestMemoryReader(PageReaderSuite):
    @pytest.fixture
    def reader(self, shown):
        lines = [
            OcrLine(
                words=tuple(
                    OcrWord(x0=x0, y0=y0, x1=x1, y1=y1, text=text, confidence=0.99)
                    for x0, y0, x1, y1, text in line
                ),
                size=14.0,
            )
            for line in boxes(shown)
        ]
        return MemoryReader({draw_picture(shown).pixels: Reading(lines=tuple(lines))})


class TestTesseract(PageReaderSuite):
    @pytest.fixture
    def reader(self):
        if not (folder := tessdata.folder()):
            pytest.skip("no OCR language data: `make setup` installs it")
        return Tesseract(folder)

    @pytest.mark.parametrize(("text", "language"), [(GERMAN, "deu"), (PROSE, "eng")])
    def test_a_page_is_read_in_its_own_language_whatever_is_likely(self, text, language):
        page = draw_picture(typed_page(text)[0])
        reader = Counting(tessdata.folder())
        lines = [reader.read(page, likely).lines for likely in ("", "en", "de", "nl")]
        assert lines == [lines[0]] * 4
        assert [word.text for line in lines[0] for word in line.words] == text.split()
        assert set(reader.tried) == {"eng", language} | {"deu"}
        assert reader.tried[-1] == language

    def test_the_likely_language_is_tried_first_and_once(self):
        reader = Counting(tessdata.folder())
        reader.read(draw_picture(typed_page(GERMAN)[0]), "de")
        assert reader.tried == ["deu"]

    def test_a_page_in_two_languages_is_read_in_all_at_once(self):
        reader = Counting(tessdata.folder())
        reader.read(draw_picture(typed_page(PROSE, GERMAN)[0]), "en")
        assert reader.tried == ["eng", tessdata.languages(tessdata.folder())]

    def test_a_page_that_shows_no_language_is_taken_to_be_in_the_likely_one(self):
        page = draw_picture(typed_page("Mooring fees 2024, harbour board")[0])
        reader = Counting(tessdata.folder())
        for likely in ("en", "de", ""):
            reader.read(page, likely)
        assert reader.tried == ["eng", "deu", "eng", tessdata.languages(tessdata.folder())]

    def test_a_word_of_another_language_is_enough_to_read_a_short_page_in_all(self):
        page = draw_picture(typed_page("Zahlen und Daten, Mooring fees 2024")[0])
        reader = Counting(tessdata.folder())
        reader.read(page, "en")
        assert reader.tried == ["eng", tessdata.languages(tessdata.folder())]


class Counting(Tesseract):
    """Notes in which languages a page is read."""

    def __init__(self, folder):
        super().__init__(folder)
        self.tried: list[str] = []

    def _read_in(self, picture, data):
        self.tried.append(data)
        return super()._read_in(picture, data)


class TestTextract(PageReaderSuite):
    """Runs on a server that returns the words of the shown page, and none for a blank one."""

    @pytest.fixture
    def server(self, shown):
        def answer(png):
            pixels = pymupdf.Pixmap(png).samples
            return [] if pixels == pixels[:1] * len(pixels) else scripted_lines(shown)

        with run_textract(answer=answer) as server:
            yield server

    @pytest.fixture
    def reader(self, server):
        return Textract(client("textract", server.url))


class TestCachedReader(TestTextract):
    @pytest.fixture
    def reader(self, server):
        return CachedReader(Textract(client("textract", server.url)), MemoryReplies())


def scripted_lines(shown):
    """Returns the page's lines with boxes as shares of the page's size."""
    width, height = shown.rect.width, shown.rect.height
    return [
        Line(
            tuple(
                (x0 / width, y0 / height, x1 / width, y1 / height, t) for x0, y0, x1, y1, t in line
            )
        )
        for line in boxes(shown)
    ]
