"""Tells which documents have pictures of their pages."""

from footnote.ingest.parse.formats import IMAGES, PDF
from footnote.model import Document


def is_drawn_itself(media_type: str) -> bool:
    """Tells whether pages of a file of this type can be drawn: PDFs and images."""
    return media_type == PDF or media_type in IMAGES


def can_be_drawn(document: Document) -> bool:
    """Tells whether a page of the document may have a picture.

    Pages of files inside are drawn if those are PDFs or images: only drawing shows that.
    """
    return is_drawn_itself(document.media_type) or any(page.inside for page in document.pages)
