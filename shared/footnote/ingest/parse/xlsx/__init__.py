"""Parses XLSX: a page per sheet; blocks of rows become tables of what their cells show.

`workbook` reads what the sheets share, `rows` streams their cells, `formulas` computes simple
results that are not stored, `asides` reads what stands around the cells.
"""

from contextlib import suppress

from lxml import etree

from footnote.errors import BadDocumentError
from footnote.ingest.parse import ooxml, properties, safe_xml, worksheet, zip_bounds
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import XLSX
from footnote.ingest.parse.number_format import show_number, show_text
from footnote.ingest.parse.refusals import ODD_VALUES, too_large, translate_errors
from footnote.ingest.parse.xlsx.asides import Asides
from footnote.ingest.parse.xlsx.formulas import Formulas
from footnote.ingest.parse.xlsx.rows import Cell, Row, Worksheet
from footnote.ingest.parse.xlsx.workbook import Sheet, Workbook
from footnote.model import ParsedDocument

MAX_SHEETS = 1_000
_WORKSHEET = "worksheet+xml"
_BROKEN: tuple[type[Exception], ...] = (*zip_bounds.ZIP_ERRORS, etree.LxmlError, *ODD_VALUES)


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    zip_bounds.check(body, name, _finds_trees(body, name))
    with zip_bounds.open_package(body, name) as package, translate_errors(name, _BROKEN):
        writer = _Writer(Workbook(package, name), allowance)
        writer.write()
    fields = properties.office(body, name)
    parsed = writer.builder.to_parsed(XLSX, name, [str(fields.get("title", ""))])
    return properties.add_metadata(parsed, fields)


def _finds_trees(body: bytes, name: str) -> zip_bounds.IsTree:
    """Returns a function that tells whether a part is read whole: all but worksheets.

    A part may be declared twice. It counts as a worksheet only if it is declared as nothing else.
    """
    kinds: dict[str, set[str]] = {}
    with suppress(KeyError, BadDocumentError), zip_bounds.open_package(body, name) as package:
        for declared in safe_xml.root(package.read(ooxml.TYPES), name):
            part = declared.get("PartName", "").removeprefix("/")
            kinds.setdefault(part, set()).add(declared.get("ContentType", ""))
    streamed = {
        part for part, types in kinds.items() if all(each.endswith(_WORKSHEET) for each in types)
    }
    return lambda part: part not in streamed


class _Writer:
    def __init__(self, book: Workbook, allowance: Allowance) -> None:
        self.builder = DocumentBuilder()
        self._book = book
        self._hidden: set[int] = set()  # hidden columns of the sheet that had something in them
        self._room = worksheet.Room(book.name)
        self._formulas = Formulas(
            {each.name: Worksheet(book, each.path).rows for each in book.sheets}
        )
        self._asides = Asides(book, self.builder, allowance)

    def write(self) -> None:
        if len(self._book.sheets) > MAX_SHEETS:
            raise too_large(self._book.name, f"more than {MAX_SHEETS:,} sheets")
        for sheet in self._book.sheets:
            self.builder.page()
            if sheet.is_hidden:
                self.builder.warnings.append(f"The hidden sheet {sheet.name!r} is left out.")
            elif sheet.kind == "worksheet":
                self._sheet(sheet)
            else:
                self._asides.write(sheet, None)
        if self._room.cells < 0:
            self.builder.warnings.append(f"Only the first {worksheet.MAX_CELLS:,} cells were read.")

    def _sheet(self, sheet: Sheet) -> None:
        cells = Worksheet(self._book, sheet.path)
        self._hidden = set()
        rows: list[list[str]] = []
        last = 0
        for row in cells.rows():
            if self._room.cells < 0:
                break
            # one blank row ends a table as well as a million of them do
            is_after_gap = row.number > last + 1
            last = row.number
            texts = self._texts(row, cells, sheet.name)
            self._room.take(texts)
            if row.is_hidden:
                continue  # the rows around it stand one below the other
            if rows and any(rows[-1]) and (is_after_gap or not any(texts)):
                rows.append([])
            if any(texts):
                rows.append(texts)
        worksheet.write(self.builder, sheet.name, rows)
        self._asides.write(sheet, cells.root)

    def _texts(self, row: Row, cells: Worksheet, place: str) -> list[str]:
        """Returns what a row shows. Hidden columns stay blank, a hidden row wholly."""
        ledger = self.builder.ledger
        is_filled, unknown = False, int(row.has_unknown)
        hidden: set[int] = set()
        texts = [""] * (row.cells[-1].column if row.cells else 0)
        for cell in row.cells:
            text = self._text(row.number, cell, place)
            if cells.has_hidden_columns and cells.hides(cell.column):
                hidden |= {cell.column} if text else set()
            elif not row.is_hidden:
                texts[cell.column - 1] = text
            is_filled |= bool(text)
            unknown += cell.has_unknown
        if unknown:
            ledger.count("unknown_element", place, unknown)
        if row.is_hidden:
            ledger.count("hidden_row", place, int(is_filled))
        elif hidden:
            ledger.count("hidden_column", place, len(hidden - self._hidden))
            self._hidden |= hidden
        return texts

    def _text(self, row: int, cell: Cell, place: str) -> str:
        """Returns what a cell shows, and counts what it does not show."""
        ledger = self.builder.ledger
        value = self._formulas.value(place, row, cell) if cell.formula else cell.value
        if value is None:
            ledger.count("formula", place)
            return ""
        code = self._book.code(cell.style)
        if isinstance(value, str):
            shown = show_text(" ".join(value.split()), code)
        else:
            shown = show_number(value, code, is_1904=self._book.is_1904)
        if shown.is_hidden:
            ledger.count("hidden_cells", place)
        return shown.text.strip()
