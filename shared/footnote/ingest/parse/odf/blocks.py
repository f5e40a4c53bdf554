"""Writes the blocks of ODF: headings, paragraphs, lists, tables, sections, shapes and objects."""

import re
from collections.abc import Callable

from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.odf import OpenDocument
from footnote.ingest.parse.odf.frames import Frames
from footnote.ingest.parse.odf.lists import Lists
from footnote.ingest.parse.odf.tables import TABLE_PARTS, Rows
from footnote.ingest.parse.odf.targets import Cell, Target
from footnote.ingest.parse.odf.text import SHAPES, Reader
from footnote.ingest.parse.odf.xml import (
    attribute,
    children,
    has_text,
    number,
    own_attribute,
    text_within,
)
from footnote.ingest.parse.safe_xml import Element, local_name

_CONTAINERS = frozenset(
    re.findall(
        r"[\w-]+",
        "text-box index-body index-title table-of-content illustration-index table-index "
        "object-index user-index alphabetical-index bibliography region-left region-center "
        "region-right page-sequence",
    )
)
_SILENT = frozenset(
    re.findall(
        r"[\w-]+",
        "forms soft-page-break variable-decls sequence-decls user-field-decls "
        "dde-connection-decls alphabetical-index-auto-mark-file calculation-settings "
        "content-validations label-ranges named-expressions database-ranges data-pilot-tables "
        "consolidation dde-links title desc enhanced-geometry glue-point event-listeners "
        "table-of-content-source illustration-index-source table-index-source "
        "object-index-source user-index-source alphabetical-index-source bibliography-source "
        "change change-start change-end bookmark bookmark-start bookmark-end contour-path "
        "contour-polygon image-map light cube sphere extrude rotate signature thumbnail "
        "animations settings sheet-source table-source scenario detective par seq "
        "presentation-settings footer-decl header-decl date-time-decl page-thumbnail "
        "annotation-end shadow-desc plot-area conditional-formats sparkline-groups",
    )
)
_DEEPEST = 80  # blocks in blocks; deeper ones give their plain text
_DEEPEST_TABLE = 20
_BESIDE_CELLS = SHAPES | {"annotation", "control"}


class Blocks:
    """Writes blocks to a target, and counts in a ledger what it does not read."""

    def __init__(self, target: Target, document: OpenDocument, ledger: Ledger) -> None:
        self.target = target
        self._document = document
        self._ledger = ledger
        self.reader = Reader(document, ledger)
        self._lists = Lists(self, document.styles)
        self._frames = Frames(self, document, ledger)
        self._depth = 0
        self._tables = 0
        self._after_table: list[tuple[Element, str]] = []
        self._write_as: dict[str, Callable[[Element], None]] = {
            "h": self.heading,
            "p": self.paragraph,
            "list": self._lists.write,
            "numbered-paragraph": self._lists.numbered_paragraph,
            "table": self.table,
            "section": self._section,
            "annotation": self._comment,
            "tracked-changes": self._deletions,
            "frame": self._frames.write,
            "control": self._control,
            "shapes": self.write,
            **dict.fromkeys(_CONTAINERS, self.write),
            **dict.fromkeys(SHAPES - {"frame"}, self.write),
        }

    def write(self, container: Element) -> None:
        """Writes the blocks of a container."""
        if self._depth > _DEEPEST:
            self.target.paragraph(text_within(container))
            self._ledger.count("unknown_markup", "blocks nested too deep")
            return
        self._depth += 1
        for child in container:
            self.block(child)
        self._depth -= 1

    def block(self, element: Element) -> None:
        tag = local_name(element.tag)
        write = self._write_as.get(tag)
        if write is None:
            if tag not in _SILENT and has_text(element):
                self._ledger.count("unknown_element", tag)
        elif tag in SHAPES and self._is_hidden_shape(element):
            self._ledger.count("hidden_shape", attribute(element, "name"))
        else:
            write(element)

    def paragraph(self, paragraph: Element, mark: str = "", before: str = "\n\n") -> None:
        text = self.reader.text(paragraph)
        if text.strip():
            self.target.paragraph(f"{mark} {text}" if mark else text, before)
        if self.reader.beside:
            self._write_beside()

    def heading(self, heading: Element, mark: str = "") -> None:
        level = number(heading, "outline-level")
        text = self.reader.text(heading)
        if not mark:
            mark = self._lists.outline_number(heading, level)
        if text.strip():
            self.target.heading(f"{mark} {text}" if mark else text, level)
        self._write_beside()

    def _write_beside(self) -> None:
        """Writes the comments and shapes of the paragraph before."""
        beside, self.reader.beside = self.reader.beside, []
        for element in beside:
            self.block(element)

    def table(self, table: Element) -> None:
        rows = self.rows(table)
        self.target.table(rows, rows.header_rows())
        self.write_around(table)

    def write_around(self, table: Element) -> None:
        """Writes what a table has beside its cells: shapes, and comments and charts of cells."""
        for child in table:
            if local_name(child.tag) not in TABLE_PARTS:
                self.block(child)
        self.write_after_table()

    def rows(self, table: Element) -> Rows:
        return Rows(table, self._document, self._ledger, self.cell_text)

    def cell_text(self, cell: Element, where: str) -> str:
        """Returns the text of a cell. Its comments and charts follow the table."""
        if self._tables > _DEEPEST_TABLE:
            return text_within(cell)
        inner = Cell()
        outer, self.target = self.target, inner
        self._tables += 1
        for child in cell:
            if local_name(child.tag) in _BESIDE_CELLS:
                self._after_table.append((child, where))
            else:
                self.block(child)
        self._tables -= 1
        self.target = outer
        return "\n".join(inner.lines)

    def write_after_table(self) -> None:
        if isinstance(self.target, Cell):
            return
        after, self._after_table = self._after_table, []
        for element, where in after:
            if local_name(element.tag) == "annotation":
                self._comment(element, where)
            else:
                self.block(element)

    def _section(self, section: Element) -> None:
        display = attribute(section, "display")
        is_off = display == "condition" and attribute(section, "is-hidden") == "true"
        if display == "none" or is_off:
            self._ledger.count("hidden_section", attribute(section, "name"))
        else:
            self.write(section)

    def _comment(self, annotation: Element, where: str = "") -> None:
        """Writes a comment as a paragraph of its own that begins with its author."""
        if isinstance(self.target, Cell):
            self._after_table.append((annotation, where))
            return
        author = next(map(text_within, children(annotation, "creator")), "")
        said = " ".join(map(text_within, children(annotation, "p", "list")))
        if said.strip():
            by, on = f" by {author}" if author else "", f" on {where}" if where else ""
            self.target.paragraph(f"Comment{by}{on}: {said}")

    def _deletions(self, changes: Element) -> None:
        deleted = sum(has_text(each) for each in changes.iter("{*}deletion"))
        if deleted:
            self._ledger.count("deleted_text", number=deleted)

    def _is_hidden_shape(self, shape: Element) -> bool:
        return own_attribute(shape, "display") in {"none", "printer"}

    def _control(self, control: Element) -> None:
        self.target.paragraph(self.reader.control(control))
