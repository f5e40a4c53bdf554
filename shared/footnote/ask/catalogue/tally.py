"""Counts the documents of a catalogue question in one pass over the documents table.

Only documents that the caller may read and that lie in the question's scope are looked at. Figures
are exact for what was looked at, which the answer says.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache

from footnote.ask.catalogue.terms import format_of, year_of
from footnote.ask.catalogue.wording import say_conditions, say_readers
from footnote.ask.guard.screen import safe_name
from footnote.metadata.matching import is_in_scope
from footnote.model import Acl, Record, Scope
from footnote.model.catalogue import (
    Catalogue,
    CatalogueEntry,
    CatalogueGroup,
    CatalogueQuery,
    Days,
    Dimension,
)
from footnote.ports import Catalog
from footnote.text.own_language import OwnLanguage

MOST_SEEN = 100_000
"""Documents of the scope that one question looks at: two seconds beside reading their records."""
MOST_NAMED = 50
"""Documents that an answer names."""
MOST_GROUPS = 100
ALWAYS = Days()
_PAGE = 500
_TITLE = 200
_REASON = 300  # characters of an error's message

type ListPage = Callable[[str, str | None], tuple[Sequence[Record], str]]
"""Returns a page of what the caller may read after a cursor, in one collection or in all."""


def stock_taker(
    scope: Scope, catalog: Catalog
) -> Callable[[CatalogueQuery, OwnLanguage], Catalogue]:
    """Returns what counts a caller's documents, inside the scope of the question."""

    def list_page(after: str, collection: str | None) -> tuple[Sequence[Record], str]:
        return catalog.documents(
            scope.tenant, None, after, _PAGE, scope.groups, collection=collection
        )

    def take(query: CatalogueQuery, own: OwnLanguage = "en") -> Catalogue:
        return take_stock(query, scope, list_page, own=own)

    return take


def take_stock(
    query: CatalogueQuery,
    scope: Scope,
    list_page: ListPage,
    most: int = MOST_SEEN,
    own: OwnLanguage = "en",
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
    return tally.result(say_conditions(query, scope, own), complete=complete)


def _records(query: CatalogueQuery, scope: Scope, list_page: ListPage) -> Iterator[Record]:
    """Yields the documents of the scope, page by page."""
    only = scope.collection
    if only is None and len(query.collections) == 1:
        [only] = query.collections
    after, is_last = "", False
    while not is_last:
        records, after = list_page(after, only)
        yield from (record for record in records if is_in_scope(record, scope))
        is_last = not after


class _Tally:
    """What has been counted so far."""

    def __init__(self, query: CatalogueQuery) -> None:
        self._query = query
        self.seen = 0
        self._count = self._pages = self._bytes = 0
        self._groups: Counter[str] = Counter()
        self._first: list[Record] = []

    def look_at(self, record: Record) -> None:
        self.seen += 1
        if not meets(record, self._query):
            return
        self._count += 1
        self._pages += record.pages
        self._bytes += record.size
        self._groups.update(_values(record, self._query.by or "status"))
        self._first.append(record)
        if len(self._first) >= 4 * MOST_NAMED:
            self._first = self._best()

    def _best(self) -> list[Record]:
        """Returns the first documents in the order of the question; equal ones by name."""
        query = self._query
        if query.order != "name":
            # a stable sort: equal ones stay in the order of their keys, which is the table's
            self._first.sort(key=lambda record: _rank(record, query), reverse=query.descending)
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
            documents=tuple(map(entry_of, self._best())),
        )


def _rank(record: Record, query: CatalogueQuery) -> str | int:
    match query.order:
        case "added":
            return record.received
        case "changed":
            return record.updated
        case "size":
            return record.size
        case _:
            return record.pages


def entry_of(record: Record) -> CatalogueEntry:
    """Returns what an answer says of a document. An id stands for a name that is an attack."""
    error = record.error
    return CatalogueEntry(
        id=record.document_id,
        document=safe_name(record.revision.path) or record.document_id,
        title=safe_name(record.title[:_TITLE]),
        collection=_safe_collection(record.revision.collection),
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


@lru_cache(maxsize=1000)
def _safe_collection(name: str) -> str:
    return safe_name(name) or "(collection)"


def meets(record: Record, query: CatalogueQuery) -> bool:
    """Tells whether a document meets all conditions of a question."""
    path, collection = record.revision.path, record.revision.collection
    return (
        record.status in (query.statuses or (record.status,))
        and collection in (query.collections or (collection,))
        and record.language in (query.languages or (record.language,))
        and (not query.formats or format_of(record) in query.formats)
        and (not query.years or year_of(record) in query.years)
        and (not query.folders or any(_lies_in(path, folder) for folder in query.folders))
        and (not query.names or any(_has(record, name) for name in query.names))
        and (not query.files or any(_is_called(path, name) for name in query.files))
        and _may_be_read(record.sidecar.acl, query.readers)
        and (not query.warned or bool(record.warnings or record.sidecar.problem))
        and query.size.hold(record.size)
        and query.pages.hold(record.pages)
        and (query.added == ALWAYS or query.added.hold(record.received))
        and (query.changed == ALWAYS or query.changed.hold(record.updated))
    )


def _lies_in(path: str, folder: str) -> bool:
    return f"/{folder.casefold()}/" in f"/{path.casefold()}"


def _has(record: Record, name: str) -> bool:
    return name.casefold() in f"{record.revision.path} {record.title}".casefold()


def _is_called(path: str, name: str) -> bool:
    """Tells whether a document has a name: its path, or the end of it after a slash."""
    return f"/{path.casefold()}".endswith(f"/{name.casefold()}")


def _may_be_read(acl: Acl, readers: str) -> bool:
    match readers:
        case "":
            return True
        case "*":
            return acl is None
        case "-":
            return acl is not None
        case group:
            return acl is None or group in acl


def _values(record: Record, by: Dimension) -> Sequence[str]:
    """Returns the values by which a document is grouped: several where it has several readers."""
    return _VALUES[by](record)


_VALUES: Mapping[Dimension, Callable[[Record], Sequence[str]]] = {
    "collection": lambda record: (_safe_collection(record.revision.collection),),
    "format": lambda record: (format_of(record),),
    "year": lambda record: (str(year_of(record) or ""),),
    "status": lambda record: (record.status,),
    "language": lambda record: (record.language,),
    "readers": lambda record: record.sidecar.acl or (say_readers(record.sidecar.acl),),
    "reason": lambda record: (record.error.code if record.error else "",),
}
