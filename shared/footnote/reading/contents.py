"""What was read from a file and what was not: pages, sections, tables, warnings, within bounds."""

from bisect import bisect_right
from itertools import islice

from footnote.errors import BadRequestError
from footnote.ingest.parse.formats import IMAGES, PDF
from footnote.model import Document, HowRead, NotRead, Page, Section, Value, labels_of
from footnote.reading.suggested import suggest_questions

PAGE = 500  # entries of each list in one reply


class PageEntry(Value):
    """A page: its number, its label, its size in points, its span in the text.

    `words` tells whether boxes of its words are stored, `read` whether OCR read it.
    """

    n: int
    label: str
    width: float
    height: float
    start: int
    end: int
    words: bool
    read: HowRead = "text"


class SectionEntry(Value):
    title: str
    level: int
    start: int
    end: int
    page: int | None


class TableEntry(Value):
    start: int
    end: int
    page: int | None
    rows: int
    columns: int


class Contents(Value):
    """What was read from a file. `after` is the cursor of the rest, or "".

    `ocr_pages` counts the pages that OCR read, `doubtful_figures` the figures that it may have
    misread. Both count the whole file. `questions` are some that its headings suggest.
    """

    title: str
    language: str
    media_type: str
    length: int
    picture: bool
    ocr_pages: int
    doubtful_figures: int
    pages: tuple[PageEntry, ...]
    sections: tuple[SectionEntry, ...]
    tables: tuple[TableEntry, ...]
    warnings: tuple[str, ...]
    not_read: tuple[NotRead, ...]
    questions: tuple[str, ...]
    after: str


def contents(document: Document, after: str = "", section: str = "") -> Contents:
    """Returns one page of the contents: `PAGE` entries of each list.

    With `section`, returns only the section with this heading. Raises BadRequestError for a bad
    cursor.
    """
    if after and not (after.isascii() and after.isdecimal() and len(after) < 10):
        raise BadRequestError(
            f"{after[:100]!r} is not a page of this list",
            action="Leave `after` out, or take it from the page before.",
        )
    first = int(after or 0)
    last = first + PAGE
    pages, sections, tables = document.pages, document.sections, document.tables
    if section:
        pages, sections, tables = (), find_section(document, section), ()
    longest = max(len(pages), len(sections), len(tables))
    starts = [page.start for page in document.pages]

    def page_at(offset: int) -> int | None:
        n = bisect_right(starts, offset) - 1
        if n < 0 or offset >= document.pages[n].end:
            return None
        return document.pages[n].number

    return Contents(
        title=document.title,
        language=document.language,
        media_type=document.media_type,
        length=len(document.text),
        picture=_has_pictures(document),
        ocr_pages=sum(page.read == "ocr" for page in document.pages),
        doubtful_figures=sum(len(page.doubts) for page in document.pages),
        pages=tuple(map(_page, pages[first:last])),
        sections=tuple(
            SectionEntry(page=page_at(entry.start), **entry.model_dump())
            for entry in sections[first:last]
        ),
        tables=tuple(
            TableEntry(
                start=table.start,
                end=table.end,
                page=page_at(table.start),
                rows=len(table.rows),
                columns=max(map(len, table.rows), default=0),
            )
            for table in islice(tables, first, last)
        ),
        warnings=document.warnings if not first else (),
        not_read=document.not_read if not first else (),
        questions=suggest_questions(document) if not first else (),
        after=str(last) if longest > last else "",
    )


def find_section(document: Document, heading: str) -> tuple[Section, ...]:
    """Returns the section with this heading; else the first whose heading has the words, or none.

    It looks at each heading once.
    """
    words = heading.strip().casefold()
    nearest: tuple[Section, ...] = ()
    for candidate in document.sections:
        title = candidate.title.strip().casefold()
        if title == words:
            return (candidate,)
        if not nearest and words in title:
            nearest = (candidate,)
    return nearest


def _page(page: Page) -> PageEntry:
    return PageEntry(
        n=page.number,
        label=label_of(page),
        width=page.width,
        height=page.height,
        start=page.start,
        end=page.end,
        words=page.words_at is not None,
        read=page.read,
    )


def label_of(page: Page) -> str:
    """Returns the page's label; "" where it has only its number."""
    return next(iter(labels_of([page])), "")


def is_drawn_itself(media_type: str) -> bool:
    """Tells whether pages of a file of this type can be drawn: PDFs and images."""
    return media_type == PDF or media_type in IMAGES


def _has_pictures(document: Document) -> bool:
    """Tells whether a page of the document may have a picture.

    Pages of inner files may have one if those are PDFs or images, which only drawing shows.
    """
    return is_drawn_itself(document.media_type) or any(page.inside for page in document.pages)
