"""Documents that were read elsewhere: what an operator lays beside a file before it is uploaded.

They lie under the document's id and the SHA-256 of its file, so they count for no other document
and no other file. Only who may write to the artifacts bucket can lay them there: no caller of the
API. What is laid there is looked at as any file is, before it is used.
"""

import json
import math
import unicodedata
import zlib
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import Field

from footnote.ingest.parse.builder import MAX_CHARACTERS
from footnote.model import Document, Metadata, Page, Value, WordBox
from footnote.ports import BlobStore
from footnote.store import keys
from footnote.wire import from_row

MOST_BYTES = 8 * MAX_CHARACTERS
"""Of a document, unpacked: its text, once more as cells of tables, and spans."""
MOST_WORDS = 50_000_000  # bytes of a page's word boxes, unpacked


class Reader(Value):
    """What read a document, and what the file says of itself.

    `parsers` is the edition of the parsers. `ocr` names the engines and how many pages they may
    read, "" where no picture asked for one. `metadata` and `warnings` are those of the file,
    without what its upload adds. `carried` tells that another footnote has read it.
    """

    parsers: str
    ocr: str = ""
    metadata: Metadata = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    carried: bool = False


class Carried(NamedTuple):
    """A document that was read elsewhere, its artifact of word boxes, and who read it."""

    document: Document
    words: bytes
    reader: Reader


class Packed(NamedTuple):
    """The same as three artifacts, as they are stored. `words` is empty for formats without."""

    document: bytes
    words: bytes
    reader: bytes


def lay(artifacts: BlobStore, document_id: str, content: str, packed: Packed) -> None:
    """Lays artifacts beside a document's file with the SHA-256 `content`. The reader's is last."""
    folder = keys.carried_folder(document_id, content)
    artifacts.put(f"{folder}document.json.gz", packed.document)
    artifacts.put(f"{folder}words.bin", packed.words)
    artifacts.put(f"{folder}{keys.READER}", packed.reader)


def find(artifacts: BlobStore, document_id: str, content: str) -> Carried | None:
    """Returns what is laid beside a file, None where that is no document that could be cited.

    Raises NotFoundError where nothing is laid, or not all of it.
    """
    folder = keys.carried_folder(document_id, content)
    told = artifacts.get(f"{folder}{keys.READER}")
    body, words = artifacts.get(f"{folder}document.json.gz"), artifacts.get(f"{folder}words.bin")
    try:
        reader = Reader.model_validate_json(told)
        document = Document.model_validate_json(_unpack(body, MOST_BYTES))
    except (ValueError, zlib.error):  # pydantic's errors are of value, too
        return None
    own = {"metadata": reader.metadata, "warnings": reader.warnings}
    document = document.model_copy(update=own)
    return Carried(document, words, reader) if _is_sound(document, words) else None


def clear(artifacts: BlobStore, document_id: str, content: str) -> None:
    artifacts.delete(artifacts.keys(keys.carried_folder(document_id, content)))


def _unpack(body: bytes, most: int) -> bytes:
    """Unpacks one gzip member. Raises ValueError for more than `most` bytes, or what is cut."""
    unpacker = zlib.decompressobj(wbits=31)
    plain = unpacker.decompress(body, most)
    if not unpacker.eof or unpacker.unused_data:
        raise ValueError("too long, or not whole")
    return plain


def _is_sound(document: Document, words: bytes) -> bool:
    """Tells whether all spans lie where they may, and each page's word boxes can be read."""
    text = document.text
    spans = [(section.start, section.end) for section in document.sections]
    spans += [(table.start, table.end) for table in document.tables]
    pages = [(page.start, page.end) for page in document.pages]
    return (
        bool(text.strip())
        and len(text) <= MAX_CHARACTERS
        and unicodedata.is_normalized("NFC", text)
        and _lie_in(spans, 0, len(text))
        and _lie_in(pages, 0, len(text))
        and pages == sorted(pages)
        and all(_is_sound_page(page, words) for page in document.pages)
    )


def _is_sound_page(page: Page, words: bytes) -> bool:
    if not _lie_in([(doubt.start, doubt.end) for doubt in page.doubts], page.start, page.end):
        return False
    if page.words_at is None:
        return True
    offset, length = page.words_at
    if offset < 0 or length < 1 or offset + length > len(words):
        return False
    try:
        rows = json.loads(_unpack(words[offset : offset + length], MOST_WORDS))
        boxes = [from_row(WordBox, row) for row in rows]
        at = all(math.isfinite(edge) for box in boxes for edge in box[:4])
        return at and _lie_in([(box.start, box.end) for box in boxes], page.start, page.end)
    except (ValueError, TypeError, RecursionError, zlib.error):
        return False


def _lie_in(spans: Iterable[tuple[int, int]], first: int, end: int) -> bool:
    return all(first <= start <= stop <= end for start, stop in spans)


def dump_reader(reader: Reader) -> bytes:
    return reader.model_dump_json().encode()
