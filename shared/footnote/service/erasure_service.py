"""Erasure of a document with a receipt: all versions and copies at once, where deletion keeps some.

A call does a part of it, as a request ends after 29 s. The caller goes on until it is DONE. Every
part may be done again.
"""

import uuid
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from footnote.ask.question.sessions import as_of
from footnote.clock import iso
from footnote.ingest.index.embed import cache_key
from footnote.metadata.attributes import SUFFIX
from footnote.model import Caller, Grid, Record, Turn
from footnote.service.document_service import DocumentService
from footnote.service.question_service import sessions_of
from footnote.service.retention_service import must_be_responsible
from footnote.store.artifacts import load_chunks
from footnote.store.keys import chunks_keys, pictures_folder, question_folder
from footnote.store.receipts import Counts, Left, Receipt, load_receipt, store_receipt
from footnote.store.retention import must_be_free
from footnote.store.visibility import revisions
from footnote.wiring.services import Services

SECONDS = 12.0  # in which a call begins to look at another page of questions
PAGE = 24  # questions that are looked at together
AT_ONCE = 8  # of them: each waits for the table and some five requests to the bucket
_BATCH = 500  # keys of vectors


class ErasureService:
    """Erasures of a tenant's documents. Only members of @all may ask for one or see its receipt."""

    def __init__(self, services: Services, who: Caller, documents: DocumentService) -> None:
        self._services = services
        self._who = who
        self._documents = documents

    def begin(self, id_or_path: str, collection: str = "default") -> Receipt:
        """Deletes a document's vectors and files for good. The pipeline removes what queries see.

        Raises ConflictError for a document under hold.
        """
        must_be_responsible(self._who)
        record = self._documents.get(id_or_path, collection)
        services = self._services
        must_be_free(services.artifacts, record.revision, "erased")
        receipt = Receipt(
            id=uuid.uuid4().hex,
            document_id=record.document_id,
            versions=tuple(dict.fromkeys(filter(None, (record.version, record.live_version)))),
            asked=iso(services.clock()),
            by=self._who.person,
            key=record.key,
        )
        chunks, vectors = self._delete_vectors(record)
        files = services.uploads.erase(record.key) + services.uploads.erase(record.key + SUFFIX)
        deleted = Counts(files=files, chunks=chunks, vectors=vectors)
        return self._store(receipt.model_copy(update={"deleted": deleted}))

    def get(self, receipt_id: str) -> Receipt:
        must_be_responsible(self._who)
        return load_receipt(self._services.artifacts, self._who.tenant, receipt_id)

    def go_on(self, receipt_id: str) -> Receipt:
        """Does the next part. The receipt is DONE once a look finds nothing any more.

        It stays PENDING while the pipeline has not removed the document, and while questions are
        answered, which might quote it.
        """
        receipt, services = self.get(receipt_id), self._services
        if receipt.status == "DONE":
            return receipt
        record = services.catalog.get(receipt.document_id)
        if record.status != "DELETED":
            return receipt
        receipt, is_through = self._look_through_questions(receipt)
        if not is_through:
            return self._store(receipt)
        deleted = receipt.deleted.plus(
            cells=self._drop_cells(receipt.document_id),
            artifacts=self._erase_artifacts(receipt.document_id),
        )
        left = self._look(receipt)
        end = {"status": "DONE", "done": iso(services.clock()), "key": "", "after": ""}
        found = {"deleted": deleted, "left": left}
        return self._store(receipt.model_copy(update=found | (end if left == Left() else {})))

    def _store(self, receipt: Receipt) -> Receipt:
        return store_receipt(self._services.artifacts, self._who.tenant, receipt)

    def _delete_vectors(self, record: Record) -> tuple[int, int]:
        """Deletes cached vectors of a document's chunks. Returns the numbers of both."""
        artifacts, cache = self._services.artifacts, self._services.vector_cache
        model = self._services.embedder.model
        texts = [
            chunk.indexed_text
            for revision in revisions(artifacts, record)
            for part in chunks_keys(artifacts, revision)
            for chunk in load_chunks(artifacts.get(part))
        ]
        keys, vectors = [cache_key(model, "document", text) for text in texts], 0
        for first in range(0, len(keys), _BATCH):
            some = keys[first : first + _BATCH]
            vectors += len(cache.get(some))
            cache.delete(some)
        return len(texts), vectors

    def _look_through_questions(self, receipt: Receipt) -> tuple[Receipt, bool]:
        """Deletes questions that name the document. Tells whether all were looked at."""
        services, until = self._services, self._services.clock() + SECONDS
        while True:
            turns, after = services.questions.newest(self._who.tenant, receipt.after, PAGE)
            turns = [as_of(turn, services.clock()) for turn in turns]
            if any(turn.status == "RUNNING" for turn in turns):
                return receipt, False
            named = self._named(turns, receipt.document_id)
            gone = sum(map(self._delete, named))
            deleted = receipt.deleted.plus(questions=gone)
            receipt = receipt.model_copy(update={"deleted": deleted, "after": after})
            if not after or services.clock() > until:
                return receipt, not after

    def _named(self, turns: Sequence[Turn], document_id: str) -> list[Turn]:
        """Returns the questions that name the document. It reads several at a time, as it waits."""

        def is_named(turn: Turn) -> bool:
            return any(document_id.encode() in text for text in self._texts(turn))

        with ThreadPoolExecutor(AT_ONCE) as pool:
            found = pool.map(is_named, turns)
            return [turn for turn, names in zip(turns, found, strict=True) if names]

    def _delete(self, turn: Turn) -> bool:
        gone = sessions_of(self._services, self._who).delete_question(turn)
        self._services.artifacts.erase(question_folder(turn.question_id))
        return gone

    def _texts(self, turn: Turn) -> Iterator[bytes]:
        """Yields all that is stored of a question."""
        services = self._services
        record = services.questions.get(self._who.tenant, turn.question_id)
        yield record.model_dump_json().encode()
        for key in services.artifacts.keys(question_folder(turn.question_id)):
            yield services.artifacts.get(key)

    def _drop_cells(self, document_id: str) -> int:
        dropped = 0
        for grid in self._grids():
            cells = self._services.grids.cells(grid.id)
            mine = [cell for cell in cells if cell.document_id == document_id]
            self._services.grids.drop(grid.id, mine)
            dropped += len(mine)
        return dropped

    def _grids(self) -> Iterator[Grid]:
        grids, after = self._services.grids.newest(self._who.tenant)
        yield from grids
        while after:
            grids, after = self._services.grids.newest(self._who.tenant, after)
            yield from grids

    def _erase_artifacts(self, document_id: str) -> int:
        folders = (f"parsed/{document_id}/", f"chunks/{document_id}/", pictures_folder(document_id))
        return sum(map(self._services.artifacts.erase, folders))

    def _look(self, receipt: Receipt) -> Left:
        """Looks once more at each place. What came late is erased, and counts as left.

        Generations that are kept for a roll-back, or still filled, are looked at as well.
        """
        index, uploads = self._services.index, self._services.uploads
        counts = [
            index.counts(generation.name, [receipt.document_id])
            for generation in index.generations()
        ]
        return Left(
            files=uploads.erase(receipt.key) + uploads.erase(receipt.key + SUFFIX),
            artifacts=self._erase_artifacts(receipt.document_id),
            chunks=sum(sum(each.values()) for each in counts),
            cells=self._drop_cells(receipt.document_id),
        )
