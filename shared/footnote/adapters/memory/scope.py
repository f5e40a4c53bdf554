"""Tells which chunks and nodes a query of the memory index may see: scope, filters, rights."""

from footnote.metadata.matching import Described, fits
from footnote.model import Chunk, Indexed, IndexedNode, Node, Scope, may_read


def is_in_scope(indexed: Indexed, scope: Scope) -> bool:
    tenant, collection, path = indexed.revision.place
    return (
        tenant == scope.tenant
        and scope.collection in (None, collection)
        and (
            not scope.names
            or path in scope.documents
            or (bool(scope.document_ids) and indexed.revision.document_id in scope.document_ids)
        )
        and may_read(indexed.annotation.acl, scope.groups)
        and fits(_described(indexed), scope)
    )


def place_of(indexed: Indexed) -> Chunk | Node:
    return indexed.node if isinstance(indexed, IndexedNode) else indexed.chunk


def _described(indexed: Indexed) -> Described:
    revision, place = indexed.revision, place_of(indexed)
    fields = {
        "path": revision.path,
        "document_id": revision.document_id,
        "version": revision.version,
        "language": place.language,
        "collection": revision.collection,
    }
    return Described(fields, indexed.annotation.metadata, place.pages)
