"""Works out of the tables of an answer's passages what is asked by rule."""

from collections.abc import Mapping
from typing import NamedTuple

from footnote.ask.compute.columns import join_tables
from footnote.ask.compute.table_query import Worked, run_query
from footnote.ask.compute.table_rule import find_query
from footnote.ask.compute.typed_table import TypedTable, read_table
from footnote.ask.write.citations import Documents
from footnote.ask.write.tables import TableAt, tables_of
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import (
    Passage,
    TablePlace,
    TableQuery,
)
from footnote.text.table_questions import asked_of_table


class Asked(NamedTuple):
    """What a question asks of a table, worked out, and a passage of the table's document."""

    passage: Passage
    worked: Worked


def read_at(at: TableAt) -> TypedTable:
    """Returns a table as typed columns. Raises BadRequestError for one that cannot be read."""
    return read_table(at.document, at.table, at.passage.document_id, at.passage.version)


def find_asked(
    question: str, passages: Mapping[int, Passage], documents: Documents
) -> Asked | None:
    """Works out the total, mean or count that a question asks of exactly one table, or None.

    Where several tables are meant, they must all give the same.
    """
    asked = asked_of_table(question)
    if asked is None:
        return None
    opened = tables_of(passages.values(), lambda each: documents(each.document_id, each.version))
    try:
        read = [(at.passage, at.place, read_at(at)) for at in opened]
    except BadRequestError:  # one that cannot be read may be the one that is meant
        return None
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
