"""Lists the live documents of a scope, by the catalogue alone: rights, names, filters."""

from collections.abc import Iterator, Sequence

from footnote.ask.find.passages import DocumentSize
from footnote.metadata.filters import NUMBER_FIELDS
from footnote.metadata.matching import describe_record, filtered_names, fits, is_in_scope
from footnote.model import Condition, Entry, Record, Scope
from footnote.ports import Catalog

MOST_LOOKED = 50_000  # records of the catalogue in which documents are looked for
CHUNK_TOKENS = 170  # of a chunk, where the record does not say how many its document has
_PAGE = 500


def list_entries(
    scope: Scope, catalog: Catalog, conditions: Sequence[Condition]
) -> list[Entry] | None:
    """Returns the documents in scope in key order, None where there are too many to look at."""
    entries: list[Entry] = []
    looked, after = 0, ""
    while True:
        records, after = catalog.documents(
            scope.tenant, None, after, _PAGE, scope.groups, collection=scope.collection
        )
        looked += len(records)
        entries += _entries(records, scope, conditions)
        if after and looked >= MOST_LOOKED:
            return None
        if not after:
            return entries


def sample_sizes(scope: Scope, catalog: Catalog) -> list[DocumentSize]:
    """Returns the sizes of the scope's documents, by one look at the catalogue: of the first 500.

    There are none where none of these is in scope, and where only the index knows who is.
    """
    if not can_list(scope, ()):
        return []
    if scope.document_ids:
        records = catalog.records(sorted(scope.document_ids)[:_PAGE])
    else:
        records, _ = catalog.documents(
            scope.tenant, None, "", _PAGE, scope.groups, collection=scope.collection
        )
    return [
        DocumentSize(
            f"{record.revision.path} {record.title}",
            record.tokens or record.chunks * CHUNK_TOKENS,
            record.chunks,
        )
        for record in records
        if record.live_version and is_in_scope(record, scope)
    ]


def can_list(scope: Scope, conditions: Sequence[Condition]) -> bool:
    """Tells whether records decide who is in scope: they do not for a condition on pages."""
    names = {name for each in (scope, *conditions) for name in filtered_names(each)}
    return NUMBER_FIELDS.isdisjoint(names)


def _entries(
    records: Sequence[Record], scope: Scope, conditions: Sequence[Condition]
) -> Iterator[Entry]:
    for record in records:
        if not record.live_version or not is_in_scope(record, scope):
            continue
        described = describe_record(record)
        if all(fits(described, each) for each in conditions):
            yield Entry(
                document_id=record.document_id,
                document=record.revision.path,
                collection=record.revision.collection,
                version=record.live_version,
                title=record.title,
                tokens=record.tokens or record.chunks * CHUNK_TOKENS,
            )
