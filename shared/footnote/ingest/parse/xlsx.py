"""Parses XLSX: a page per sheet; blocks of rows become tables of values, not formulas."""

import re
from contextlib import suppress
from datetime import date, datetime, time
from io import BytesIO

from lxml import etree
from openpyxl import load_workbook
from openpyxl.utils.exceptions import InvalidFileException

from footnote.errors import BadDocumentError
from footnote.ingest.parse import properties, safe_xml, worksheet, zip_bounds
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import XLSX
from footnote.ingest.parse.refusals import ODD_VALUES, too_large, translate_errors
from footnote.model import ParsedDocument

MAX_SHEETS = 1_000
_MAX_ROWS = 1 << 20  # of a sheet, as in Excel
_TYPES, _WORKSHEET = "[Content_Types].xml", "worksheet+xml"
_BROKEN: tuple[type[Exception], ...] = (
    *zip_bounds.ZIP_ERRORS,
    InvalidFileException,
    etree.LxmlError,
    SyntaxError,  # what the standard library's XML parser raises
    *ODD_VALUES,
)


def parse(body: bytes, name: str) -> ParsedDocument:
    zip_bounds.check(body, name, _finds_trees(body, name))
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        book = load_workbook(BytesIO(body), read_only=True, data_only=True, keep_links=False)
        if len(book.worksheets) > MAX_SHEETS:
            raise too_large(name, f"more than {MAX_SHEETS:,} sheets")
        room = worksheet.Room(name)
        for sheet in book.worksheets:
            builder.page()
            if sheet.sheet_state != "visible":
                builder.warnings.append(f"The hidden sheet {sheet.title!r} is left out.")
                continue
            sheet.reset_dimensions()  # the stated dimensions may claim a million rows
            rows: list[list[str]] = []
            for row in sheet.iter_rows(max_row=_MAX_ROWS):
                cells = [_cell_text(cell.value, cell.number_format) for cell in row]
                room.take(cells)
                if room.cells < 0:
                    break
                # one blank row ends a table as well as a million of them do
                if any(cells) or (rows and any(rows[-1])):
                    rows.append(cells)
            worksheet.write(builder, sheet.title, rows)
        if room.cells < 0:
            builder.warnings.append(f"Only the first {worksheet.MAX_CELLS:,} cells were read.")
        title = book.properties.title or ""
        book.close()
    return properties.add_metadata(
        builder.to_parsed(XLSX, name, [title]), properties.office(body, name)
    )


def _finds_trees(body: bytes, name: str) -> zip_bounds.IsTree:
    """Returns a function that tells whether openpyxl reads a part whole: all but worksheets.

    A part may be declared twice. It counts as a worksheet only if it is declared as nothing else.
    """
    kinds: dict[str, set[str]] = {}
    with suppress(KeyError, BadDocumentError), zip_bounds.open_package(body, name) as package:
        for declared in safe_xml.root(package.read(_TYPES), name):
            part = declared.get("PartName", "").removeprefix("/")
            kinds.setdefault(part, set()).add(declared.get("ContentType", ""))
    streamed = {
        part for part, types in kinds.items() if all(each.endswith(_WORKSHEET) for each in types)
    }
    return lambda part: part not in streamed


def _cell_text(value: object, number_format: str) -> str:
    match value:
        case None:
            text = ""
        case bool():
            text = str(value).upper()
        case int() | float() if "%" in number_format:
            text = _percent(value, number_format)
        case float():
            text = f"{value:.12g}"
        case datetime() if value.time() == time.min:
            text = value.date().isoformat()
        case datetime():
            text = value.isoformat(" ")
        case date() | time():
            text = value.isoformat()
        case _:
            text = " ".join(str(value).split())
    return text


def _percent(value: float, number_format: str) -> str:
    """Formats a share with the sheet's decimals: 0.189542 in the format 0.0% is 19.0%."""
    decimals = re.search(r"\.(0+)%", number_format)
    return f"{value * 100:.{len(decimals[1]) if decimals else 0}f}%"
