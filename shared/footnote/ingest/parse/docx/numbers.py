"""The numbers that Word sets before paragraphs: "1.2", "(a)", "Article IV"."""

import re
from dataclasses import dataclass, field, replace

from docx.document import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from footnote.ingest.parse.docx.marks import Marks, StyleSheet, value_at
from footnote.ingest.parse.numerals import repeated_letter, to_ordinal, to_roman
from footnote.ingest.parse.safe_xml import Element

LEVELS = 9
_PLACEHOLDER = re.compile(r"%([1-9])")
_MAX_START = 1_000_000
BULLET = "-"


@dataclass(frozen=True)
class _Level:
    form: str = "decimal"
    text: str = ""
    start: int = 1
    restart: int | None = None  # the level, from 1, at which this one begins anew; 0 never
    is_legal: bool = False  # shows the numbers of all levels as figures
    style: str = ""


@dataclass
class _List:
    """The levels of a list, and how far each has counted. Lists of one kind count together."""

    levels: dict[int, _Level]
    counts: dict[int, int] = field(default_factory=dict)


class Numbering:
    """Counts paragraphs as Word does. It is asked for each paragraph once, in their order."""

    def __init__(self, document: WordDocument, styles: StyleSheet) -> None:
        root = _part(document)
        kinds = {} if root is None else _kinds(root)
        self._lists: dict[str, tuple[_List, dict[int, _Level]]] = {}
        self._starts: dict[str, dict[int, int]] = {}
        self._styles = _style_numbers(styles)
        for num in [] if root is None else root.findall(qn("w:num")):
            kind = kinds.get(value_at(num, "w:abstractNumId"))
            if kind is None:
                continue
            levels = dict(kind.levels)
            key = num.get(qn("w:numId"), "")
            for change in num.findall(qn("w:lvlOverride")):
                place = _int(change.get(qn("w:ilvl"), "0"))
                own = change.find(qn("w:lvl"))
                if own is not None and place < LEVELS:
                    levels[place] = _level(own)
                start = value_at(change, "w:startOverride")
                if start:
                    self._starts.setdefault(key, {})[place] = _int(start)
            self._lists[key] = (kind, levels)

    def label(self, marks: Marks) -> str:
        """Counts a paragraph by its properties.

        Returns what stands before it: "" nothing, "-" for a bullet. A paragraph whose end a tracked
        change took away has no number.
        """
        own = marks.inner("rPr")
        if own.has("del") or own.has("moveFrom"):
            return ""
        key, place = self._place(marks)
        if key not in self._lists or not 0 <= place < LEVELS:
            return ""
        kind, levels = self._lists[key]
        level = levels.get(place, _Level())
        for deeper in [each for each in kind.counts if each > place]:
            restart = levels.get(deeper, _Level()).restart
            if restart is None or (restart and place < restart):
                del kind.counts[deeper]
        start = self._starts.get(key, {}).pop(place, None)
        if start is not None:
            kind.counts[place] = start
        else:
            kind.counts[place] = kind.counts.get(place, level.start - 1) + 1
        if level.form == "bullet":
            return BULLET
        return _show(level, levels, kind.counts)

    def _place(self, marks: Marks) -> tuple[str, int]:
        """Returns the id of the paragraph's list, and its level there."""
        own, style = marks.inner("numPr"), marks.value("pStyle")
        of_style, level_of_style = self._styles.get(style, ("", None))
        key = own.value("numId") or of_style
        written = own.value("ilvl")
        if written.isdecimal():
            return key, int(written) if len(written) < 3 else LEVELS
        if key in self._lists and style:
            for place, level in self._lists[key][1].items():
                if level.style == style:
                    return key, place
        return key, level_of_style or 0


def _part(document: WordDocument) -> Element | None:
    for relation in document.part.rels.values():
        if not relation.is_external and relation.reltype.endswith("/numbering"):
            root: Element = parse_xml(relation.target_part.blob)
            return root
    return None


def _kinds(root: Element) -> dict[str, _List]:
    """Returns the kinds of lists by id. One that names a style of lists has that one's levels."""
    kinds: dict[str, _List] = {}
    of_style: dict[str, dict[int, _Level]] = {}
    links: dict[str, str] = {}
    for kind in root.findall(qn("w:abstractNum")):
        key = kind.get(qn("w:abstractNumId"), "")
        levels = {
            place: _level(level)
            for level in kind.findall(qn("w:lvl"))
            if (place := _int(level.get(qn("w:ilvl"), "0"))) < LEVELS
        }
        kinds[key] = _List(levels)
        if style := value_at(kind, "w:styleLink"):
            of_style[style] = levels
        if style := value_at(kind, "w:numStyleLink"):
            links[key] = style
    for key, style in links.items():
        if style in of_style:
            kinds[key] = replace(kinds[key], levels=of_style[style])
    return kinds


def _level(level: Element) -> _Level:
    restart = value_at(level, "w:lvlRestart")
    legal = level.find(qn("w:isLgl"))
    return _Level(
        form=value_at(level, "w:numFmt") or "decimal",
        text=value_at(level, "w:lvlText"),
        start=_int(value_at(level, "w:start") or "0"),
        restart=_int(restart) if restart else None,
        is_legal=legal is not None and legal.get(qn("w:val"), "1") not in {"0", "false", "off"},
        style=value_at(level, "w:pStyle"),
    )


def _style_numbers(styles: StyleSheet) -> dict[str, tuple[str, int | None]]:
    """Returns the list and the level of each style that has one; styles inherit them."""
    own: dict[str, tuple[str, int | None]] = {}
    for key, marks in styles.marks.items():
        numbers = marks.inner("pPr").inner("numPr")
        level = numbers.value("ilvl")
        if number := numbers.value("numId"):
            own[key] = number, _int(level) if level else None
    return styles.inherited(own)


def _show(level: _Level, levels: dict[int, _Level], counts: dict[int, int]) -> str:
    def number(match: re.Match[str]) -> str:
        place = int(match[1]) - 1
        shown = levels.get(place, _Level())
        count = counts.get(place, shown.start)
        return _write(count, "decimal" if level.is_legal else shown.form)

    return _PLACEHOLDER.sub(number, level.text).strip()


def _write(count: int, form: str) -> str:
    if form in {"lowerRoman", "upperRoman"}:
        roman = to_roman(count)
        return roman if form == "lowerRoman" else roman.upper()
    if form in {"lowerLetter", "upperLetter"}:
        letters = repeated_letter(count)
        return letters if form == "lowerLetter" else letters.upper()
    if form == "ordinal":
        return to_ordinal(count)
    if form == "decimalZero":
        return f"{count:02}"
    return "" if form in {"none", "bullet"} else str(count)


def _int(digits: str) -> int:
    return min(int(digits), _MAX_START) if digits.isdecimal() and len(digits) < 10 else 0
