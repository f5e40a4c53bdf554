"""The parts of a Word file beside its text: notes, running heads, comments, drawings, files."""

from collections.abc import Iterator
from typing import Any

from docx.document import Document as WordDocument
from docx.oxml import parse_xml
from docx.oxml.ns import qn

from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.ooxml.drawings import Drawings
from footnote.ingest.parse.ooxml.embedded_files import EmbeddedFiles
from footnote.ingest.parse.safe_xml import Element, local_name

_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_CHUNK_NAMES = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "application/rtf": ".rtf",
    "text/plain": ".txt",
    "message/rfc822": ".mht",
}


class WordParts:
    """Looks up the parts that a document's relations name, and writes those that stand alone."""

    def __init__(
        self, document: WordDocument, builder: DocumentBuilder, allowance: Allowance
    ) -> None:
        self._document = document
        self._builder = builder
        self._files = EmbeddedFiles(builder, allowance)
        self._drawings = Drawings(builder)
        self._comments = self._read_comments()

    def notes(self, kind: str) -> Iterator[Element]:
        """Yields the notes of a kind ("footnotes", "endnotes") but for their separators."""
        for part in self._related(kind):
            for note in parse_xml(part.blob):
                if note.get(qn("w:type"), "normal") == "normal":
                    yield note

    def running_heads(self) -> Iterator[Element]:
        """Yields the headers and then the footers of all sections."""
        for kind in ("header", "footer"):
            for part in self._related(kind):
                yield parse_xml(part.blob)

    def comment(self, key: str) -> tuple[str, Element] | None:
        """Returns the author and the content of a comment, once; the author may be ""."""
        return self._comments.pop(key, None)

    def comments_left(self) -> list[tuple[str, Element]]:
        """Returns the comments that were not asked for."""
        return list(self._comments.values())

    def write_chunk(self, chunk: Element) -> None:
        """Adds a document that Word shows in the place of an element (w:altChunk)."""
        part = self._part(chunk.get(f"{_R}id", ""))
        if part is None:
            self._builder.ledger.count("embedded_file")
            return
        ending = _CHUNK_NAMES.get(part.content_type.split(";")[0], "")
        self._files.embed(part.blob, f"part{ending}" if ending else str(part.partname))

    def write_drawing(self, anchor: Element) -> Iterator[Element]:
        """Adds the charts and diagrams of a drawing; yields its text boxes. Counts the rest."""
        for node in _visible(anchor):
            name = local_name(node.tag)
            if name == "txbxContent":
                yield node
            elif name == "chart":
                self._drawings.write_chart(self._part(node.get(f"{_R}id", "")))
            elif name == "relIds":
                self._drawings.write_diagram(self._part(node.get(f"{_R}dm", "")))
            elif name == "textpath":
                self._builder.paragraph(node.get("string", ""))
            elif name == "oMath":
                self._builder.ledger.count("equation")
            elif name in {"pic", "imagedata"}:
                self._builder.ledger.count("picture")
            elif name == "OLEObject":
                self._embedded(node.get(f"{_R}id", ""))

    def write_files(self) -> None:
        """Adds the files that are embedded in the document, as sections at its end."""
        self._files.write()

    def _read_comments(self) -> dict[str, tuple[str, Element]]:
        return {
            comment.get(qn("w:id"), ""): (comment.get(qn("w:author"), ""), comment)
            for part in self._related("comments")
            for comment in parse_xml(part.blob)
        }

    def _related(self, kind: str) -> Iterator[Any]:
        """Yields the parts of a kind in the order of their names."""
        relations = (r for r in self._document.part.rels.values() if not r.is_external)
        parts = [r.target_part for r in relations if r.reltype.endswith(f"/{kind}")]
        yield from sorted(parts, key=lambda part: (len(str(part.partname)), str(part.partname)))

    def _part(self, key: str) -> Any:
        relation = self._document.part.rels.get(key)
        return None if relation is None or relation.is_external else relation.target_part

    def _embedded(self, key: str) -> None:
        part = self._part(key)
        if part is None:
            self._builder.ledger.count("embedded_file")
        else:
            self._files.add(part.blob, str(part.partname))


def _visible(anchor: Element) -> Iterator[Element]:
    """Yields the elements of a drawing; of alternatives the first that holds anything.

    What lies in a text box comes with it.
    """
    stack = [anchor]
    while stack:
        node = stack.pop()
        yield node
        name = local_name(node.tag)
        if name == "AlternateContent":
            stack += reversed(next((list(each) for each in node if len(each)), []))
        elif name != "txbxContent":
            stack += reversed(node)
