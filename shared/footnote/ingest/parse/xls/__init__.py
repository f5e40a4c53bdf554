"""Parses XLS: reads the sheets of old Excel files like those of XLSX."""

from collections.abc import Iterator
from io import StringIO

import xlrd

from footnote.ingest.parse import ole, worksheet
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.formats import XLS
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.number_format import CODES, Shown, show_number, show_text
from footnote.ingest.parse.print_headers import PrintHeaders
from footnote.ingest.parse.refusals import locked_office_file, too_large, translate_errors
from footnote.ingest.parse.xls import biff, biff_formulas
from footnote.ingest.parse.xlsx.formulas import Formulas
from footnote.ingest.parse.xlsx.rows import Cell, Row
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (
    *ole.BROKEN,
    xlrd.XLRDError,
    AssertionError,
    EOFError,
    MemoryError,  # a record that claims to be larger than the file
    UnboundLocalError,  # xlrd's, at a text that belongs to no object
)
_BROKEN_FORMATS: tuple[type[Exception], ...] = (*ole.BROKEN, AssertionError)
_OLE = b"\xd0\xcf\x11\xe0"
_WITH_VALUE = frozenset({xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE, xlrd.XL_CELL_TEXT})
_WITHOUT_VALUE = frozenset({xlrd.XL_CELL_EMPTY, xlrd.XL_CELL_BLANK})
_EMBEDDED = "mbd"  # how the folders of embedded objects begin


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    writer = _Writer(name, allowance)
    with translate_errors(name, _BROKEN):
        writer.write(body)
    return writer.builder.to_parsed(XLS, name)


class _Writer:
    def __init__(self, name: str, allowance: Allowance) -> None:
        self.builder = DocumentBuilder()
        self._inside = NestedFiles(self.builder, allowance, keeps_pages=False)
        self._objects: list[tuple[str, bytes]] = []
        self._name = name
        self._room = worksheet.Room(name)
        self._headers = PrintHeaders()
        self._codes: list[str] = []
        self._is_1904 = False

    def write(self, body: bytes) -> None:
        content = self._content(body)
        asides = biff.read(content)
        book = self._open(asides.content)
        self._codes = _codes(book)
        self._is_1904 = bool(book.datemode)
        for number, sheet in enumerate(book.sheets()):
            self.builder.page()
            if sheet.visibility:
                self.builder.warnings.append(f"The hidden sheet {sheet.name!r} is left out.")
                continue
            around = asides.sheets[number] if number < len(asides.sheets) else biff.SheetAsides()
            worksheet.write(self.builder, sheet.name, self._rows(sheet, around))
            self._write_asides(sheet, around)
        self.builder.ledger.count("chart", "", asides.chart_sheets)
        for path, embedded in self._objects:
            self._inside.add(embedded, path)

    def _content(self, body: bytes) -> bytes:
        if not body.startswith(_OLE):
            return body  # an Excel before 5 wrote it
        # olefile extracts the stream: xlrd would follow a looping chain of sectors for ever
        with ole.open_file(body, self._name) as file:
            for path in file.listdir(streams=False, storages=True):
                if len(path) == 1 and path[0].casefold().startswith(_EMBEDDED):
                    inner = ole.package_in(file, path)
                    self._objects += [inner] if inner else []
                    self.builder.ledger.count("embedded_file", "", int(inner is None))
            return bytes(file.read(("Workbook",)) or file.read(("Book",)))

    def _open(self, content: bytes) -> xlrd.Book:
        try:
            try:
                return _open_book(content, has_formats=True)
            except _BROKEN_FORMATS:
                return _open_book(content, has_formats=False)  # only its formats are broken
        except xlrd.XLRDError as error:
            if "encrypted" in str(error):
                raise locked_office_file(self._name) from error
            raise

    def _rows(self, sheet: xlrd.sheet.Sheet, around: biff.SheetAsides) -> list[list[str]]:
        if sum(map(sheet.row_len, range(sheet.nrows))) + sheet.nrows > self._room.cells:
            raise too_large(self._name, f"more than {worksheet.MAX_CELLS:,} cells")
        ledger = self.builder.ledger
        formulas = Formulas({sheet.name: lambda: _cells(sheet, around)})
        hidden = {number for number, column in sheet.colinfo_map.items() if column.hidden}
        filled: set[int] = set()  # hidden columns that have something in them
        rows: list[list[str]] = []
        for y in range(sheet.nrows):
            row = [
                ""
                if kind in _WITHOUT_VALUE and (y, x) not in around.pending
                else self._text(_computed(formulas, sheet, around, y, x), sheet.name)
                for x, kind in enumerate(sheet.row_types(y))
            ]
            info = sheet.rowinfo_map.get(y)
            if info and info.hidden:
                ledger.count("hidden_row", sheet.name, int(any(row)))
                self._room.take(row)
                continue
            if hidden:
                filled |= {x for x in hidden if x < len(row) and row[x]}
                row = ["" if x in hidden else text for x, text in enumerate(row)]
            rows.append(row)
            self._room.take(row)
        ledger.count("hidden_column", sheet.name, len(filled))
        return rows

    def _text(self, cell: xlrd.sheet.Cell | None, place: str) -> str:
        if cell is None:
            self.builder.ledger.count("formula", place)
            return ""
        shown = self._show(cell)
        if shown.is_hidden:
            self.builder.ledger.count("hidden_cells", place)
        return " ".join(shown.text.split())

    def _show(self, cell: xlrd.sheet.Cell) -> Shown:
        at = -1 if cell.xf_index is None else cell.xf_index
        code = self._codes[at] if 0 <= at < len(self._codes) else "General"
        match cell.ctype:
            case xlrd.XL_CELL_NUMBER:
                return show_number(cell.value, code, is_1904=self._is_1904)
            case xlrd.XL_CELL_DATE:
                code = "yyyy-mm-dd" if code == "General" else code
                return show_number(cell.value, code, is_1904=self._is_1904)
            case xlrd.XL_CELL_BOOLEAN:
                return Shown(str(bool(cell.value)).upper())
            case xlrd.XL_CELL_ERROR:
                return Shown(str(xlrd.error_text_from_code.get(cell.value, "#ERROR")))
            case _:
                return show_text(str(cell.value), code)

    def _write_asides(self, sheet: xlrd.sheet.Sheet, around: biff.SheetAsides) -> None:
        for box in around.boxes:
            self.builder.paragraph("\n".join(map(squeeze, box.splitlines())))
        for (row, column), note in sorted(sheet.cell_note_map.items()):
            cell = xlrd.cellname(row, column)
            worksheet.write_comment(self.builder, note.author or "", cell, note.text or "")
        for line in around.headers:
            self.builder.paragraph(self._headers.text(line))
        self.builder.ledger.count("chart", sheet.name, around.charts)
        self.builder.ledger.count("picture", sheet.name, around.pictures)
        self.builder.ledger.count("unknown_element", sheet.name, around.unknown)


def _cells(sheet: xlrd.sheet.Sheet, around: biff.SheetAsides) -> Iterator[Row]:
    """Yields what formulas compute with."""
    for y in range(sheet.nrows):
        cells: list[Cell] = []
        for x, cell in enumerate(sheet.row(y)):
            tokens = around.pending.get((y, x))
            formula = biff_formulas.to_text(tokens) if tokens is not None else ""
            if formula or cell.ctype in _WITH_VALUE:
                cells.append(Cell(x + 1, cell.value, None, formula))
        yield Row(y + 1, cells, is_hidden=False, has_unknown=False)


def _computed(
    formulas: Formulas, sheet: xlrd.sheet.Sheet, around: biff.SheetAsides, y: int, x: int
) -> xlrd.sheet.Cell | None:
    """Returns a cell, with its formula's result if none is stored; None if that is not known."""
    cell = sheet.cell(y, x)
    if (y, x) not in around.pending:
        return cell
    value = formulas.value(sheet.name, y + 1, Cell(x + 1, "", None))
    if value is None:
        return None
    kind = xlrd.XL_CELL_TEXT if isinstance(value, str) else xlrd.XL_CELL_NUMBER
    return xlrd.sheet.Cell(kind, value, cell.xf_index)


def _open_book(content: bytes, *, has_formats: bool) -> xlrd.Book:
    return xlrd.open_workbook(
        file_contents=content, logfile=StringIO(), ragged_rows=True, formatting_info=has_formats
    )


def _codes(book: xlrd.Book) -> list[str]:
    """Returns the number format code of each style: the file's own, or the one its id stands for.

    xlrd has other codes for ids.
    """
    own = {each.format_key: each.format_str for each in book.format_list}
    keys = [style.format_key for style in book.xf_list]
    return [own.get(key) or CODES.get(key, "General") for key in keys]
