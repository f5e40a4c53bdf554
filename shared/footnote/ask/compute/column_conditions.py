"""Tells which rows have none of what a column is named by, and which have some.

"Boats without an owner", "items that are not reserved", "courses with a waiting list".
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from footnote.ask.compute.cells import has_none
from footnote.ask.compute.label_words import is_form, keys_of, label_stems
from footnote.ask.compute.typed_table import TypedTable
from footnote.model import RowTest
from footnote.text.table_questions import EMPTY_STEMS, TableAsked
from footnote.text.terms import stem

FILLERS = 2  # words between "not" or "with" and what is named
_HAVING = frozenset(map(stem, ("with", "have", "has", "had", "having", "are", "is", "were", "was")))
_HAVING |= frozenset(map(stem, ("mit", "haben", "hat", "sind", "ist")))
_WHOSE = frozenset(map(stem, ("their", "its", "his", "her", "whose", "the")))

type Test = tuple[int, RowTest]
"""The number of a column, and the test of its cells."""


class Choice(NamedTuple):
    """The tests of rows. `cells`: the stems of the cells that are named or left out.

    `labels`: the stems of compared columns and of their units and times. `compared`: the numbers of
    these columns.
    """

    tests: tuple[Test, ...] = ()
    cells: frozenset[str] = frozenset()
    labels: frozenset[str] = frozenset()
    compared: tuple[int, ...] = ()


def lacking_of(after: Sequence[str], table: TypedTable) -> Choice | None:
    """Returns the test for rows that have none of what is named behind a "no"; None if unclear."""
    fitting = [
        (n, said)
        for n, column in enumerate(table.columns)
        if any(has_none(row.cells[n]) for row in table.addends)
        and (said := _said_behind(keys_of(column), after))
    ]
    if len(fitting) != 1:
        return None
    [(n, said)] = fitting
    column = table.columns[n]
    counted = after[len(said) : len(said) + 1] if column.kind == "figures" else ()
    labels = label_stems(column.label) | frozenset((*said, *counted))  # "no reserved pieces"
    return Choice(((n, RowTest(column=column.label, test="has none")),), labels=labels)


def _said_behind(keys: frozenset[str], after: Sequence[str]) -> tuple[str, ...]:
    """Returns the words behind a "no" up to the last that names a column, or none."""
    for size in range(len(keys), len(keys) + FILLERS + 1):
        said = tuple(after[:size])
        if all(is_form(key, said) for key in keys):
            others = [word for word in said if not is_form(word, keys)]
            return said if keys and all(word in EMPTY_STEMS for word in others) else ()
    return ()


def having_of(asked: TableAsked, table: TypedTable, tested: Collection[int]) -> Choice:
    """Returns the tests for rows that have some of what only some rows have.

    "Items with reserved pieces" and "items that are reserved" are those where the column "Reserved"
    is neither blank nor 0 nor "no".
    """
    choice = Choice()
    if asked.figure != "rows" or asked.ranked:
        return choice
    for n, column in enumerate(table.columns):
        cells = [row.cells[n] for row in table.addends]
        lacking = sum(map(has_none, cells))
        if n in tested or not 0 < lacking < len(cells):
            continue
        for at, word in enumerate(asked.text):
            said = _said_behind(keys_of(column), asked.text[at + 1 :])
            if word in _HAVING and said and _WHOSE.isdisjoint(said):
                test = RowTest(column=column.label, test="has some")
                end = at + 1 + len(said)
                counted = asked.text[end : end + 1] if column.kind == "figures" else ()
                labels = choice.labels | label_stems(column.label) | frozenset((*said, *counted))
                choice = Choice((*choice.tests, (n, test)), labels=labels)
                break
    return choice
