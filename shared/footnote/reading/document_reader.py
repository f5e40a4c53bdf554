"""What a reader can open of a document: text, pages, contents, pictures, the file itself.

Whoever asks has been told apart before: `find` returns a document that this caller may read, or
raises NotFoundError. A deleted document is not there, and neither are versions from before that.
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

LINK_SECONDS = 300  # a link is followed at once: nobody keeps it
SHOWN = frozenset({PDF, *IMAGES})  # what a browser shows and never runs


class Opened(NamedTuple):
    """A document that the caller may read, and the version that is meant."""

    record: Record
    version: str

    @property
    def is_live(self) -> bool:
        return self.version == self.record.live_version


class ReadableText(Value):
    """A part of a document's text. `next` is where the following one starts, None at the end.

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
    """Where something can be got for `expires_in` seconds, without any key."""

    url: str
    expires_in: int
    media_type: str
    name: str


class PictureLink(Value):
    """Where a picture can be got, and the frame and boxes of its page, in points."""

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
        """Returns a document by id or path, and the version that is meant.

        Raises NotFoundError for one that is not there or deleted; with the code `gone` for a
        version that is not kept.
        """
        record = self._find(name, collection)
        chosen = choose_version(record, version)
        known = chosen in (record.version, record.live_version)
        if not known and not self._uploads.is_kept(record.key, chosen):
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
        found = blocks.between(begin, length if end is None else end)
        first, last = (found[0].start, found[-1].end) if found else (length, length)
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
            read=how_read(one for one in document.pages if first < one.end and one.start < last),
            blocks=tuple(found),
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
        """Returns what was read from the file, some of each list, or one section alone."""
        return contents(self._read(name, collection, version)[1], after, section)

    def original(self, name: str, collection: str, version: str = "") -> Link:
        """Returns a link to the file as it was uploaded.

        A browser shows PDFs and images, and saves anything else: nothing of a document ever runs.
        The media type is the one that was found when the file was read, never what was sent.
        """
        record, chosen = self.open(name, collection, version)
        known = record.media_type if chosen in (record.version, record.live_version) else ""
        shown = known in SHOWN
        kind = known if shown else "application/octet-stream"
        file = record.revision.path.rpartition("/")[2]
        headers = LinkHeaders(media_type=kind, name=file, attachment=not shown)
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

        `cited` is a question and the number of a citation: its boxes are drawn, and its version is
        the one that is meant. Raises NotFoundError with the code `no_citation` where that citation
        is not of this document and version.
        """
        citation = self._cited(*cited) if cited else None
        if citation and self._find(name, collection).document_id != citation.document_id:
            raise no_citation(citation.n, "it is of another document")
        opened = self.open(name, collection, version or (citation.version if citation else ""))
        record, chosen = opened
        if citation and citation.version != chosen:
            raise no_citation(citation.n, "it is of another version")
        boxes = tuple(box for box in (citation.boxes if citation else ()) if box.page == number)
        found = pictures.picture(record, chosen, number, boxes)
        return PictureLink(
            url=self._artifacts.link(found.key, LINK_SECONDS, LinkHeaders(media_type="image/webp")),
            expires_in=LINK_SECONDS,
            version=chosen,
            live=opened.is_live,
            boxes=boxes,
            page=found.page,
            label=found.label,
            pages=found.pages,
            width=found.width,
            height=found.height,
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
