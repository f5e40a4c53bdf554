"""A file of four times the size takes less than eight times the time, in every format and shape."""

import pytest

from footnote.ask.query.page_references import named_pages
from footnote.ingest.parse import parse
from footnote.ingest.parse.formats import FORMATS
from footnote.text.language import words
from footnote.text.sentences import sentences
from footnote.text.terms import terms
from tests.growth import LIMIT, growth
from tests.hostile import SHAPES

pytestmark = pytest.mark.growth

ENDINGS = {kind.media_type: (*kind.endings, ".bin")[0] for kind in FORMATS}
CASES = [(kind, shape) for kind, shapes in SHAPES.items() for shape in shapes]


def test_every_format_has_a_shape():
    assert set(SHAPES) == {kind.media_type for kind in FORMATS}


@pytest.mark.parametrize(("kind", "shape"), CASES, ids=lambda value: value)
def test_four_times_the_file_takes_no_more_than_eight_times_the_time(kind, shape):
    name = f"a{ENDINGS[kind]}"
    assert growth(SHAPES[kind][shape], lambda body: parse(body, name)) < LIMIT


TEXTS = {
    "words": "word ",
    "stops": "5. a ",
    "dots": ".",
    "marks": "\u00b9",
    "marked stops": ". \u00b9",
    "marked words": "a.\u00b9\u00b2\u00b3",
    "abbreviations": "e.g. ",
    "lines": "word\n",
    "blanks": " ",
    "rows": "a | b\n",
    "items": "- a\n",
    "letters": "a",
    "codes": "a-1/",
    "Chinese": "\u4e2d\u6587\u3002",
    "Arabic stops": "\u061f",
    "quotes": '"',
    "pages": "page ",
    "numbered pages": "pages 1 to 2, ",
    "places": "second last ",
}


@pytest.mark.parametrize(
    "work",
    [sentences, words, terms.__wrapped__, named_pages],
    ids=["sentences", "words", "terms", "named_pages"],
)
@pytest.mark.parametrize("piece", TEXTS.values(), ids=TEXTS)
def test_four_times_the_text_takes_no_more_than_eight_times_the_time(piece, work):
    assert growth(lambda n: f"A{piece * n}a", work) < LIMIT


def test_what_takes_the_square_of_the_time_is_found(monkeypatch):
    monkeypatch.setattr("tests.growth.ENOUGH", 0.01)  # this is the square and nothing else
    monkeypatch.setattr("tests.growth._PAUSE", 0.0)  # nothing disturbs it: it is the square

    def square(text):
        return sum(1 for one in text for other in text if one < other)

    assert growth(lambda n: "a" * n, square, first=100) >= LIMIT


def test_what_sorts_is_not_taken_for_the_square():
    assert growth(lambda n: [n * 7919 % 10_007 for n in range(n)], sorted) < LIMIT
