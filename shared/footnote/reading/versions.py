"""Chooses the version of a document that a reader wants, and loads what is stored of it."""

from footnote.errors import ConflictError, NotFoundError
from footnote.ingest.draw.missing import no_page
from footnote.model import Document, Page, Record
from footnote.ports import BlobStore
from footnote.store.artifacts import load_document
from footnote.store.keys import document_key
from footnote.store.visibility import live_revision


def choose_version(record: Record, named: str) -> str:
    """Returns `named`, or else the live version, or else the newest."""
    return named or record.live_version or record.version


def stored_document(artifacts: BlobStore, record: Record, version: str) -> Document:
    """Returns the document that was read from this version.

    Raises NotFoundError (`gone`) for a replaced version, whose text is not stored any more, and
    ConflictError (`not_ready`) while nothing is stored yet.
    """
    if not record.live_version and version == record.version:
        raise ConflictError(
            f"{record.revision.path} is {record.status}: there is nothing to read yet",
            code="not_ready",
            action="Wait until it is READY; its status says how it gets on, or why not.",
        )
    if version != record.live_version:
        raise gone(record, version)
    return load_document(artifacts.get(document_key(live_revision(artifacts, record))))


def page_of(record: Record, document: Document, number: int) -> Page:
    """Returns a page by its number. Raises NotFoundError (`no_page`) beyond the last."""
    if not 1 <= number <= len(document.pages):
        raise no_page(record.revision.path, number, len(document.pages))
    return document.pages[number - 1]


def gone(record: Record, version: str) -> NotFoundError:
    return NotFoundError(
        f"version {version[:100]} of {record.revision.path} is gone",
        code="gone",
        action="Leave `version` out to see the version that is there now.",
    )
