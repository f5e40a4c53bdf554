"""Writes what the frames of ODF hold: text boxes, tables, charts, formulas, embedded documents."""

from footnote.ingest.parse import mathml
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.odf import OpenDocument, body_of, charts
from footnote.ingest.parse.odf.targets import Writer
from footnote.ingest.parse.odf.xml import attribute
from footnote.ingest.parse.safe_xml import Element, local_name

_FILES = frozenset({"object-ole", "plugin", "applet", "floating-frame"})
_DOCUMENTS = frozenset({"text", "spreadsheet", "drawing", "presentation"})
_DEEPEST = 2  # objects in objects


class Frames:
    """The frames of a document. What cannot be read is counted."""

    def __init__(self, writer: Writer, document: OpenDocument, ledger: Ledger) -> None:
        self._writer = writer
        self._document = document
        self._ledger = ledger
        self._depth = 0

    def write(self, frame: Element) -> None:
        """Writes the first thing in a frame that can be read; the others are its fallbacks."""
        name = squeeze(attribute(frame, "name"))
        for held in frame:
            tag = local_name(held.tag)
            if tag in {"text-box", "table"}:
                self._writer.block(held)
                return
            if tag == "object":
                self._object(held, name)
                return
            if tag in _FILES or tag == "image":
                code = "picture" if tag == "image" else "embedded_file"
                self._ledger.count(code, name)
                return

    def _object(self, held: Element, name: str) -> None:
        href = attribute(held, "href")
        root = self._document.embedded(href) if href else next(iter(held), None)
        chart = charts.find_chart(root) if root is not None else None
        if root is None:
            self._ledger.count("embedded_file", name)
        elif local_name(root.tag) == "math":
            self._writer.target.paragraph(mathml.to_line(root))
        elif chart is not None:
            self._chart(chart)
        else:
            self._document_inside(root, name)

    def _chart(self, chart: Element) -> None:
        for title in charts.titles(chart):
            self._writer.target.paragraph(title)
        self._writer.target.table(charts.values(chart))

    def _document_inside(self, root: Element, name: str) -> None:
        """Writes an embedded text or sheet, and counts anything else."""
        content = body_of(root)
        kind = local_name(content.tag) if content is not None else ""
        if content is None or kind not in _DOCUMENTS or self._depth >= _DEEPEST:
            self._ledger.count("embedded_file", name)
            return
        self._depth += 1
        for child in content:
            if local_name(child.tag) == "page":
                self._writer.write(child)
            else:
                self._writer.block(child)
        self._depth -= 1
