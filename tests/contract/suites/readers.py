"""The suite of the port PageReader: each reads the same typed page, and a blank one."""

import pymupdf
import pytest

from footnote.model import Picture, Reading
from footnote.ports import PageReader

TEXT = ("The first delivery took eleven weeks", "because the supplier was late in March")
APART = 6.0  # points by which two engines' boxes of a word may differ; a line is 15 high


def page(*lines: str) -> pymupdf.Page:
    """Returns a small page with these lines typed on it; `parent` keeps its file alive."""
    made = pymupdf.open().new_page(width=400, height=120)
    for n, line in enumerate(lines):
        made.insert_text((20, 40 + 30 * n), line, fontsize=14)
    return made


def draw_picture(shown: pymupdf.Page, dpi: int = 200) -> Picture:
    pixels = shown.get_pixmap(dpi=dpi, colorspace=pymupdf.csRGB, alpha=False)
    width, height = shown.rect.width, shown.rect.height
    return Picture(
        pixels=pixels.samples,
        columns=pixels.width,
        rows=pixels.height,
        width=width,
        height=height,
    )


def boxes(shown: pymupdf.Page) -> list[list[tuple[float, float, float, float, str]]]:
    """Returns the page's words by line, each with its box."""
    lines: dict[tuple[int, int], list[tuple[float, float, float, float, str]]] = {}
    for x0, y0, x1, y1, text, block, line, _ in shown.get_text("words"):
        lines.setdefault((block, line), []).append((x0, y0, x1, y1, text))
    return list(lines.values())


class PageReaderSuite:
    @pytest.fixture
    def shown(self) -> pymupdf.Page:
        return page(*TEXT)

    @pytest.fixture
    def reader(self, shown) -> PageReader:
        """Returns a reader; a scripted one is told beforehand what stands on `shown`."""
        raise NotImplementedError

    def test_words_come_in_lines_in_reading_order(self, reader, shown):
        read = reader.read(draw_picture(shown))
        assert [" ".join(word.text for word in line.words) for line in read.lines] == list(TEXT)

    def test_boxes_are_in_points_of_the_page_and_on_the_words(self, reader, shown):
        read = reader.read(draw_picture(shown))
        found = [word for line in read.lines for word in line.words]
        wanted = [box for line in boxes(shown) for box in line]
        for word, box in zip(found, wanted, strict=True):
            given = (word.x0, word.y0, word.x1, word.y1)
            assert max(abs(a - b) for a, b in zip(given, box[:4], strict=True)) < APART, word
            assert 0 <= word.x0 < word.x1 <= 400 and 0 <= word.y0 < word.y1 <= 120

    def test_each_word_says_how_sure_the_engine_is_of_it(self, reader, shown):
        words = [word for line in reader.read(draw_picture(shown)).lines for word in line.words]
        assert all(word.confidence is not None and 0.9 < word.confidence <= 1 for word in words)

    def test_lines_are_upright_and_their_size_is_about_that_of_the_type(self, reader, shown):
        lines = reader.read(draw_picture(shown)).lines
        assert [line.upright for line in lines] == [True, True]
        assert all(9 <= line.size <= 20 for line in lines)

    def test_a_blank_page_has_no_lines(self, reader):
        assert reader.read(draw_picture(page())).lines == ()

    def test_reading_again_gives_the_same(self, reader, shown):
        picture = draw_picture(shown)
        assert reader.read(picture).lines == reader.read(picture).lines

    def test_a_reader_says_its_name_and_its_languages(self, reader):
        assert reader.name
        assert "en" in reader.languages
        assert all(len(code) == 2 for code in reader.languages)

    def test_what_it_cost_is_never_negative(self, reader, shown):
        read = reader.read(draw_picture(shown))
        assert isinstance(read, Reading)
        assert 0 <= read.usd < 0.01
