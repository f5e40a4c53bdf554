"""A table of a document as data: columns of figures, days or words, and rows with their place.

Every row knows the line of the text that it was read from, so whatever is worked out of it can be
cited. Rows that add up others are told apart: see `totals.py`.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Literal, NamedTuple

from footnote.ask.check.figures import CURRENCIES, SCALES
from footnote.ask.check.rows import is_per
from footnote.ask.check.segments import scale_of, scale_words
from footnote.ask.check.table_labels import columns_of
from footnote.ask.compute.cells import Cell, read_cell, unit_of, writes_comma
from footnote.ask.compute.totals import Addends, find_totals
from footnote.ask.write.quoted_places import section_at
from footnote.errors import BadRequestError
from footnote.model import CELL, Document, Table

LONGEST_CAPTION = 240  # characters of a line above a table; a longer paragraph is no caption
MOST_CELLS = 100_000  # of a table that is computed with: more take seconds
MOST_BETWEEN = 12  # lines between two rows: a page's foot and head, a header that is repeated
_LINE = re.compile(r"[^\n\f]+")
_WORDS = re.compile(r"[^\W_]+")
_SIGNS = frozenset(CURRENCIES.values())
_PERCENT = re.compile(r"%|\bper ?cent(?:age)?s?\b", re.IGNORECASE)
_MONEY = r"\b(?:eur|usd|gbp|chf|jpy|euros?|dollars?|pounds?|yen)\b|[$\u20ac\u00a3\u00a5]"
_SCALED = r"thousands?|millions?|billions?|k|mm|mn?|mio|bn|mrd|tsd"
_SCALE = re.compile(  # "EUR thousand", "k\u20ac", "Tsd. EUR", "TEUR", "(thousands)"
    rf"(?:{_MONEY})\s?(?P<behind>{_SCALED})\b|\b(?P<ahead>{_SCALED})\.? ?(?:{_MONEY})"
    r"|\b(?P<k>[kt])(?:eur|usd|gbp|chf)\b|\((?:in )?(?P<alone>thousands?|millions?|billions?)\)",
    re.IGNORECASE,
)

type ColumnKind = Literal["figures", "days", "words", "mixed", "empty"]


class Span(NamedTuple):
    """The place of a row in the text of a document's version."""

    document_id: str
    version: str
    start: int
    end: int


class Column(NamedTuple):
    """A column: its label, what its cells are, the unit and the scale of its figures.

    `odd` is a cell for which a column of figures is `mixed`, or "" where its units differ. `leaf`
    is the last row of a label that stands under another one, if no other column has it.
    """

    label: str
    kind: ColumnKind
    unit: str = ""
    scale: int = 0
    odd: str = ""
    leaf: str = ""


class TableRow(NamedTuple):
    """A row: its cells by column, the line without figures above it, and where it stands.

    A row that was joined from two tables stands in both, and one without a line of its own in none.
    `is_total`: it adds up others.
    """

    cells: tuple[Cell, ...]
    group: str
    spans: tuple[Span, ...]
    is_total: bool = False

    @property
    def label(self) -> str:
        """The first cell of words, or else the first cell."""
        words = (cell.text for cell in self.cells if cell.kind == "words")
        return next(words, self.cells[0].text if self.cells else "")


class TypedTable(NamedTuple):
    """A table as data. `around`: its document's title, its sections and the line just above it.

    `unit_words`: what it says of its unit ("in thousands of euros"); that may not hold for all
    columns. `is_statement`: some of its rows are differences of others, so a sum of all means
    nothing. `doubtful_total`: the label of a row that may be a total or not, "" for none.
    """

    columns: tuple[Column, ...]
    rows: tuple[TableRow, ...]
    around: str
    unit_words: str = ""
    is_statement: bool = False
    doubtful_total: str = ""

    @property
    def addends(self) -> list[TableRow]:
        """The rows that add up no others."""
        return [row for row in self.rows if not row.is_total]


def read_table(document: Document, table: Table, document_id: str, version: str) -> TypedTable:
    """Reads a table of a document. Raises BadRequestError for one with too many cells."""
    if sum(map(len, table.rows)) > MOST_CELLS:
        raise BadRequestError(
            f"the table has more than {MOST_CELLS:,} cells", action="Ask for some of its rows."
        )
    labels = _distinct(columns_of(table))
    lines = list(_lines(document.text, table))
    cells = [_padded(row, len(labels)) for row, _ in lines]
    unit_words = _unit_words(labels, document, table)
    columns, typed = _columns(labels, cells, document.language, unit_words)
    columns = _with_leaves(columns, table)
    places = [Span(document_id, version, *line) if line else None for _, line in lines]
    rows = list(_rows(typed, places))
    totals = find_totals([Addends(row.label, _numbers(row, columns)) for row in rows])
    marked = tuple(row._replace(is_total=n in totals.rows) for n, row in enumerate(rows))
    caption = _caption(document, table)
    around = " ".join((document.title, *section_at(document, table.start), caption))
    return TypedTable(columns, marked, around, unit_words, totals.is_statement, totals.doubtful)


def words_of(text: str) -> tuple[str, ...]:
    """Returns the words of a label in lower case: "unit_price (EUR)" has three."""
    return tuple(_WORDS.findall(text.casefold()))


def _lines(text: str, table: Table) -> Iterator[tuple[Sequence[str], tuple[int, int] | None]]:
    """Yields the rows below the header, each with the span of its line, or None without one."""
    lines = [match.span() for match in _LINE.finditer(text, table.start, table.end)]
    at = 0
    for n, row in enumerate(table.rows):
        wanted = _squeeze("".join(row))
        near = range(at, min(len(lines), at + MOST_BETWEEN))
        place = next((i for i in near if _squeeze(text[slice(*lines[i])]) == wanted), None)
        at = at if place is None else place + 1
        if n >= table.header_rows and wanted:
            yield row, None if place is None else lines[place]


def _squeeze(text: str) -> str:
    return "".join(text.replace("|", "").split())


def _distinct(labels: Sequence[str]) -> list[str]:
    """Names each column: without a label by its number, of equal ones the later with a number."""
    seen = Counter[str]()
    names: list[str] = []
    for n, label in enumerate(labels, start=1):
        name = label.strip() or f"column {n}"
        seen[name] += 1
        names.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return names


def _padded(row: Sequence[str], width: int) -> list[str]:
    return [*row, *[""] * width][:width]


def _caption(document: Document, table: Table) -> str:
    """Returns the line just above a table, unless that is a row of another one, or prose."""
    before = document.text[max(0, table.start - LONGEST_CAPTION) : table.start]
    line = next((line for line in reversed(before.splitlines()) if line.strip()), "")
    return "" if CELL in line else line.strip()


def _unit_words(labels: Sequence[str], document: Document, table: Table) -> str:
    """Returns what corner, caption, headings or title say of a table's unit, the nearest first."""
    headings = section_at(document, table.start)
    places = (*labels[:1], _caption(document, table), *reversed(headings), document.title)
    return next(filter(None, map(scale_words, places)), "")


def _columns(
    labels: Sequence[str], rows: Sequence[Sequence[str]], language: str, unit_words: str
) -> tuple[tuple[Column, ...], list[list[Cell]]]:
    """Types the columns, and reads the cells of all rows by what their columns are."""
    common = writes_comma((cell for row in rows for cell in row), language)
    columns: list[Column] = []
    by_column: list[list[Cell]] = []
    for n, label in enumerate(labels):
        texts = [row[n] for row in rows]
        comma = writes_comma(texts, "de" if common else "en")
        cells = [read_cell(text, comma=comma) for text in texts]
        by_column.append(cells)
        columns.append(_column(label, cells, unit_words))
    return tuple(columns), [list(cells) for cells in zip(*by_column, strict=True)]


def _with_leaves(columns: Sequence[Column], table: Table) -> tuple[Column, ...]:
    """Tells each column the last row of its label, where its header has several rows."""
    last = table.rows[table.header_rows - 1] if table.header_rows > 1 else ()
    leaves = [*(cell.strip() for cell in last), *[""] * len(columns)]
    return tuple(
        column._replace(leaf=leaf if leaf != column.label and leaves.count(leaf) == 1 else "")
        for column, leaf in zip(columns, leaves, strict=False)
    )


def _column(label: str, cells: Sequence[Cell], unit_words: str) -> Column:
    kinds = Counter(cell.kind for cell in cells if cell.kind != "nothing")
    if not kinds:
        return Column(label, "empty")
    if kinds.keys() == {"day"}:
        return Column(label, "days")
    if 2 * kinds["figure"] < kinds.total():
        return Column(label, "words")
    if kinds["figure"] < kinds.total():
        odd = next(cell.text for cell in cells if cell.kind in {"words", "day"})
        return Column(label, "mixed", odd=odd)
    unit = unit_of(cells)
    if unit is None:
        return Column(label, "mixed")
    power, currency = _scale_of(label)
    unit = unit or ("%" if _PERCENT.search(label) else "") or _currency(label) or currency
    if unit in _SIGNS and not power:  # of other columns the table's unit may not be
        power = scale_of(unit_words)[0]
    return Column(label, "figures", unit, 0 if unit == "%" or is_per(label) else power)


def _scale_of(label: str) -> tuple[int, str]:
    """Returns the scale that the label of a column says, and the currency beside it."""
    power, currency = scale_of(label)
    match = None if power else _SCALE.search(label)
    if match is None:
        return power, currency
    word = match["behind"] or match["ahead"] or match["alone"] or "k"
    return SCALES[word.casefold()], _currency(re.sub(r"\b[kt](?=[a-z]{3}\b)", "", label.casefold()))


def _currency(label: str) -> str:
    said = (*words_of(label), *label)
    return next((sign for word in said if (sign := CURRENCIES.get(word, ""))), "")


def _rows(typed: Sequence[Sequence[Cell]], places: Sequence[Span | None]) -> Iterator[TableRow]:
    """Yields the rows that have more than a label, each with the line above that has no more."""
    group = ""
    for cells, place in zip(typed, places, strict=True):
        if len([cell for cell in cells if cell.text.strip()]) == 1 < len(cells):
            group = next(cell.text for cell in cells if cell.text.strip())
        else:
            yield TableRow(tuple(cells), group, (place,) if place else ())


def _numbers(row: TableRow, columns: Sequence[Column]) -> dict[int, Decimal]:
    """Returns the figures of a row that a total adds up: shares only where there is nothing else.

    The change in percent of a total is no sum of changes.
    """
    kinds = {"figures", "mixed"}
    amounts = [n for n, each in enumerate(columns) if each.kind in kinds and each.unit != "%"]
    counted = amounts or [n for n, each in enumerate(columns) if each.kind in kinds]
    return {n: row.cells[n].number for n in counted if row.cells[n].kind == "figure"}
