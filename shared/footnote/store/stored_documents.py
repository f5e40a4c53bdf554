"""Reads canonical documents back from the artifacts bucket, for answers."""

from collections.abc import Sequence

from footnote.errors import NotFoundError
from footnote.model import Document, Page, Revision, WordBox, may_read
from footnote.ports import BlobStore, Catalog
from footnote.store.artifacts import load_document, unpack_words
from footnote.store.keys import document_key, words_key
from footnote.store.visibility import live_revision


class StoredDocuments:
    """Documents and word boxes by id and version. Each document is loaded once.

    It finds live documents that these groups may read. It raises NotFoundError for one that is
    deleted, replaced or closed to them while the question is answered.
    """

    def __init__(self, artifacts: BlobStore, catalog: Catalog, groups: Sequence[str]) -> None:
        self._artifacts = artifacts
        self._catalog = catalog
        self._groups = groups
        self._documents: dict[tuple[str, str], tuple[Revision, Document]] = {}

    def document(self, document_id: str, version: str) -> Document:
        """Returns a document. Raises NotFoundError if it is not live, or not readable."""
        return self._load(document_id, version)[1]

    def words(self, document_id: str, version: str, page: Page) -> Sequence[WordBox]:
        """Returns the words of a page with their boxes. Formats without a layout have none."""
        if page.words_at is None:
            return ()
        revision, _ = self._load(document_id, version)
        return unpack_words(self._artifacts.get(words_key(revision), page.words_at))

    def _load(self, document_id: str, version: str) -> tuple[Revision, Document]:
        if (document_id, version) not in self._documents:
            record = self._catalog.get(document_id)
            readable = may_read(record.sidecar.acl, self._groups)
            if record.live_version != version or not readable:
                raise NotFoundError(f"version {version} of {record.revision.path} is not live")
            revision = live_revision(self._artifacts, record)
            document = load_document(self._artifacts.get(document_key(revision)))
            self._documents[document_id, version] = revision, document
        return self._documents[document_id, version]
