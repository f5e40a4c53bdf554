"""Reads the common parts of ODT, ODS and ODP: the zip package, text and tables."""

from collections.abc import Iterator

from footnote.ingest.parse import safe_xml, zip_bounds
from footnote.ingest.parse.refusals import (
    ODD_VALUES,
    corrupt,
    encrypted,
    too_large,
    translate_errors,
)
from footnote.ingest.parse.safe_xml import Element, local_name

MAX_TABLE_CHARACTERS = 50_000_000  # in the cells of a table, repeated ones counted each time
_MAX_REPEATED = 1_000
_NOT_TEXT = {"note", "annotation", "tracked-changes", "desc", "title", "object", "image"}
_BROKEN = (*zip_bounds.ZIP_ERRORS, *ODD_VALUES)


def read_content(file: bytes, name: str) -> tuple[Element, str]:
    """Returns the element that holds the content, and the file's own title.

    Raises BadDocumentError for a damaged, encrypted or too large file.
    """
    with translate_errors(name, _BROKEN), zip_bounds.open_package(file, name) as package:
        zip_bounds.check_sizes(package.entries, name, lambda _: True)
        if _is_encrypted(package):
            raise encrypted(name)
        content = safe_xml.root(package.read("content.xml"), name)
        title = _title(package.read("meta.xml"), name) if "meta.xml" in package.names else ""
    for element in content:
        if local_name(element.tag) == "body" and len(element):
            return element[0], title
    raise corrupt(name, "it has no document in it")


def _is_encrypted(package: zip_bounds.Package) -> bool:
    manifest = "META-INF/manifest.xml"
    return manifest in package.names and b"encryption-data" in package.read(manifest)


def _title(meta: bytes, name: str) -> str:
    titles = [e for e in safe_xml.root(meta, name).iter() if local_name(e.tag) == "title"]
    return text_of(titles[0], unsaid=frozenset()) if titles else ""


def attribute(element: Element, name: str) -> str:
    """Returns an attribute by its name without the namespace, or ""."""
    return next((str(value) for key, value in element.items() if local_name(key) == name), "")


def repetitions(element: Element, name: str) -> int:
    """Returns how often a row or cell repeats: 1 by default, 1,000 at most to do no harm."""
    digits = attribute(element, name)
    return min(int(digits), _MAX_REPEATED) if digits.isdecimal() and len(digits) < 12 else 1


def text_of(element: Element, unsaid: frozenset[str] = frozenset(_NOT_TEXT)) -> str:
    """Returns the visible text of a paragraph, without notes and comments."""
    pieces = [element.text or ""]
    for child in element:
        tag = local_name(child.tag)
        if tag == "s":
            pieces.append(" " * repetitions(child, "c"))
        elif tag in {"tab", "line-break"}:
            pieces.append("\t" if tag == "tab" else "\n")
        elif tag not in unsaid:
            inner = text_of(child, unsaid)
            pieces.append(f"\n{inner}\n" if tag in {"p", "h"} else inner)
        pieces.append(child.tail or "")
    return "".join(pieces).strip("\n")


def rows(table: Element, name: str) -> Iterator[list[str]]:
    """Yields the rows of a table. Blank cells at the end of a row are cut.

    A repeated blank row comes once. Raises BadDocumentError past `MAX_TABLE_CHARACTERS`.
    """
    room = MAX_TABLE_CHARACTERS
    for row in _rows(table):
        cells = _cells(row)
        for _ in range(repetitions(row, "number-rows-repeated") if cells else 1):
            room -= sum(map(len, cells)) + len(cells) + 1
            if room < 0:
                raise too_large(name, f"more than {MAX_TABLE_CHARACTERS:,} characters in a table")
            yield cells


def header_rows(table: Element) -> int:
    """Returns how many rows a table marks as its header; 1 where it marks none."""
    return sum(local_name(row.getparent().tag) == "table-header-rows" for row in _rows(table)) or 1  # type: ignore[union-attr]


def _rows(container: Element) -> Iterator[Element]:
    for child in container:
        tag = local_name(child.tag)
        if tag == "table-row":
            yield child
        elif tag in {"table-header-rows", "table-rows", "table-row-group"}:
            yield from _rows(child)


def _cells(row: Element) -> list[str]:
    cells: list[str] = []
    blank = 0
    for cell in row:
        if local_name(cell.tag) not in {"table-cell", "covered-table-cell"}:
            continue
        repeated = repetitions(cell, "number-columns-repeated")
        text = text_of(cell) if len(cell) else attribute(cell, "value")
        if local_name(cell.tag) == "covered-table-cell" or not text.strip():
            blank += repeated
        else:
            cells += [""] * min(blank, _MAX_REPEATED) + [text] * repeated
            blank = 0
    return cells
