"""Writes and reads documents, word boxes and chunks as gzip: the same bytes for the same content.

Word boxes are one gzip member a page, so that a range request can read the boxes of one page.
"""

import gzip
import json
from collections.abc import Iterable, Sequence
from itertools import batched

from footnote.model import Chunk, Document, Metadata, ParsedDocument, Revision, WordBox
from footnote.ports import BlobStore
from footnote.store import keys

# About 1 s of embedding on one core. The parts of a document are indexed in parallel.
CHUNKS_A_PART = 64
_LEVEL = 6


def dump_document(document: Document) -> bytes:
    return _compress(document.model_dump_json().encode())


def load_document(body: bytes) -> Document:
    return Document.model_validate_json(gzip.decompress(body))


def pack_words(parsed: ParsedDocument) -> tuple[Document, bytes]:
    """Returns the document and its words artifact. Each page's `words_at` points into that."""
    blob = bytearray()
    pages = []
    for page in parsed.document.pages:
        boxes = parsed.words.get(page.number)
        if not boxes:
            pages.append(page)
            continue
        member = _compress(_to_json([[*(round(x, 1) for x in box[:4]), *box[4:]] for box in boxes]))
        pages.append(page.model_copy(update={"words_at": (len(blob), len(member))}))
        blob += member
    return parsed.document.model_copy(update={"pages": tuple(pages)}), bytes(blob)


def unpack_words(member: bytes) -> list[WordBox]:
    """Reads the word boxes of a page from its member of the words artifact."""
    return [WordBox(*box) for box in json.loads(gzip.decompress(member))]


def dump_metadata(metadata: Metadata) -> bytes:
    return _compress(_to_json(metadata))


def load_metadata(body: bytes) -> Metadata:
    return dict(json.loads(gzip.decompress(body)))


def dump_chunks(chunks: Iterable[Chunk]) -> bytes:
    """Writes one JSON object a line."""
    return _compress(b"".join(chunk.model_dump_json().encode() + b"\n" for chunk in chunks))


def load_chunks(body: bytes) -> list[Chunk]:
    # not splitlines(), which also splits at characters that JSON leaves unescaped
    lines = gzip.decompress(body).split(b"\n")
    return [Chunk.model_validate_json(line) for line in lines if line]


def store_chunks(
    chunks: Sequence[Chunk], revision: Revision, artifacts: BlobStore
) -> tuple[str, ...]:
    """Stores chunks in parts and returns the key of each part, in order."""
    found = []
    for number, part in enumerate(batched(chunks, CHUNKS_A_PART, strict=False)):
        found.append(keys.chunks_key(revision, number))
        artifacts.put(found[-1], dump_chunks(part))
    return tuple(found)


def _compress(content: bytes) -> bytes:
    return gzip.compress(content, compresslevel=_LEVEL, mtime=0)


def _to_json(value: object) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode()
