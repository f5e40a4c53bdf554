"""Walks the records of an XLS file for what xlrd passes over: boxes, print headers, charts.

The records are those of [MS-XLS], in one pass over their stream.
"""

import struct
from typing import NamedTuple

_BOF, _EOF, _BOUNDSHEET, _FORMULA = 0x0809, 0x000A, 0x0085, 0x0006
_HEADER, _FOOTER, _OBJECT, _TEXT, _CONTINUE = 0x0014, 0x0015, 0x005D, 0x01B6, 0x003C
_BLANKS = frozenset({0x0201, 0x00BE})
_LOOKS = frozenset({0x0018, 0x0031, 0x0231, 0x0092, 0x0293})  # names, fonts, colours, styles
_PASSED_OVER, _UNUSED = _BLANKS | _LOOKS, 0x0FFE
_READ = frozenset({_BOF, _EOF, _BOUNDSHEET, _FORMULA, _HEADER, _FOOTER, _OBJECT, _TEXT})
_CONTINUED = frozenset({_TEXT, _CONTINUE})
_RECORD = struct.Struct("<HH")  # the kind of a record and the size of its data
_BLOCKS = frozenset({0x00, 0x01, 0x02, 0x04, 0x08, 0x10})
"""The high bytes of all kinds of records that [MS-XLS] and the formats before it name."""
_SHEET, _CHART = 0x0010, 0x0020  # kinds of streams in the stream
_NOTE, _PICTURE = 0x19, 0x08  # kinds of objects
_UNICODE = 0x0600  # the version from which texts say how they are encoded
_TOKENS = 22  # bytes before the tokens of a formula
_ON_LOAD = 0x2  # the flag of a formula that is to be computed when the file is opened
_NO_RESULT, _EMPTY_RESULT = bytes(8), b"\x03\0\0\0\0\0\xff\xff"


class SheetAsides:
    """What stands around the cells of one sheet."""

    def __init__(self) -> None:
        self.boxes: list[str] = []
        self.headers: list[str] = []
        self.charts = self.pictures = self.unknown = 0
        self.pending: dict[tuple[int, int], bytes] = {}  # formulas without results, by cells
        self.empty: dict[tuple[int, int], bytes] = {}  # formulas with empty results


class Asides(NamedTuple):
    """What stands around the cells of a workbook, and its content as xlrd is to read it.

    A blank cell only has a format. Its record and those that only say how a sheet looks are
    renamed, so that xlrd skips them.
    """

    sheets: list[SheetAsides]  # of the worksheets, in order
    chart_sheets: int
    content: bytes


def read(content: bytes) -> Asides:
    walk = _Walk()
    changed = bytearray(content)
    at = before = 0
    while at + 4 <= len(content):
        kind, size = _RECORD.unpack_from(content, at)
        if kind in _PASSED_OVER:
            _RECORD.pack_into(changed, at, _UNUSED, size)
        elif (
            kind in _READ
            or kind >> 8 not in _BLOCKS
            or (kind == _CONTINUE and before in _CONTINUED)
        ):
            walk.record(kind, at, content[at + 4 : at + 4 + size])
        before = kind
        at += 4 + size
    sheets = [walk.sheets.get(place, SheetAsides()) for place in walk.places]
    # some programs store all results as empty; Excel does so only where a formula gives no text
    if walk.formulas and walk.formulas == sum(len(sheet.empty) for sheet in sheets):
        for sheet in sheets:
            sheet.pending |= sheet.empty
    return Asides(sheets, walk.chart_sheets, bytes(changed))


class _Walk:
    def __init__(self) -> None:
        self.places: list[int] = []  # where the streams of worksheets begin
        self.sheets: dict[int, SheetAsides] = {}
        self.chart_sheets = self.formulas = 0
        self._open: list[int] = []
        self._sheet = SheetAsides()
        self._version = _UNICODE
        self._object = 0
        self._missing = 0  # characters of a text that are still to come

    def record(self, kind: int, at: int, data: bytes) -> None:
        if kind == _BOF and len(data) >= 4:
            self._begin(at, *struct.unpack_from("<HH", data))
        elif kind == _EOF and self._open:
            self._open.pop()
        elif kind == _BOUNDSHEET and len(data) >= 6:
            where, _, sheet_kind = struct.unpack_from("<IBB", data)
            if sheet_kind == 0:
                self.places.append(where)
            self.chart_sheets += sheet_kind == 2
        elif self._open and self._open[-1] == _SHEET:
            self._in_sheet(kind, data)

    def _begin(self, at: int, version: int, kind: int) -> None:
        if kind == _SHEET and not self._open:
            self._sheet = self.sheets[at] = SheetAsides()
        self._version = version
        self._sheet.charts += kind == _CHART and bool(self._open)
        self._open.append(kind)

    def _in_sheet(self, kind: int, data: bytes) -> None:
        self._sheet.unknown += kind >> 8 not in _BLOCKS
        if kind == _FORMULA and len(data) >= 16:
            self._formula(data)
        elif kind in {_HEADER, _FOOTER} and data:
            self._sheet.headers.append(self._line(data))
        elif kind == _OBJECT and len(data) >= 6:
            self._object = struct.unpack_from("<H", data, 4)[0]
            self._sheet.pictures += self._object == _PICTURE
        elif kind == _TEXT and len(data) >= 12:
            self._missing = struct.unpack_from("<H", data, 10)[0]
            if self._object != _NOTE and self._missing:
                self._sheet.boxes.append("")
        elif kind == _CONTINUE and self._missing and data:
            text = _decode(data)[: self._missing]
            self._missing -= len(text)
            if self._object != _NOTE:
                self._sheet.boxes[-1] += text
        elif kind != _CONTINUE:
            self._missing = 0

    def _formula(self, data: bytes) -> None:
        row, column, _, result, flags = struct.unpack_from("<HHH8sH", data)
        size = struct.unpack_from("<H", data.ljust(_TOKENS, b"\0"), _TOKENS - 2)[0]
        tokens = data[_TOKENS : _TOKENS + size]
        self.formulas += 1
        if result == _NO_RESULT and flags & _ON_LOAD:
            self._sheet.pending[row, column] = tokens
        elif result[:1] == _EMPTY_RESULT[:1] and result[6:] == _EMPTY_RESULT[6:]:
            self._sheet.empty[row, column] = tokens

    def _line(self, data: bytes) -> str:
        if self._version < _UNICODE:
            return data[1 : 1 + data[0]].decode("cp1252", "replace")
        return _decode(data[2:])[: struct.unpack_from("<H", data.ljust(2, b"\0"))[0]]


def _decode(data: bytes) -> str:
    """Decodes a text whose first byte says whether it has one or two bytes a character."""
    is_wide = data[:1] == b"\1"
    return data[1:].decode("utf-16-le" if is_wide else "latin-1", "replace")
