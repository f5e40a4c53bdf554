"""A grid as files: CSV, and a workbook with the table and a list of citations."""

import csv
import io
from collections.abc import Sequence

from footnote.ask.grid.table import Row, say_cell, say_pages
from footnote.ask.grid.workbook import workbook
from footnote.model import Cell, Grid
from footnote.text.characters import strip_controls
from footnote.text.fates import FATES

type Lines = list[list[str]]

CITED = (
    *("document", "collection", "question", "outcome", "answer", "checked", "pages", "quote"),
    *("confidence", "question id"),
)
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def to_csv(grid: Grid, rows: Sequence[Row]) -> str:
    """Writes the table as CSV. A text that a spreadsheet would run as a formula gets a quote."""
    file = io.StringIO()
    csv.writer(file).writerows([_inert(text) for text in line] for line in table_of(grid, rows))
    return file.getvalue()


def _inert(text: str) -> str:
    return f"'{text}" if text.lstrip(" \n").startswith(_FORMULA) else text


def to_xlsx(grid: Grid, rows: Sequence[Row]) -> bytes:
    """Writes a workbook: the table, then each cell's citation. All of it is text, no formula."""
    return workbook({"grid": table_of(grid, rows), "citations": _citations(grid, rows)})


def table_of(grid: Grid, rows: Sequence[Row]) -> Lines:
    """Returns a line of column heads, then one for each document."""
    head = ["document", "collection", *map(_clean, grid.questions)]
    return [head, *(_line(row) for row in rows)]


def _line(row: Row) -> list[str]:
    cells = [
        _clean(
            say_cell(cell, row.record.revision.path, stale=cell is not None and row.is_stale(cell))
        )
        for cell in row.cells
    ]
    return [*_names(row), *cells]


def _citations(grid: Grid, rows: Sequence[Row]) -> Lines:
    lines = [
        [*_names(row), _clean(question), *_cited(cell, row.record.revision.path)]
        for row in rows
        for question, cell in zip(grid.questions, row.cells, strict=True)
        if cell is not None and cell.has_ended
    ]
    return [[*CITED], *lines]


def _names(row: Row) -> list[str]:
    return [_clean(row.record.revision.path), _clean(row.record.revision.collection)]


def _cited(cell: Cell, document: str) -> list[str]:
    return [
        cell.outcome or (cell.error.code if cell.error else cell.kind),
        _clean(cell.text),
        FATES[cell.checked].short if cell.checked and cell.outcome == "answer" else "",
        say_pages(cell, document),
        _clean(cell.source.quote) if cell.source else "",
        f"{cell.confidence:.2f}" if cell.outcome == "answer" else "",
        cell.question_id,
    ]


def _clean(text: str) -> str:
    return strip_controls(text)
