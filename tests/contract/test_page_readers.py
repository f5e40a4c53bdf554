"""Runs the PageReader suite on its three adapters: memory, the local OCR engine, Textract."""

import pymupdf
import pytest

from footnote.adapters.aws_clients import client
from footnote.adapters.memory import MemoryReader, MemoryReplies
from footnote.adapters.textract import Textract
from footnote.ingest.parse import tessdata
from footnote.ingest.parse.pdf.tesseract import Tesseract
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
                    OcrWord(x0=x0, y0=y0, x1=x1, y1=y1, text=text) for x0, y0, x1, y1, text in line
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

    def test_a_page_in_another_language_than_is_likely_is_read_as_if_nothing_were(self, reader):
        page = draw_picture(typed_page(GERMAN)[0])
        assert reader.read(page, "en") == reader.read(page)
        found = {word.text for line in reader.read(page, "en").lines for word in line.words}
        assert {"R\u00e4der", "f\u00fcr", "zur\u00fcckgezogen,"} <= found

    def test_a_page_in_the_likely_language_is_read_in_that_one_alone(self, reader):
        class Counting(Tesseract):
            def _read_in(self, picture, data):
                tried.append(data)
                return super()._read_in(picture, data)

        tried: list[str] = []
        page = draw_picture(typed_page(PROSE)[0])
        counting = Counting(tessdata.folder())
        assert [one.words for one in counting.read(page, "en").lines] == [
            one.words for one in reader.read(page).lines
        ]
        counting.read(page, "nl")  # a language it has no data for
        assert tried == ["eng", tessdata.languages(tessdata.folder())]


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
