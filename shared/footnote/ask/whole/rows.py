"""Chooses the rows that a list asks for by what their columns say: "items in the North warehouse".

A table is chosen from only if it accounts for every word of the list (`compute/table_rule.py`).
"""

from collections.abc import Mapping
from contextlib import suppress

from footnote.ask.compute.row_tests import choose
from footnote.ask.compute.table_rule import find_query
from footnote.ask.compute.typed_table import read_table
from footnote.ask.whole.topic import Topic
from footnote.errors import BadRequestError
from footnote.model import Document, Entry, TablePlace
from footnote.text.table_questions import asked_of_table
from footnote.text.terms import has_root, terms


class ChosenRows:
    """The tables of a document that a list is about, each with the lines of the rows it means."""

    def __init__(self, topic: Topic, entry: Entry, document: Document) -> None:
        self._tables = [
            (table.start, table.end, lines)
            for table in document.tables
            if (lines := _lines(topic, entry, document, table.start)) is not None
        ]

    def holds(self, offset: int) -> bool | None:
        """Tells whether the row at an offset is meant; None where it is of no such table."""
        for start, end, lines in self._tables:
            if start <= offset < end:
                return any(first <= offset < last for first, last in lines.items())
        return None


def _lines(topic: Topic, entry: Entry, document: Document, start: int) -> Mapping[int, int] | None:
    """Returns where the rows begin and end that a list means of a table; None if it means none."""
    asked = asked_of_table(f"list {topic.text}", lists=True)
    table = next(table for table in document.tables if table.start == start)
    said = frozenset(terms(document.text[table.start : table.end]))
    if not asked or asked.figure != "rows" or not any(has_root(w, said) for w in topic.words):
        return None
    place = TablePlace(document_id=entry.document_id, version=entry.version, start=start)
    with suppress(BadRequestError):
        read = read_table(document, table, entry.document_id, entry.version)
        if fit := find_query(asked, read, place, f"{entry.document} {entry.title}"):
            rows = choose(fit.query.where, read)
            return {span.start: span.end for row in rows for span in row.spans}
    return None
