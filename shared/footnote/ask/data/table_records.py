"""Reads an array of objects from a table: its columns are the fields, its rows the objects.

The whole table is read, also rows that the search did not find. Each object cites its row.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from footnote.ask.check.parts import parts_of
from footnote.ask.check.segments import Row, Unit
from footnote.ask.check.table_labels import cells_of, columns_of, is_sum
from footnote.ask.data.fields import FieldSpec, RecordSpec
from footnote.ask.data.values import parse_value, read_value
from footnote.ask.write.checker import Checker
from footnote.ask.write.tables import tables_of
from footnote.model import Evidence, Passage, Scalar, Table
from footnote.text.quotes import unmark
from footnote.text.terms import terms

BEFORE = 300  # characters above a table that may say its scale
LEAST_FIELDS = 0.5  # of the fields: so many must have a column
LEAST_LIKE = 0.5  # of the words of a field's or a column's label: so many both must have
_NOTHING = frozenset({"", "-", "\u2013", "\u2014", "n/a"})
# "In thousands" above a table does not hold for a column that says another unit, or counts.
_OWN_UNIT = re.compile(
    r"\((?!in\b|us)[^\W\d]{1,6}[\u00b2\u00b3]?\)|%"
    r"|\b(?:number|count|quantity|staff|headcount|employees|units|pieces|days|years?|age)\b",
    re.IGNORECASE,
)


class Record(NamedTuple):
    """An object that holds: its values by field name, and the numbers of its citations."""

    values: Mapping[str, Scalar]
    citations: tuple[int, ...]


class _Fitting(NamedTuple):
    """A table whose columns are fields: number of a passage that holds it, field by column."""

    number: int
    table: Table
    fields: Mapping[int, FieldSpec]

    @property
    def labels(self) -> tuple[str, ...]:
        return columns_of(self.table)


class TableReader:
    """Reads the tables in the passages of an answer as objects."""

    def __init__(self, passages: Mapping[int, Passage], checker: Checker) -> None:
        self._keys = {passage.key for passage in passages.values()}
        self._checker = checker

    def read(self, record: RecordSpec, evidence: Evidence, *, least: float) -> list[Record]:
        """Returns the rows of the table that has columns for most of the fields, and for `least`.

        A table that goes on with the same columns in the same document is read with it.
        """
        fitting = list(self._fitting(record, evidence, least))
        if not fitting:
            return []
        number, best = max(fitting, key=lambda each: len(each[1].fields))
        return [
            read
            for document, each in fitting
            if document == number and each.labels == best.labels
            for read in _with_outer(record, self._rows(each))
        ]

    def _fitting(
        self, record: RecordSpec, evidence: Evidence, least: float
    ) -> Iterator[tuple[tuple[str, str], _Fitting]]:
        """Yields the tables with columns for enough fields, in the order of the evidence."""
        passages = (each for each in evidence.passages if each.key in self._keys)
        for passage, _, table in tables_of(passages, self._checker.document_of):
            fields = match_columns(record.fields, columns_of(table))
            if len(fields) >= max(1, least * len(record.fields)):
                start = max(table.start - BEFORE, 0)
                number = self._checker.open_place(passage, start, table.end)
                yield (passage.document_id, passage.version), _Fitting(number, table, fields)

    def _rows(self, fitting: _Fitting) -> Iterator[Record]:
        number, table, fields = fitting
        labels = fitting.labels
        heads = [list(filter(None, row)) for row in table.rows[: table.header_rows]]
        for unit in self._checker.units_at(number, (table.start, table.end)):
            if unit.row is None or list(filter(None, cells_of(unit.text))) in heads:
                continue
            if is_sum(unit.row.label):
                continue
            cells = {labels[0]: unit.row.label, **dict(unit.row.cells)}
            values = {
                field.name: value
                for column, field in fields.items()
                if (value := _value(field, labels[column], cells.get(labels[column], ""), unit))
                is not None
            }
            if values and (cited := self._checker.cite(number, ((unit.start, unit.end),))):
                yield Record(values, cited)


def _with_outer(record: RecordSpec, rows: Iterable[Record]) -> Iterator[Record]:
    """Gives rows whose cells of the outer object are all blank those of the row above them."""
    names = [field.name for field in record.outer_fields]
    above: Record | None = None
    for row in rows:
        if record.inner and above and not any(name in row.values for name in names):
            outer = {name: above.values[name] for name in names if name in above.values}
            cited = tuple(dict.fromkeys((*above.citations, *row.citations)))
            yield Record({**outer, **row.values}, cited)
            continue
        above = row
        yield row


def match_columns(fields: Sequence[FieldSpec], labels: Sequence[str]) -> dict[int, FieldSpec]:
    """Returns the field of each column that has one, by number; the likest pairs first.

    A first column without a label is that of the only text field that has no other. Of columns with
    one label none is taken: nobody can tell which is meant.
    """
    pairs = sorted(
        (
            (likeness, -n, -column)
            for n, field in enumerate(fields)
            for column, label in enumerate(labels)
            if labels.count(label) == 1 and (likeness := _likeness(field, label)) >= LEAST_LIKE
        ),
        reverse=True,
    )
    matched: dict[int, int] = {}
    for _, n, column in pairs:
        if -column not in matched and -n not in matched.values():
            matched[-column] = -n
    texts = [
        n
        for n, field in enumerate(fields)
        if field.type == "string" and not field.is_date and n not in matched.values()
    ]
    if matched and labels and not labels[0].strip() and len(texts) == 1:
        matched.setdefault(0, texts[0])
    return {column: fields[n] for column, n in sorted(matched.items())}


def _likeness(field: FieldSpec, label: str) -> float:
    """Returns the share of words that a field and a column have in common: by label or by name."""
    column = set(terms(label))
    names = (field.label, " ".join(field.path), field.path[-1])
    named = (set(terms(text.replace("_", " "))) for text in names)
    return max((len(column & own) / len(column | own) for own in named if own | column), default=0)


def _value(field: FieldSpec, label: str, text: str, unit: Unit) -> Scalar | None:
    """Returns the value of a cell, if it is one that the field may have."""
    text = " ".join(unmark(text).split())
    if text.casefold() in _NOTHING or unit.row is None:
        return None
    scale = 0 if _OWN_UNIT.search(label) else unit.row.scale
    row = Row("", ((label, text),), scale, unit.row.currency)
    cell = unit._replace(text=text, parts=parts_of(text), row=None if field.is_date else row)
    for each in field.alternatives():
        value, _ = read_value(each, text, [cell])
        if value is None and not each.is_date:
            value = parse_value(each, text)
        if value is not None and each.allows(value):
            return value
    return None
