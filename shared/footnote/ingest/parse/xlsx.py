"""Parses XLSX: a page per sheet; blocks of rows become tables of values, not formulas."""

import re
from datetime import date, datetime, time
from io import BytesIO

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from footnote.ingest.parse import properties, worksheet, zip_bounds
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import XLSX
from footnote.ingest.parse.refusals import translate_errors
from footnote.model import ParsedDocument

MAX_CELLS = 5_000_000  # blank ones included
_BROKEN: tuple[type[Exception], ...] = (
    *zip_bounds.ZIP_ERRORS,
    InvalidFileException,
    etree.LxmlError,
    SyntaxError,  # what the standard library's XML parser raises
    KeyError,
    ValueError,
    AttributeError,
    IndexError,
    TypeError,
)


def parse(body: bytes, name: str) -> ParsedDocument:
    zip_bounds.check(body, name, trees="xl/sharedStrings")
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        book = load_workbook(BytesIO(body), read_only=True, data_only=True, keep_links=False)
        left = MAX_CELLS
        for sheet in book.worksheets:
            builder.page()
            if sheet.sheet_state != "visible":
                builder.warnings.append(f"The hidden sheet {sheet.title!r} is left out.")
                continue
            sheet.reset_dimensions()  # the stated dimensions may claim a million rows
            rows: list[list[str]] = []
            for row in sheet.iter_rows():
                left -= max(1, len(row))
                if left < 0:
                    break
                rows.append([_cell_text(cell.value, cell.number_format) for cell in row])
            worksheet.write(builder, sheet.title, rows)
        if left < 0:
            builder.warnings.append(f"Only the first {MAX_CELLS:,} cells were read.")
        title = book.properties.title or ""
        book.close()
    return properties.add_metadata(
        builder.to_parsed(XLSX, name, [title]), properties.office(body, name)
    )


def _cell_text(value: object, number_format: str) -> str:
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
    """Formats a share with the sheet's decimals: 0.189542 in the format 0.0% is 19.0%."""
    decimals = re.search(r"\.(0+)%", number_format)
    return f"{value * 100:.{len(decimals[1]) if decimals else 0}f}%"
