"""Writes and reads documents, word boxes, chunks and nodes as gzip: equal content, equal bytes.

Word boxes are one gzip member per page, so that a range request can read one page's boxes.
"""

import gzip
import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import batched

from footnote.model import Chunk, Document, Metadata, Node, ParsedDocument, Revision, Value, WordBox
from footnote.ports import BlobStore
from footnote.store import keys
from footnote.wire import from_row

# About 1 s of embedding on one core. The parts of a document are indexed in parallel.
CHUNKS_A_PART = 64
_LEVEL = 6


def dump_document(document: Document) -> bytes:
    return _compress(document.model_dump_json().encode())


def load_document(body: bytes) -> Document:
    return Document.model_validate_json(gzip.decompress(body))


def pack_words(parsed: ParsedDocument) -> tuple[Document, bytes]:
    """Returns the document, whose pages' `words_at` point into the words artifact, and that
    artifact.
    """
    blob = bytearray()
    pages = []
    for page in parsed.document.pages:
        boxes = parsed.words.get(page.number)
        if not boxes:
            pages.append(page)
            continue
        member = _compress(_to_json([_to_row(box) for box in boxes]))
        pages.append(page.model_copy(update={"words_at": (len(blob), len(member))}))
        blob += member
    return parsed.document.model_copy(update={"pages": tuple(pages)}), bytes(blob)


def _to_row(box: WordBox) -> list[float]:
    """Returns a word box as it is stored; without a confidence, the row is shorter."""
    row = [*(round(x, 1) for x in box[:4]), *box[4:6]]
    return row if box.confidence is None else [*row, box.confidence]


def unpack_words(member: bytes) -> list[WordBox]:
    """Reads the word boxes of a page from its member of the words artifact."""
    return [from_row(WordBox, box) for box in json.loads(gzip.decompress(member))]


def dump_metadata(metadata: Metadata) -> bytes:
    return _compress(_to_json(metadata))


def load_metadata(body: bytes) -> Metadata:
    return dict(json.loads(gzip.decompress(body)))


def dump_chunks(chunks: Iterable[Chunk]) -> bytes:
    return _dump_lines(chunks)


def load_chunks(body: bytes) -> list[Chunk]:
    return [Chunk.model_validate_json(line) for line in _lines(body)]


def dump_nodes(nodes: Iterable[Node]) -> bytes:
    return _dump_lines(nodes)


def load_nodes(body: bytes) -> list[Node]:
    return [Node.model_validate_json(line) for line in _lines(body)]


def store_chunks(
    chunks: Sequence[Chunk], nodes: Sequence[Node], revision: Revision, artifacts: BlobStore
) -> tuple[str, ...]:
    """Stores chunks in parts, with an even share of the nodes beside each, in order.

    Returns the keys of the parts.
    """
    parts = list(batched(chunks, CHUNKS_A_PART, strict=False))
    stored = []
    for number, part in enumerate(parts):
        stored.append(keys.chunks_key(revision, number))
        share = nodes[_share(nodes, number, parts) : _share(nodes, number + 1, parts)]
        artifacts.put(keys.nodes_key(stored[-1]), dump_nodes(share))
        artifacts.put(stored[-1], dump_chunks(part))
    return tuple(stored)


def _share(nodes: Sequence[Node], number: int, parts: Sequence[object]) -> int:
    """Returns the index of the first node of a part."""
    return len(nodes) * number // len(parts)


def _dump_lines(values: Iterable[Value]) -> bytes:
    """Writes one JSON object a line."""
    return _compress(b"".join(value.model_dump_json().encode() + b"\n" for value in values))


def _lines(body: bytes) -> Iterator[bytes]:
    # not splitlines(), which also splits at characters that JSON leaves unescaped
    return filter(None, gzip.decompress(body).split(b"\n"))


def _compress(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=_LEVEL, mtime=0)


def _to_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
