"""Which version of a document a reader means, what is stored of it, and what to say if nothing."""

from footnote.errors import ConflictError, NotFoundError
from footnote.ingest.draw.missing import no_page
from footnote.model import Document, Page, Record
from footnote.ports import BlobStore
from footnote.store.artifacts import load_document
from footnote.store.keys import document_key
from footnote.store.visibility import live_revision


def choose_version(record: Record, wanted: str) -> str:
    """Returns the version that is meant: `wanted`, or the live one, or else the newest."""
    return wanted or record.live_version or record.version


def stored_document(artifacts: BlobStore, record: Record, version: str) -> Document:
    """Returns what was read from this version.

    Raises NotFoundError (`gone`) for one that was replaced, as its text is not kept, and
    ConflictError (`not_ready`) while there is none yet.
    """
    if not record.live_version and version == record.version:
        raise ConflictError(
            f"{record.revision.path} is {record.status}: there is nothing to read yet",
            code="not_ready",
            action="Wait until it is READY; `footnote status` says how it gets on, or why not.",
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
