"""Lists the live documents of a scope, by the catalogue alone: rights, names, filters."""

from collections.abc import Iterator, Sequence

from footnote.metadata.filters import NUMBER_FIELDS
from footnote.metadata.matching import describe_record, filtered_names, fits, is_in_scope
from footnote.model import Condition, Entry, Record, Scope
from footnote.ports import Catalog

MOST_DOCUMENTS = 1_000
"""Documents that one question reads whole: five seconds of a processor (docs/benchmarks.md)."""
MOST_LOOKED = 5_000  # records of the catalogue in which they are looked for
CHUNK_TOKENS = 170  # of a chunk, where the record does not say how many its document has
_PAGE = 500


def list_entries(
    scope: Scope, catalog: Catalog, conditions: Sequence[Condition]
) -> list[Entry] | None:
    """Returns the documents in scope in key order, or None where there are too many to read.

    Where more records than MOST_LOOKED are to be looked at, there may be too many.
    """
    entries: list[Entry] = []
    looked, after = 0, ""
    while True:
        records, after = catalog.documents(
            scope.tenant, None, after, _PAGE, scope.groups, collection=scope.collection
        )
        looked += len(records)
        entries += _entries(records, scope, conditions)
        if len(entries) > MOST_DOCUMENTS or (after and looked > MOST_LOOKED):
            return None
        if not after:
            return entries


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
