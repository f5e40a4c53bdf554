"""Counts the documents of a catalogue question in one pass over the documents table.

Only documents that the caller may read and that lie in the question's scope are looked at. Figures
are exact for what was looked at, which the answer says.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

from footnote.ask.catalogue.terms import format_of, year_of
from footnote.ask.catalogue.wording import say_conditions, say_readers
from footnote.ask.guard.screen import safe_name
from footnote.metadata.attributes import merge_attributes
from footnote.metadata.matching import Described, fits
from footnote.model import Record, Scope
from footnote.model.catalogue import (
    Catalogue,
    CatalogueEntry,
    CatalogueGroup,
    CatalogueQuery,
    Dimension,
)
from footnote.ports import Catalog

MOST_SEEN = 100_000
"""Documents of the scope that one question looks at: half a minute, or a gigabyte of the table."""
MOST_NAMED = 50
"""Documents that an answer names."""
MOST_GROUPS = 100
_PAGE = 500
_TITLE = 200
_REASON = 300  # characters of an error's message

type ListPage = Callable[[str, str | None], tuple[Sequence[Record], str]]
"""Returns a page of what the caller may read after a cursor, in one collection or in all."""


def stock_taker(scope: Scope, catalog: Catalog) -> Callable[[CatalogueQuery], Catalogue]:
    """Returns what counts a caller's documents, inside the scope of the question."""

    def list_page(after: str, collection: str | None) -> tuple[Sequence[Record], str]:
        return catalog.documents(
            scope.tenant, None, after, _PAGE, scope.groups, collection=collection
        )

    return lambda query: take_stock(query, scope, list_page)


def take_stock(
    query: CatalogueQuery, scope: Scope, list_page: ListPage, most: int = MOST_SEEN
) -> Catalogue:
    """Returns the count, the sums, the groups and the first documents of a question.

    It ends after `most` documents of the scope: then the catalogue is not complete.
    """
    tally = _Tally(query)
    complete = True
    for record in _records(query, scope, list_page):
        if tally.seen == most:
            complete = False
            break
        tally.look_at(record)
    return tally.result(say_conditions(query, scope), complete=complete)


def _records(query: CatalogueQuery, scope: Scope, list_page: ListPage) -> Iterator[Record]:
    """Yields the documents of the scope, page by page."""
    only = scope.collection
    if only is None and len(query.collections) == 1:
        [only] = query.collections
    after, is_last = "", False
    while not is_last:
        records, after = list_page(after, only)
        yield from (record for record in records if _is_inside(record, scope))
        is_last = not after


def _is_inside(record: Record, scope: Scope) -> bool:
    path, collection = record.revision.path, record.revision.collection
    is_named = path in scope.documents or record.document_id in scope.document_ids
    if not (is_named or not scope.names) or scope.collection not in {None, collection}:
        return False
    fields = {
        "path": path,
        "document_id": record.document_id,
        "version": record.version,
        "language": record.language,
        "collection": collection,
    }
    attributes = merge_attributes((record.sidecar.attributes, record.metadata))
    return fits(Described(fields, attributes, range(1, record.pages + 1)), scope)


class _Tally:
    """What has been counted so far."""

    def __init__(self, query: CatalogueQuery) -> None:
        self._query = query
        self.seen = 0
        self._count = self._pages = self._bytes = 0
        self._groups: Counter[str] = Counter()
        self._first: list[CatalogueEntry] = []

    def look_at(self, record: Record) -> None:
        self.seen += 1
        entry = entry_of(record)
        if not meets(entry, record, self._query):
            return
        self._count += 1
        self._pages += entry.pages
        self._bytes += entry.size
        self._groups.update(_values(entry, self._query.by or "status"))
        self._first.append(entry)
        if len(self._first) >= 4 * MOST_NAMED:
            self._first = self._best()

    def _best(self) -> list[CatalogueEntry]:
        """Returns the first entries in the order of the question; names come first for equals."""
        query = self._query
        if query.order != "name":
            # a stable sort: equal ones stay in the order of their keys, which is the table's
            self._first.sort(key=lambda entry: _rank(entry, query), reverse=query.descending)
        return self._first[: min(query.limit or MOST_NAMED, MOST_NAMED)]

    def result(self, conditions: tuple[str, ...], *, complete: bool) -> Catalogue:
        by = self._query.by
        groups = sorted(self._groups.items(), key=lambda pair: (-pair[1], pair[0]))
        if by == "year":
            groups.sort(key=lambda pair: pair[0], reverse=True)
        return Catalogue(
            count=self._count,
            pages=self._pages,
            bytes=self._bytes,
            seen=self.seen,
            complete=complete,
            conditions=conditions,
            by=by or "status",
            grouped=tuple(CatalogueGroup(value=name, count=n) for name, n in groups[:MOST_GROUPS]),
            documents=tuple(self._best()),
        )


def _rank(entry: CatalogueEntry, query: CatalogueQuery) -> str | int:
    match query.order:
        case "added":
            return entry.added
        case "changed":
            return entry.updated
        case "size":
            return entry.size
        case _:
            return entry.pages


def entry_of(record: Record) -> CatalogueEntry:
    """Returns what an answer says of a document. An id stands for a name that is an attack."""
    error = record.error
    return CatalogueEntry(
        id=record.document_id,
        document=safe_name(record.revision.path) or record.document_id,
        title=safe_name(record.title[:_TITLE]),
        collection=safe_name(record.revision.collection) or "(collection)",
        status=record.status,
        format=format_of(record),
        language=record.language,
        year=year_of(record),
        size=record.size,
        pages=record.pages,
        added=record.received,
        updated=record.updated,
        readers=record.sidecar.acl,
        code=error.code if error else "",
        reason=_reason(record),
    )


def _reason(record: Record) -> str:
    """Returns why a document failed; only the code where the message names an attack."""
    error = record.error
    if error is None:
        return ""
    is_safe = bool(safe_name(record.revision.path))
    return f"{error.message} {error.action}"[:_REASON] if is_safe else ""


def meets(entry: CatalogueEntry, record: Record, query: CatalogueQuery) -> bool:
    """Tells whether a document meets all conditions of a question."""
    path, collection = record.revision.path, record.revision.collection
    return (
        entry.status in (query.statuses or (entry.status,))
        and entry.format in (query.formats or (entry.format,))
        and collection in (query.collections or (collection,))
        and entry.language in (query.languages or (entry.language,))
        and (not query.years or entry.year in query.years)
        and (not query.folders or any(_lies_in(path, folder) for folder in query.folders))
        and (not query.names or any(_has(record, name) for name in query.names))
        and (not query.files or any(_is_called(path, name) for name in query.files))
        and _may_be_read(entry, query.readers)
        and (not query.warned or bool(record.warnings or record.sidecar.problem))
        and query.size.hold(entry.size)
        and query.pages.hold(entry.pages)
        and (query.added == type(query.added)() or query.added.hold(entry.added))
        and (query.changed == type(query.changed)() or query.changed.hold(entry.updated))
    )


def _lies_in(path: str, folder: str) -> bool:
    return f"/{folder.casefold()}/" in f"/{path.casefold()}"


def _has(record: Record, name: str) -> bool:
    return name.casefold() in f"{record.revision.path} {record.title}".casefold()


def _is_called(path: str, name: str) -> bool:
    """Tells whether a document has a name: its path, or the end of it after a slash."""
    return f"/{path.casefold()}".endswith(f"/{name.casefold()}")


def _may_be_read(entry: CatalogueEntry, readers: str) -> bool:
    match readers:
        case "":
            return True
        case "*":
            return entry.readers is None
        case "-":
            return entry.readers is not None
        case group:
            return entry.readers is None or group in entry.readers


def _values(entry: CatalogueEntry, by: Dimension) -> Sequence[str]:
    """Returns the values by which a document is grouped: several where it has several readers."""
    values: Mapping[Dimension, Sequence[str]] = {
        "collection": (entry.collection,),
        "format": (entry.format,),
        "year": (str(entry.year or ""),),
        "status": (entry.status,),
        "language": (entry.language,),
        "readers": entry.readers or (say_readers(entry.readers),),
        "reason": (entry.code,),
    }
    return values[by]
