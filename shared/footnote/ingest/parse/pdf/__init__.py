"""PDF: text in reading order with word boxes, sections by outline or type, tables by position."""

import re
from collections.abc import Sequence
from typing import Any

import pymupdf

from footnote.ingest.parse.draft import is_title, pages, sections, title
from footnote.ingest.parse.kinds import Parsed, encrypted, reading, too_large
from footnote.ingest.parse.pdf import headings, layout, page
from footnote.ingest.parse.pdf.headings import Entry
from footnote.ingest.parse.pdf.marks import Sheet
from footnote.ingest.parse.pdf.running import without_running
from footnote.ingest.parse.pdf.writing import Writer
from footnote.ingest.parse.sniff import PDF
from footnote.language import detect
from footnote.model import Document

MAX_PAGES = 5_000
BROKEN: tuple[type[Exception], ...] = (
    pymupdf.FileDataError,
    pymupdf.EmptyFileError,
    pymupdf.mupdf.FzErrorBase,
    RuntimeError,  # PyMuPDF's own: "document closed", "cycle in resources"
    ValueError,  # "page not in document"
    IndexError,
    KeyError,  # an entry of a dictionary that must be there
    TypeError,  # a value of another type than the standard says, deep in PyMuPDF
    AttributeError,  # the same
    AssertionError,
    OverflowError,
)
_WORD = re.compile(
    r"(?<![^\W\d_])[^\W\d_]+(?:-[^\W\d_]+)*(?![-\w])"
)  # not the half before a hyphen


def parse(body: bytes, name: str) -> Parsed:
    library: Any = pymupdf
    library.TOOLS.mupdf_display_errors(False)
    library.TOOLS.mupdf_display_warnings(False)
    warnings: list[str] = []
    with reading(name, BROKEN), library.open(stream=body, filetype="pdf") as file:
        _unlock(file, name, warnings)
        if file.page_count > MAX_PAGES:
            raise too_large(name, f"{file.page_count:,} pages, and {MAX_PAGES:,} is the limit")
        sheets = _sheets(file, warnings)
        outline = _outline(file)
        titles = [(file.metadata or {}).get("title") or ""]
    return _written(sheets, outline, titles, warnings, name)


def _unlock(file: Any, name: str, warnings: list[str]) -> None:
    if file.needs_pass:
        raise encrypted(name)
    if file.metadata and file.metadata.get("encryption"):
        warnings.append("The file is encrypted with an empty password; it was read without one.")


def _sheets(file: Any, warnings: list[str]) -> list[Sheet]:
    sheets: list[Sheet] = []
    hidden: list[int] = []
    unread: list[int] = []
    for number in range(1, file.page_count + 1):
        sheet, has_hidden = _sheet(file, number)
        hidden += [number] if has_hidden else []
        unread += [] if sheet else [number]
        sheets.append(sheet or Sheet(number, 0.0, 0.0, ()))
    if len(unread) == len(sheets):
        raise ValueError("no page can be read")  # the file as a whole is corrupt
    empty = [sheet.number for sheet in sheets if not sheet.rows and sheet.number not in unread]
    if empty:
        warnings.append(f"{_pages(empty)} no text: blank or an image.")
    if hidden:
        warnings.append(f"{_pages(hidden)} hidden text, which is left out.")
    if unread:
        warnings.append(f"{_pages(unread)} damage and could not be read.")
    return sheets


def _sheet(file: Any, number: int) -> tuple[Sheet | None, bool]:
    """A page and whether some of its text is hidden; None: it is damaged."""
    try:
        leaf = file[number - 1]
        if page.is_bomb(leaf):
            return None, False
        found, has_hidden = page.fragments(leaf)
        return Sheet(
            number, leaf.rect.width, leaf.rect.height, tuple(layout.rows(found))
        ), has_hidden
    except BROKEN:
        return None, False


def _pages(numbers: Sequence[int]) -> str:
    """Numbers in words: "Page 3 has", "Pages 3, 5-9 have"."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1][1:] = [number]
        else:
            ranges.append([number])
    listed = ", ".join("-".join(map(str, part)) for part in ranges)
    return f"Page {listed} has" if len(numbers) == 1 else f"Pages {listed} have"


def _outline(file: Any) -> list[Entry]:
    """The bookmarks; a file whose bookmarks are broken is read without them."""
    try:
        entries = file.get_toc(simple=False)
    except BROKEN:
        return []
    return [
        (level, heading, number, getattr(target.get("to"), "y", 0.0))
        for level, heading, number, target in entries
    ]


def _written(
    sheets: Sequence[Sheet],
    outline: Sequence[Entry],
    titles: list[str],
    warnings: list[str],
    name: str,
) -> Parsed:
    kept = without_running(sheets)
    writer = Writer(headings.headings(kept, outline), _vocabulary(kept))
    for index, sheet in enumerate(kept):
        writer.page(sheet, index)
    text = writer.text
    document = Document(
        title=title([*titles, *_largest(kept)], name),
        media_type=PDF,
        language=detect(text),
        text=text,
        pages=pages(writer.starts, len(text)),
        sections=sections(writer.headings, len(text)),
        tables=tuple(writer.tables),
        warnings=tuple(warnings),
    )
    return Parsed(document, writer.words)


def _vocabulary(sheets: Sequence[Sheet]) -> frozenset[str]:
    """Every word of the document: tells "decom-pose" from "well-known" at a line's end."""
    return frozenset(
        word
        for sheet in sheets
        for row in sheet.rows
        for word in _WORD.findall(row.text.casefold())
    )


def _largest(sheets: Sequence[Sheet]) -> list[str]:
    """Lines of the first page in the largest type, largest first."""
    rows = [
        row
        for sheet in sheets[:1]
        for row in sheet.rows
        if row.cells[0][0].upright and is_title(row.text)
    ]
    if not rows:
        return []
    size = max(row.size for row in rows)
    largest = [row for row in rows if row.size > size - 1]
    return [" ".join(row.text for row in largest[:3])] if len(largest) < 6 else []
