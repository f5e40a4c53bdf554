"""Twice the file takes at most thrice the processor time, in every format and of every shape."""

import gc
import time
from contextlib import suppress

import pytest

from footnote.errors import BadDocumentError
from footnote.ingest.parse import parse
from footnote.ingest.parse.formats import FORMATS
from footnote.text.language import sentences, words
from footnote.text.page_references import named_pages
from footnote.text.terms import terms
from tests.hostile import SHAPES

pytestmark = [pytest.mark.slow, pytest.mark.timeout(120)]

ENOUGH = 0.04  # seconds: what takes less is not told from the machine's own noise
MOST = 2_000_000  # bytes of a file
TIMES = 3.0  # what doubling may cost; two for the file, the rest for noise
TRIES, FIRST_TRIES = 5, 3
DOUBLINGS = 2
ENDINGS = {kind.media_type: (*kind.endings, ".bin")[0] for kind in FORMATS}
CASES = [(kind, shape) for kind, shapes in SHAPES.items() for shape in shapes]


def seconds(work, *args):
    """Returns the processor time of a call; a refused file takes its time as well."""
    started = time.process_time()
    with suppress(BadDocumentError):
        work(*args)
    return time.process_time() - started


def growth(make, work):
    """Returns by what factor twice as much takes longer; 0.0 where even the most takes no time.

    A size at which memory no longer fits the processor's cache makes one doubling dear, and never
    the next; the square makes all of them dear. So this is the least of several doublings.
    """
    n = 1_000
    small = make(n)
    took = seconds(work, small)
    while took < ENOUGH:
        larger = make(4 * n)
        if len(larger) > MOST or len(larger) < 1.5 * len(small):
            return 0.0  # fast, or bounded by the format
        n, small = 4 * n, larger
        took = seconds(work, small)
    factors = []
    for doubling in range(DOUBLINGS):
        factors.append(doubled(work, make(n << doubling), make(n << doubling + 1)))
        if factors[-1] < TIMES:
            break
    return min(factors)


def doubled(work, small, large):
    """Returns how much longer the larger takes, by the least times of several tries.

    Another process can only make a time longer.
    """
    # of several: one that is too long would hide the square
    took = min(seconds(work, small) for _ in range(FIRST_TRIES))
    longer = seconds(work, large)
    for _ in range(TRIES):
        if longer < TIMES * took:
            break
        took, longer = min(took, seconds(work, small)), min(longer, seconds(work, large))
    return longer / took


@pytest.fixture(autouse=True)
def own_garbage():
    """Keeps the collector from counting what thousands of other tests have left in memory."""
    gc.collect()
    gc.freeze()
    yield
    gc.unfreeze()


def test_every_format_has_a_shape():
    assert set(SHAPES) == {kind.media_type for kind in FORMATS}


@pytest.mark.parametrize(("kind", "shape"), CASES, ids=lambda value: value)
def test_twice_the_file_takes_no_more_than_twice_the_time(kind, shape):
    name = f"a{ENDINGS[kind]}"
    assert growth(SHAPES[kind][shape], lambda body: parse(body, name)) < TIMES


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
def test_twice_the_text_takes_no_more_than_twice_the_time(piece, work):
    assert growth(lambda n: f"A{piece * n}a", work) < TIMES


def test_what_takes_the_square_of_the_time_is_found():
    def square(text):
        return sum(text[i:].count("x") for i in range(0, len(text), 8))

    assert growth(lambda n: "a" * n, square) >= TIMES
