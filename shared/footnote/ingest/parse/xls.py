"""Parses XLS: reads the sheets of old Excel files like those of XLSX."""

from io import StringIO

import xlrd

from footnote.ingest.parse import ole, worksheet
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import XLS
from footnote.ingest.parse.refusals import encrypted, too_large, translate_errors
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (
    *ole.BROKEN,
    xlrd.XLRDError,
    AssertionError,
    EOFError,
    MemoryError,  # a record that claims to be larger than the file
)


def parse(body: bytes, name: str) -> ParsedDocument:
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        book = _open_book(body, name)
        room = worksheet.Room(name)
        for sheet in book.sheets():
            builder.page()
            if sheet.visibility:
                builder.warnings.append(f"The hidden sheet {sheet.name!r} is left out.")
                continue
            cells = sum(map(sheet.row_len, range(sheet.nrows))) + sheet.nrows
            if cells > room.cells:
                raise too_large(name, f"more than {worksheet.MAX_CELLS:,} cells")
            rows: list[list[str]] = []
            for n in range(sheet.nrows):
                rows.append([_cell_text(cell, book) for cell in sheet.row(n)])
                room.take(rows[-1])
            worksheet.write(builder, sheet.name, rows)
    return builder.to_parsed(XLS, name)


def _open_book(body: bytes, name: str) -> xlrd.Book:
    # olefile extracts the stream: xlrd would follow a looping chain of sectors for ever
    with ole.open_file(body, name) as file:
        content = file.read(("Workbook",)) or file.read(("Book",))
    try:
        return xlrd.open_workbook(file_contents=content, logfile=StringIO(), ragged_rows=True)
    except xlrd.XLRDError as error:
        if "encrypted" in str(error):
            raise encrypted(name) from error
        raise


def _cell_text(cell: xlrd.sheet.Cell, book: xlrd.Book) -> str:
    if cell.ctype == xlrd.XL_CELL_DATE:
        moment = xlrd.xldate_as_datetime(cell.value, book.datemode).isoformat(" ")
        return str(moment).removesuffix(" 00:00:00")
    if cell.ctype == xlrd.XL_CELL_NUMBER:
        return f"{cell.value:.12g}"
    if cell.ctype == xlrd.XL_CELL_BOOLEAN:
        return str(bool(cell.value)).upper()
    if cell.ctype == xlrd.XL_CELL_ERROR:
        return str(xlrd.error_text_from_code.get(cell.value, "#ERROR"))
    return " ".join(str(cell.value).split())
