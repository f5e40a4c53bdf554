"""Recognises the lines of a table of contents, which tell where a thing stands, not what it is.

An entry is a row with a title and the number of a page. Leaders between the two are no text. A
table with one figure per row looks the same. So there must be several entries, their numbers must
not fall, and only "Page" may head them. Titles with a date beside such entries are entries, too. So
are lines between two entries: the rest of a title that was too long for its line.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from footnote.text.table_lines import Line
from footnote.text.terms import terms

FEWEST = 5
"""The fewest entries. Five other figures rise by chance in one case of 120 (5!)."""
MOST_BETWEEN = 4  # lines between two entries that count as entries
MOST_DIGITS = 4  # of a page's number
_KINDS = frozenset({"item", "part", "chapter", "section", "note", "exhibit", "annex", "appendix"})
_NUMBER = re.compile(r"\d{1,3}[a-z]?(?:\.\d{1,3}){0,4}|[ivx]{1,5}")
_HEADS = frozenset(terms("page pages table of contents content item items part no number title"))


def contents_lines(lines: Sequence[Line]) -> frozenset[int]:
    """Returns the places of the lines that are entries of a table of contents."""
    rows = {n: page for n, line in enumerate(lines) if (page := _page(line))}
    sure = {n: page for n, page in rows.items() if _is_title(_title(lines[n]))}
    if len(sure) < FEWEST or _falls(sure):
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
    while parts and (not parts[0] or parts[0] in _KINDS or _NUMBER.fullmatch(parts[0])):
        del parts[0]
    rest = "".join(parts)
    return rest.upper() != rest.lower() and not any(map(str.isdigit, rest))
