"""Reads the rows of tables in plain text: their headers, and the header and group of each row.

A table is a run of lines without a blank one between them. The caller names the mark that joins
cells. `contents_lines` recognises tables of contents.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from footnote.text.terms import terms

MOST_HEADERS = 4  # rows of one header
LONGEST_GROUP = 100  # characters of a line without cells that heads the rows below it
_BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"(?:[012]?\d|3[01])(?!\d|[.,]\d)"
_DATE = re.compile(
    rf"\b{_MONTH} {_DAY}|(?<![\d.,])\b{_DAY}\.? {_MONTH}\b"
    r"|(?<![\d.,/-])\b\d{1,2}([./-])\d{1,2}\1(?:19|20)\d\d\b"  # 31.07.2024
    r"|(?<![\d.,$€£¥])(?<![$€£¥] )\b(?:19|20)\d\d(?:[-/]\d\d){0,2}\b(?![.,]\d|%| %)"
    r"|\b(?:q|fy|cy|h)[ -]?\d{1,4}\b|\b\d{1,2}(?:st|nd|rd|th) quarter\b",
    re.IGNORECASE,
)
_DIGIT = re.compile(r"\d")
_NUMBERED = re.compile(r"(?:[^\W\d_]+[ -])+\d{1,2}")  # "Line 3": a name
FEWEST_ENTRIES = 5
"""Of a table of contents. Five other figures rise by chance in one case of 120 (5!)."""
MOST_BETWEEN = 4  # lines between two entries that count as entries
MOST_DIGITS = 4  # of a page's number
_ENTRY_WORDS = frozenset(
    {"item", "part", "chapter", "section", "note", "exhibit", "annex", "appendix"}
)
_ENTRY_NUMBER = re.compile(r"\d{1,3}[a-z]?(?:\.\d{1,3}){0,4}|[ivx]{1,5}")
_HEADS = frozenset(terms("page pages table of contents content item items part no number title"))


class Line(NamedTuple):
    """A sentence or row: its span, its text on one line, and its headings.

    `header` is its table's, `group` the line without cells that heads it and its neighbours
    ("Current liabilities:"). Both are "" outside of tables.
    """

    start: int
    end: int
    text: str
    header: str = ""
    group: str = ""
    is_header: bool = False
    is_row: bool = False


def read_lines(
    text: str, spans: Sequence[tuple[int, int]], cell: str, table_header: str = ""
) -> list[Line]:
    """Returns a line for each span, in order; `table_header` is of a table that began earlier."""
    lines: list[Line] = []
    for run in _runs(text, spans):
        lines += _read(text, run, cell, table_header if not lines else "")
    return lines


def has_figures(row: str) -> bool:
    """Tells whether a row has figures other than dates, so that it is no header."""
    return bool(_DIGIT.search(blank_dates(row)))


def blank_dates(text: str) -> str:
    """Returns a text without its years, dates and quarters."""
    return _DATE.sub("", text)


def _runs(text: str, spans: Sequence[tuple[int, int]]) -> Iterator[list[tuple[int, int]]]:
    run: list[tuple[int, int]] = []
    for start, end in spans:
        if run and _BLANK_LINE.search(text, run[-1][1] - 1, start + 1):
            yield run
            run = []
        run.append((start, end))
    if run:
        yield run


def _read(
    text: str, run: Sequence[tuple[int, int]], cell: str, table_header: str
) -> Iterator[Line]:
    plain = [" ".join(text[start:end].split()) for start, end in run]
    header_rows = [" ".join(line.split()) for line in table_header.splitlines() if line.strip()]
    header, rows, group = _joined(header_rows, cell), _header_rows(plain, cell), ""
    if table_header and not any(_is_date_row(plain[n], cell) for n in rows):
        rows = range(0)  # the table goes on: its first row here is no header
    if rows:
        header = _joined(plain[rows[0] : rows[-1] + 1], cell)
    for n, (start, end) in enumerate(run):
        line = plain[n]
        if cell in line:
            if n in rows:
                yield Line(start, end, line, is_header=True, is_row=True)
            else:
                past = not rows or n > rows[-1]
                yield Line(start, end, line, header if past else "", group, is_row=True)
        else:
            ends = len(line) > LONGEST_GROUP or line.endswith((".", "!", "?"))
            if line.strip("|-: "):  # else it is the rule below a header in Markdown
                group, header = ("", "") if ends else (line, header)
            yield Line(start, end, line, is_header=n in rows)


def _joined(rows: Sequence[str], cell: str) -> str:
    """Joins the rows of a header, cell by cell if they have equally many.

    "Fiscal | Fiscal" over "2023 | 2022" is "Fiscal 2023 | Fiscal 2022".
    """
    cells = [[text.strip() for text in f" {row} ".split(cell)] for row in rows]
    if len({len(each) for each in cells}) > 1:
        return " ".join(rows)
    joined = cell.join(" ".join(filter(None, column)) for column in zip(*cells, strict=True))
    return joined.strip()


def _header_rows(lines: Sequence[str], cell: str) -> range:
    """Returns the range of the lines that are their table's header; empty for no table.

    It is the first row, if that has no figures, and all rows down to a row of dates.
    """
    first = next((n for n, line in enumerate(lines) if cell in line), None)
    if first is None or not _may_be_header(lines[first], cell):
        return range(0)
    last = first
    for n, line in enumerate(lines[first : first + MOST_HEADERS], first):
        if has_figures(line):
            break
        if _is_date_row(line, cell):
            last = n
    return range(first, last + 1)


def _may_be_header(line: str, cell: str) -> bool:
    """Tells whether a row has figures only in names: "Stop | Line 1 | Line 2"."""
    cells = line.strip("| ").split(cell)
    return not any(has_figures(text) and not _NUMBERED.fullmatch(text) for text in cells)


def _is_date_row(line: str, cell: str) -> bool:
    """Tells whether all cells but the first are dates, and there is more than one date."""
    cells = line.strip("| ").split(cell)
    dates = [bool(_DATE.search(text)) and not has_figures(text) for text in cells]
    return sum(dates) > 1 and all(dates[1:])


def contents_lines(lines: Sequence[Line]) -> frozenset[int]:
    """Returns the places of the lines that are entries of a table of contents.

    An entry tells where a thing stands, not what it is. It is a row with a title and the number of
    a page, and a table with one figure a row looks the same. So there must be several entries, with
    numbers that do not fall, and only "Page" may head them. Beside them, titles with a date are
    entries, too. So are lines between two entries: the rest of a title too long for its line.
    """
    rows = {n: page for n, line in enumerate(lines) if (page := _page(line))}
    sure = {n: page for n, page in rows.items() if _is_title(_title(lines[n]))}
    if len(sure) < FEWEST_ENTRIES or _falls(sure):
        return frozenset()
    entries = sure if _falls(rows) else rows
    near = (range(n, to) for n, to in pairwise(entries) if to - n <= MOST_BETWEEN + 1)
    return frozenset(entries).union(*near)


def _falls(pages: Mapping[int, int]) -> bool:
    return any(after < before for before, after in pairwise(pages.values()))


def _page(line: Line) -> int:
    """Returns the number at the end of a row below no header but "Page"; 0 for none."""
    _, edge, page = line.text.strip("| ").rpartition("|")
    if not edge or not 0 < len(page.strip()) <= MOST_DIGITS or not page.strip().isdecimal():
        return 0
    return int(page) if not set(terms(line.header)) - _HEADS else 0


def _title(line: Line) -> str:
    return line.text.strip("| ").rpartition("|")[0]


def _is_title(text: str) -> bool:
    """Tells whether a text has letters, and digits only in a number before them ("Item 1A.")."""
    parts = [word.strip("().:|").casefold() for word in text.split()]
    while parts and (not parts[0] or parts[0] in _ENTRY_WORDS or _ENTRY_NUMBER.fullmatch(parts[0])):
        del parts[0]
    rest = "".join(parts)
    return rest.upper() != rest.lower() and not any(map(str.isdigit, rest))
