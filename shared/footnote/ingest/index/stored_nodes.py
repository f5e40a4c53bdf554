"""The nodes of a part, as the index stores them."""

from contextlib import suppress

from footnote.errors import NotFoundError
from footnote.ingest.chunk.nodes import make_nodes
from footnote.model import Annotation, IndexedNode, Node, Revision
from footnote.ports import BlobStore
from footnote.store.artifacts import load_document, load_nodes
from footnote.store.keys import chunks_key, document_key, nodes_key


def indexed_nodes(
    artifacts: BlobStore, revision: Revision, part_key: str, annotation: Annotation
) -> list[IndexedNode]:
    """Returns the nodes that are indexed with the part of chunks at `part_key`."""
    return [
        IndexedNode(revision=revision, node=node, annotation=annotation)
        for node in _nodes(artifacts, revision, part_key)
    ]


def _nodes(artifacts: BlobStore, revision: Revision, part_key: str) -> list[Node]:
    """Reads the nodes that are stored beside the chunks.

    A document chunked by an older version has none. Its nodes are made anew, with its first part.
    """
    with suppress(NotFoundError):
        return load_nodes(artifacts.get(nodes_key(part_key)))
    if part_key != chunks_key(revision, 0):
        return []
    return make_nodes(load_document(artifacts.get(document_key(revision))), revision)
