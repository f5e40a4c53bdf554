"""One delivery of the parse step: a file, a part of a long PDF, or the message that joins parts."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from footnote.clock import measure
from footnote.contracts import ChunkRequest, ParseRequest, RemoveRequest
from footnote.errors import NotFoundError, SupersededError
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.edition import edition
from footnote.ingest.parse.media_types import media_type
from footnote.ingest.parse.ocr.engines import OcrEngines
from footnote.ingest.read import carried, long_pdf
from footnote.ingest.read.accept import accept
from footnote.ingest.read.page_cache import charge
from footnote.ingest.upkeep.annotate import note_sidecar
from footnote.metadata.access import must_be_as_allowed
from footnote.metadata.collect import attach_metadata
from footnote.metadata.sidecar import sidecar_at
from footnote.model import Document, Facts, ParsedDocument, Upload
from footnote.ports import BlobStore, Catalog, PageReader, Uploads
from footnote.store import keys
from footnote.store.artifacts import dump_document, dump_metadata, load_document, pack_words
from footnote.store.retention import must_replace_nothing_held
from footnote.store.visibility import clear_when_gone, is_in_work, must_be_there

type Next = list[ChunkRequest] | list[ParseRequest] | list[RemoveRequest]


@dataclass(frozen=True)
class Parsing:
    """Handles one message, within the bounds of one invocation."""

    request: ParseRequest
    uploads: Uploads
    artifacts: BlobStore
    catalog: Catalog
    ocr_engines: Callable[[], Sequence[PageReader]]
    max_bytes: int
    pages_a_part: int
    ocr_pages: int

    def run(self) -> Next:
        """Returns the messages for the next step.

        Raises BadDocumentError, UnsupportedError or SupersededError.
        """
        try:
            with clear_when_gone(self.catalog, self.artifacts, self.request):
                return self._work()
        except SupersededError:
            if not is_in_work(self.catalog, self.request):
                raise
            # The recorded file is not there now. Its recorder settles that. The message names no
            # version: this version may only have been replaced, and a late copy of the message
            # would find another version live.
            return [RemoveRequest(**self.request.identity | {"version": ""})]

    def _work(self) -> Next:
        if not self.request.of:
            return self._begin()
        there = must_be_there(self.uploads, self.request)
        return self._read_on() if self.request.part else self._join(there)

    def _begin(self) -> Next:
        request = self.request
        must_be_there(self.uploads, request)
        self.catalog.receive(request, request.size, sidecar_at(self.uploads, request.key))
        # again: a sidecar may have come in between, and the file may have been deleted
        record = note_sidecar(self.uploads, self.catalog, request.key)
        there = must_be_there(self.uploads, request)
        if record:
            must_be_as_allowed(there, record, self.uploads)
            must_replace_nothing_held(self.artifacts, record, there)
        accept(request, request.size, self.max_bytes)
        self.catalog.advance(request, "PARSING", Facts())
        if self._is_joined():  # by an earlier try, which then failed
            return self._hand_on()
        allowance = self._allowance()
        with measure("parse") as timings, charge(self.catalog, request, allowance.engines):
            body = self.uploads.read(request.key, request.version)
            content = hashlib.sha256(body).hexdigest()
            if taken := self._take_over(body, content, there, allowance):
                return self._done(taken, {}, content)
            pages_a_part = 1 if request.page_by_page else self.pages_a_part
            outcome = long_pdf.read(request, body, allowance, pages_a_part, self.artifacts)
        if isinstance(outcome, list):
            self.catalog.advance(request, "PARSING", Facts(content=content))
            return outcome
        return self._done(self._store(outcome, there, allowance), timings, content)

    def _take_over(
        self, body: bytes, content: str, there: Upload, allowance: Allowance
    ) -> Document | None:
        """Stores what an operator has laid beside the file, if these parsers would read the same.

        Returns the document; None where the file must be read. What was laid there is gone then.
        """
        request = self.request
        try:
            found = carried.find(self.artifacts, request.document_id, content)
        except NotFoundError:
            return None
        document = None
        if found and self._reads_alike(found, body, allowance):
            reader = found.reader.model_copy(update={"carried": True})
            document = self._keep(found.document, found.words, reader, there)
        carried.clear(self.artifacts, request.document_id, content)
        return document

    def _reads_alike(self, found: carried.Carried, body: bytes, allowance: Allowance) -> bool:
        reader = found.reader
        return (
            reader.parsers == edition()
            and reader.ocr in {"", self._ocr(allowance)}
            and found.document.media_type == media_type(body, self.request.path)
        )

    def _ocr(self, allowance: Allowance) -> str:
        return f"{allowance.engines.names or 'none'}, {allowance.ocr_pages} pages"

    def _read_on(self) -> Next:
        """Reads pages of a part. A message that comes after the join leaves nothing behind."""
        request = self.request
        if self._is_joined():
            return []
        self.catalog.advance(request, "PARSING", Facts())
        allowance = self._allowance()
        with charge(self.catalog, request, allowance.engines):
            body = self.uploads.read(request.key, request.version)
            long_pdf.store_part(request, body, allowance, self.artifacts)
        if self._is_joined():
            return []
        return long_pdf.next_messages(request, self.artifacts)

    def _is_joined(self) -> bool:
        is_joined = bool(self.artifacts.keys(keys.document_key(self.request)))
        if is_joined:
            long_pdf.clear_parts(self.request, self.artifacts)
        return is_joined

    def _join(self, there: Upload) -> Next:
        with measure("parse") as timings:
            joined = long_pdf.join_stored(self.request, self._allowance(), self.artifacts)
        if joined is not None:
            parsed, ms = joined
            took = {"parse": round(timings["parse"] + ms, 1)}
            following = self._done(self._store(parsed, there, None), took)
            long_pdf.clear_parts(self.request, self.artifacts)
            return following
        if not self.artifacts.keys(keys.document_key(self.request)):
            return []  # pages are missing
        return self._hand_on()

    def _hand_on(self) -> list[ChunkRequest]:
        """Records the facts of a document that is stored already."""
        body = self.artifacts.get(keys.document_key(self.request))
        return self._done(load_document(body), {})

    def _allowance(self) -> Allowance:
        return Allowance(engines=OcrEngines(self.ocr_engines), ocr_pages=self.ocr_pages)

    def _store(
        self, parsed: ParsedDocument, there: Upload, allowance: Allowance | None
    ) -> Document:
        """Stores what was read. Without an allowance it was read in parts, maybe by OCR."""
        document, words = pack_words(parsed)
        ocr = self._ocr(self._allowance()) if not allowance or allowance.engines.is_asked else ""
        reader = carried.Reader(
            parsers=edition(), ocr=ocr, metadata=document.metadata, warnings=document.warnings
        )
        return self._keep(document, words, reader, there)

    def _keep(
        self, document: Document, words: bytes, reader: carried.Reader, there: Upload
    ) -> Document:
        request = self.request
        tags = self.uploads.tags(request.key, request.version)
        parsed = ParsedDocument(document, {})
        document = attach_metadata(parsed, there.attributes, tags).document
        self.artifacts.put(keys.reader_key(request), reader.model_dump_json().encode())
        self.artifacts.put(keys.metadata_key(request), dump_metadata(document.metadata))
        if words:  # only formats with pages have word boxes
            self.artifacts.put(keys.words_key(request), words)
        self.artifacts.put(keys.document_key(request), dump_document(document))
        return document

    def _done(
        self, document: Document, timings: dict[str, float], content: str | None = None
    ) -> list[ChunkRequest]:
        request = self.request
        facts = Facts(
            content=content,
            title=document.title,
            media_type=document.media_type,
            language=document.language,
            pages=len(document.pages),
            metadata=document.metadata,
            warnings=document.warnings,
            timings_ms=timings,
        )
        self.catalog.advance(request, "CHUNKING", facts)
        return [ChunkRequest(**request.identity, document_key=keys.document_key(request))]
