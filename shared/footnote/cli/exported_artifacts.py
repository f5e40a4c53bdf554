"""Artifacts in an export's folder: what was read and embedded, for an operator of both footnotes.

The folder holds `artifacts.jsonl`, a document a line, and `artifacts/<sha256>`. Each line names the
original and every file by its SHA-256, so the SHA-256 of `artifacts.jsonl`, the seal, stands for
all. It is printed and not kept in the folder: whoever changes the folder cannot change the seal.
"""

import hashlib
import json
import math
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from footnote.cli.exported_folder import Entry, ExportedFolder, no_export
from footnote.errors import BadRequestError, NotFoundError
from footnote.ingest.index.embed import cache_key
from footnote.ingest.read.carried import Packed, Reader, lay
from footnote.model import Record, Revision, Value, Vector, document_id
from footnote.ports import BlobStore
from footnote.store import keys
from footnote.store.artifacts import load_chunks
from footnote.store.vectors import dump_vectors, load_vectors, model_of
from footnote.wire import Json
from footnote.wiring.stores import Stores

LIST, FILES = "artifacts.jsonl", "artifacts"
SLACK = 1e-3  # by which a unit vector's length may differ from 1
BATCH = 500  # vectors that are put at once


class Read(Value):
    """The artifacts of one document: files by their SHA-256, "" where it has none."""

    document: str
    original: str
    text: str
    words: str = ""
    reader: str
    vectors: tuple[str, ...] = ()


class Exported(NamedTuple):
    """What was exported: the seal, the number of documents, and why others are left out."""

    seal: str
    documents: int
    left: dict[str, str]


def export_artifacts(folder: ExportedFolder, tenant: str, stores: Stores) -> Exported:
    """Writes the artifacts of an export's documents beside them."""
    collection = folder.finished().collection
    files, lines, left = _Files(folder.path), list[str](), dict[str, str]()
    for entry in folder.entries():
        key = f"{tenant}/{collection}/{entry.document}"
        try:
            lines.append(_take(entry, key, stores, files).model_dump_json() + "\n")
        except NotFoundError as error:
            left[entry.document] = error.message
    body = "".join(lines).encode()
    (folder.path / LIST).write_bytes(body)
    files.drop_others()
    return Exported(_digest(body), len(lines), left)


def _take(entry: Entry, key: str, stores: Stores, files: "_Files") -> Read:
    """Copies the artifacts of a document. Raises NotFoundError with the reason if it has none."""
    record = stores.catalog.get(document_id(key))
    if record.status != "READY" or record.version != entry.version:
        raise NotFoundError("it is not READY, or was replaced meanwhile")
    if record.content != entry.sha256:
        raise NotFoundError("no SHA-256 of its file is noted: an earlier release has read it")
    revision, artifacts = record.revision, stores.artifacts
    reader = _get(artifacts, keys.reader_key(revision))
    if not reader:
        raise NotFoundError("what has read it is not noted: an earlier release did")
    return Read(
        document=entry.document,
        original=entry.sha256,
        text=files.write(artifacts.get(keys.document_key(revision))),
        words=files.write(_get(artifacts, keys.words_key(revision))),
        reader=files.write(reader),
        vectors=tuple(files.write(body) for body in _vectors(artifacts, revision)),
    )


def _get(artifacts: BlobStore, key: str) -> bytes:
    with suppress(NotFoundError):
        return artifacts.get(key)
    return b""


def _vectors(artifacts: BlobStore, revision: Revision) -> Iterator[bytes]:
    """Yields the vectors of each part of chunks, each by the key that stands for its text."""
    for part in keys.chunks_keys(artifacts, revision):
        texts = [chunk.indexed_text for chunk in load_chunks(artifacts.get(part))]
        body = _get(artifacts, keys.vectors_key(part))
        model = model_of(body)
        if vectors := load_vectors(body, model, texts):
            names = [cache_key(model, "document", text) for text in texts]
            yield json.dumps(names).encode() + b"\n" + dump_vectors(vectors, model, names)


class Carrier:
    """Lays the artifacts of an export beside its files, and looks what came of each.

    `seal` is what the export has printed. Raises BadRequestError for artifacts of another seal.
    """

    def __init__(self, folder: ExportedFolder, seal: str, stores: Stores, place: str) -> None:
        self._files = _Files(folder.path)
        self._reads = _sealed(folder, seal)
        self._stores = stores
        self._place = place  # <tenant>/<collection>/
        self._vectors: dict[str, set[str]] = {}

    def lay(self, entry: Entry) -> None:
        """Lays what a document's file was read as, and stores its vectors where there are none."""
        read = self._of(entry)
        if read is None:
            return
        bodies = (read.text, read.words, read.reader)
        packed = Packed(*(self._files.read(sha256) for sha256 in bodies))
        vectors = dict[str, Vector]()
        for sha256 in read.vectors:
            vectors |= _load(self._files.read(sha256))
        self._put(vectors)
        self._vectors[entry.document] = set(vectors)
        lay(self._stores.artifacts, self._id(entry), entry.sha256, packed)

    def _put(self, vectors: dict[str, Vector]) -> None:
        """Stores vectors. One that this footnote has made itself stays."""
        names = list(vectors)
        for first in range(0, len(names), BATCH):
            some = names[first : first + BATCH]
            there = self._stores.vectors.get(some)
            self._stores.vectors.put({name: vectors[name] for name in some if name not in there})

    def outcome(self, entry: Entry) -> Json:
        """Returns what of a document that is READY was taken over, and what was done anew.

        `read` is "carried" or "anew", `why` a sentence for the latter. `vectors` counts the
        chunks, `embedded` those whose vector was not in the export.
        """
        artifacts = self._stores.artifacts
        record = self._stores.catalog.get(self._id(entry))
        told = _get(artifacts, keys.reader_key(record.revision))
        mine = Reader.model_validate_json(told) if told else Reader(parsers="")
        names = list(_names(artifacts, record))
        missing = [name for name in names if name not in self._vectors.get(entry.document, set())]
        return {
            "document": entry.document,
            "read": "carried" if mine.carried else "anew",
            "why": "" if mine.carried else self._why(entry, mine),
            "vectors": len(names),
            "embedded": len(missing),
        }

    def _why(self, entry: Entry, mine: Reader) -> str:
        read = self._of(entry)
        if read is None:
            return "the export has no artifacts of it"
        theirs = Reader.model_validate_json(self._files.read(read.reader))
        if theirs.parsers != mine.parsers:
            return "other parsers have read it"
        if theirs.ocr and theirs.ocr != mine.ocr:
            return f"it was read with another OCR: {theirs.ocr}"
        return "its artifacts are not sound, or were gone before it was read"

    def _of(self, entry: Entry) -> Read | None:
        read = self._reads.get(entry.document)
        return read if read and read.original == entry.sha256 else None

    def _id(self, entry: Entry) -> str:
        return document_id(f"{self._place}{entry.document}")


def _names(artifacts: BlobStore, record: Record) -> Iterator[str]:
    """Yields the key of each chunk's vector, by the model that its vectors are of."""
    for part in keys.chunks_keys(artifacts, record.revision):
        model = model_of(_get(artifacts, keys.vectors_key(part)))
        for chunk in load_chunks(artifacts.get(part)):
            yield cache_key(model, "document", chunk.indexed_text)


def _load(body: bytes) -> dict[str, Vector]:
    """Reads what `_vectors` has written. Raises BadRequestError for what is no unit vectors."""
    first, _, rest = body.partition(b"\n")
    try:
        names = json.loads(first)
        model = model_of(rest)
        vectors = load_vectors(rest, model, names) or []
        is_sound = all(name.startswith(f"{model}#document#") for name in names) and all(
            abs(math.hypot(*vector) - 1) < SLACK for vector in vectors
        )
    except (ValueError, TypeError, AttributeError):
        is_sound = False
    if not is_sound or len(vectors) != len(names):
        raise BadRequestError(
            "vectors of the export cannot be read",
            code="changed_file",
            action="Run the export again, or import without --artifacts.",
        )
    return dict(zip(names, vectors, strict=True))


def _sealed(folder: ExportedFolder, seal: str) -> dict[str, Read]:
    file = folder.path / LIST
    if not file.is_file() or file.is_symlink():
        raise no_export(folder.path, f"it has no {LIST}: export it with --artifacts")
    body = file.read_bytes()
    if _digest(body) != seal.strip().lower():
        raise BadRequestError(
            f"{file} is not what {seal[:100]!r} is the seal of",
            code="changed_file",
            action="Ask who exported it for the seal that `footnote export` has printed.",
        )
    try:
        reads = [Read.model_validate_json(line) for line in body.splitlines()]
    except ValidationError:
        raise no_export(folder.path, f"a line of its {LIST} cannot be read") from None
    return {read.document: read for read in reads}


class _Files:
    """The files of artifacts, each by its SHA-256."""

    def __init__(self, path: Path) -> None:
        self._path = path / FILES
        self._used: set[str] = set()

    def write(self, body: bytes) -> str:
        """Stores a file and returns its SHA-256; "" for an empty one, which is not stored."""
        if not body:
            return ""
        digest = _digest(body)
        self._used.add(digest)
        self._path.mkdir(mode=0o700, exist_ok=True)
        fresh = self._path / "new"
        fresh.write_bytes(body)
        fresh.replace(self._path / digest)
        return digest

    def read(self, digest: str) -> bytes:
        """Returns a file, b"" for "". Raises BadRequestError for one that is not the exported."""
        if not digest:
            return b""
        file, body = self._path / digest, b""
        with suppress(OSError):
            if "/" not in digest and not file.is_symlink():
                body = file.read_bytes()
        if _digest(body) != digest:
            raise BadRequestError(
                f"the artifact {digest[:100]!r} is missing, unreadable, or not the exported one",
                code="changed_file",
                action="Run the export again, or import without --artifacts.",
            )
        return body

    def drop_others(self) -> None:
        """Deletes files that this export has not written."""
        for file in self._path.iterdir() if self._path.is_dir() else ():
            if file.name not in self._used:
                file.unlink()


def _digest(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()
