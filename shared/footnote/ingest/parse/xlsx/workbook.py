"""Reads what the sheets of a workbook share: their names, texts, number formats, first day."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lxml import etree

from footnote.ingest.parse import ooxml, safe_xml, zip_bounds
from footnote.ingest.parse.number_format import CODES
from footnote.ingest.parse.refusals import corrupt
from footnote.ingest.parse.safe_xml import Element, local_name

_MAIN = "xl/workbook.xml"
_HIDDEN = frozenset({"hidden", "veryhidden"})
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_TRUE = frozenset({"1", "true", "on"})
MAX_PIECE = zip_bounds.MAX_UNPACKED


class Sheet(NamedTuple):
    name: str
    path: str
    kind: str  # "worksheet", "chartsheet", …
    is_hidden: bool


class Workbook:
    """An open workbook. Its parts are read when they are asked for."""

    def __init__(self, package: zip_bounds.Package, name: str) -> None:
        self.package = package
        self.name = name
        main = next(
            (r.target for r in self.relations("").values() if r.kind == "officeDocument"), _MAIN
        )
        if main not in package.names:
            raise corrupt(name, "it has no workbook in it")
        root = self.root(main)
        related = self.relations(main)
        self.sheets = [*_sheets(root, related)]
        self.is_1904 = any(
            is_true(each.get("date1904")) for each in root if local_name(each.tag) == "workbookPr"
        )
        parts = {each.kind: each.target for each in related.values()}
        self.codes = self._read_codes(parts.get("styles", ""))
        self.strings = self._read_strings(parts.get("sharedStrings", ""))
        self.persons = parts.get("person", "")

    def relations(self, part: str) -> dict[str, ooxml.Relation]:
        return ooxml.relations(self.package, part, self.name)

    def root(self, part: str) -> Element:
        return self.parse(self.package.read(part))

    def parse(self, body: bytes) -> Element:
        return safe_xml.root(body, self.name)

    def code(self, style: str | None) -> str:
        """Returns the number format code of a cell's style."""
        at = int(style) if style else 0
        return self.codes[at] if 0 <= at < len(self.codes) else "General"

    def _read_codes(self, part: str) -> list[str]:
        if part not in self.package.names:
            return []
        root = self.root(part)
        own = {
            each.get("numFmtId", ""): each.get("formatCode", "") for each in root.iter("{*}numFmt")
        }
        return [
            own.get(number) or CODES.get(int(number), "General")
            for styles in root
            if local_name(styles.tag) == "cellXfs"
            for number in (each.get("numFmtId", "0") for each in styles)
        ]

    def _read_strings(self, part: str) -> list[str]:
        if part not in self.package.names:
            return []
        parser = pull_parser("si")
        strings: list[str] = []
        for piece in self.package.pieces(part, zip_bounds.MAX_PART):
            parser.feed(piece)
            for item in ended(parser):
                strings.append(rich_text(item))
                forget(item)
        return strings


def pull_parser(*tags: str) -> etree.XMLPullParser:
    """Returns a parser that tells of each of these elements when it ends, and fetches nothing."""
    return etree.XMLPullParser(
        events=("end",),
        tag=[f"{{*}}{tag}" for tag in tags],
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )


def ended(parser: etree.XMLPullParser) -> Iterator[Element]:
    """Yields the elements that have ended since the last call."""
    for _, element in parser.read_events():
        if isinstance(element, etree._Element):  # noqa: SLF001 lxml has no public name for it
            yield element


def forget(element: Element) -> None:
    """Frees an element that was read, and its siblings before it."""
    element.clear()
    parent = element.getparent()
    while parent is not None and element.getprevious() is not None:
        del parent[0]


def rich_text(item: Element) -> str:
    """Returns the text of a string with its runs, without the reading aids of East Asia."""
    texts: list[str] = []
    for child in item:
        tag = local_name(child.tag)
        if tag == "t":
            texts.append(child.text or "")
        elif tag == "r":
            texts += [each.text or "" for each in child if local_name(each.tag) == "t"]
    return unescape("".join(texts))


def unescape(text: str) -> str:
    """Replaces codes such as `_x000D_`, by which a file writes what XML does not take."""
    return _ESCAPED.sub(lambda code: chr(int(code[1], 16)), text) if "_x" in text else text


def is_true(value: str | None) -> bool:
    return (value or "").casefold() in _TRUE


def _sheets(root: Element, related: dict[str, ooxml.Relation]) -> Iterator[Sheet]:
    """Yields the sheets in the order of their tabs. An unknown state hides nothing."""
    for each in root.iter("{*}sheet"):
        ids = (value for key, value in each.attrib.items() if local_name(key) == "id")
        link = related.get(str(next(ids, "")))
        if link and not link.is_outside:
            state = each.get("state", "").casefold()
            yield Sheet(each.get("name", ""), link.target, link.kind, state in _HIDDEN)
