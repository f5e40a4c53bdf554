"""The place of a quote in a table: the labels of its row and of the columns."""

from collections.abc import Sequence

from footnote.model import Document, Table
from footnote.text.language import words

_SUMS = frozenset({"total", "totals", "subtotal", "subtotals", "sum", "consolidated"})
_SUMS |= {"gesamt", "insgesamt", "summe", "totaal", "totale", "somme", "suma"}


def tables_in(document: Document, start: int, end: int) -> tuple[Table, ...]:
    """Returns the tables that a span of the text overlaps."""
    return tuple(table for table in document.tables if table.start < end and start < table.end)


def labels_at(document: Document, start: int, end: int) -> tuple[tuple[str, ...], str]:
    """Returns the labels of the columns and of the row in which a quote lies.

    They are empty outside of tables, and where the quote is the header itself. A quote of several
    rows has no label of a row.
    """
    for table in tables_in(document, start, end):
        lines = document.text[max(start, table.start) : min(end, table.end)].splitlines()
        cells = cells_of(lines[0]) if lines else []
        row = next((row for row in table.rows[table.header_rows :] if _is_same(row, cells)), None)
        if row is not None:
            is_one = len(lines) == 1
            return columns_of(table), next((cell for cell in row if cell and is_one), "")
    return (), ""


def columns_of(table: Table) -> tuple[str, ...]:
    """Returns the label of each column, with the header rows joined from above."""
    heads = table.rows[: table.header_rows]
    width = max((len(row) for row in table.rows), default=0)
    return tuple(
        " ".join(dict.fromkeys(row[n] for row in heads if n < len(row) and row[n]))
        for n in range(width)
    )


def is_sum(label: str) -> bool:
    """Tells whether a label says that its row or column adds up others."""
    label_words = words(label)
    return not _SUMS.isdisjoint(label_words) or label_words[:1] == ["all"]


def cells_of(line: str) -> list[str]:
    """Returns the cells of a row as it stands in the text, in order, with the empty ones."""
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def _is_same(row: Sequence[str], cells: Sequence[str]) -> bool:
    return [cell for cell in row if cell] == [cell for cell in cells if cell]
