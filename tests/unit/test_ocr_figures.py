"""Which pages OCR read, how sure it was, and which figures it may have misread."""

import gzip
import io
import json
import zipfile

import pymupdf
import pytest
from PIL import Image

from footnote.adapters.memory.small import MemoryReader
from footnote.ingest.parse import parse
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.ingest.parse.pdf.doubts import UNSURE, find_figure
from footnote.ingest.parse.pdf.page_ranges import combine_parts, dump_part, load_part, read_part
from footnote.model import Doubt, OcrLine, OcrWord, Reading, WordBox
from footnote.reading.contents import contents
from footnote.store.artifacts import pack_words, unpack_words
from tests.contract.suites.readers import boxes
from tests.scans import PROSE, image, scan_pages, typed_page
from tests.unit.test_parse_scans import BY_OCR, CAESAR

SURE, POOR = 0.97, UNSURE - 0.01


class Scripted(MemoryReader):
    """Reads the same lines on every picture."""

    def __init__(self, lines):
        super().__init__({})
        self._lines = lines

    def read(self, *_):
        return Reading(lines=self._lines)


def lines_of(page, changes=None):
    """Returns what is typed on a page as OCR reads it. `changes`: text and confidence by word."""
    changes = changes or {}
    return tuple(
        OcrLine(
            words=tuple(
                OcrWord(x0=x0, y0=y0, x1=x1, y1=y1, text=read, confidence=confidence)
                for x0, y0, x1, y1, text in line
                for read, confidence in [changes.get(text, (text, SURE))]
            ),
            size=11.0,
        )
        for line in boxes(page)
    )


def read_with(lines, body, name="made.pdf"):
    return parse(body, name, Allowance(engines=OcrEngines(lambda: [Scripted(lines)])))


def doubts_of(parsed):
    text = parsed.document.text
    return [
        (text[doubt.start : doubt.end], doubt.reason, doubt.other)
        for page in parsed.document.pages
        for doubt in page.doubts
    ]


TABLE = typed_page("Revenue $14,377.30 in 2024 and (5,466) before", PROSE)
CHANGES = {"$14,377.30": ("$1437.30", POOR), "and": ("and", POOR), "(5,466)": ("(5,466)", SURE)}
LINES = lines_of(TABLE[0], CHANGES)


def tiff():
    pages = [Image.open(io.BytesIO(image(TABLE[0], "png", 100))) for _ in range(2)]
    body = io.BytesIO()
    pages[0].save(body, "TIFF", save_all=True, append_images=pages[1:])
    return body.getvalue()


def archive():
    body = io.BytesIO()
    with zipfile.ZipFile(body, "w") as made:
        made.writestr("note.txt", "A note that stands before.")
        made.writestr("scan.pdf", mixed())
    return body.getvalue()


def mixed():
    """Returns a PDF of a page with text and a scanned one."""
    file = typed_page(PROSE, PROSE)
    file.insert_pdf(scan_pages(TABLE))
    return file.tobytes()


@pytest.mark.parametrize(
    ("body", "name", "read"),
    [
        (scan_pages(TABLE).tobytes(), "scan.pdf", ["ocr"]),
        (mixed(), "mixed.pdf", ["text", "ocr"]),
        (archive(), "mixed.zip", ["text", "ocr"]),
        (tiff(), "fax.tiff", ["ocr", "ocr"]),
        *((image(TABLE[0], kind, 100), kind, ["ocr"]) for kind in ("png", "jpeg", "bmp")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_page_says_how_it_was_read_and_which_figures_are_doubtful(body, name, read):
    parsed = read_with(LINES, body, name)
    assert [page.read for page in parsed.document.pages] == read
    scanned = [page for page in parsed.document.pages if page.read == "ocr"]
    assert [len(page.doubts) for page in scanned] == [1] * len(scanned)
    assert doubts_of(parsed) == [("1437.30", "unsure", "")] * len(scanned)


def test_a_blank_page_among_scans_was_not_read_by_ocr():
    file = scan_pages(TABLE)
    file.new_page()
    parsed = read_with(LINES, file.tobytes())
    assert [page.read for page in parsed.document.pages] == ["ocr", "text"]


def test_pages_read_in_parts_keep_how_they_were_read_and_their_doubts():
    body = mixed()
    whole = read_with(LINES, body)
    texts: dict[str, str] = {}
    parts = []
    for number in (1, 2):
        allowance = Allowance(engines=OcrEngines(lambda: [Scripted(LINES)]))
        stored = dump_part(read_part(body, "made.pdf", allowance, (number, number)))
        parts.append(load_part(stored, number - 1, texts))
    assert combine_parts(parts, "made.pdf") == whole
    assert doubts_of(whole) == [("1437.30", "unsure", "")]


def test_a_part_stored_before_there_were_confidences_is_read():
    body = typed_page(PROSE).tobytes()
    part = read_part(body, "made.pdf", Allowance(), (1, 1))
    stored = json.loads(gzip.decompress(dump_part(part)))
    for row in stored[0][0][0][3]:
        for cell in row[0]:
            for fragment in cell:
                fragment[4] = [word[:5] for word in fragment[4]]
    stored[0][0][0] = stored[0][0][0][:7]
    loaded = load_part(gzip.compress(json.dumps(stored).encode()), 0, {})
    assert list(loaded.read) == list(part.read)


def test_words_keep_their_confidence_in_the_artifact_and_text_has_none():
    document, stored = pack_words(read_with(LINES, mixed()))
    members = [
        unpack_words(stored[offset : offset + length])
        for offset, length in (page.words_at for page in document.pages)
    ]
    assert {box.confidence for box in members[0]} == {None}
    seen = {document.text[box.start : box.end]: box.confidence for box in members[1]}
    assert (seen["$1437.30"], seen["Revenue"]) == (POOR, SURE)
    first = json.loads(gzip.decompress(stored[: document.pages[0].words_at[1]]))
    assert {len(row) for row in first} == {6}  # as before: text takes no more room


def test_words_stored_before_there_were_confidences_are_read():
    member = gzip.compress(b"[[1.0,2.0,3.5,4.0,0,3]]")
    assert unpack_words(member) == [WordBox(1.0, 2.0, 3.5, 4.0, 0, 3)]


@pytest.mark.parametrize("confidence", [SURE, UNSURE, None])
def test_a_figure_that_the_engine_is_sure_of_is_no_doubt(confidence):
    lines = lines_of(TABLE[0], {"$14,377.30": ("$14,377.30", confidence)})
    assert doubts_of(read_with(lines, scan_pages(TABLE).tobytes())) == []


@pytest.mark.parametrize(
    ("word", "figure"),
    [
        ("$14,377.30,", "14,377.30"), ("(5,466)", "5,466"), ("-12.5%", "-12.5"), ("2024.", "2024"),
        ("S5,4G6", "S5,4G6"), ("\u22123", "\u22123"), ("FY2024", "FY2024"), ("7", "7"),
        ("and", None), ("--", None), ("", None),
    ],
)  # fmt: skip
def test_the_figure_in_a_word_is_found(word, figure):
    span = find_figure(word)
    assert (word[slice(*span)] if span else None) == figure


# -- the rejected text layer -----------------------------------------------------------------------


def with_layer(page, translate, changes=None):
    """Returns a scan of a page over which its words stand in invisible letters, translated."""
    file = scan_pages(page.parent)
    for line in boxes(page):
        for x0, _, _, y1, text in line:
            layer = (changes or {}).get(text, text).translate(translate)
            file[0].insert_text((x0, y1 - 3), layer, fontsize=11, render_mode=3)
    return file


FIGURES = typed_page(
    "Revenue 14,377.30 of which 5,466 came in March and 8,911.30 later, 250 a week", *[PROSE] * 5
)
MISREAD = lines_of(FIGURES[0], {"14,377.30": ("1437.30", SURE)})
SHIFTED = CAESAR | str.maketrans("0123456789", "3456789012")


def test_a_figure_that_differs_from_the_one_in_a_junk_layer_is_doubtful():
    parsed = read_with(MISREAD, with_layer(FIGURES[0], CAESAR).tobytes())
    assert parsed.document.warnings[0] == f"Page 1 has {BY_OCR}"
    assert doubts_of(parsed) == [("1437.30", "differs", "14,377.30")]


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_figures_are_compared_where_they_are_shown(rotation):
    file = with_layer(FIGURES[0], CAESAR)
    file[0].set_rotation(rotation)
    width, height = FIGURES[0].rect.width, FIGURES[0].rect.height
    turned = tuple(
        line.model_copy(
            update={"words": tuple(turn(word, rotation, width, height) for word in line.words)}
        )
        for line in MISREAD
    )
    assert doubts_of(read_with(turned, file.tobytes())) == [("1437.30", "differs", "14,377.30")]


def turn(word, rotation, width, height):
    box = pymupdf.Rect(word.x0, word.y0, word.x1, word.y1) * pymupdf.Matrix(rotation)
    right, down = {90: (height, 0), 180: (width, height), 270: (0, width)}[rotation]
    return word.model_copy(
        update={
            "x0": box.x0 + right, "x1": box.x1 + right, "y0": box.y0 + down, "y1": box.y1 + down
        }
    )  # fmt: skip


def test_a_layer_whose_figures_are_junk_as_well_says_nothing():
    assert doubts_of(read_with(MISREAD, with_layer(FIGURES[0], SHIFTED).tobytes())) == []


def test_a_layer_that_agrees_says_nothing():
    body = with_layer(FIGURES[0], CAESAR).tobytes()
    assert doubts_of(read_with(lines_of(FIGURES[0]), body)) == []


def test_a_figure_on_a_stamp_is_compared_though_it_is_the_only_one():
    file = scan_pages(TABLE)
    word = next(word for word in TABLE[0].get_text("words") if word[4] == "$14,377.30")
    file[0].insert_text((word[0], word[3] - 3), "$14,377.30", fontsize=11)
    parsed = read_with(lines_of(TABLE[0], {"$14,377.30": ("$1437.30", SURE)}), file.tobytes())
    assert doubts_of(parsed) == [("1437.30", "differs", "14,377.30")]


def test_a_figure_that_one_of_both_takes_for_two_words_is_not_compared():
    halves = []
    for line in lines_of(FIGURES[0]):
        words = []
        for word in line.words:
            if word.text == "14,377.30":
                middle = (word.x0 + word.x1) / 2
                words += [
                    word.model_copy(update={"x1": middle - 1, "text": "14,3"}),
                    word.model_copy(update={"x0": middle + 1, "text": "77.30"}),
                ]
            else:
                words.append(word)
        halves.append(line.model_copy(update={"words": tuple(words)}))
    assert doubts_of(read_with(tuple(halves), with_layer(FIGURES[0], CAESAR).tobytes())) == []


# -- what readers are told -------------------------------------------------------------------------


def test_a_warning_counts_the_doubtful_figures_and_names_their_pages():
    file = scan_pages(TABLE)
    one = read_with(LINES, file.tobytes()).document.warnings
    file.insert_pdf(scan_pages(TABLE))
    two = read_with(LINES, file.tobytes()).document.warnings
    assert one[1:] == ("Page 1 has a figure that OCR may have misread: compare it with the page.",)
    assert two[1:] == (
        "Pages 1-2 have 2 figures that OCR may have misread: compare them with the page.",
    )


def test_contents_count_pages_read_by_ocr_and_doubtful_figures():
    document = read_with(LINES, mixed()).document
    told = contents(document)
    assert (told.ocr_pages, told.doubtful_figures) == (1, 1)
    none = contents(parse(b"Plain text.", "a.txt").document)
    assert (none.ocr_pages, none.doubtful_figures) == (0, 0)


def test_doubts_lie_on_their_page():
    for parsed in (read_with(LINES, mixed()), read_with(LINES, archive(), "a.zip")):
        for page in parsed.document.pages:
            assert all(page.start <= one.start < one.end <= page.end for one in page.doubts)
            assert all(isinstance(one, Doubt) for one in page.doubts)
