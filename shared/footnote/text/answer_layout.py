"""Lays an answer out as lines of sentences and as tables.

Rows of a table that follow each other become one table, with its header once. The page does the
same in `js/layout.js`; `tests/data/layouts.json` has cases for both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

_BAR = re.compile(r"(?:^|(?<=\s))\|(?=\s|$)")


class Row(NamedTuple):
    """A row: its cells, and the index of the sentence that it is."""

    cells: tuple[str, ...]
    sentence: int


class Grid(NamedTuple):
    """A table. Its header has as many labels as each row has cells, or none."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]


type Line = tuple[int, ...]
"""The indexes of the sentences of a paragraph."""
type Labels = Sequence[str]
type Rows = Mapping[int, tuple[str, ...]]


def lay_out(answer: str, texts: Sequence[str], labels: Sequence[Labels]) -> list[Line | Grid]:
    """Returns the lines and tables of an answer in order.

    `texts` are its sentences. `labels` has for each the labels of the columns that its citation
    names, or nothing.
    """
    cells = [tuple(cells_of(text)) for text in texts]
    lines = list(_lines(answer, texts))
    rows = {
        n: cells[n]
        for line in lines
        for n in line
        if len(cells[n]) > 1 and (labels[n] or all(len(cells[other]) > 1 for other in line))
    }
    runs: list[tuple[bool, Line]] = []  # rows that follow each other, and sentences of a line
    for line in lines:
        for is_row, numbers in groupby(line, rows.__contains__):
            before = runs.pop()[1] if is_row and runs and runs[-1][0] else ()
            runs.append((is_row, (*before, *numbers)))
    blocks: list[Line | Grid] = []
    for is_row, run in runs:
        blocks += _grids(run, rows, labels) if is_row else [run]
    return blocks


def cells_of(text: str) -> list[str]:
    """Returns the cells of a row; of any other sentence one."""
    cells = [cell.strip() for cell in _BAR.split(text.strip())]
    return cells[1:-1] if len(cells) > 2 and not cells[0] and not cells[-1] else cells


def _lines(answer: str, texts: Sequence[str]) -> Iterator[Line]:
    """Yields the sentences of each line, as the answer's text has them."""
    line: list[int] = []
    at = 0
    for n, text in enumerate(texts):
        place = answer.find(text, at)
        if line and place >= 0 and "\n" in answer[at:place]:
            yield tuple(line)
            line = []
        at = place + len(text) if place >= 0 else at
        line.append(n)
    if line:
        yield tuple(line)


def _grids(run: Line, rows: Rows, labels: Sequence[Labels]) -> Iterator[Grid]:
    """Yields the tables among rows that follow each other."""
    for _, group in groupby(_named(run, rows, labels), lambda row: row[1]):
        yield _grid([n for n, _ in group], rows, labels)


def _named(
    run: Line, rows: Rows, labels: Sequence[Labels]
) -> Iterable[tuple[int, tuple[object, ...]]]:
    """Returns each row with what names its table: the labels, or the number of its cells.

    A row without labels goes with those below it if it is their header, else with those above.
    """
    names: dict[int, tuple[object, ...]] = {n: tuple(labels[n]) for n in run}
    for n, following in reversed(list(pairwise(run))):
        if not names[n] and _is_header(rows[n], names[following]):
            names[n] = names[following]
    for before, n in pairwise(run):
        if not names[n] and (len(rows[n]) == len(rows[before]) or labels[before]):
            names[n] = names[before]
    return [(n, names[n] or (len(rows[n]),)) for n in run]


def _is_header(cells: Sequence[str], labels: Sequence[object]) -> bool:
    """Tells whether a row heads the rows below: labels are the cells of header rows, joined."""
    named = [str(label) for label in labels if label]
    return bool(named) and all(any(cell in label for label in named) for cell in cells if cell)


def _grid(numbers: Sequence[int], rows: Rows, labels: Sequence[Labels]) -> Grid:
    known = next((tuple(labels[n]) for n in numbers if labels[n]), ())
    named = [label for label in known if label]
    heads = [
        rows[n]
        for n in numbers
        if [cell for cell in rows[n] if cell] == named
        or (not labels[n] and _is_header(rows[n], known))
    ]
    body = [n for n in numbers if rows[n] not in heads] or list(numbers)
    width = max(len(rows[n]) for n in body)
    header = next(filter(None, (_fit(label, width) for label in (known, *heads))), ())
    return Grid(header, tuple(Row((*rows[n], *[""] * (width - len(rows[n]))), n) for n in body))


def _fit(labels: Labels, width: int) -> tuple[str, ...]:
    """Returns as many labels as there are columns; none if nobody can tell which is whose."""
    named = tuple(label for label in labels if label)
    forms = (tuple(labels), named, ("", *named))
    return next((form for form in forms if named and len(form) == width), ())
