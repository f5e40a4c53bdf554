"""The documents that a grid has rows for: all in its scope that can be searched now."""

from collections.abc import Iterator

from footnote.errors import BadRequestError
from footnote.metadata.matching import is_in_scope
from footnote.model import Record, Scope, may_read
from footnote.ports import Catalog

MAX_DOCUMENTS = 500
PAGE = 500  # documents that one call returns
MAX_CALLS = 40  # to the table, each of which looks at some thousand documents


def documents_in(catalog: Catalog, scope: Scope) -> list[Record]:
    """Returns the documents in a scope that can be searched, and that its groups may read.

    Raises BadRequestError for more than `MAX_DOCUMENTS`, and for a scope that is too wide to be
    looked through.
    """
    found: list[Record] = []
    for record in _candidates(catalog, scope):
        if not (record.live_version and is_in_scope(record, scope)):
            continue
        found.append(record)
        if len(found) > MAX_DOCUMENTS:
            raise too_many(f"there are more than {MAX_DOCUMENTS} documents in its scope")
    return found


def _candidates(catalog: Catalog, scope: Scope) -> Iterator[Record]:
    if scope.document_ids:
        for record in catalog.records(list(scope.document_ids)):
            if record.revision.tenant == scope.tenant and may_read(
                record.sidecar.acl, scope.groups
            ):
                yield record
        return
    after = ""
    for _ in range(MAX_CALLS):
        page, after = catalog.documents(
            scope.tenant, None, after, PAGE, scope.groups, collection=scope.collection
        )
        yield from page
        if not after:
            return
    raise too_many("its scope has too many documents to look through")


def too_many(why: str) -> BadRequestError:
    """Returns the error for a grid that would be too large."""
    return BadRequestError(
        f"the grid is too large: {why}",
        code="grid_too_large",
        action="Name a collection or documents, filter, or ask fewer questions at once.",
    )
