"""XLSX: a page a sheet; blocks of rows become tables; values, not formulas."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from io import BytesIO

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from footnote.ingest.parse import archive
from footnote.ingest.parse.draft import Draft
from footnote.ingest.parse.kinds import Parsed, reading
from footnote.ingest.parse.sniff import XLSX

MAX_CELLS = 5_000_000  # looked at, blank ones included
_BROKEN: tuple[type[Exception], ...] = (
    *archive.ZIP_ERRORS,
    InvalidFileException,
    etree.LxmlError,
    SyntaxError,  # what the standard library's XML parser raises
    KeyError,
    ValueError,
    AttributeError,
    IndexError,
    TypeError,
)
_MAX_HEADER_ROWS = 4


def parse(body: bytes, name: str) -> Parsed:
    archive.check(body, name, trees="xl/sharedStrings")
    draft = Draft()
    with reading(name, _BROKEN):
        book = load_workbook(BytesIO(body), read_only=True, data_only=True, keep_links=False)
        left = MAX_CELLS
        for sheet in book.worksheets:
            draft.page()
            if sheet.sheet_state != "visible":
                draft.warnings.append(f"The hidden sheet {sheet.title!r} is left out.")
                continue
            sheet.reset_dimensions()  # they may claim a million rows
            rows: list[list[str]] = []
            for row in sheet.iter_rows():
                left -= max(1, len(row))
                if left < 0:
                    break
                rows.append([_shown(cell.value, cell.number_format) for cell in row])
            _write(draft, sheet.title, rows)
        if left < 0:
            draft.warnings.append(f"Only the first {MAX_CELLS:,} cells were read.")
        title = book.properties.title or ""
        book.close()
    return draft.parsed(XLSX, name, [title])


def _write(draft: Draft, sheet: str, rows: Sequence[Sequence[str]]) -> None:
    if not any(any(row) for row in rows):
        return
    draft.heading(sheet, 1)
    for block in _blocks(rows):
        table = list(block)
        while table and sum(map(bool, table[0])) == 1:
            draft.paragraph(" ".join(table.pop(0)))  # a line of its own above a table
        used = sorted({i for row in table for i, cell in enumerate(row) if cell})
        cells = [[row[i] if i < len(row) else "" for i in used] for row in table]
        draft.table(cells, _header_rows(cells))


def _blocks(rows: Sequence[Sequence[str]]) -> Iterator[list[Sequence[str]]]:
    """Rows between blank rows; what goes on with numbers after a blank row is the same table."""
    block: list[Sequence[str]] = []
    after_blank = False
    for row in rows:
        if not any(row):
            after_blank = True
            continue
        if block and after_blank and not any(map(_is_number, row)):
            yield block
            block = []
        block.append(row)
        after_blank = False
    if block:
        yield block


def _header_rows(rows: Sequence[Sequence[str]]) -> int:
    """The rows above the first that holds a number (a year may be a heading)."""
    for i, row in enumerate(rows[: _MAX_HEADER_ROWS + 1]):
        if any(_is_number(cell) for cell in row[1:]):
            return i
    return 1


def _is_number(cell: str) -> bool:
    digits = cell.replace(".", "").replace("-", "").replace("%", "").replace(",", "")
    return digits.isdecimal() and not (len(cell) == 4 and cell[:2] in {"19", "20"})


def _shown(value: object, number_format: str) -> str:
    match value:
        case None:
            shown = ""
        case bool():
            shown = str(value).upper()
        case int() | float() if "%" in number_format:
            shown = _percent(value, number_format)
        case float():
            shown = f"{value:.12g}"
        case datetime() if value.time() == time.min:
            shown = value.date().isoformat()
        case datetime():
            shown = value.isoformat(" ")
        case date() | time():
            shown = value.isoformat()
        case _:
            shown = " ".join(str(value).split())
    return shown


def _percent(value: float, number_format: str) -> str:
    """With the decimals that the sheet shows: 0.189542 in the format 0.0% is 19.0%."""
    decimals = re.search(r"\.(0+)%", number_format)
    return f"{value * 100:.{len(decimals[1]) if decimals else 0}f}%"
