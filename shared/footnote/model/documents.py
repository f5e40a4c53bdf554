"""The values of a parsed document: its pages, sections, tables, chunks, and OCR's readings."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import Field

from footnote.model.identity import Metadata, Value
from footnote.text.part_names import part_of

type HowRead = Literal["text", "ocr"]
"""How the words of a page were read: as the file's own text, or off its picture by OCR."""


class Doubt(Value):
    """A figure that OCR may have misread: its span in the document's text, and why.

    `unsure`: the engine's own confidence is low. `differs`: the page's rejected text layer has
    another figure there, `other`.
    """

    start: int
    end: int
    reason: Literal["unsure", "differs"]
    other: str = ""


class Page(Value):
    """A physical page: its span in the text, its size in points, the place of its word boxes.

    `words_at` is (offset, length) of the page's member in the words artifact, or None without
    boxes. `label` is the printed number ("iv"), if the file gives one that differs from `number`.
    `inside` names the embedded file that the page belongs to. In that case `number` counts the
    pages of all such files, and `label` is the number within its own file. `doubts` are the figures
    on it that OCR may have misread.
    """

    number: int
    start: int
    end: int
    width: float = 0.0
    height: float = 0.0
    words_at: tuple[int, int] | None = None
    label: str = ""
    inside: str = ""
    read: HowRead = "text"
    doubts: tuple[Doubt, ...] = ()


def how_read(pages: Iterable[Page]) -> HowRead:
    """Returns `ocr` where OCR read one of the pages: a figure may stand on any of them."""
    return "ocr" if any(page.read == "ocr" for page in pages) else "text"


def labels_of(pages: Sequence[Page]) -> tuple[str, ...]:
    """Returns the pages' labels for readers, such as "iv" or "terms.pdf, page 3".

    Returns none at all when every page goes by its number.
    """
    if not any(page.label for page in pages):
        return ()
    return tuple(
        f"{page.inside}, {part_of(page.inside)} {page.label}"
        if page.inside
        else page.label or str(page.number)
        for page in pages
    )


class Section(Value):
    """A heading and everything below it, in document order. Level 1 is the top."""

    title: str
    level: int
    start: int
    end: int


CELL = " | "
"""The separator of a row's cells in the text of a table."""


class Table(Value):
    """A table: its cells and its span in the text (one line a row, cells joined by `CELL`)."""

    start: int
    end: int
    rows: tuple[tuple[str, ...], ...]
    header_rows: int = 1


class NotRead(Value):
    """Things of one kind in a file that were not read, or that the file hides.

    `places` are the first of the places where they are; `message` says all of it in words.
    """

    code: str
    count: int
    places: tuple[str, ...] = ()
    message: str


class Document(Value):
    """The canonical document that `parse` makes of any file.

    `text` is NFC, and every span lies inside it.
    """

    title: str
    media_type: str
    language: str = "en"
    text: str
    pages: tuple[Page, ...] = ()
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    metadata: Metadata = Field(default_factory=dict)
    warnings: tuple[str, ...] = ()
    not_read: tuple[NotRead, ...] = ()


class Picture(Value):
    """A picture of a page. `pixels` are RGB, one byte a colour, row by row.

    `columns` and `rows` are in pixels, `width` and `height` of the page in points.
    """

    pixels: bytes
    columns: int
    rows: int
    width: float
    height: float


class OcrWord(Value):
    """A word that OCR saw on a picture. Its box is in points from the page's top left corner.

    `confidence` is the engine's own, from 0 to 1, or None.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    text: str
    confidence: float | None = None


class OcrLine(Value):
    """The words of one line in reading order. `size` is their approximate type size in points."""

    words: tuple[OcrWord, ...]
    size: float
    upright: bool = True


class Reading(Value):
    """The lines that OCR read on a picture, and their cost in dollars."""

    lines: tuple[OcrLine, ...] = ()
    usd: float = 0.0


class WordBox(NamedTuple):
    """A word on a page: its box in points from the page's top left, and its span in the text.

    `confidence` is the OCR engine's, from 0 to 1; None for text.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    start: int
    end: int
    confidence: float | None = None


class ParsedDocument(NamedTuple):
    """A document and, for formats with a layout, its word boxes by page number."""

    document: Document
    words: Mapping[int, list[WordBox]]


class TableHeader(Value):
    """Caption and header rows of a table, for a piece that begins inside the table.

    They stand before the piece in the document: `text == document.text[start:end]`, on `pages`. The
    header rows begin at `rows`, an offset into the document; it is `end` where there are none.
    """

    start: int
    rows: int
    end: int
    text: str
    pages: tuple[int, ...] = ()

    @property
    def header(self) -> str:
        """The header rows without the caption, "" for none."""
        return self.text[self.rows - self.start :]


class Chunk(Value):
    """A piece of a document that is indexed as one. `text == document.text[start:end]`.

    `context` is indexed and embedded before the text, but never shown or cited. It holds
    "[Title > Section]", the header row when the chunk is the later part of a table, and
    `line`. `labels` name its pages, as `labels_of` gives them. `line` is a model's
    sentence about the chunk's place in the document. It is "" when the model wrote
    nothing of use, and None when no model was asked. `above` is shown with the text and
    has its own span. `read` is `ocr` where OCR read one of its pages.
    """

    id: str
    ordinal: int
    text: str
    start: int
    end: int
    pages: tuple[int, ...] = ()
    labels: tuple[str, ...] = ()
    section: tuple[str, ...] = ()
    title: str = ""
    context: str = ""
    line: str | None = None
    language: str = "en"
    above: TableHeader | None = None
    read: HowRead = "text"

    @property
    def indexed_text(self) -> str:
        return f"{self.context}\n{self.text}" if self.context else self.text
