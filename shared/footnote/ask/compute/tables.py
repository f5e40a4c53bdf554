"""Works out of the tables of an answer's passages what is asked by rule."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from footnote.ask.check.table_labels import columns_of
from footnote.ask.compute.columns import add_rows, common_label, goes_with, join_tables
from footnote.ask.compute.row_difference import find_rows
from footnote.ask.compute.table_query import Worked, run_query
from footnote.ask.compute.table_rule import Fit, find_query
from footnote.ask.compute.typed_table import TypedTable, read_table
from footnote.ask.write.citations import Documents
from footnote.ask.write.tables import TableAt, tables_of
from footnote.errors import BadRequestError, NotFoundError
from footnote.model import Calculation, Document, Passage, TablePlace, TableQuery
from footnote.text.computations import asked_computation
from footnote.text.table_questions import TableAsked, asked_of_table, lists_rows

MOST_ALIKE = 20  # tables of one document that have the same columns
MOST_JOINED = 8  # tables of which two may be joined: each pair is tried


def read_at(at: TableAt) -> TypedTable:
    """Returns a table as typed columns. Raises BadRequestError for one that cannot be read."""
    return read_table(at.document, at.table, at.passage.document_id, at.passage.version)


def find_asked(
    question: str,
    passages: Mapping[int, Passage],
    documents: Documents,
    *,
    wants_chart: bool = False,
) -> Worked | None:
    """Works out what a question asks of exactly one table, or None.

    Tables of a document that have the same columns and other rows are one table, if the question
    means each of them. Where several others are meant, they must all give the same. Where none is,
    two of them may be joined by a label that both have.
    """
    asked = asked_of_table(question, wants_chart=wants_chart) or lists_rows(question)
    if asked is None:
        return None
    try:
        read = _read_all(passages.values(), documents)
    except BadRequestError:  # one that cannot be read may be the one that is meant
        return None
    if asked.figure == "share":  # the whole is all tables that are one
        read = _unite_all(read)
    fitting = _nearest([each for one in read if (each := _fit(asked, one))])
    united = unite(fitting) or _join(asked, read)
    if not united or not all(each.fit.is_sure for each in united):
        return None
    try:
        worked = [run_query(each.fit.query, each.table) for each in united]
    except BadRequestError:
        return None
    return worked[0] if len({each.given for each in worked}) == 1 else None


def find_difference(
    question: str, passages: Mapping[int, Passage], documents: Documents
) -> Calculation | None:
    """Returns the difference of two rows that a question asks for, if exactly one is meant."""
    if asked_computation(question) != "difference":
        return None
    try:
        read = _read_all(passages.values(), documents)
    except BadRequestError:
        return None
    found = {
        figures
        for each in read
        if (figures := find_rows(question, each.table, f"{each.like.document} {each.like.title}"))
    }
    figures = found.pop() if len(found) == 1 else ()
    return Calculation(operation="difference", figures=figures) if figures else None


def open_alike(
    passages: Iterable[Passage], open_document: Callable[[Passage], Document]
) -> list[TableAt]:
    """Opens the tables of passages, and all of their documents that have the same columns."""
    opened = list(tables_of(passages, open_document))
    places = {at.place: at for at in opened}
    for at in opened:
        labels = columns_of(at.table)
        alike = [each for each in at.document.tables if columns_of(each) == labels]
        for table in alike[:MOST_ALIKE]:
            sibling = at._replace(table=table)
            places.setdefault(sibling.place, sibling)
    return list(places.values())


class _Read(NamedTuple):
    """A table that was read, its place, and a passage of its document.

    `also` are the places of others whose rows were added.
    """

    like: Passage
    place: TablePlace
    table: TypedTable
    also: tuple[TablePlace, ...] = ()


class _Fitting(NamedTuple):
    like: Passage
    table: TypedTable
    fit: Fit


def _nearest(fitting: list[_Fitting]) -> list[_Fitting]:
    """Returns the tables with a column of what is listed, where only some have one.

    "Items" are what a column "Item" names, and may be anything where no table has such a column.
    """
    named = [each for each in fitting if each.fit.query.label]
    return named or fitting


def _read_all(passages: Iterable[Passage], documents: Documents) -> list[_Read]:
    """Reads the tables of passages, and all of their documents that have the same columns."""
    opened = open_alike(passages, lambda each: documents(each.document_id, each.version))
    return [_Read(at.passage, at.place, read_at(at)) for at in opened]


def _fit(asked: TableAsked, read: _Read) -> _Fitting | None:
    names = f"{read.like.document} {read.like.title}"
    fit = find_query(asked, read.table, read.place, names)
    if fit is None:
        return None
    query = fit.query.model_copy(update={"also": read.also})
    return _Fitting(read.like, read.table, fit._replace(query=query))


def unite(fitting: Sequence[_Fitting]) -> list[_Fitting]:
    """Makes one table of those of a document that have the same columns and no row in common."""
    united: list[_Fitting] = []
    for each in fitting:
        n, other = next(((n, o) for n, o in enumerate(united) if _continues(o, each)), (0, None))
        if other is None:
            united.append(each)
            continue
        query = other.fit.query
        also = (*query.also, each.fit.query.table)
        united[n] = other._replace(
            table=add_rows(other.table, each.table),
            fit=Fit(
                query.model_copy(update={"also": also}), other.fit.is_sure and each.fit.is_sure
            ),
        )
    return united


def _unite_all(read: Sequence[_Read]) -> list[_Read]:
    united: list[_Read] = []
    for each in read:
        same = (n for n, other in enumerate(united) if _is_one(other, each))
        n = next(same, None)
        if n is None:
            united.append(each)
        else:
            table = add_rows(united[n].table, each.table)
            united[n] = united[n]._replace(table=table, also=(*united[n].also, each.place))
    return united


def _is_one(read: _Read, other: _Read) -> bool:
    is_one_document = read.place.document_id == other.place.document_id
    return is_one_document and goes_with(read.table, other.table)


def _continues(fitting: _Fitting, other: _Fitting) -> bool:
    queries = [each.fit.query.model_copy(update={"also": ()}) for each in (fitting, other)]
    is_one_document = fitting.like.document_id == other.like.document_id
    is_alike = queries[0] == queries[1].model_copy(update={"table": queries[0].table})
    return is_one_document and is_alike and goes_with(fitting.table, other.table)


def _join(asked: TableAsked, read: Sequence[_Read]) -> list[_Fitting]:
    """Returns the queries of two tables that are joined by the one label which both have."""
    joined: list[_Fitting] = []
    for left in read[:MOST_JOINED]:
        for right in read[:MOST_JOINED]:
            on = "" if left is right else common_label(left.table, right.table)
            if not on:
                continue
            with suppress(BadRequestError):
                table = join_tables(left.table, right.table, on)
                if len(table.rows) < len(left.table.addends):
                    continue  # rows without a counterpart would be missing
                if each := _fit(asked, left._replace(table=table)):
                    update = {"join": right.place, "join_on": on}
                    fit = each.fit._replace(query=each.fit.query.model_copy(update=update))
                    joined.append(each._replace(fit=fit))
    return joined


def work_out_query(query: TableQuery, documents: Documents) -> Worked:
    """Works out a query of stored documents.

    Raises BadRequestError for a query that cannot be worked out, and NotFoundError where a document
    or its table is gone.
    """
    table = _open(query.table, documents)
    for place in query.also:
        table = add_rows(table, _open(place, documents))
    if query.join:
        table = join_tables(table, _open(query.join, documents), query.join_on)
    return run_query(query, table)


def _open(place: TablePlace, documents: Documents) -> TypedTable:
    document = documents(place.document_id, place.version)
    table = next((table for table in document.tables if table.start == place.start), None)
    if table is None:
        raise NotFoundError("the table is not there any more", action="Search for it again.")
    return read_table(document, table, place.document_id, place.version)
