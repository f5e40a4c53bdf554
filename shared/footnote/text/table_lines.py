"""Reads the rows of tables in plain text: which lines are a header, and what each row stands under.

A table is a run of lines without a blank one between them. Cells are joined by a mark that the
caller names.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

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


class Line(NamedTuple):
    """A sentence or row: its span, its text on one line, and what it stands under.

    `header` is that of its table, `group` the line without cells that heads it and its neighbours
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
    text: str, spans: Sequence[tuple[int, int]], cell: str, above: str = ""
) -> list[Line]:
    """Returns a line for each span, in order; `above` is the header of a table that goes on."""
    made: list[Line] = []
    for run in _runs(text, spans):
        made += _read(text, run, cell, above if not made else "")
    return made


def has_figures(row: str) -> bool:
    """Returns whether a row has figures other than dates, so that it is no header."""
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


def _read(text: str, run: Sequence[tuple[int, int]], cell: str, above: str) -> Iterator[Line]:
    plain = [" ".join(text[start:end].split()) for start, end in run]
    told = [" ".join(line.split()) for line in above.splitlines() if line.strip()]
    header, rows, group = _joined(told, cell), _header_rows(plain, cell), ""
    if above and not any(_is_date_row(plain[n], cell) for n in rows):
        rows = range(0)  # the table goes on: its first row here is no header
    if rows:
        header = _joined(plain[rows[0] : rows[-1] + 1], cell)
    for n, (start, end) in enumerate(run):
        one = plain[n]
        if cell in one:
            if n in rows:
                yield Line(start, end, one, is_header=True, is_row=True)
            else:
                past = not rows or n > rows[-1]
                yield Line(start, end, one, header if past else "", group, is_row=True)
        else:
            ends = len(one) > LONGEST_GROUP or one.endswith((".", "!", "?"))
            if one.strip("|-: "):  # else it is the rule below a header in Markdown
                group, header = ("", "") if ends else (one, header)
            yield Line(start, end, one, is_header=n in rows)


def _joined(rows: Sequence[str], cell: str) -> str:
    """Joins the rows of a header; where they have as many cells each, cell by cell.

    "Fiscal | Fiscal" over "2023 | 2022" is "Fiscal 2023 | Fiscal 2022".
    """
    cells = [[one.strip() for one in f" {row} ".split(cell)] for row in rows]
    if len({len(each) for each in cells}) > 1:
        return " ".join(rows)
    told = cell.join(" ".join(filter(None, column)) for column in zip(*cells, strict=True))
    return told.strip()


def _header_rows(lines: Sequence[str], cell: str) -> range:
    """Returns which of the lines are the header of the table that they hold, none for no table.

    It is the first row if that has no figures, and what follows it up to a row of dates.
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
    """Returns whether a row has no figures but in names: "Stop | Line 1 | Line 2"."""
    cells = line.strip("| ").split(cell)
    return not any(has_figures(one) and not _NUMBERED.fullmatch(one) for one in cells)


def _is_date_row(line: str, cell: str) -> bool:
    """Returns whether all cells but the first are dates, and there is more than one date."""
    cells = line.strip("| ").split(cell)
    dates = [bool(_DATE.search(one)) and not has_figures(one) for one in cells]
    return sum(dates) > 1 and all(dates[1:])
