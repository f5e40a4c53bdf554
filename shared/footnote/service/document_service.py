"""Documents as one caller sees them: add, list, look up, remove."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice

from footnote.errors import BadRequestError, ConflictError, NotFoundError
from footnote.metadata.access import must_be_writable, pack_metadata
from footnote.metadata.sidecar import document_of
from footnote.model import Caller, Record, Status, document_id, may_read
from footnote.service.document_names import (
    is_collection,
    key_of,
    name_taken,
    unknown_collection,
    unknown_document,
)
from footnote.store.retention import must_be_free
from footnote.text.characters import replace_surrogates
from footnote.wiring.audit import note_documents
from footnote.wiring.services import Services

MAX_COLLECTIONS = 20  # the most that an error names
MAX_LOOKUPS = 100  # documents that one call looks up, in one read of the table


class DocumentService:
    """The documents of a tenant that a caller may read or write."""

    def __init__(self, services: Services, who: Caller) -> None:
        self._services = services
        self._tenant = who.tenant
        self._groups = who.groups

    def add(
        self,
        path: str,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        sha256: str = "",
    ) -> dict[str, object]:
        """Returns where and how to upload one file: a presigned POST. The upload itself adds it.

        `sha256` (in hex) is the file's digest. If the document is READY and was made of that file,
        the client need not send it: `same` is true, and `url` is "". A file with `metadata` is
        always sent.
        """
        key, mark = self._writable(collection, path)
        services, settings = self._services, self._services.settings
        same = bool(sha256) and not metadata and self._holds(key, sha256.lower())
        url, fields = (
            ("", {})
            if same
            else services.uploads.presign(
                key,
                settings.max_upload_bytes,
                settings.upload_seconds,
                pack_metadata(metadata or {}) | mark,
            )
        )
        return self._ticket(path, collection) | {"same": same, "url": url, "fields": dict(fields)}

    def add_text(
        self,
        path: str,
        text: str,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        *,
        new: bool = False,
    ) -> dict[str, object]:
        """Adds a file with this text in UTF-8, and returns its ticket.

        The file is processed after this returns. It is for small texts: files are uploaded.

        With `new` it raises ConflictError where the name is taken, even if another caller took it
        in the same moment.
        """
        key, mark = self._writable(collection, path)
        services = self._services
        body = replace_surrogates(text).encode()
        if len(body) > services.settings.max_upload_bytes:
            raise BadRequestError(
                f"{path} has {len(body):,} bytes; the limit is "
                f"{services.settings.max_upload_bytes:,}",
                code="too_large",
                action="Split the text, or deploy with a larger MaxUploadBytes.",
            )
        attributes = pack_metadata(metadata or {}) | mark
        try:
            version = services.uploads.store(key, body, attributes, new=new)
        except ConflictError:
            version = self._stored(key, body)
            if not version:
                raise name_taken(path) from None
        return self._ticket(path, collection) | {"version": version}

    def added(self, path: str, collection: str, version: str) -> dict[str, object]:
        """Returns the ticket that `add_text` returned for a version, if the caller may still write
        it.
        """
        self._writable(collection, path)
        return self._ticket(path, collection) | {"version": version}

    def _ticket(self, path: str, collection: str) -> dict[str, object]:
        """Returns the ticket of a document, without an address to upload to."""
        key, settings = key_of(self._tenant, collection, path), self._services.settings
        return {
            "id": document_id(key),
            "document": path,
            "collection": collection,
            "sidecar": bool(document_of(key)),
            "same": False,
            "url": "",
            "fields": {},
            "max_bytes": settings.max_upload_bytes,
            "expires_in": settings.upload_seconds,
        }

    def page(
        self,
        status: Status | None = None,
        after: str = "",
        limit: int = 100,
        collection: str | None = None,
    ) -> tuple[list[Record], str]:
        """Returns a page of the tenant's documents and the cursor of the next ("" on the last)."""
        records, following = self.look_through(status, after, limit, collection)
        note_documents(*(record.document_id for record in records))
        return records, following

    def look_through(
        self, status: Status | None, after: str, limit: int, collection: str | None = None
    ) -> tuple[list[Record], str]:
        """Returns what `page` does, for who does not show it."""
        return self._services.catalog.documents(
            self._tenant, status, after, limit, self._groups, collection=collection
        )

    def must_have(self, collection: str) -> None:
        """Raises NotFoundError for a collection without a document that the caller may read.

        The error names some readable collections. One call looks at some thousand documents; a
        collection that begins with more of them closed to the caller passes.
        """
        if is_collection(collection, self._tenant):
            records, more = self._readable_in(collection)
            if records or more:
                return
        names = islice(self._services.catalog.collections(self._tenant), MAX_COLLECTIONS + 1)
        tried = list(names)
        readable = [name for name in tried[:MAX_COLLECTIONS] if self._readable_in(name)[0]]
        raise unknown_collection(collection, readable, more=len(tried) > MAX_COLLECTIONS)

    def _readable_in(self, collection: str) -> tuple[list[Record], str]:
        """Returns the first document in a collection that the caller may read, and the cursor."""
        return self._services.catalog.documents(
            self._tenant, None, "", 1, self._groups, collection=collection
        )

    def get(self, id_or_path: str, collection: str = "default") -> Record:
        """Returns a document by its id or path.

        Raises NotFoundError, also for another tenant's document and for one that the caller may not
        read.
        """
        for candidate in (id_or_path, document_id(f"{self._tenant}/{collection}/{id_or_path}")):
            try:
                record = self._services.catalog.get(candidate)
            except NotFoundError:
                continue
            if self._may_read(record):
                note_documents(record.document_id)
                return record
        raise unknown_document(id_or_path, f"collection {collection[:100]!r}")

    def present(self, id_or_path: str, collection: str) -> Record:
        """Returns a document that is not deleted. Raises NotFoundError."""
        record = self.get(id_or_path, collection)
        if record.status == "DELETED":
            raise unknown_document(id_or_path, f"collection {collection[:100]!r}")
        return record

    def statuses(self, document_ids: Sequence[str]) -> list[Record]:
        """Returns these documents, at most `MAX_LOOKUPS`, in no order.

        It leaves out unknown documents, and those that the caller may not read.
        """
        if len(document_ids) > MAX_LOOKUPS:
            raise BadRequestError(
                f"{len(document_ids)} documents are too many for one call",
                action=f"Ask for {MAX_LOOKUPS} at a time.",
            )
        records = [*filter(self._may_read, self._services.catalog.records(document_ids))]
        note_documents(*(record.document_id for record in records))
        return records

    def remove(self, id_or_path: str, collection: str = "default") -> Record:
        """Deletes the upload, and returns the record as it was. The pipeline removes the rest."""
        record = self.get(id_or_path, collection)
        if record.status == "DELETED":
            raise NotFoundError(f"{record.revision.path} is deleted already", code="deleted")
        must_be_free(self._services.artifacts, record.revision, "removed")
        self._services.uploads.delete(record.key)
        return record

    def _writable(self, collection: str, path: str) -> tuple[str, dict[str, str]]:
        """Returns the key of a document that the caller may write, and the mark of its upload.

        Raises BadRequestError or ForbiddenError where the caller may not.
        """
        key = key_of(self._tenant, collection, path)
        note_documents(document_id(document_of(key) or key))  # a sidecar's act is on its document
        services = self._services
        mark = must_be_writable(services.catalog, services.uploads, key, self._groups)
        with suppress(NotFoundError):  # what is not there can be added
            record = services.catalog.get(document_id(key))
            if record.status != "DELETED":
                must_be_free(services.artifacts, record.revision, "replaced")
        return key, mark

    def _stored(self, key: str, body: bytes) -> str:
        """Returns the version at a key if it holds this very text (an earlier try stored it); else
        "".
        """
        upload = self._services.uploads.current(key)
        if upload is None or upload.size != len(body):
            return ""
        return upload.version if self._services.uploads.read(key, upload.version) == body else ""

    def _holds(self, key: str, sha256: str) -> bool:
        """Tells whether a document is READY and was made of a file with this digest."""
        try:
            record = self._services.catalog.get(document_id(key))
        except NotFoundError:
            return False
        is_current = record.status == "READY" and record.live_version == record.version
        return is_current and record.content == sha256

    def _may_read(self, record: Record) -> bool:
        of_tenant = record.revision.tenant == self._tenant
        return of_tenant and may_read(record.sidecar.acl, self._groups)
