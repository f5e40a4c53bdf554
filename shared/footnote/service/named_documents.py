"""Finds the documents that a search or question names, by path or id, in one or all collections.

A path names no collection, so this asks each of them, for all names together. One request makes at
most `MOST_CALLS` calls.
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
    """Returns the documents by the names that the caller gave.

    Raises NotFoundError for an unknown name: a typo should not look like "nothing found".
    """
    revisions: dict[str, Revision] = {}
    for name in dict.fromkeys(names):
        try:
            record = documents.get(name, collection or "default")
        except NotFoundError:
            if collection is not None:
                raise
        else:
            revisions |= named({name}, [record])
    if collection is None:
        missing = [name for name in dict.fromkeys(names) if name not in revisions]
        revisions |= _find_anywhere(documents, catalog.collections(tenant), tenant, missing)
    for name in names:
        if name not in revisions:
            where = "any collection" if collection is None else "that collection"
            raise unknown_document(name, where)
    return revisions


def _find_anywhere(
    documents: DocumentService, collections: Iterator[str], tenant: str, names: Sequence[str]
) -> dict[str, Revision]:
    """Looks for paths in each collection, until all are found.

    Raises BadRequestError where there are too many collections to look into.
    """
    revisions: dict[str, Revision] = {}
    missing, calls, looked = [*names], 0, 0
    while missing:
        batch = [*islice(collections, max(1, MAX_LOOKUPS // len(missing)))]
        if not batch:
            break
        calls += len(batch) + 1  # listing a collection is one call
        if calls > MOST_CALLS:
            raise _too_many(missing[0], looked)
        ids = [
            document_id(f"{tenant}/{collection}/{name}") for collection in batch for name in missing
        ]
        revisions |= named({*missing}, documents.statuses(ids))
        missing = [name for name in missing if name not in revisions]
        looked += len(batch)
    return revisions


def named(names: set[str], records: Sequence[Record]) -> dict[str, Revision]:
    """Returns the revisions of the records that one of these names means, by name."""
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
