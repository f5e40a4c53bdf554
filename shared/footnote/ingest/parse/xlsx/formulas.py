"""Computes the results of simple formulas that a program wrote without storing their results.

It knows arithmetic, joined texts, references, and a few functions. A formula with anything else
has no value here, and is counted as not read.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from footnote.ingest.parse.number_format import general
from footnote.ingest.parse.xlsx.rows import Cell, Row

type Value = float | str | None
type _Position = tuple[int, int]  # row, column

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:E[+-]?\d+)?|\.\d+)|\"(?P<text>(?:[^\"]|\"\")*)\""
    r"|(?P<sheet>(?:'(?:[^']|'')+'|[A-Za-z_][\w.]*)!)?\$?(?P<column>[A-Z]{1,3})\$?(?P<row>\d{1,7})"
    r"(?![\w(])|(?P<name>[A-Za-z_][\w.]*)(?=\()|(?P<sign>[-+*/^&%(),:;]))"
)
_MAX_CELLS = 1_000_000  # of the sheets that formulas look at
_MAX_LOOKS = 3_000_000  # cells that all formulas look at
_MAX_DEPTH = 60
_LONGEST = 8_192  # characters of a formula, as in Excel
_LONGEST_TEXT = 32_767  # characters of a cell, as in Excel
_PREFIX = "_xlfn."


class _UnknownError(Exception):
    """A formula that is too much for this module."""


class Formulas:
    """Values of cells by their places. A sheet's cells are read when a formula needs them.

    `sheets` are the functions that give the rows of each sheet, by its name.
    """

    def __init__(self, sheets: Mapping[str, Callable[[], Iterable[Row]]]) -> None:
        self._readers = {name.casefold(): rows for name, rows in sheets.items()}
        self._sheets: dict[str, dict[_Position, float | str | Cell]] = {}
        self._failed: set[int] = set()  # ids of cells
        self._room, self._looks, self._depth = _MAX_CELLS, _MAX_LOOKS, 0

    def value(self, sheet: str, row: int, cell: Cell) -> Value:
        """Returns the result of a cell's formula, or None if it is not known."""
        self._depth = 0
        try:
            return self.look(sheet, (row, cell.column))
        except (_UnknownError, ArithmeticError, ValueError, IndexError):
            return None

    def look(self, sheet: str, place: _Position) -> Value:
        cells = self._cells(sheet)
        self._looks -= 1
        stored = cells.get(place)
        if not isinstance(stored, Cell):
            return stored
        if self._depth > _MAX_DEPTH or self._looks < 0 or id(stored) in self._failed:
            raise _UnknownError
        self._depth += 1
        self._failed.add(id(stored))  # until it has succeeded
        result = _Reader(self, sheet, stored.formula).read()
        self._failed.discard(id(stored))
        self._depth -= 1
        # an empty cell counts as zero where a formula refers to it
        cells[place] = result = 0.0 if result is None else _bounded(result)
        return result

    def area(self, sheet: str, first: _Position, last: _Position) -> Iterator[Value]:
        """Yields the filled cells of an area."""
        cells = self._cells(sheet)
        size = (last[0] - first[0] + 1) * (last[1] - first[1] + 1)
        if size <= 0:
            raise _UnknownError
        self._looks -= min(size, len(cells))
        if self._looks < 0:
            raise _UnknownError
        if size > len(cells):
            places = [
                (row, column)
                for row, column in cells
                if first[0] <= row <= last[0] and first[1] <= column <= last[1]
            ]
        else:
            columns = range(first[1], last[1] + 1)
            places = [(r, c) for r in range(first[0], last[0] + 1) for c in columns]
        for place in places:
            if place in cells:
                yield self.look(sheet, place)

    def _cells(self, sheet: str) -> dict[_Position, float | str | Cell]:
        key = sheet.casefold()
        if key not in self._sheets:
            if key not in self._readers:
                raise _UnknownError
            cells: dict[_Position, float | str | Cell] = {}
            self._sheets[key] = cells
            for row in self._readers[key]():
                self._room -= len(row.cells)
                if self._room < 0:
                    raise _UnknownError
                cells |= {(row.number, c.column): c if c.formula else c.value for c in row.cells}
        return self._sheets[key]


class _Reader:
    """Reads one formula from left to right and computes it on the way."""

    def __init__(self, formulas: Formulas, sheet: str, formula: str) -> None:
        if len(formula) > _LONGEST:
            raise _UnknownError
        self._formulas = formulas
        self._sheet = sheet
        self._tokens = list(_tokens(formula.lstrip("=")))
        self._at = self._depth = 0

    def read(self) -> Value:
        value = self._joined()
        if self._at < len(self._tokens):
            raise _UnknownError
        return value

    def _next(self, *signs: str) -> str:
        """Takes the next token if it is one of these signs."""
        if self._at < len(self._tokens) and self._tokens[self._at]["sign"] in signs:
            self._at += 1
            return str(self._tokens[self._at - 1]["sign"])
        return ""

    def _joined(self) -> Value:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise _UnknownError
        value = self._sum()
        while self._next("&"):
            value = _bounded(_text(value) + _text(self._sum()))
        self._depth -= 1
        return value

    def _sum(self) -> Value:
        value = self._product()
        while sign := self._next("+", "-"):
            other = _number(self._product())
            value = _number(value) + (other if sign == "+" else -other)
        return value

    def _product(self) -> Value:
        value = self._power()
        while sign := self._next("*", "/"):
            other = _number(self._power())
            value = _number(value) * other if sign == "*" else _number(value) / other
        return value

    def _power(self) -> Value:
        value = self._signed()
        while self._next("^"):
            power = _number(self._signed())
            result = float(_number(value)) ** power
            if isinstance(result, complex):
                raise _UnknownError
            value = float(result)
        return value

    def _signed(self) -> Value:
        signs = ""
        while sign := self._next("+", "-"):
            signs += sign
        value = self._atom()
        while self._next("%"):
            value = _number(value) / 100
        if not signs:
            return value
        return -_number(value) if signs.count("-") % 2 else _number(value)

    def _atom(self) -> Value:
        if self._next("("):
            value = self._joined()
            if not self._next(")"):
                raise _UnknownError
            return value
        token = self._take()
        if token["number"]:
            return float(token["number"])
        if token["text"] is not None:
            return str(token["text"]).replace('""', '"')
        if token["name"]:
            return self._call(token["name"])
        return self._formulas.look(*self._place(token))

    def _take(self) -> re.Match[str]:
        if self._at >= len(self._tokens):
            raise _UnknownError
        self._at += 1
        return self._tokens[self._at - 1]

    def _place(self, token: re.Match[str]) -> tuple[str, _Position]:
        if not token["column"]:
            raise _UnknownError
        sheet = (token["sheet"] or "").removesuffix("!")
        if sheet.startswith("'"):
            sheet = sheet[1:-1].replace("''", "'")
        column = 0
        for letter in token["column"]:
            column = column * 26 + ord(letter) - 64
        return sheet or self._sheet, (int(token["row"]), column)

    def _call(self, name: str) -> Value:
        function = _FUNCTIONS.get(name.upper().removeprefix(_PREFIX.upper()))
        if function is None or not self._next("("):
            raise _UnknownError
        arguments: list[Sequence[Value]] = []
        while not self._next(")"):
            if arguments and not self._next(",", ";"):
                raise _UnknownError
            arguments.append(self._argument())
        return function(arguments)

    def _argument(self) -> Sequence[Value]:
        """Returns the values of an area, or the one value of any other argument."""
        pair = self._tokens[self._at : self._at + 3]
        if len(pair) == 3 and pair[0]["column"] and pair[1]["sign"] == ":" and pair[2]["column"]:
            self._at += 3
            sheet, first = self._place(pair[0])
            return list(self._formulas.area(sheet, first, self._place(pair[2])[1]))
        return [self._joined()]


def _tokens(formula: str) -> Iterator[re.Match[str]]:
    at = 0
    while at < len(formula.rstrip()):
        token = _TOKEN.match(formula, at)
        if not token:
            raise _UnknownError
        at = token.end()
        yield token


def _number(value: Value) -> float:
    if isinstance(value, str):
        return float(value)  # Excel takes such a text for a number as well
    return value or 0.0


def _bounded[T](value: T) -> T:
    """Returns a value that a cell may have; a short formula may double a text many times."""
    if isinstance(value, str) and len(value) > _LONGEST_TEXT:
        raise _UnknownError
    return value


def _text(value: Value) -> str:
    return value if isinstance(value, str) else "" if value is None else general(value)


def _numbers(arguments: Sequence[Sequence[Value]]) -> list[float]:
    """Returns the numbers of all arguments: functions pass over texts in areas."""
    return [value for value in chain(*arguments) if isinstance(value, float)]


def _round(arguments: Sequence[Sequence[Value]]) -> float:
    value, digits = (_number(values[0]) for values in arguments)
    scale = 10.0 ** int(digits)
    return float(int(abs(value) * scale + 0.5) / scale * (1 if value >= 0 else -1))


_FUNCTIONS: dict[str, Callable[[Sequence[Sequence[Value]]], Value]] = {
    "SUM": lambda a: float(sum(_numbers(a))),
    "AVERAGE": lambda a: sum(_numbers(a)) / len(_numbers(a)),
    "MIN": lambda a: min(_numbers(a), default=0.0),
    "MAX": lambda a: max(_numbers(a), default=0.0),
    "COUNT": lambda a: float(len(_numbers(a))),
    "COUNTA": lambda a: float(sum(value is not None for value in chain(*a))),
    "ABS": lambda a: abs(_number(a[0][0])),
    "ROUND": _round,
    "CONCATENATE": lambda a: "".join(map(_text, chain(*a))),
    "CONCAT": lambda a: "".join(map(_text, chain(*a))),
    "HYPERLINK": lambda a: a[-1][0],
    "UPPER": lambda a: _text(a[0][0]).upper(),
    "LOWER": lambda a: _text(a[0][0]).lower(),
    "TRIM": lambda a: " ".join(_text(a[0][0]).split()),
}
