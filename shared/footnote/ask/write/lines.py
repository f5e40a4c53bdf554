"""Reads how lines of a reply begin: headings, items, quotes, fences, tables, lists of sources."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from footnote.model import CELL, Passage
from footnote.text.quotes import locate
from footnote.text.sentences import BULLETS

_PREFIX = re.compile(rf"[ \t]*(?:>[ \t]?|[-*+{BULLETS}][ \t]+|\(?\d{{1,3}}[.)][ \t]+)")
_MAY_BE_PREFIX = re.compile(
    rf"[ \t]*+(?:[-*+{BULLETS}>]|\(?\d{{1,3}}[.)]?|\#{{1,6}}|\(|`{{1,2}}|~{{1,2}}|[-=*_]++)?[ \t]*+"
)
_WHOLE = re.compile(r"[ \t]*(?:\#{1,6}[ \t]|```|~~~|\||[-=*_]{3,}[ \t]*(?:\n|\Z))")
_BOLD = re.compile(r"[ \t]*(?:\*\*|__)[^*_\n]{1,100}(?:\*\*|__)[ \t]*+(?::[ \t]*+)?(?=\n|\Z)")
_MAY_BE_BOLD = re.compile(r"[ \t]*(?:\*\*|__)[^*_\n]{0,100}(?:\*{1,2}|_{1,2})?[ \t]*+:?[ \t]*+")
_SOURCES = ("sources", "source", "references", "citations", "quellen", "bibliography", "footnotes")
_LIST_OF_SOURCES = re.compile(
    rf"[ \t#*_]*(?:{'|'.join(_SOURCES)})[ \t*_]*(?::|(?=\n|\Z))[^\n]*", re.IGNORECASE
)
_MAY_BE_SOURCES = re.compile(r"[ \t#*_]*+(?P<word>[a-z]{0,12})[ \t*_]*", re.IGNORECASE)
_A_SOURCE = re.compile(rf"[ \t]*(?:$|[-*+{BULLETS}\[(^\u3010]|\d+[.):])")
_DELIMITER = re.compile(r"[\s|:]*+-[\s|:-]*+")
_MARKERS = re.compile(r"(?:\[[\d.]+\])+")


class Line(NamedTuple):
    """How a line begins: the characters that are read, and the text that stands for them."""

    used: int
    text: str = ""
    is_fence: bool = False


class LineReader:
    """Reads the beginnings of lines. A heading, a fence or a row of a table is read whole."""

    def __init__(self, plain: Callable[[str], str], passages: Mapping[int, Passage]) -> None:
        self._plain = plain
        self._passages = passages
        self.is_at_start = True
        self._is_listing = False  # whether a list of sources has begun
        self._header: Sequence[str] = ()  # of the table that is being read
        self._rows = 0  # of that table so far

    def begin(self, text: str, *, final: bool) -> Line | None:
        """Reads the beginning of a line; None where more text is needed to tell what it is."""
        end = text.find("\n")
        line, is_whole = (text[:end], True) if end >= 0 else (text, final)
        if self._is_listing:
            if not is_whole:
                return None
            if _A_SOURCE.match(line):
                return self._whole(len(line))
            self._is_listing = False
        if not is_whole and _may_go_on(line):
            return None
        if _LIST_OF_SOURCES.match(line) or _WHOLE.match(line) or _BOLD.fullmatch(line):
            return self._read_whole(line) if is_whole else None
        self._header, self._rows = (), 0
        if prefix := _PREFIX.match(line):
            return Line(prefix.end())
        self.is_at_start = False
        return Line(0)

    def _whole(self, used: int, text: str = "", *, is_fence: bool = False) -> Line:
        self.is_at_start = False
        return Line(used, text, is_fence)

    def _read_whole(self, line: str) -> Line:
        """Reads a line that is no text of its own, or a row."""
        if _LIST_OF_SOURCES.match(line):
            self._is_listing = True
        if not line.lstrip().startswith("|"):
            return self._whole(len(line), is_fence=line.lstrip()[:3] in {"```", "~~~"})
        row = line.strip().removeprefix("|").removesuffix("|")
        cells = [self._plain(cell.strip()).strip() for cell in row.split("|")]
        self._rows += 1
        if _DELIMITER.fullmatch(line):
            return self._whole(len(line))
        if self._rows == 1 and not any(map(_MARKERS.search, cells)):
            self._header = cells
            return self._whole(len(line))
        return self._whole(len(line), self._row(cells))

    def _row(self, cells: Sequence[str]) -> str:
        """Returns a row as a sentence: as the document has it, or each cell with its label."""
        markers = "".join(found[0] for cell in cells for found in _MARKERS.finditer(cell))
        said = [_MARKERS.sub("", cell).strip() for cell in cells]
        filled = [(n, cell) for n, cell in enumerate(said) if cell]
        as_row = CELL.join(cell for _, cell in filled)
        if any(locate(as_row, passage.text) for passage in self._passages.values()):
            return f"{as_row} {markers}"
        if len(filled) < 3:
            return f"{': '.join(cell for _, cell in filled)} {markers}"
        (_, first), *others = filled
        told = ", ".join(f"{self._label(n)} {cell}".strip() for n, cell in others)
        return f"{first}: {told} {markers}"

    def _label(self, n: int) -> str:
        return self._header[n] if n < len(self._header) else ""


def _may_go_on(line: str) -> bool:
    """Returns whether more text may change what a line is that is not whole."""
    if _MAY_BE_PREFIX.fullmatch(line) or _MAY_BE_BOLD.fullmatch(line):
        return True
    word = _MAY_BE_SOURCES.fullmatch(line)
    return bool(word and any(one.startswith(word["word"].casefold()) for one in _SOURCES))
