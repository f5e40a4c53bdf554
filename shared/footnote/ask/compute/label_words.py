"""The words of a table's labels, as questions are compared with them."""

import re
from collections.abc import Collection, Sequence

from footnote.ask.check.figures import CURRENCIES, MONTHS
from footnote.ask.compute.typed_table import Column, TableRow, words_of
from footnote.text.derivation import are_of_one_verb
from footnote.text.table_questions import stems_in, stems_of
from footnote.text.terms import has_root, stem

TIMES = frozenset(
    map(stem, (*MONTHS, "year", "quarter", "half", "month", "week", "weeks", "ended", "fiscal"))
)
SHORTEST = 4  # letters of a stem that may have one more
_IDS = frozenset({"id", "ids", "no", "nr", "number", "code", "name", "names"})
_IN_BRACKETS = re.compile(r"\([^()]*\)")
_NUMBER = frozenset({"no", "nr"})  # "No. of seats"
_DAYS = frozenset(map(stem, ("date", "day", "on", "at", "by", "datum", "am")))


def plain(label: str) -> str:
    """Returns a label without what stands in brackets, such as "(b)" and "(in euros)"."""
    return _IN_BRACKETS.sub("", label.replace("_", " ")).strip()


def label_stems(text: str) -> frozenset[str]:
    return frozenset(stems_in(text.replace("_", " ")))


def years_in(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(key for key in keys if len(key) == 4 and key.isdecimal() and key[0] in "12")


def keys_of(column: Column) -> frozenset[str]:
    """Returns the stems by which a question names a column: not its unit, and not "date".

    A label of words that mean little elsewhere ("Amount") goes by these, and one that stands under
    another by its last row.
    """
    label = plain(column.leaf or column.label)
    if column.kind == "days":
        return stems_of(label) - _DAYS
    keys = stems_of(label) - unit_stems(column) - _NUMBER
    return keys or label_stems(label)


def naming(column: Column) -> frozenset[str]:
    """Returns the stems of what a column names: "order_id" names orders."""
    named = (word for word in words_of(column.leaf or column.label) if word not in _IDS)
    return frozenset(map(stem, named)) if column.kind == "words" else frozenset()


def unit_stems(column: Column) -> frozenset[str]:
    """Returns the stems of the currencies that a label names, and of the unit of its figures."""
    signs = [word for word, sign in CURRENCIES.items() if sign == column.unit]
    named = [word for word in words_of(column.label) if word in CURRENCIES]
    return frozenset(map(stem, (*named, *(signs if column.unit else ()), *words_of(column.unit))))


def is_form(stem: str, others: Collection[str]) -> bool:
    """Tells whether a stem is a form of another one: of its root, of its verb, or nearly it.

    "Ende" and "enden" are shorter than a root, "expiry" and "expires" part at its last letter;
    "held" is of the verb of which "holder" is made.
    """
    return has_root(stem, others) or any(
        are_of_one_verb(stem, other)
        or (
            min(len(stem), len(other)) >= SHORTEST
            and abs(len(stem) - len(other)) == 1
            and (stem.startswith(other) or other.startswith(stem))
        )
        for other in others
    )


def is_distinct(n: int, rows: Sequence[TableRow]) -> bool:
    """Tells whether no cell of a column occurs twice."""
    cells = [row.cells[n].text.strip() for row in rows]
    return len(set(cells)) == len(cells)
