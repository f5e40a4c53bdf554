"""PDF: vertical Japanese and Chinese, alone and beside horizontal text; columns without blanks."""

import pymupdf
import pytest

from footnote.ingest.parse import parse
from tests.unit.test_parse_pdf_orientation import misses

COLUMNS = [
    "倉庫の在庫は毎月数えます。",
    "自転車のブレーキは年に一度、",
    "工場で点検を受けます。",
    "電池は三年で交換します。",
]
CHINESE = ["倉庫的庫存每月盤點一次，", "自行車的煞車每年檢查。", "電池每三年更換。"]
TIERS = (
    "倉庫の在庫は毎月一回数えて帳簿に記録します。担当者二名が共同で行い署名します。" * 4,
    "自転車のブレーキは年に一度工場で点検を受けます。摩耗した部品は店で交換します。" * 4,
)
WIDTH, HEIGHT, SIZE, PITCH = 420, 595, 12, 20


SETS = {"japan": ("Japan1", "UniJIS"), "china-s": ("GB1", "UniGB"), "china-t": ("CNS1", "UniCNS")}
"""A script's set of characters, and the beginning of its encodings' names (ISO 32000-1, 9.7.5)."""


class Sheet:
    """A PDF of one page, on which a test writes downwards and across.

    `advance` is what the font says a character takes of its column, in thousandths of its size.
    """

    def __init__(self, width=WIDTH, height=HEIGHT, font="japan", advance=-1000):
        self.file = pymupdf.open()
        self.leaf = self.file.new_page(width=width, height=height)
        ordering, encoding = SETS[font]
        described = self._add(
            "<</Type/FontDescriptor/FontName/Made/Flags 4/FontBBox[0 -200 1000 880]/ItalicAngle 0"
            "/Ascent 880/Descent -200/CapHeight 700/StemV 80>>"
        )
        characters = self._add(
            "<</Type/Font/Subtype/CIDFontType0/BaseFont/Made/CIDSystemInfo<</Registry(Adobe)"
            f"/Ordering({ordering})/Supplement 1>>/FontDescriptor {described} 0 R"
            f"/DW2[880 {advance}]>>"
        )
        across, down = (
            self._add(
                f"<</Type/Font/Subtype/Type0/BaseFont/Made/Encoding/{encoding}-UTF16-{way}"
                f"/DescendantFonts[{characters} 0 R]>>"
            )
            for way in "HV"
        )
        fonts = f"<</Font<</across {across} 0 R/down {down} 0 R>>>>"
        self.file.xref_set_key(self.leaf.xref, "Resources", fonts)

    def _add(self, content, stream=None):
        xref = self.file.get_new_xref()
        self.file.update_object(xref, content)
        if stream is not None:
            self.file.update_stream(xref, stream)
        return xref

    def down(self, columns, right=WIDTH - 60, top=80):
        """Writes columns from right to left in vertical type, character by character."""
        self._write(
            (right - PITCH * i, top + SIZE * j, char, "down")
            for i, column in enumerate(columns)
            for j, char in enumerate(column)
        )

    def stack(self, columns, right=WIDTH - 60, top=80):
        """Writes columns as browsers do: upright characters of horizontal type."""
        self._write(
            (right - PITCH * i, top + SIZE * j, char, "across")
            for i, column in enumerate(columns)
            for j, char in enumerate(column)
        )

    def across(self, x, y, text):
        self._write([(x, y, text, "across")])

    def _write(self, placed):
        operators = "".join(
            f"/{font} {SIZE} Tf 1 0 0 1 {x} {self.leaf.rect.height - y} Tm "
            f"<{text.encode('utf-16-be').hex()}> Tj "
            for x, y, text, font in placed
        )
        stream = self._add("<<>>", f"BT {operators} ET".encode())
        streams = " ".join(f"{xref} 0 R" for xref in [*self.leaf.get_contents(), stream])
        self.file.xref_set_key(self.leaf.xref, "Contents", f"[{streams}]")

    def read(self):
        return parse(self.file.tobytes(), "made.pdf")

    def text(self):
        return self.read().document.text


def joined(text):
    return "".join(text.split())


@pytest.mark.parametrize(("font", "columns"), [("japan", COLUMNS), ("china-t", CHINESE)])
@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_columns_are_read_from_right_to_left_and_from_top_to_bottom(font, columns, rotation):
    sheet = Sheet(font=font)
    sheet.down(columns)
    sheet.leaf.set_rotation(rotation)
    parsed = sheet.read()
    assert joined(parsed.document.text) == "".join(columns)
    assert misses(sheet.file.tobytes(), parsed) == []


@pytest.mark.parametrize("advance", [0, -1, -1000])
def test_vertical_type_is_read_whatever_advance_its_font_declares(advance):
    sheet = Sheet(advance=advance)
    sheet.down(COLUMNS)
    parsed = sheet.read()
    assert joined(parsed.document.text) == "".join(COLUMNS)
    assert parsed.document.language == "ja"


@pytest.mark.parametrize("rotation", [0, 90, 180, 270])
def test_columns_of_horizontal_type_are_columns(rotation):
    sheet = Sheet()
    sheet.stack(COLUMNS)
    sheet.leaf.set_rotation(rotation)
    parsed = sheet.read()
    assert joined(parsed.document.text) == "".join(COLUMNS)
    assert misses(sheet.file.tobytes(), parsed) == []


@pytest.mark.parametrize("way", ["down", "stack"])
def test_a_heading_across_the_top_comes_first_and_a_page_number_last(way):
    sheet = Sheet()
    getattr(sheet, way)(COLUMNS)
    sheet.across(60, 40, "倉庫の規則")
    sheet.across(200, 560, "12")
    assert joined(sheet.text()) == "倉庫の規則" + "".join(COLUMNS) + "12"


@pytest.mark.parametrize("way", ["down", "stack"])
def test_a_vertical_note_on_a_horizontal_page_is_read_in_one_piece(way):
    sheet = Sheet()
    for i in range(12):
        sheet.across(40, 60 + 18 * i, "横に書いた文章が紙面の大部分を占めている。")
    getattr(sheet, way)(COLUMNS[:2], right=390, top=60)
    assert sheet.text().endswith("\n\n".join(COLUMNS[:2]))


def test_figures_that_lie_across_a_column_stay_in_their_place():
    sheet = Sheet()
    sheet.down(["平成"], top=80)
    sheet.across(WIDTH - 72, 80 + SIZE * 3.8, "12")  # each figure as wide as a character
    sheet.down(["年の在庫"], top=80 + SIZE * 3)
    sheet.down(COLUMNS, right=WIDTH - 60 - PITCH)
    assert joined(sheet.text()).startswith("平成12年の在庫" + COLUMNS[0])


@pytest.mark.parametrize("way", ["down", "stack"])
def test_tiers_of_columns_are_read_one_after_the_other(way):
    sheet = Sheet(width=595, height=842)
    for top, tier in zip((80, 460), TIERS, strict=True):
        columns = [tier[28 * i : 28 * i + 28] for i in range(5)]
        getattr(sheet, way)(columns, right=500, top=top)
    assert joined(sheet.text()) == TIERS[0][:140] + TIERS[1][:140]


def test_columns_of_chinese_prose_are_no_table():
    sheet = Sheet(width=595, height=842)
    for left, prose in zip((40, 310), TIERS, strict=True):
        for i in range(6):
            sheet.across(left, 100 + 16 * i, prose[20 * i : 20 * i + 20])
    parsed = sheet.read().document
    assert joined(parsed.text) == TIERS[0][:120] + TIERS[1][:120]
    assert parsed.tables == ()


def test_a_table_with_a_character_in_each_cell_keeps_its_rows():
    sheet = Sheet()
    for i, name in enumerate(["倉庫", "工場", "店舗", "本社"]):
        for x, cell in ((60, name), (200, "有"), (300, "無")):
            sheet.across(x, 100 + 20 * i, cell)
    assert [" | ".join(row) for row in sheet.read().document.tables[0].rows] == [
        f"{name} | 有 | 無" for name in ("倉庫", "工場", "店舗", "本社")
    ]


def test_signs_in_their_vertical_shape_are_the_usual_signs():
    sheet = Sheet(font="china-s")
    sheet.down(["他說﹁電池﹂壞了︒"])
    assert sheet.text() == "他說「電池」壞了。"
