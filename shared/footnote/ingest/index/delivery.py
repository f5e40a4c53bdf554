"""One delivery of the index step: embeds and writes a part. The last part publishes."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

from footnote.clock import age, measure
from footnote.contracts import IndexRequest
from footnote.errors import SupersededError
from footnote.ingest.index.embed import part_vectors, to_indexed
from footnote.ingest.index.situate import ContextWriter
from footnote.ingest.index.stored_nodes import indexed_nodes
from footnote.ingest.upkeep.annotate import annotation, catch_up
from footnote.model import Chunk, Facts, Measurement, Record
from footnote.ports import BlobStore, Catalog, Embedder, SearchIndex
from footnote.store import keys
from footnote.store.artifacts import dump_chunks, load_chunks, load_document
from footnote.store.visibility import clear_when_gone, is_live, published_record


@dataclass(frozen=True)
class Indexing:
    """Handles one message. Without a writer of context, chunks get no contextual lines."""

    request: IndexRequest
    artifacts: BlobStore
    catalog: Catalog
    index: SearchIndex
    embedder: Callable[[], Embedder]
    context_writer: ContextWriter | None
    spent: Callable[[], float] = float
    """Returns the dollars that embedding has cost since the last call; by default 0."""
    problems: Counter[str] = field(default_factory=Counter)
    """How many chunks have no line, by the code of
    `line_rules.find_problem` or of a failed call.
    """

    def run(self) -> Record | None:
        """Indexes the part and, if it was the last, publishes the version.

        Returns the record if this delivery published it. Raises SupersededError when a newer event
        came. Nothing of this event is left then.
        """
        request = self.request
        try:
            with clear_when_gone(self.catalog, self.artifacts, request):
                before = published_record(self.catalog, request)
                record = before or self._indexed()
        except SupersededError:
            if not is_live(self.catalog, request):  # no other delivery of this part published it
                self.index.remove(request)  # so it was written for nothing
            raise
        if (
            record and record.has_past
        ):  # most files are new, and a search for nothing costs a refresh
            self.index.remove_older(request)
            keys.remove_older(self.artifacts, request)
        return None if before else record

    def _indexed(self) -> Record | None:
        """Embeds and writes the part. Returns the record if that published the version."""
        request = self.request
        chunks = load_chunks(self.artifacts.get(request.chunks_key))
        if self.context_writer and any(chunk.line is None for chunk in chunks):
            chunks = self._with_lines(chunks, self.context_writer)
        with measure(f"index-{request.part}") as timings:
            model = self.index.marks["model"]
            vectors = part_vectors(chunks, request.chunks_key, self.artifacts, model, self.embedder)
            record = self.catalog.get(request.document_id)
            if usd := self.spent():  # before all that may fail: the money is spent
                facts = Facts(usd=usd, error=record.error)
                record = self.catalog.advance(request, record.status, facts)
            note = annotation(self.artifacts, record, request)
            revision = request.revision
            nodes = indexed_nodes(self.artifacts, revision, request.chunks_key, note)
            self.index.write([*to_indexed(chunks, vectors, revision, note), *nodes])
            catch_up(self.catalog, self.artifacts, self.index, request.revision, note.number)
        record = self.catalog.finish_part(request, request.part, timings)
        if len(record.parts_done) < request.parts:
            return None
        return self.catalog.publish(request)

    def _with_lines(self, chunks: list[Chunk], context_writer: ContextWriter) -> list[Chunk]:
        """Gives chunks their contextual lines, and stores them: a re-index then asks no model."""
        request = self.request
        with measure(f"lines-{request.part}") as timings:
            document = load_document(self.artifacts.get(keys.document_key(request)))
            result = context_writer.situate(chunks, document)
        self.problems.update(result.problems)
        record = self.catalog.get(request.document_id)  # if FAILED by another part, it stays so
        facts = Facts(
            usd=result.usd,
            lines_missing=self.problems.total(),
            timings_ms=timings,
            error=record.error,
        )
        # before all that may fail: the money is spent
        self.catalog.advance(request, record.status, facts)
        self.artifacts.put(request.chunks_key, dump_chunks(result.chunks))
        return result.chunks


def measure_ready(record: Record, now: float) -> list[Measurement]:
    """Returns the measurements of a version that has just been published."""
    return [
        Measurement(name="DocumentsEnded", of="READY"),
        Measurement(name="SecondsToReady", value=max(0.0, age(record.received, now))),
        Measurement(name="DocumentUsd", value=record.usd),
    ]
