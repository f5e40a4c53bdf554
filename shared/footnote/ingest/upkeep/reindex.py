"""Re-indexing: what a generation lacks, and the batches that fill it.

It reads the table a page at a time, so memory does not grow with the documents. An invocation that
runs out of time returns the cursor for the next one.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from footnote.contracts import PromoteRequest, PromoteResult
from footnote.errors import NotFoundError
from footnote.model import Record, digest
from footnote.ports import BlobStore, Catalog, SearchIndex
from footnote.store.artifacts import CHUNKS_A_PART
from footnote.store.keys import chunks_keys
from footnote.store.visibility import live_revision
from footnote.wire import from_row

RECORDS_A_PAGE = 500  # of the table; one query to the index takes their ids
CHUNKS_A_BATCH = 2_000  # some 10 s of writing, or 90 s where all have to be embedded first
DOCUMENTS_A_BATCH = 200  # each costs two reads of the table: some 5 s
BATCHES_A_LIST = 1_000  # the results of a Map must stay below 256 KB
_PARTS_A_SHARE = CHUNKS_A_BATCH // CHUNKS_A_PART


class Share(NamedTuple):
    """Parts `first` to `end` (without `end`) of a document's chunks: all of them, or some."""

    document_id: str
    version: str
    first: int
    end: int


class Page(NamedTuple):
    """A page of the table compared with a generation: missing records,
    and counts of present ones.
    """

    missing: list[Record]
    documents: int
    chunks: int
    cursor: str


@dataclass(frozen=True)
class Comparison:
    """Compares the table with a generation. `serving` is the generation that queries go to."""

    catalog: Catalog
    index: SearchIndex
    generation: str
    serving: str

    def page(self, after: str) -> Page:
        records, cursor = self.catalog.page(after, RECORDS_A_PAGE)
        live = [record for record in records if record.live_version]
        built = self._counts(self.generation, live)
        missing = self._missing(live, built)
        mine = [built.get((record.document_id, record.live_version), 0) for record in live]
        return Page(missing, sum(map(bool, mine)), sum(mine), cursor)

    def find_difference(self, after: str, is_over: Callable[[], bool]) -> tuple[str, str]:
        """Returns the id of a document that the generation lacks, and where to go on.

        The id is "" if none was found before time was over. The cursor is "" if the table was read
        to its end. A difference counts if a second look confirms it: a document may have been
        replaced between reading the table and counting its chunks.
        """
        while True:
            page = self.page(after)
            for record in page.missing:
                if self._is_missing(record.document_id):
                    return record.document_id, after
            after = page.cursor
            if not after or is_over():
                return "", after

    def _is_missing(self, document_id: str) -> bool:
        try:
            record = self.catalog.get(document_id)
        except NotFoundError:
            return False
        live = [record] if record.live_version else []
        return bool(self._missing(live, self._counts(self.generation, live)))

    def _missing(self, live: list[Record], built: Mapping[tuple[str, str], int]) -> list[Record]:
        coming = [record for record in live if not is_current(record)]
        return find_incomplete(live, self._counts(self.serving, coming), built)

    def _counts(self, generation: str, live: list[Record]) -> Mapping[tuple[str, str], int]:
        return self.index.counts(generation, [record.document_id for record in live])


def find_incomplete(
    records: Iterable[Record],
    serving: Mapping[tuple[str, str], int],
    built: Mapping[tuple[str, str], int],
) -> list[Record]:
    """Returns the live documents with a wrong number of chunks in the new generation.

    The right number is the record's or, when a newer version is on its way,
    that of the serving generation.
    """
    return [
        record
        for record in records
        if built.get((record.document_id, record.live_version), 0)
        != expected_chunks(record, serving)
    ]


def expected_chunks(record: Record, serving: Mapping[tuple[str, str], int]) -> int:
    if is_current(record):
        return record.chunks
    return serving.get((record.document_id, record.live_version), 0)


def is_current(record: Record) -> bool:
    """Tells whether queries see the newest version, which the record describes."""
    return record.status == "READY" and record.version == record.live_version


@dataclass(frozen=True)
class Verification:
    """One invocation of promote: reads the table and lists what the new generation lacks."""

    artifacts: BlobStore
    comparison: Comparison
    is_over: Callable[[], bool]

    def run(self, request: PromoteRequest) -> PromoteResult:
        """Goes on from the request's cursor until the table ends, time is
        over or the list is full.
        """
        fresh = {"missing": 0, "documents": 0, "chunks": 0}
        counts = request.model_dump(include=set(fresh)) if request.cursor else fresh
        folder = f"reindex/{request.run}/{request.attempt}-{digest(request.cursor)}"
        batches, cursor = Batches(self.artifacts, folder), request.cursor
        while True:
            page = self.comparison.page(cursor)
            counts["documents"] += page.documents
            counts["chunks"] += page.chunks
            counts["missing"] += len(page.missing)
            for record in page.missing:
                for share, chunks in divide(self.artifacts, record):
                    batches.add(share, chunks)
            cursor = page.cursor
            if not cursor or batches.are_many or self.is_over():
                break
        whole = not cursor and not counts["missing"]
        return PromoteResult(
            run=request.run,
            generation=request.generation,
            attempt=request.attempt + (not cursor and not whole),
            cursor=cursor,
            promoted=whole,
            list_key=batches.close(),
            batches=len(batches.keys),
            **counts,
        )


def divide(artifacts: BlobStore, record: Record) -> Iterator[tuple[Share, int]]:
    """Divides a document's live chunks into shares that fit a batch.

    Yields each share with the number of its chunks, or an upper bound of it.
    """
    parts, chunks = (record.parts, record.chunks) if is_current(record) else (0, 0)
    if not parts:
        with suppress(NotFoundError):  # it was replaced just now: the next pass sees the new one
            parts = len(chunks_keys(artifacts, live_revision(artifacts, record)))
            chunks = parts * CHUNKS_A_PART
    for first in range(0, parts, _PARTS_A_SHARE):
        end = min(first + _PARTS_A_SHARE, parts)
        share = Share(record.document_id, record.live_version, first, end)
        yield share, min(chunks, end * CHUNKS_A_PART) - first * CHUNKS_A_PART


class Batches:
    """Packs shares into batches, stores them in a folder, and last a list of their keys.

    Only the open batch is in memory. An invocation that runs again writes the same keys,
    so nothing is done twice.
    """

    def __init__(self, artifacts: BlobStore, folder: str) -> None:
        self.keys: list[str] = []
        self._artifacts = artifacts
        self._folder = folder
        self._open: list[Share] = []
        self._chunks = 0

    @property
    def are_many(self) -> bool:
        return len(self.keys) >= BATCHES_A_LIST

    def add(self, share: Share, chunks: int) -> None:
        if self._chunks + chunks > CHUNKS_A_BATCH or len(self._open) == DOCUMENTS_A_BATCH:
            self._store()
        self._open.append(share)
        self._chunks += chunks

    def close(self) -> str:
        """Stores the open batch, and the list. Returns the list's key, or "" for no batches."""
        self._store()
        if not self.keys:
            return ""
        key = f"{self._folder}/list.json"
        self._artifacts.put(key, json.dumps(self.keys).encode())
        return key

    def _store(self) -> None:
        if not self._open:
            return
        key = f"{self._folder}/{len(self.keys):05d}.json"
        self._artifacts.put(key, json.dumps(self._open).encode())
        self.keys.append(key)
        self._open, self._chunks = [], 0


def load_batch(artifacts: BlobStore, key: str) -> list[Share]:
    """Returns the shares of a batch."""
    return [from_row(Share, fields) for fields in json.loads(artifacts.get(key))]


def changed_marks(index: SearchIndex, generation: str) -> list[str]:
    """Returns the names of the marks that differ between this generation and one made now."""
    [marks] = [present.marks for present in index.generations() if present.name == generation] or [
        {}
    ]
    return sorted(name for name, mark in index.marks.items() if marks.get(name) != mark)
