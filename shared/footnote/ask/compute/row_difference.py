"""Finds the two figures of one column whose difference a question asks for, by their rows' names.

"How many more cars has the Gull than the Tern?" means two rows of a table. Each word of the
question must be accounted for, as in `table_rule.py`.
"""

from collections.abc import Iterator

from footnote.ask.compute.label_words import keys_of, label_stems
from footnote.ask.compute.typed_table import TableRow, TypedTable
from footnote.model import CitedFigure
from footnote.text.computations import asked_computation
from footnote.text.table_questions import EMPTY_STEMS, stems_in, stems_of

_ASKING = frozenset(
    stems_in(
        "difference differences differ between and or than compared much many more less fewer"
        " higher lower larger smaller bigger greater better worse by does do did have has had"
    )
)


def find_rows(question: str, table: TypedTable, names: str) -> tuple[CitedFigure, ...]:
    """Returns the larger and the smaller figure, or () where they are not clear."""
    if asked_computation(question) != "difference":
        return ()
    asked = stems_of(question) - _ASKING
    around = label_stems(
        " ".join((names, table.around, *(c.label for c in table.columns if c.kind == "words")))
    )
    pairs = [pair for n in range(len(table.columns)) if (pair := _named(n, asked, table))]
    if len(pairs) != 1:
        return ()
    [(first, second, keys)] = pairs
    rest, said = asked - keys, EMPTY_STEMS & frozenset(stems_in(question))
    measures = [
        n
        for n, column in enumerate(table.columns)
        if column.kind == "figures"
        and keys_of(column) <= rest | said
        and not rest - label_stems(column.label) - around
    ]
    if len(measures) != 1:
        return ()
    ranked = sorted((first, second), key=lambda row: row.cells[measures[0]].number, reverse=True)
    figures = [figure for row in ranked for figure in _cite(row, measures[0])]
    return tuple(figures) if len(figures) == 2 else ()


def _named(
    n: int, asked: frozenset[str], table: TypedTable
) -> tuple[TableRow, TableRow, frozenset[str]] | None:
    """Returns the two rows that the question names by their cells in a column, and these words."""
    if table.columns[n].kind != "words":
        return None
    named = [
        (row, keys)
        for row in table.addends
        if (keys := stems_of(row.cells[n].text)) and keys <= asked
    ]
    widest = [each for each in named if not any(each[1] < other for _, other in named)]
    if len(widest) != 2 or widest[0][1] & widest[1][1] in (widest[0][1], widest[1][1]):
        return None
    return widest[0][0], widest[1][0], widest[0][1] | widest[1][1]


def _cite(row: TableRow, n: int) -> Iterator[CitedFigure]:
    if row.cells[n].kind == "figure" and row.spans:
        document_id, version, start, end = row.spans[0]
        yield CitedFigure(
            document_id=document_id,
            version=version,
            start=start,
            end=end,
            text=row.cells[n].text.strip(),
        )
