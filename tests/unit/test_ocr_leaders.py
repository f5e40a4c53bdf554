"""What OCR makes of the dots between an entry and its figure is taken out; words stay."""

import random
from importlib import import_module
from types import SimpleNamespace

import pymupdf
import pytest

from footnote.ingest.parse.ocr import tessdata
from footnote.ingest.parse.ocr.engines import installed_engines
from footnote.ingest.parse.ocr.leader_dots import remove_dots
from footnote.ingest.parse.pdf.ocr_leaders import is_leader, remove_leaders
from footnote.model import OcrLine, OcrWord, Picture
from tests.scans import (
    GERMAN,
    PROSE,
    Wear,
    draw_worn,
    figures_page,
    leaders_page,
    typed_page,
)

LETTERS, DOTS = 0.75, 0.1  # the height of ink, as a share of the type's size
needs_tessdata = pytest.mark.skipif(
    tessdata.folder() is None, reason="no OCR language data: `make setup` installs it"
)


@pytest.mark.parametrize("text", ["assess", "success", "see", "excess", "processes", "a", "2.0"])
@pytest.mark.parametrize("confidence", [0.1, 0.97])
def test_letters_are_no_leader_however_unsure_the_engine_is(text, confidence):
    assert not is_leader(text, confidence, LETTERS, LETTERS, 0.5 * len(text))


@pytest.mark.parametrize("text", ["cesssessecs", "eee", "see", "sssnsnseeccecss", "2", "Harbour"])
def test_ink_as_flat_as_dots_is_a_leader_whatever_it_was_read_as(text):
    assert is_leader(text, 0.2, 0.15, DOTS, 10.0)
    assert is_leader(text, 0.2, 0.35, DOTS, 10.0)  # dots in the middle of the line


@pytest.mark.parametrize(
    ("text", "confidence", "rise", "height", "width"),
    [
        ("\u2014", 0.9, 0.35, 0.05, 1.0),  # a dash in an empty cell
        ("2", 0.5, 0.95, 0.4, 0.3),  # a footnote's mark
        ("2", 0.5, 0.3, 0.45, 0.3),  # a subscript
        ("we", 0.9, 0.4, 0.4, 1.5),  # small letters of which the engine is sure
    ],
)
def test_what_is_small_but_said_is_no_leader(text, confidence, rise, height, width):
    assert not is_leader(text, confidence, rise, height, width)


def test_a_rule_or_a_row_of_points_is_a_leader():
    assert is_leader("____", 0.9, 0.0, 0.05, 20.0)
    assert is_leader(". . .", 0.9, 0.1, 0.1, 12.0)


def line(*words, confidence=0.3):
    """Returns a line of these words; `confidence` is that of the words in small letters."""
    made = [
        OcrWord(
            x0=60.0 * n, y0=40, x1=60.0 * n + 50, y1=52, text=word,
            confidence=confidence if word.islower() else 0.96,
        )
        for n, word in enumerate(words)
    ]  # fmt: skip
    return OcrLine(words=tuple(made), size=10.0)


def texts(lines):
    return [" ".join(word.text for word in one.words) for one in lines]


@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (("Revenue", "eeeee", "1,250"), "Revenue 1,250"),
        (("Revenue", "ee", "cece", "cc", "1,250"), "Revenue 1,250"),
        (("Revenue.........-..-2", "1,250"), "Revenue 1,250"),
        (("Revenue.......1,250",), "Revenue 1,250"),
        (("see", "as", "it", "12"), "see as it 12"),
        (("Success", "assess", "excess", "processes", "12"), "Success assess excess processes 12"),
        (("Wait...", "12"), "Wait... 12"),
    ],
)
def test_between_a_label_and_its_figure_only_words_are_left(words, kept):
    assert texts(remove_leaders([line(*words)])) == [kept]


def test_a_word_of_one_letter_that_the_engine_is_sure_of_stays():
    assert texts(remove_leaders([line("Size", "xx", "12", confidence=0.6)])) == ["Size xx 12"]


def test_without_a_figure_to_lead_to_nothing_is_taken_out():
    assert texts(remove_leaders([line("We", "ee", "eee")])) == ["We ee eee"]


def test_a_figure_in_the_next_cell_is_led_to_as_well():
    label = line("Revenue", "eee")
    figure = OcrLine(
        words=(OcrWord(x0=300, y0=40, x1=340, y1=52, text="1,250", confidence=0.96),), size=10.0
    )
    assert texts(remove_leaders([label, figure])) == ["Revenue", "1,250"]
    below = figure.model_copy(
        update={"words": (figure.words[0].model_copy(update={"y0": 60, "y1": 72}),)}
    )
    assert texts(remove_leaders([label, below])) == ["Revenue eee", "1,250"]


def test_an_engine_that_gives_no_confidence_has_its_words_kept():
    words = tuple(
        word.model_copy(update={"confidence": None}) for word in line("A", "eee", "1").words
    )
    assert texts(remove_leaders([OcrLine(words=words, size=10.0)])) == ["A eee 1"]


STATEMENT = {
    "Assess the excess": "343", "Success": "1,934", "Processes we see": "27",
    "Harbour dues": "8,792", "Net income": "20,445", "Total": "(1,204)",
}  # fmt: skip
BAD_SCAN = Wear(dpi=150, blur=0.6, noise=30)
WEAR = [Wear(blur=0.3), Wear(dpi=150, blur=0.3, skew=0.7), BAD_SCAN]


def drawn(page, wear):
    return draw_worn(page, wear, random.Random(1))


@needs_tessdata
@pytest.mark.parametrize("leader", [".", ". ", " . ", "\u00b7"])
@pytest.mark.parametrize("wear", WEAR)
def test_labels_and_figures_between_dots_are_read_and_the_dots_are_not(leader, wear):
    (engine,) = installed_engines()
    lines = engine.read(drawn(leaders_page(STATEMENT, leader)[0], wear), "en").lines
    read = " ".join(texts(remove_leaders(lines))).split()
    assert read == " ".join(f"{label} {figure}" for label, figure in STATEMENT.items()).split()


@pytest.mark.parametrize("wear", WEAR)
@pytest.mark.parametrize("leader", [".", ". ", " . ", "\u00b7"])
@pytest.mark.parametrize(("font", "size"), [("helv", 6), ("tiro", 8), ("hebo", 12), ("cour", 9)])
def test_nine_of_ten_dots_are_painted_over_in_any_type(leader, font, size, wear):
    with_dots, without = (
        drawn(leaders_page(STATEMENT, shown, font, size)[0], wear) for shown in (leader, " ")
    )
    left = how_dark(remove_dots(with_dots)) - how_dark(without)
    assert left < 0.1 * (how_dark(with_dots) - how_dark(without))


@pytest.mark.parametrize("wear", WEAR)
def test_dots_on_a_dark_page_are_painted_over_as_well(wear):
    light = drawn(leaders_page(STATEMENT, ".")[0], wear)
    dark = light.model_copy(update={"pixels": inverted(light.pixels)})
    assert inverted(remove_dots(dark).pixels) == remove_dots(light).pixels


def how_dark(picture):
    return sum(255 - value for value in picture.pixels if value < DARK)


def inverted(pixels):
    return pixels.translate(bytes(range(255, -1, -1)))


DARK = 225  # of 255: noise is lighter
POINTS = (
    "1.25 2.50 3.75 4.00 5.25 6.50 7.75", "1.1.1.1.1 and 2.2.2.2.2", "192.168.1.1.1.1",
    "iii viii xviii iiii jijiji", "1,111,111,111,111.11", "Wait... or not ... at all",
    "U.S.A.B.C.D.", "a: b: c: d: 12:30:45:00", "\u00e4\u00f6\u00fc\u00e4\u00f6\u00fc \u00efii",
    "www wwww vvvv xxxx ~~ --",
    "(the \u201cCompany,\u201d \u201cus,\u201d \u201cwe,\u201d or \u201cour\u201d)",
    "No. 1. 2. 3. 4. 5. 6.", "Yes., no.; etc.: and so on.",
)  # fmt: skip


@pytest.mark.parametrize("wear", [*WEAR, Wear(noise=60, skew=-1.2)])
@pytest.mark.parametrize(("font", "size"), [("helv", 10), ("helv", 5), ("tiro", 6), ("cour", 9)])
def test_a_page_without_leaders_is_given_to_the_engine_as_it_is(font, size, wear):
    pages = [
        typed_lines(POINTS, font, size), typed_page(PROSE, GERMAN),
        figures_page(random.Random(2), font, size), leaders_page(STATEMENT, "_", font, size),
    ]  # fmt: skip
    for file in pages:
        seen = drawn(file[0], wear)
        assert remove_dots(seen) is seen


def test_the_points_of_a_shaded_area_are_left():
    file = pymupdf.open()
    page = file.new_page(width=200, height=100)
    for n in range(40 * 12):
        page.draw_circle((20 + n % 40 * 4, 20 + n // 40 * 4), 0.6, fill=(0, 0, 0))
    seen = drawn(page, Wear(blur=0.3))
    assert remove_dots(seen) is seen


def typed_lines(lines, font, size):
    file = pymupdf.open()
    page = file.new_page(width=420, height=60 + 2 * size * len(lines))
    writer = pymupdf.TextWriter(page.rect)
    for n, line in enumerate(lines):
        writer.append((30, 40 + 2 * size * n), line, font=pymupdf.Font(font), fontsize=size)
    writer.write_text(page)
    return file


@needs_tessdata
def test_a_scanned_table_of_contents_has_its_entries_and_pages():
    entries = {
        "Assess the excess": "343", "Success": "1,934", "Processes we see": "27",
        "Harbour dues": "8,792", "Access fees": "60,438",
    }  # fmt: skip
    page = leaders_page(entries, "_")[0]
    (engine,) = installed_engines()
    lines = engine.read(draw_worn(page, Wear(blur=0.3), random.Random(1)), "en").lines
    read = " ".join(texts(remove_leaders(lines))).replace(".", "").split()
    assert read == " ".join(f"{label} {figure}" for label, figure in entries.items()).split()


def handed_out(*words):
    """Returns what the engine hands out: text, confidence, ink, on a line at 100 pixels."""
    left = list(words)

    def advance(_):
        del left[0]
        return bool(left)

    return SimpleNamespace(
        Next=advance,
        IsAtBeginningOf=lambda _: False,
        Empty=lambda _: False,
        GetUTF8Text=lambda _: left[0][0],
        Confidence=lambda _: left[0][1],
        BoundingBox=lambda _: left[0][2],
        RowAttributes=lambda: {"row_height": 30.0, "descenders": -6.0, "ascenders": 8.0},
        Orientation=lambda: (0, 0, 2, 0.0),
        Baseline=lambda _: ((0, 100), (600, 100)),
    )


@needs_tessdata
def test_the_engine_leaves_out_words_whose_ink_is_flat_and_no_others():
    read_words = import_module("footnote.ingest.parse.ocr.tesseract").read_words
    picture = Picture(pixels=b"", columns=600, rows=200, width=216.0, height=72.0)
    seen = handed_out(
        ("assess", 20.0, (10, 84, 90, 100)),
        ("cessecs", 20.0, (100, 96, 300, 100)),
        ("1,250", 97.0, (310, 78, 380, 104)),
    )
    found = [one.word for one in read_words(seen, picture)]
    assert [word.text for word in found] == ["assess", "1,250"]
    assert {(round(word.y0, 1), round(word.y1, 1)) for word in found} == {(27.4, 38.2)}
