"""Opens the tables of an answer's passages whole, and works out of them what is asked by rule."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from footnote.ask.compute.columns import join_tables
from footnote.ask.compute.table_query import Worked, run_query
from footnote.ask.compute.table_rule import find_query
from footnote.ask.compute.typed_table import TypedTable, read_table
from footnote.ask.write.citations import Documents
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import CELL, Document, Passage, Table, TablePlace, TableQuery
from footnote.text.table_questions import asked_of_table

MOST_TABLES = 20  # of the passages of one answer


class Asked(NamedTuple):
    """What a question asks of a table, worked out, and a passage of the table's document."""

    passage: Passage
    worked: Worked


class TableAt(NamedTuple):
    """A table of a passage's document."""

    passage: Passage
    document: Document
    table: Table

    @property
    def place(self) -> TablePlace:
        return TablePlace(
            document_id=self.passage.document_id,
            version=self.passage.version,
            start=self.table.start,
        )

    def read(self) -> TypedTable:
        return read_table(self.document, self.table, self.passage.document_id, self.passage.version)


def tables_of(passages: Mapping[int, Passage], documents: Documents) -> Iterator[TableAt]:
    """Yields the tables in which passages stand, each once, in the passages' order."""
    seen: set[tuple[str, str, int]] = set()
    for passage in list(passages.values()):
        if CELL not in passage.text:
            continue
        try:
            document = documents(passage.document_id, passage.version)
        except NotFoundError:  # it was deleted or closed meanwhile
            continue
        for table in document.tables:
            key = passage.document_id, passage.version, table.start
            is_here = table.start < passage.end and passage.start < table.end
            if is_here and key not in seen and len(seen) < MOST_TABLES:
                seen.add(key)
                yield TableAt(passage, document, table)


def find_asked(
    question: str, passages: Mapping[int, Passage], documents: Documents
) -> Asked | None:
    """Works out the total, mean or count that a question asks of exactly one table, or None.

    Where several tables are meant, they must all give the same.
    """
    asked = asked_of_table(question)
    if asked is None:
        return None
    read = [(at.passage, at.place, at.read()) for at in tables_of(passages, documents)]
    fitting = [
        (passage, table, fit)
        for passage, place, table in read
        if (fit := find_query(asked, table, place, f"{passage.document} {passage.title}"))
    ]
    if not fitting or not all(fit.is_sure for *_, fit in fitting):
        return None
    try:
        worked = [Asked(passage, run_query(fit.query, table)) for passage, table, fit in fitting]
    except BadRequestError:
        return None
    return worked[0] if len({each.worked.given for each in worked}) == 1 else None


def work_out_query(query: TableQuery, documents: Documents) -> Worked:
    """Works out a query of stored documents.

    Raises BadRequestError for a query that cannot be worked out, and NotFoundError where a document
    or its table is gone.
    """
    table = _open(query.table, documents)
    if query.join:
        table = join_tables(table, _open(query.join, documents), query.join_on)
    return run_query(query, table)


def _open(place: TablePlace, documents: Documents) -> TypedTable:
    document = documents(place.document_id, place.version)
    table = next((table for table in document.tables if table.start == place.start), None)
    if table is None:
        raise NotFoundError("the table is not there any more", action="Search for it again.")
    return read_table(document, table, place.document_id, place.version)
