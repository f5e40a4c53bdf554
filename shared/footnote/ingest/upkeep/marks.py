"""Names what a generation's chunks and nodes were made with.

A re-index has nothing to do if the serving generation has the same marks and all documents.
"""

from collections.abc import Mapping

from footnote import prompts
from footnote.ingest.chunk.chunk import BUDGET
from footnote.model import Fingerprint
from footnote.store.keys import NODES

CHUNKER = "3"
"""The version of the chunks that `ingest/chunk` makes. Raise it when chunks change:
tests/unit/test_chunk.py fails then.
"""


def chunk_marks(*, with_lines: bool, context_model: str) -> Mapping[str, str]:
    """Returns the marks of chunks: version and size, and the model and prompt of their lines."""
    lines = f"{context_model} {prompts.digest_of('context')}" if with_lines else "off"
    return {"chunks": f"{CHUNKER}, {BUDGET} tokens", "nodes": NODES, "lines": lines}


def embedding_mark(fingerprint: Fingerprint) -> Mapping[str, str]:
    """Returns the mark of vectors: model, revision, quantisation, dimensions, input types."""
    return {"embedding": fingerprint.told}
