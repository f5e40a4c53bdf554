"""What a reader can open of a document: text, pages, contents, pictures, the file itself.

The caller's rights are checked before: `find` returns a document that this caller may read, or
raises NotFoundError. A deleted document is not found, nor are its versions from before.
"""

from collections.abc import Callable
from typing import NamedTuple

from footnote.errors import NotFoundError
from footnote.ingest.parse.formats import IMAGES, PDF
from footnote.model import (
    Box,
    Citation,
    Document,
    HowRead,
    LinkHeaders,
    QuestionRecord,
    Record,
    Value,
    how_read,
)
from footnote.ports import BlobStore, Uploads
from footnote.reading.blocks import Blocks, TextBlock
from footnote.reading.contents import Contents, contents, label_of
from footnote.reading.pictures import Pictures
from footnote.reading.versions import choose_version, gone, page_of, stored_document

LINK_SECONDS = 300  # a client follows a link at once
SHOWN = frozenset({PDF, *IMAGES})  # types that a browser shows and never runs


class Opened(NamedTuple):
    """A document that the caller may read, and its chosen version."""

    record: Record
    version: str

    @property
    def is_live(self) -> bool:
        return self.version == self.record.live_version


class ReadableText(Value):
    """A part of a document's text. `next` is the start of the next part, or None at the end.

    `read` is `ocr` where OCR read one of its pages.
    """

    document: str
    collection: str
    version: str
    live: bool
    title: str
    language: str
    media_type: str
    length: int
    start: int
    end: int
    next: int | None
    read: HowRead = "text"
    blocks: tuple[TextBlock, ...]


class PageText(Value):
    page: int
    label: str
    text: str
    start: int
    end: int
    read: HowRead = "text"
    version: str


class Link(Value):
    """The address of a file for `expires_in` seconds. It needs no key."""

    url: str
    expires_in: int
    media_type: str
    name: str


class PictureLink(Value):
    """The address of a picture, and the frame and boxes of its page, in points."""

    url: str
    expires_in: int
    page: int
    label: str
    pages: int
    width: float
    height: float
    version: str
    live: bool
    boxes: tuple[Box, ...] = ()


class Reader:
    """Opens documents for one caller."""

    def __init__(
        self,
        find: Callable[[str, str], Record],
        question: Callable[[str], QuestionRecord],
        artifacts: BlobStore,
        uploads: Uploads,
    ) -> None:
        self._find = find
        self._question = question
        self._artifacts = artifacts
        self._uploads = uploads

    def open(self, name: str, collection: str, version: str = "") -> Opened:
        """Returns a document by id or path, and its chosen version.

        Raises NotFoundError for a missing or deleted document; with the code `gone` for a version
        that is not stored any more.
        """
        record = self._find(name, collection)
        chosen = choose_version(record, version)
        recorded = chosen in (record.version, record.live_version)
        if not recorded and not self._uploads.is_kept(record.key, chosen):
            raise gone(record, chosen)
        return Opened(record, chosen)

    def text(
        self,
        name: str,
        collection: str,
        version: str = "",
        *,
        start: int = 0,
        end: int | None = None,
        around: int | None = None,
    ) -> ReadableText:
        """Returns the text from `start`, or from a little before `around`, in blocks.

        It has some 60,000 characters at most, and ends with the block that holds `end`.
        """
        opened, document = self._read(name, collection, version)
        blocks = Blocks(document)
        begin = start if around is None else blocks.start_around(around)
        length = len(document.text)
        part = blocks.between(begin, length if end is None else end)
        first, last = (part[0].start, part[-1].end) if part else (length, length)
        return ReadableText(
            document=opened.record.revision.path,
            collection=opened.record.revision.collection,
            version=opened.version,
            live=opened.is_live,
            title=document.title,
            language=document.language,
            media_type=document.media_type,
            length=length,
            start=first,
            end=last,
            next=last if last < length else None,
            read=how_read(
                page for page in document.pages if first < page.end and page.start < last
            ),
            blocks=tuple(part),
        )

    def page_text(self, name: str, number: int, collection: str, version: str = "") -> PageText:
        """Returns the text of a page. Raises NotFoundError beyond the last."""
        opened, document = self._read(name, collection, version)
        page = page_of(opened.record, document, number)
        return PageText(
            page=number,
            label=label_of(page),
            text=document.text[page.start : page.end],
            start=page.start,
            end=page.end,
            read=page.read,
            version=opened.version,
        )

    def contents(
        self, name: str, collection: str, version: str = "", after: str = "", section: str = ""
    ) -> Contents:
        """Returns some entries of each list of the contents, or one section alone."""
        return contents(self._read(name, collection, version)[1], after, section)

    def original(self, name: str, collection: str, version: str = "") -> Link:
        """Returns a link to the file as it was uploaded.

        A browser shows PDFs and images, and saves anything else: no part of a document ever runs.
        The media type comes from reading the file, not from the upload.
        """
        record, chosen = self.open(name, collection, version)
        media_type = record.media_type if chosen in (record.version, record.live_version) else ""
        showable = media_type in SHOWN
        kind = media_type if showable else "application/octet-stream"
        file = record.revision.path.rpartition("/")[2]
        headers = LinkHeaders(media_type=kind, name=file, attachment=not showable)
        try:
            url = self._uploads.link(record.key, chosen, LINK_SECONDS, headers)
        except NotFoundError:
            raise gone(record, chosen) from None
        return Link(url=url, expires_in=LINK_SECONDS, media_type=kind, name=file)

    def picture(
        self,
        name: str,
        number: int,
        collection: str,
        version: str = "",
        *,
        pictures: Pictures,
        cited: tuple[str, int] | None = None,
    ) -> PictureLink:
        """Returns a link to a picture of a page.

        `cited` is a question and the number of a citation. The citation's boxes are drawn, and its
        version is chosen. Raises NotFoundError with the code `no_citation` where the citation is of
        another document or version.
        """
        citation = self._cited(*cited) if cited else None
        if citation and self._find(name, collection).document_id != citation.document_id:
            raise no_citation(citation.n, "it is of another document")
        opened = self.open(name, collection, version or (citation.version if citation else ""))
        record, chosen = opened
        if citation and citation.version != chosen:
            raise no_citation(citation.n, "it is of another version")
        boxes = tuple(box for box in (citation.boxes if citation else ()) if box.page == number)
        drawn = pictures.picture(record, chosen, number, boxes)
        return PictureLink(
            url=self._artifacts.link(drawn.key, LINK_SECONDS, LinkHeaders(media_type="image/webp")),
            expires_in=LINK_SECONDS,
            version=chosen,
            live=opened.is_live,
            boxes=boxes,
            page=drawn.page,
            label=drawn.label,
            pages=drawn.pages,
            width=drawn.width,
            height=drawn.height,
        )

    def _cited(self, question: str, n: int) -> Citation:
        """Returns a citation of an answer that the caller may read."""
        answer = self._question(question).answer
        for citation in answer.citations if answer else ():
            if citation.n == n:
                return citation
        raise no_citation(n, "the answer has none of this number")

    def _read(self, name: str, collection: str, version: str) -> tuple[Opened, Document]:
        opened = self.open(name, collection, version)
        return opened, stored_document(self._artifacts, *opened)


def no_citation(n: int, why: str) -> NotFoundError:
    return NotFoundError(
        f"no citation {n}: {why}",
        code="no_citation",
        action="Take `n`, `document_id` and `version` from the answer's `citations`.",
    )
