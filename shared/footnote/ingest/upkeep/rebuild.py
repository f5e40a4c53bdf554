"""Rebuilding: writes a batch of shares into the new generation, from stored chunks and vectors.

Some hundred chunks are in memory at a time, however many documents there are. Vectors are stored
beside the chunks. A document from before that is embedded, and each part's vectors are stored at
once: after a kill the next worker has less to do.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from footnote.errors import NotFoundError
from footnote.ingest.index.embed import part_vectors, to_indexed
from footnote.ingest.index.stored_nodes import indexed_nodes
from footnote.ingest.upkeep.annotate import annotation, catch_up
from footnote.ingest.upkeep.reindex import Share
from footnote.model import Indexed, Revision
from footnote.ports import BlobStore, Catalog, Embedder, SearchIndex
from footnote.store.artifacts import load_chunks
from footnote.store.keys import chunks_key, chunks_keys
from footnote.store.visibility import live_revision

CHUNKS_A_WRITE = 512  # and nodes; each write refreshes the index; some 10 MB in all


@dataclass
class Rebuilding:
    """Rebuilds shares one after another. `documents` and `chunks` count what was written."""

    generation: str
    artifacts: BlobStore
    catalog: Catalog
    index: SearchIndex
    embedder: Callable[[], Embedder]
    is_over: Callable[[], bool]
    documents: int = 0
    chunks: int = 0
    incomplete: list[str] = field(default_factory=list)
    """Ids of documents whose artifacts are partly missing. The next pass reports them."""
    _waiting: list[Indexed] = field(default_factory=list)
    _unsettled: dict[str, tuple[Revision, int]] = field(default_factory=dict)

    def run(self, shares: Sequence[Share]) -> int:
        """Rebuilds shares, at least one, until time is over. Returns how many."""
        done = 0
        for share in shares:
            self._rebuild(share)
            done += 1
            if self.is_over():
                break
        self._write()
        return done

    def _rebuild(self, share: Share) -> None:
        for part in self._read(share):
            self._waiting += part
            if len(self._waiting) >= CHUNKS_A_WRITE:
                self._write()

    def _read(self, share: Share) -> Iterator[list[Indexed]]:
        """Yields the parts of a share, or none if the document was deleted meanwhile."""
        try:
            record = self.catalog.get(share.document_id)
            if not record.live_version:
                return
            revision = live_revision(self.artifacts, record)
            note = annotation(self.artifacts, record, revision)
            for key in self._keys(revision, share):
                chunks = load_chunks(self.artifacts.get(key))
                model = self.index.marks["model"]
                vectors = part_vectors(chunks, key, self.artifacts, model, self.embedder)
                self._unsettled[record.document_id] = revision, note.number
                nodes = indexed_nodes(self.artifacts, revision, key, note)
                self.chunks += len(chunks)
                yield [*to_indexed(chunks, vectors, revision, note), *nodes]
            self.documents += share.first == 0
        except NotFoundError:
            self.incomplete.append(share.document_id)

    def _keys(self, revision: Revision, share: Share) -> Iterator[str]:
        """Yields the keys of the parts to write.

        A document that was replaced since the share was listed has other parts by now. The worker
        that has its first part writes it as a whole.
        """
        if revision.version == share.version:
            yield from (chunks_key(revision, part) for part in range(share.first, share.end))
        elif share.first == 0:
            yield from chunks_keys(self.artifacts, revision)

    def _write(self) -> None:
        """Writes the waiting parts, then checks their documents in the table again.

        An annotation may have changed meanwhile. Chunks of a deleted or
        replaced version are removed.
        """
        self.index.write(self._waiting, self.generation)
        self._waiting = []
        for revision, number in self._unsettled.values():
            catch_up(self.catalog, self.artifacts, self.index, revision, number)
        live = self.catalog.live_versions(list(self._unsettled))
        for document_id, (revision, _) in self._unsettled.items():
            if live.get(document_id) != revision.version:
                self.index.remove(revision)
        self._unsettled = {}
