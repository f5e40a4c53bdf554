"""Finds the column that a label means, and joins two tables by one."""

import re
from collections.abc import Sequence

from footnote.ask.compute.typed_table import Column, TableRow, TypedTable, words_of
from footnote.errors import BadRequestError

MOST_SHOWN = 40  # columns that an error lists
_YEAR = re.compile(r"(?:19|20)\d\d")


def find_column(label: str, columns: Sequence[Column]) -> int:
    """Returns the number of the column with this label, or of the only one that has its words.

    Raises BadRequestError with the columns that there are.
    """
    exact = [n for n, column in enumerate(columns) if column.label == label]
    same = [n for n, column in enumerate(columns) if is_same_word(column.label, label)]
    words = set(words_of(label))
    own = [set(words_of(column.label)) for column in columns]
    within = [n for n, each in enumerate(own) if words and words <= each]
    for fitting in (exact, same, within):
        if len(fitting) == 1:
            return fitting[0]
        if fitting:
            raise BadRequestError(
                f"'{label}' may mean several columns",
                action=f"Name one of {spell([columns[n] for n in fitting])}.",
            )
    raise BadRequestError(f"no column '{label}'", action=f"The columns are {spell(columns)}.")


def spell(columns: Sequence[Column]) -> str:
    """Lists the labels of columns."""
    more = ", …" if len(columns) > MOST_SHOWN else ""
    return ", ".join(f"'{column.label}'" for column in columns[:MOST_SHOWN]) + more


def is_same_word(text: str, other: str) -> bool:
    """Tells whether two labels or cells are the same but for case, marks and spaces."""
    return text.strip().casefold() == other.strip().casefold() or (
        bool(words_of(text)) and words_of(text) == words_of(other)
    )


def join_tables(table: TypedTable, other: TypedTable, on: str) -> TypedTable:
    """Adds to each row the cells of the other table's row that has the same cell in a column.

    Rows without a counterpart are left out. Raises BadRequestError where a cell occurs twice in the
    other table, for then it is not clear what belongs together.
    """
    own, its = find_column(on, table.columns), find_column(on, other.columns)
    by_key: dict[tuple[str, ...], TableRow] = {}
    for row in other.addends:
        key = _key(row.cells[its].text)
        if key in by_key:
            raise BadRequestError(
                f"'{row.cells[its].text}' occurs twice in '{other.columns[its].label}'",
                action="Join on a column in which each value occurs once.",
            )
        by_key[key] = row
    rows = [
        row._replace(
            cells=(*row.cells, *_without(counterpart.cells, its)),
            spans=(*row.spans, *counterpart.spans) if row.spans and counterpart.spans else (),
        )
        for row in table.addends
        if (counterpart := by_key.get(_key(row.cells[own].text)))
    ]
    if not rows:
        raise BadRequestError(
            f"no cell of '{on}' stands in both tables", action="Join on another column."
        )
    taken = {column.label for column in table.columns}
    added = [
        column._replace(label=f"{column.label} (2)") if column.label in taken else column
        for column in _without(other.columns, its)
    ]
    unit_words = table.unit_words if table.unit_words == other.unit_words else ""
    return TypedTable((*table.columns, *added), tuple(rows), table.around, unit_words)


def common_label(table: TypedTable, other: TypedTable) -> str:
    """Returns the label of the one column of words that both tables have, or ""."""
    own = [c.label for c in table.columns if c.kind == "words"]
    its = [c.label for c in other.columns if c.kind == "words"]
    common = [label for label in own if any(is_same_word(label, each) for each in its)]
    return common[0] if len(common) == 1 else ""


def goes_with(table: TypedTable, other: TypedTable) -> bool:
    """Tells whether two tables with the same columns hold different rows of one kind.

    They do not where they are of other years: "Zone North" of 2025 and of 2024 are not two zones.
    """
    if table.columns != other.columns or table.unit_words != other.unit_words:
        return False
    labels, others = ({row.label for row in each.addends} for each in (table, other))
    years, other_years = (set(_YEAR.findall(each.around)) for each in (table, other))
    return labels.isdisjoint(others) and years == other_years


def add_rows(table: TypedTable, other: TypedTable) -> TypedTable:
    """Adds the rows of a table with the same columns. What stands above both stays."""
    above = set(words_of(other.around))
    return table._replace(
        around=" ".join(word for word in words_of(table.around) if word in above),
        rows=(*table.rows, *other.rows),
        is_statement=table.is_statement or other.is_statement,
        doubtful_total=table.doubtful_total or other.doubtful_total,
    )


def _key(text: str) -> tuple[str, ...]:
    return words_of(text) or (text.strip(),)


def _without[T](values: Sequence[T], n: int) -> tuple[T, ...]:
    return (*values[:n], *values[n + 1 :])
