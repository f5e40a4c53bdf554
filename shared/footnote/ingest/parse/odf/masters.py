"""Reads what ODF's master pages show on every page: headers, footers, texts of slides."""

import re
from collections.abc import Iterator

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.odf import OpenDocument
from footnote.ingest.parse.odf.blocks import Blocks
from footnote.ingest.parse.odf.text import UNREAD
from footnote.ingest.parse.odf.xml import attribute, children
from footnote.ingest.parse.safe_xml import Element

_PARTS = (
    "header", "header-left", "header-first", "footer", "footer-left", "footer-first"
)  # fmt: skip
_UNREAD = frozenset({"page-number", "page-count", "page-continuation", "sheet-name", "time"})
_WORD = re.compile(r"[^\W\d_]{2,}")
_FEWEST_WORDS = 2
_LONGEST_COUNT = 4  # words around the number of a page: "Page 3 of 9"


def write_headers(builder: DocumentBuilder, blocks: Blocks, document: OpenDocument) -> None:
    """Adds headers and footers once, below a heading of their own. Numbers of pages are no text."""
    lines = dict.fromkeys(_lines(blocks, document))
    if lines:
        builder.heading("Headers and footers", 1)
        for line in lines:
            builder.item(line)


def _lines(blocks: Blocks, document: OpenDocument) -> Iterator[str]:
    for master in document.styles.master_pages():
        for part in children(master, *_PARTS):
            if attribute(part, "display") != "false":
                yield from running_lines(blocks, part)


def running_lines(blocks: Blocks, part: Element) -> Iterator[str]:
    """Yields the lines of a part, without those that only count pages or name sheets."""
    before, blocks.reader.unread = blocks.reader.unread, _UNREAD
    lines = blocks.cell_text(part, "").split("\n")
    blocks.reader.unread = before
    for written in lines:
        line = squeeze(written)
        words = len(_WORD.findall(line))
        is_count = (
            UNREAD in written and words <= _FEWEST_WORDS and len(line.split()) <= _LONGEST_COUNT
        )
        if words and not is_count:
            yield line
