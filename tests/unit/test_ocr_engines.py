"""Which OCR engine reads a picture, what it costs, and what the document says about it."""

import io
import zipfile

import pymupdf
import pytest

from footnote.adapters.memory.small import MemoryReader
from footnote.errors import BadDocumentError, UnavailableError
from footnote.ingest.parse import parse
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.model import OcrLine, OcrWord, Picture, Reading
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.scans import GERMAN, PROSE, scan_pages, typed_page
from tests.unit.faces import Words

PICTURE = Picture(pixels=b"abcdef", columns=2, rows=1, width=612.0, height=792.0)
DUTCH = "De kade van de haven was na de storm in maart voor negen dagen dicht en " * 3
NOISE = "tA : A Bae § rs oeeFF aSoe .— x2 «tf"
BY_OCR = "Page 1 has text that was read by OCR: check what matters on the page itself."


def reading(text, usd=0.0, per_line=8):
    words = text.split()
    rows = [words[n : n + per_line] for n in range(0, len(words), per_line)]
    return Reading(lines=tuple(line(row, 40.0 + 20 * n) for n, row in enumerate(rows)), usd=usd)


def line(words, top):
    boxes = (
        OcrWord(x0=60.0 * n, y0=top, x1=60.0 * n + 50, y1=top + 12, text=word)
        for n, word in enumerate(words, 1)
    )
    return OcrLine(words=tuple(boxes), size=11.0)


class Any(MemoryReader):
    """Reads the same text on every picture, or raises the same error."""

    def __init__(self, seen, languages=("en",)):
        super().__init__({}, frozenset(languages))
        self.seen = seen
        self.calls = 0

    def read(self, _, likely=""):
        self.likely = likely
        self.calls += 1
        if isinstance(self.seen, Exception):
            raise self.seen
        return self.seen


def engines(*readers):
    return OcrEngines(lambda: readers)


def text(lines):
    return " ".join(word.text for one in lines for word in one.words)


def test_the_first_engine_reads_and_others_are_not_asked():
    second = Any(reading("Something else"), ("nl",))
    eyes = engines(Any(reading(PROSE, usd=0.0015)), second)
    assert text(eyes.read(PICTURE)) == " ".join(PROSE.split())
    assert (eyes.usd, eyes.is_foreign, second.calls) == (0.0015, False, 0)


def test_a_language_the_first_does_not_know_is_read_by_one_that_does():
    eyes = engines(
        Any(reading("x" + DUTCH)), Any(reading(PROSE)), Any(reading(DUTCH), ("en", "nl"))
    )
    assert text(eyes.read(PICTURE)) == " ".join(DUTCH.split())
    assert not eyes.is_foreign


def test_a_language_that_nobody_knows_is_kept_and_said():
    eyes = engines(Any(reading(DUTCH)), Any(reading(PROSE)))
    assert text(eyes.read(PICTURE)) == " ".join(DUTCH.split())
    assert eyes.is_foreign


def test_a_few_words_are_taken_for_what_the_engine_knows():
    eyes = engines(Any(reading("De kade van de haven")))
    assert text(eyes.read(PICTURE)) == "De kade van de haven"
    assert not eyes.is_foreign


@pytest.mark.parametrize("seen", [Reading(), reading(NOISE), BadDocumentError("not a picture")])
def test_where_the_first_sees_nothing_one_with_more_languages_tries(seen):
    eyes = engines(Any(seen), Any(reading(PROSE)), Any(reading(DUTCH), ("nl",)))
    assert text(eyes.read(PICTURE)) == " ".join(DUTCH.split())


def test_the_language_of_the_pages_before_is_handed_to_the_engine_once_it_is_clear():
    reader = Any(reading("Page 1"), ("en", "de"))
    eyes = engines(reader)
    asked = []
    for seen in ("Page 1", PROSE, "Figure 2: The harbour", GERMAN, PROSE + GERMAN, NOISE, PROSE):
        reader.seen = reading(seen)
        eyes.read(PICTURE)
        asked.append(reader.likely)
    assert asked == ["", "", "en", "en", "de", "de", "de"]


def test_words_beside_the_pictures_tell_what_these_may_be_in():
    reader = Any(reading("Page 1"), ("en", "de"))
    eyes = engines(reader)
    for words in (GERMAN, "Page 1", ""):  # what is not clear changes nothing
        eyes.expect(words.split())
        eyes.read(PICTURE)
        assert reader.likely == "de"


def test_words_beside_pictures_that_nobody_reads_are_no_matter():
    engines().expect(PROSE.split())


def test_another_document_begins_without_a_likely_language():
    reader = Any(reading(PROSE), ("en", "de"))
    for _ in range(2):
        engines(reader).read(PICTURE)
        assert reader.likely == ""


def test_noise_is_nothing_but_has_been_paid_for():
    eyes = engines(Any(reading(NOISE, usd=0.0015)))
    assert (eyes.read(PICTURE), eyes.usd, eyes.is_foreign) == ((), 0.0015, False)


def test_no_engine_is_asked_for_before_the_first_picture():
    def boom():
        raise AssertionError

    assert (
        parse(b"Plain text.", "a.txt", Allowance(engines=OcrEngines(boom))).document.text
        == "Plain text."
    )


def test_a_document_is_made_of_what_any_engine_saw():
    parsed = parse(
        scan_pages(typed_page(PROSE)).tobytes(),
        "a.pdf",
        Allowance(engines=engines(Any(reading(PROSE)))),
    )
    assert parsed.document.text == " ".join(PROSE.split())
    assert parsed.document.warnings == (BY_OCR,)
    assert [box[:4] for box in parsed.words[1]][:2] == [(60, 40, 110, 52), (120, 40, 170, 52)]


def test_words_that_an_engine_gives_twice_or_dirty_are_cleaned_as_a_files_own():
    seen = reading("The ﬁrst\u00a0bike came on \u00adMarch 3.", usd=0.1)
    twice = seen.model_copy(update={"lines": (*seen.lines, *seen.lines)})
    parsed = parse(
        scan_pages(typed_page("x")).tobytes(), "a.pdf", Allowance(engines=engines(Any(twice)))
    )
    assert parsed.document.text == "The first bike came on March 3."


def test_a_foreign_page_is_named():
    parsed = parse(
        scan_pages(typed_page(PROSE)).tobytes(),
        "a.pdf",
        Allowance(engines=engines(Any(reading(DUTCH)))),
    )
    assert parsed.document.warnings == (
        BY_OCR,
        "Page 1 has text in a language that OCR does not read: letters may be wrong or missing.",
    )


# -- in the parse step ---------------------------------------------------------------------------


def pipeline(*readers):
    made = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
    made.ocr_engines = readers
    return made


def test_what_ocr_cost_is_in_the_record_also_for_images_in_archives():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as archive:
        archive.writestr("a.pdf", scan_pages(typed_page(PROSE)).tobytes())
        archive.writestr("b.png", typed_page(PROSE)[0].get_pixmap(dpi=100).tobytes("png"))
    record = pipeline(Any(reading(PROSE, usd=0.0015))).upload("acme/default/a.zip", body.getvalue())
    assert (record.status, record.usd) == ("READY", 0.003)


def test_a_document_that_fails_after_it_was_read_has_cost_what_it_cost():
    record = pipeline(Any(Reading(usd=0.0015))).upload(
        "acme/default/a.pdf", scan_pages(typed_page(PROSE)).tobytes()
    )
    assert (record.status, record.error.code, record.usd) == ("FAILED", "no_text", 0.0015)


def test_an_engine_that_is_down_is_waited_for_and_tried_again_and_then_the_document_failed():
    reader = Any(UnavailableError("too many requests"))
    footnote = pipeline(reader)
    record = footnote.upload("acme/default/a.pdf", scan_pages(typed_page(PROSE)).tobytes())
    tries = footnote.settings.max_waits + footnote.settings.max_receives
    assert (record.status, record.error.code, reader.calls) == ("FAILED", "unavailable", tries)


def test_a_page_of_one_colour_is_not_paid_for():
    file = pymupdf.open()
    file.new_page()
    reader = Any(reading(PROSE, usd=0.0015))
    record = pipeline(reader).upload("acme/default/a.pdf", file.tobytes())
    assert (record.error.code, record.usd, reader.calls) == ("no_text", 0.0, 0)
