"""The part above a table's rows: its caption and its header rows, as a span of the text.

A chunk that begins inside a table carries it. Else "Line 32 | 1,224 |
1,060" does not tell the year.
"""

from footnote.model import CELL, Document, Table, TableHeader

LONGEST_CAPTION = 240  # characters; a longer paragraph is no caption
LONGEST = 600  # characters of caption and header; none of 818 measured headers has more


def above(document: Document, table: Table, start: int) -> TableHeader | None:
    """Returns caption and header for a chunk that begins at `start` inside the table, or None.

    They are one verbatim span: the caption, then the header rows that end before `start`.
    """
    header_end = min(_header_end(document, table), start)
    text = document.text
    first = _caption_start(document, table)
    header_end = max(header_end, table.start)  # none before it: the chunk has the header row
    if header_end - first > LONGEST:
        first = table.start
    last = first + len(text[first:header_end].rstrip())
    if last <= first or last - first > LONGEST:
        return None
    pages = [page.number for page in document.pages if page.start < last and first < page.end]
    rows = min(table.start, last)
    return TableHeader(start=first, rows=rows, end=last, text=text[first:last], pages=tuple(pages))


def _header_end(document: Document, table: Table) -> int:
    """Returns the end of the header rows. In the text a row is a line."""
    end = table.start
    for _ in range(table.header_rows):
        stop = document.text.find("\n", end, table.end)
        if stop < 0:
            return table.end
        end = stop + 1
    return end


def _caption_start(document: Document, table: Table) -> int:
    """Returns the start of the short paragraph before the table, or the table's start without one.

    Above a table without header rows, the paragraph must end in a colon: another one may
    be about another subject.
    """
    window = max(0, table.start - 2 * LONGEST_CAPTION)  # more would be read for each chunk
    before = document.text[window : table.start].rstrip()
    begin = before.rfind("\n\n") + 2 if "\n\n" in before else 0
    caption = before[begin:]
    speaks = any(letter.isalpha() for letter in caption) and CELL not in caption
    short = len(caption) <= LONGEST_CAPTION
    announces = table.header_rows > 0 or caption.endswith(":")
    return window + begin if speaks and short and announces else table.start
