"""Pictures of pages: found in the artifacts bucket, or drawn there first.

A picture's key holds all that decides its bytes: document, version, page, boxes, and the look. Its
facts are stored beside it, and after it: where facts are, the picture is.
"""

import json
from collections.abc import Callable, Sequence

from footnote.errors import BadDocumentError, NotFoundError
from footnote.ingest.draw.missing import no_page, no_picture
from footnote.model import Box, Document, Record, Value, digest
from footnote.ports import BlobStore, Uploads
from footnote.reading.contents import is_drawn_itself, label_of
from footnote.reading.versions import gone, page_of, stored_document
from footnote.store.keys import picture_key

LOOK = "1"  # the version of the look: raise it when `ingest/draw/draw.py` draws otherwise
KEPT = 6 * 86_400  # seconds; the lifecycle rule for `pictures/` deletes after seven days

type Apart = Callable[[bytes], bytes]
"""Draws in a process of its own: takes a request, returns a reply (`ingest/draw/packed.py`)."""


class PagePicture(Value):
    """A picture that is stored at `key`, with the frame of its page in points."""

    key: str
    page: int
    label: str
    pages: int
    width: float
    height: float
    drawn: float  # epoch seconds


class Pictures:
    """Finds and draws pictures. `now` is the time in epoch seconds."""

    def __init__(
        self,
        artifacts: BlobStore,
        uploads: Uploads,
        apart: Apart,
        now: float,
        max_bytes: int,
    ) -> None:
        self._artifacts = artifacts
        self._uploads = uploads
        self._apart = apart
        self._now = now
        self._max_bytes = max_bytes

    def picture(
        self, record: Record, version: str, number: int, boxes: Sequence[Box]
    ) -> PagePicture:
        """Returns the picture of a page with these boxes drawn.

        Raises NotFoundError with the code `gone`, `no_page` or `no_picture`.
        """
        look = digest(LOOK, json.dumps([box.model_dump() for box in boxes]))
        key = picture_key(record.document_id, version, number, look)
        try:
            stored = PagePicture.model_validate_json(self._artifacts.get(f"{key}.json"))
        except NotFoundError:
            return self._draw(record, version, number, boxes, key)
        if self._now - stored.drawn > KEPT:
            return self._draw(record, version, number, boxes, key)
        return stored

    def _draw(
        self, record: Record, version: str, number: int, boxes: Sequence[Box], key: str
    ) -> PagePicture:
        from footnote.ingest.draw.draw import Inside  # needs the parsing layer
        from footnote.ingest.draw.packed import draw_by

        name = record.revision.path
        page, label, pages = self._place(record, version, number)
        place = number if page is None else Inside(*page)
        try:
            body = self._read(record, version)
            drawn = draw_by(self._apart, body, name, place, boxes)
        except BadDocumentError as error:
            raise no_picture(name, error.message) from error
        self._artifacts.put(key, drawn.body)
        picture = PagePicture(
            key=key,
            page=number,
            label=label or drawn.label,
            pages=pages or drawn.pages,
            width=drawn.width,
            height=drawn.height,
            drawn=self._now,
        )
        self._artifacts.put(f"{key}.json", picture.model_dump_json().encode())
        return picture

    def _read(self, record: Record, version: str) -> bytes:
        try:
            return self._uploads.read(record.key, version, self._max_bytes)
        except NotFoundError:
            raise gone(record, version) from None

    def _place(
        self, record: Record, version: str, number: int
    ) -> tuple[tuple[str, int] | None, str, int]:
        """Returns the inner file and the page in it, the page's label, and the number of pages.

        Returns (None, "", 0) where the file itself is drawn: then drawing tells them.
        """
        name = record.revision.path
        newest = version == record.version
        if newest and is_drawn_itself(record.media_type):
            if record.pages and number > record.pages:
                raise no_page(name, number, record.pages)
            return None, "", 0
        if version != record.live_version:
            return None, "", 0  # its media type is not stored any more: drawing its bytes tells
        document = stored_document(self._artifacts, record, version)
        if is_drawn_itself(document.media_type):
            return None, "", 0
        if not any(page.inside for page in document.pages):
            raise no_picture(name, f"pages of {document.media_type} have none")
        page = page_of(record, document, number)
        return _inside(document, number), label_of(page), len(document.pages)


def _inside(document: Document, number: int) -> tuple[str, int]:
    """Returns a page's inner file, and its number among the pages of files with this name."""
    inside = document.pages[number - 1].inside
    return inside, sum(page.inside == inside for page in document.pages[:number])
