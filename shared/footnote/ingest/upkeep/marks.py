"""Says what the chunks and nodes of an index generation are made with.

A re-index that finds the same marks on the generation there is, and all documents in it, has
nothing to do.
"""

from collections.abc import Mapping

from footnote import prompts
from footnote.ingest.chunk.chunk import BUDGET
from footnote.model import Fingerprint
from footnote.store.keys import NODES

CHUNKER = "3"
"""The version of what `ingest/chunk` makes of a document. Raise it when chunks come out otherwise:
tests/unit/test_chunk.py says when."""


def chunk_marks(*, with_lines: bool, context_model: str) -> Mapping[str, str]:
    """Returns the marks of chunks: version and size, and who writes lines by which prompt."""
    lines = f"{context_model} {prompts.digest_of('context')}" if with_lines else "off"
    return {"chunks": f"{CHUNKER}, {BUDGET} tokens", "nodes": NODES, "lines": lines}


def embedding_mark(fingerprint: Fingerprint) -> Mapping[str, str]:
    """Returns the mark of vectors: model, revision, quantisation, dimensions, input types."""
    return {"embedding": fingerprint.told}
