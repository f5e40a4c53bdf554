"""XLS: cells as shown, what is hidden, boxes and print headers, formulas without results."""

import struct

import pytest

from footnote.ingest.parse import parse
from tests import formats
from tests.compound import compound, workbook


def record(kind, data=b""):
    return struct.pack("<HH", kind, len(data)) + data


def text(words):
    return struct.pack("<HB", len(words), 0) + words.encode("latin-1")


def number(row, column, value, style=0):
    return record(0x203, struct.pack("<HHHd", row, column, style, value))


def label(row, column, words):
    return record(0x204, struct.pack("<HHH", row, column, 0) + text(words))


def formula(row, column, result, flags, tokens=b""):
    head = struct.pack("<HHH8sHIH", row, column, 0, result, flags, 0, len(tokens))
    return record(0x06, head + tokens)


def style(code):
    return record(0xE0, struct.pack("<HHH14x", 0, code, 0))


def bof(kind):
    return record(0x809, struct.pack("<HH12x", 0x600, kind))


def object_of(kind):
    return record(0x5D, struct.pack("<HHHH14x", 0x15, 0x12, kind, 1))


def box(words):
    said = record(0x1B6, struct.pack("<10xHH4x", len(words), 0))
    return said + record(0x3C, b"\0" + words.encode("latin-1"))


def book_of(*records, globals_=b""):
    """Returns an XLS with one sheet of these records."""
    top = bof(5) + globals_
    name = b"Fees"
    offset = len(top) + 4 + 8 + len(name) + 4
    top += record(0x85, struct.pack("<IBBBB", offset, 0, 0, len(name), 0) + name) + record(0x0A)
    return compound({"Workbook": top + bof(16) + b"".join(records) + record(0x0A)})


def read(body):
    return parse(body, "fees.xls").document


def test_a_cell_is_read_as_it_is_shown():
    codes = ["[h]:mm", "0.0%", "00000", "#,##0;(#,##0)"]
    formats = b"".join(
        record(0x41E, struct.pack("<H", 164 + n) + text(code)) for n, code in enumerate(codes)
    )
    styles = style(0) + b"".join(style(164 + n) for n in range(len(codes))) + style(17) + style(36)
    values = [(1.25, 1), (0.125, 2), (507, 3), (-1200, 4), (45752, 5), (45752, 6)]
    found = read(
        book_of(
            *(number(row, 0, *value) for row, value in enumerate(values)),
            number(6, 0, 123456789012345),
            globals_=formats + styles,
        )
    )
    assert found.text == (
        "Fees\n\n30:00\n\n12.5%\n\n00507\n\n(1,200)\n\nApr-25\n\n2025年4月\n\n123456789012345"
    )


def test_hidden_rows_and_columns_are_left_out_and_counted():
    hidden_row = record(0x208, struct.pack("<HHHHHHI", 1, 0, 3, 255, 0, 0, 0x20))
    hidden_column = record(0x7D, struct.pack("<HHHHHH", 2, 2, 2560, 0, 1, 0))
    cells = [label(y, x, f"r{y}c{x}") for y in range(3) for x in range(3)]
    found = read(book_of(hidden_column, hidden_row, *cells))
    assert found.text == "Fees\n\nr0c0 | r0c1\nr2c0 | r2c1"
    assert found.warnings == (
        "1 hidden row is left out: Fees. [hidden_row]",
        "1 hidden column is left out: Fees. [hidden_column]",
    )


def test_boxes_print_headers_and_charts_stand_below_the_cells():
    found = read(
        book_of(
            record(0x14, text("&LValid until May&RPage &P")),
            label(0, 0, "pier"),
            object_of(0x06) + box("Prices exclude VAT"),
            object_of(0x19) + box("a note without a cell"),
            object_of(0x08),
            object_of(0x05) + bof(0x20) + record(0x0A),
        )
    )
    assert found.text == "Fees\n\npier\n\nPrices exclude VAT\n\nValid until May"
    assert found.warnings == (
        "1 chart is not read: Fees. [chart]",
        "1 picture is not read: Fees. [picture]",
    )


def test_a_record_of_an_unknown_kind_is_counted():
    found = read(book_of(label(0, 0, "pier"), record(0x0C00, b"words"), record(0x0867, b"known")))
    assert found.text == "Fees\n\npier"
    assert found.warnings == ("1 unknown element is not read: Fees. [unknown_element]",)


def test_a_stored_zero_of_a_formula_that_was_never_computed_is_no_value():
    found = read(
        book_of(
            label(0, 0, "sum"),
            formula(0, 1, bytes(8), 2),
            label(1, 0, "toll"),
            formula(1, 1, bytes(8), 0),
        )
    )
    assert found.text == "Fees\n\nsum\n\ntoll | 0"
    assert found.warnings == ("1 formula without a stored value is not read: Fees. [formula]",)


def reference(row, column):
    return struct.pack("<BHH", 0x44, row, column | 0xC000)


@pytest.mark.parametrize(
    ("tokens", "shown"),
    [
        (b"\x25" + struct.pack("<HHHH", 0, 1, 0, 0) + b"\x19\x10\0\0", "31"),
        (reference(0, 0) + reference(1, 0) + b"\5", "210"),
        (reference(0, 0) + b"\x1e\4\0\6\x13", "-2.5"),
        (b"\x17\3\0<= " + reference(0, 0) + b"\x08", "<= 10"),
        (b"\x1f" + struct.pack("<d", 2.5) + b"\x15\x14", "0.025"),
        (reference(0, 0) + b"\x1e\3\0\6\x1e\2\0\x41\x1b\0", "3.33"),
        (b"\x17\1\0x\x17\4\1P\0i\0e\0r\0\x42\2\x67\1", "Pier"),
        (reference(0, 0) + reference(1, 0) + b"\x42\2\7\0", "21"),
    ],
)
def test_a_simple_formula_without_a_result_is_computed(tokens, shown):
    cells = number(0, 0, 10.0), number(1, 0, 21.0), label(2, 0, "result")
    found = read(book_of(*cells, formula(2, 1, bytes(8), 2, tokens)))
    assert f"result | {shown}" in found.text
    assert found.warnings == ()


@pytest.mark.parametrize(
    "tokens",
    [b"", b"\3", b"\x3a\0\0\0\0\0\0", b"\x17\xff", b"\x42\x09\4\0", b"\x19\2\0\0", b"\xff"],
)
def test_any_other_formula_without_a_result_is_counted(tokens):
    found = read(book_of(label(0, 0, "result"), formula(0, 1, bytes(8), 2, tokens)))
    assert found.text == "Fees\n\nresult"
    assert found.warnings == ("1 formula without a stored value is not read: Fees. [formula]",)


@pytest.mark.parametrize("computed", [0, 1])
def test_empty_results_are_missing_ones_if_all_are_empty(computed):
    empty = b"\3\0\0\0\0\0\xff\xff"
    others = [formula(1, 1, struct.pack("<d", 7), 0)] * computed
    found = read(book_of(label(0, 0, "sum"), formula(0, 1, empty, 0), *others))
    assert bool(found.warnings) is not bool(computed)


def test_a_workbook_of_excel_4_is_read():
    bare = struct.pack("<HHHHH", 0x409, 6, 0x400, 0x10, 0)
    bare += record(0x204, struct.pack("<HHHH", 0, 0, 0, 4) + b"pier") + record(0x0A)
    assert "pier" in parse(bare, "old.xls").document.text


def embedding(streams):
    return read(
        compound({"MBD0001": streams, "Workbook": stream_of(workbook({"Fees": [["pier"]]}))})
    )


def test_an_embedded_object_that_holds_no_file_is_counted():
    assert read(workbook({"Fees": [["pier"]]})).warnings == ()
    found = embedding({"CONTENTS": b"x"})
    assert found.text == "Fees\n\npier"
    assert found.warnings == ("1 embedded file is not read. [embedded_file]",)


def native(name, content):
    """Returns the record in which Office's packager keeps a file."""
    head = b"\2\0" + name + b"\0C:\\a\0\0\0\3\0" + struct.pack("<I", 5) + b"C:\\b\0"
    return struct.pack("<I", 0) + head + struct.pack("<I", len(content)) + content


@pytest.mark.parametrize(
    ("streams", "title"),
    [
        (lambda: {"Package": formats.ODT}, "embedded file"),
        (lambda: {"\x01Ole10Native": native(b"deed.odt", formats.ODT)}, "deed.odt"),
    ],
)
def test_an_embedded_file_is_a_section_behind_the_sheets(streams, title):
    found = embedding(streams())
    assert found.text.startswith(f"Fees\n\npier\n\n{title}\n\nWhere it is\n\nThe shop")
    assert len(found.pages) == 1
    assert found.warnings == ()


def test_an_embedded_sheet_is_a_section_behind_the_sheets():
    inner = stream_of(workbook({"Tolls": [["boat", 7]]}))
    found = embedding({"Workbook": inner})
    assert found.text == "Fees\n\npier\n\nembedded sheet.xls\n\nTolls\n\nboat | 7"


def test_an_embedded_file_that_is_refused_is_named():
    found = embedding({"Package": b"\x7fELF" + bytes(90)})
    assert found.warnings == ("Left out: embedded file is a program.",)


def stream_of(body):
    from footnote.ingest.parse import ole

    with ole.open_file(body, "a.xls") as file:
        return file.read(("Workbook",))
