"""Finds the documents that a search or question names, by path or id, in one collection or in any.

A path says nothing of its collection, so each collection has to be asked. All names go through them
together, and one request asks only so often.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice

from footnote.errors import BadRequestError, NotFoundError
from footnote.model import Record, Revision, document_id
from footnote.ports import Catalog
from footnote.service.document_names import unknown_document
from footnote.service.document_service import MAX_LOOKUPS, DocumentService

MOST_CALLS = 1_000  # to the table for one request: some five seconds


def find_named(
    documents: DocumentService,
    catalog: Catalog,
    tenant: str,
    names: Sequence[str],
    collection: str | None,
) -> Mapping[str, Revision]:
    """Returns the documents by the names that were given.

    Raises NotFoundError for an unknown name: a typo should not look like "nothing found".
    """
    known: dict[str, Revision] = {}
    for name in dict.fromkeys(names):
        try:
            found = documents.get(name, collection or "default")
        except NotFoundError:
            if collection is not None:
                raise
        else:
            known |= named({name}, [found])
    if collection is None:
        missing = [name for name in dict.fromkeys(names) if name not in known]
        known |= _find_anywhere(documents, catalog.collections(tenant), tenant, missing)
    for name in names:
        if name not in known:
            where = "any collection" if collection is None else "that collection"
            raise unknown_document(name, where)
    return known


def _find_anywhere(
    documents: DocumentService, collections: Iterator[str], tenant: str, names: Sequence[str]
) -> dict[str, Revision]:
    """Looks for paths in each collection, until all are found.

    Raises BadRequestError where there are too many collections to look into.
    """
    known: dict[str, Revision] = {}
    missing, calls, looked = [*names], 0, 0
    while missing:
        some = [*islice(collections, max(1, MAX_LOOKUPS // len(missing)))]
        if not some:
            break
        calls += len(some) + 1  # listing a collection is one call
        if calls > MOST_CALLS:
            raise _too_many(missing[0], looked)
        ids = [document_id(f"{tenant}/{one}/{name}") for one in some for name in missing]
        known |= named({*missing}, documents.statuses(ids))
        missing = [name for name in missing if name not in known]
        looked += len(some)
    return known


def named(names: set[str], records: Sequence[Record]) -> dict[str, Revision]:
    """Returns those of the records that one of these names means."""
    return {
        name: record.revision
        for record in records
        if record.status != "DELETED"
        for name in (record.revision.path, record.document_id)
        if name in names
    }


def _too_many(name: str, looked: int) -> BadRequestError:
    return BadRequestError(
        f"{name[:200]!r} is in none of the first {looked:,} collections, and there are more",
        code="collection_needed",
        action="Name the `collection`, or name documents by their ids.",
    )
