"""Finds rows of tables that give another value than a cited row, for the same label and column.

Stricter than for sentences: segments, restatements and forecasts share labels. So the label must be
the only one of its kind in each table, the column must be the same and say a period (or both
documents one), the tables must stand under like headings and be of periods of one length, and rows
of several shared columns must agree in one of them.
"""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple

from footnote.ask.check.lexicon import GENERIC
from footnote.ask.check.parts import parts_of
from footnote.ask.check.periods import INTERIM
from footnote.ask.check.readings import years_of
from footnote.ask.check.rows import CellFigure, cell_figures
from footnote.ask.check.segments import Row, Unit
from footnote.ask.guard.screen import safe_name
from footnote.ask.write.citations import Checker
from footnote.ask.write.claims import Claim
from footnote.ask.write.rests_on_ocr import by_ocr
from footnote.model import CELL, Citation, Passage, Sentence
from footnote.text.quotes import unmark
from footnote.text.terms import terms

type Place = tuple[str, int]
"""A row: its document's id, and where it begins."""

LIKE_HEADINGS = 0.5  # shared terms (Jaccard) of the headings under which two tables stand
PERIODS = ("year", "quarter", "half", "month", "span")


class Cell(NamedTuple):
    """A figure in two tables: the labels of row and column, and its text in each."""

    row: str
    column: str
    values: tuple[str, str]


def find_in_rows(checker: Checker, passages: Mapping[int, Passage]) -> list[Sentence]:
    """Returns a sentence for each pair of rows that differ, the first of which is cited.

    It names the cell and both values, and cites both rows.
    """
    rows = {
        n: [unit for unit in checker.units_at(n, (one.start, one.end)) if unit.row]
        for n, one in passages.items()
        if CELL in one.text
    }
    made: dict[frozenset[Place], Sentence] = {}
    cited = tuple(checker.citations)  # showing a pair adds to them
    for n, found in rows.items():
        for mine in found:
            if any(_cites(citation, passages[n], mine) for citation in cited):
                made = _against(n, mine, rows, checker, passages) | made
    return list(made.values())


def _cites(citation: Citation, passage: Passage, row: Unit) -> bool:
    same = (citation.document_id, citation.version) == (passage.document_id, passage.version)
    return same and row.start < citation.end and citation.start < row.end


def _against(
    n: int,
    mine: Unit,
    rows: Mapping[int, Sequence[Unit]],
    checker: Checker,
    passages: Mapping[int, Passage],
) -> dict[frozenset[Place], Sentence]:
    """Returns what says that a row of passage `n` differs from another one, if one does."""
    for m, found in rows.items():
        both = passages[n], passages[m]
        for other in found:
            places = [
                (one.document_id, row.start) for one, row in zip(both, (mine, other), strict=True)
            ]
            cell = differing_cell(mine, other, both, (rows[n], found))
            if cell is None or places[0] == places[1]:
                continue
            numbers = [cite_rows((one,), checker) for one in ((n, mine), (m, other))]
            if all(numbers):
                return {frozenset(places): _sentence(cell, both, numbers, checker.citations)}
    return {}


def _sentence(
    cell: Cell,
    both: tuple[Passage, Passage],
    numbers: Sequence[tuple[int, ...]],
    citations: Sequence[Citation],
) -> Sentence:
    """Tells both values; `numbers` are those of the citations of each side."""
    names = [safe_name(one.document) or "a document" for one in both]
    sides = [
        f"{name}: {unmark(value)}{by_ocr(cited, citations)}"
        for name, value, cited in zip(names, cell.values, numbers, strict=True)
    ]
    of = f"{unmark(cell.row)} ({unmark(cell.column)})"
    text = f"The documents differ on {of}: {'; '.join(sides)}."
    rests_on = tuple(dict.fromkeys(n for cited in numbers for n in cited))
    return Sentence(text=text, citations=rests_on, checked="supported")


def cite_rows(rows: Sequence[tuple[int, Unit]], checker: Checker) -> tuple[int, ...]:
    """Returns the citations of rows, each of a passage by number.

    It is () where one of them does not stand in the stored text.
    """
    held = [
        checker.check(Claim(" ".join(unmark(row.text).split()), (number,))) for number, row in rows
    ]
    found = [one.citations for one in held if isinstance(one, Sentence)]
    return (
        tuple(dict.fromkeys(n for some in found for n in some)) if len(found) == len(held) else ()
    )


def differing_cell(
    mine: Unit, other: Unit, passages: tuple[Passage, Passage], beside: tuple[Sequence[Unit], ...]
) -> Cell | None:
    """Returns the first cell in which two rows differ though they are about one thing, or None.

    `beside` are the rows of each one's passage.
    """
    if mine.row is None or other.row is None or not _is_one_label(mine.row, other.row):
        return None
    if not (_is_alone(mine, beside[0]) and _is_alone(other, beside[1])):
        return None
    if not _stand_alike(*passages) or _interim(passages[0]) != _interim(passages[1]):
        return None
    years = [_years(passage) for passage in passages]
    pairs = list(_pairs(mine.row, other.row, same_years=years[0] == years[1] != frozenset()))
    different = [pair for pair in pairs if not _is_same(*pair)]
    if not different or (len(pairs) > 1 and len(different) == len(pairs)):
        return None
    first, second = different[0]
    return Cell(mine.row.label, first.column, (first.text, second.text))


def _keys(text: str) -> frozenset[str]:
    return frozenset(part.key for part in parts_of(text))


def _is_one_label(one: Row, other: Row) -> bool:
    keys = _keys(one.label)
    return keys == _keys(other.label) and bool(keys - GENERIC - {"total", "amount"})


def _is_alone(unit: Unit, rows: Sequence[Unit]) -> bool:
    """Returns whether no other row of the passage has this one's label."""
    label = _keys(unit.row.label) if unit.row else None
    same = [one for one in rows if one.row and _keys(one.row.label) == label]
    return all(one.start == unit.start for one in same)


def _stand_alike(one: Passage, other: Passage) -> bool:
    """Returns whether two tables stand under like headings; those without a heading do."""
    heads = [
        set(terms(passage.section[-1])) if passage.section else set() for passage in (one, other)
    ]
    if one.document_id != other.document_id:
        titles = [set(terms(passage.title)) for passage in (one, other)]
        heads = [head - title for head, title in zip(heads, titles, strict=True)]
    if not any(heads):
        return True
    return len(heads[0] & heads[1]) >= LIKE_HEADINGS * len(heads[0] | heads[1])


def _interim(passage: Passage) -> frozenset[str]:
    """Returns what says that a table is of a part of a year, in the words around it."""
    above = passage.above.text if passage.above else ""
    around = "\n".join((passage.document, passage.title, *passage.section, above))
    return frozenset(found.casefold() for found in INTERIM.findall(around.replace("_", " ")))


def _years(passage: Passage) -> frozenset[str]:
    return years_of(_keys(f"{passage.title} {' '.join(passage.section)}"))


def _pairs(one: Row, other: Row, *, same_years: bool) -> Iterator[tuple[CellFigure, CellFigure]]:
    """Yields the figures of columns that both rows have, where the column or both say a period."""
    theirs = {_keys(cell.column): cell for cell in cell_figures(other)}
    for cell in cell_figures(one):
        column = _keys(cell.column)
        has_period = same_years or any(key.split(maxsplit=1)[0] in PERIODS for key in column)
        found = theirs.get(column)
        if column and has_period and found and _unit(cell) == _unit(found):
            yield cell, found


def _unit(cell: CellFigure) -> tuple[str, str]:
    return cell.figure.unit, cell.currency


def _is_same(one: CellFigure, other: CellFigure) -> bool:
    """Returns whether two figures are equal in full, or one is the other one rounded."""
    a, b = (cell.figure.value.scaleb(cell.scale) for cell in (one, other))
    steps = [_step(cell.figure.value) * Decimal(1).scaleb(cell.scale) for cell in (one, other)]
    if one.figure.negative != other.figure.negative:
        return False
    return abs(a - b) <= max(steps) / 2 if steps[0] != steps[1] else a == b


def _step(value: Decimal) -> Decimal:
    exponent = value.as_tuple().exponent
    return Decimal(1).scaleb(exponent if isinstance(exponent, int) else 0)
