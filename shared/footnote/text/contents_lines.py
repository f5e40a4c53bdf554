"""Tells which lines are entries of a table of contents: they say where something stands, not what.

An entry is a row of a title and the number of a page: leaders between the two are no text. A table
with one figure in a row looks like that too. So there must be several, their numbers must not fall,
and nothing but "Page" may head them. Beside such entries titles with a date are entries as well,
and so is what stands between two entries: the rest of a title that was too long for its line.
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from footnote.text.table_lines import Line
from footnote.text.terms import terms

FEWEST = 5
"""Entries. Five figures that mean something else do not fall in one case of 120 (5!)."""
MOST_BETWEEN = 4  # lines between two entries that are of the contents too
MOST_DIGITS = 4  # of a page's number
_KINDS = frozenset({"item", "part", "chapter", "section", "note", "exhibit", "annex", "appendix"})
_NUMBER = re.compile(r"\d{1,3}[a-z]?(?:\.\d{1,3}){0,4}|[ivx]{1,5}")
_HEADS = frozenset(terms("page pages table of contents content item items part no number title"))


def contents_lines(lines: Sequence[Line]) -> frozenset[int]:
    """Returns the places of the lines that are entries of a table of contents."""
    rows = {n: page for n, one in enumerate(lines) if (page := _page(one))}
    sure = {n: page for n, page in rows.items() if _is_title(_title(lines[n]))}
    if len(sure) < FEWEST or _falls(sure):
        return frozenset()
    found = sure if _falls(rows) else rows
    near = (range(n, to) for n, to in pairwise(found) if to - n <= MOST_BETWEEN + 1)
    return frozenset(found).union(*near)


def _falls(found: Mapping[int, int]) -> bool:
    return any(after < before for before, after in pairwise(found.values()))


def _page(line: Line) -> int:
    """Returns the number at the end of a row below no other header than "Page", 0 for none."""
    _, edge, page = line.text.strip("| ").rpartition("|")
    if not edge or not 0 < len(page.strip()) <= MOST_DIGITS or not page.strip().isdecimal():
        return 0
    return int(page) if not set(terms(line.header)) - _HEADS else 0


def _title(line: Line) -> str:
    return line.text.strip("| ").rpartition("|")[0]


def _is_title(text: str) -> bool:
    """Returns whether a text has letters, and digits only in a number before them ("Item 1A.")."""
    told = [word.strip("().:|").casefold() for word in text.split()]
    while told and (not told[0] or told[0] in _KINDS or _NUMBER.fullmatch(told[0])):
        del told[0]
    rest = "".join(told)
    return rest.upper() != rest.lower() and not any(map(str.isdigit, rest))
