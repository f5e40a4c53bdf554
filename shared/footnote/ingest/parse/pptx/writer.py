"""Writes one slide: its title as a heading, then its shapes from top to bottom, notes, comments."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any

from pptx.oxml.ns import qn
from pptx.presentation import Presentation as PresentationType
from pptx.shapes.autoshape import Shape
from pptx.shapes.base import BaseShape
from pptx.shapes.graphfrm import GraphicFrame
from pptx.shapes.group import GroupShape
from pptx.slide import Slide

from footnote.ingest.parse import safe_xml
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.numerals import repeated_letter, to_roman
from footnote.ingest.parse.ooxml.drawingml import paragraph_text
from footnote.ingest.parse.ooxml.drawings import Drawings
from footnote.ingest.parse.ooxml.embedded_files import EmbeddedFiles
from footnote.ingest.parse.pptx.furniture import is_furniture
from footnote.ingest.parse.safe_xml import Element, local_name

_MAX_DEPTH = 16  # of nested groups
_R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_TREE = frozenset({"nvGrpSpPr", "grpSpPr", "extLst"})
_SHAPES = frozenset({"sp", "grpSp", "graphicFrame", "pic", "cxnSp"})


class DeckParts:
    """What the slides of a deck share: embedded files, drawings, the authors of comments."""

    def __init__(self, deck: PresentationType, builder: DocumentBuilder, inside: Allowance) -> None:
        self._deck = deck
        self.files = EmbeddedFiles(builder, inside)
        self.drawings = Drawings(builder)

    @cached_property
    def authors(self) -> dict[str, str]:
        """The names of the authors of comments by their ids."""
        return {
            author.get("id", ""): author.get("name", "")
            for relation in self._deck.part.rels.values()
            if not relation.is_external
            and relation.reltype.rpartition("/")[2] in {"commentAuthors", "authors"}
            for author in safe_xml.root(relation.target_part.blob, "the authors of comments")
        }


class SlideWriter:
    """Writes the shapes of a slide to a builder; `place` names the slide in the ledger."""

    def __init__(
        self, builder: DocumentBuilder, slide: Slide, place: str, parts: DeckParts
    ) -> None:
        self._builder = builder
        self._slide = slide
        self._place = place
        self._parts = parts

    def write(self) -> None:
        title = self._slide.shapes.title
        if title is not None and title.has_text_frame:
            lines = (paragraph_text(paragraph) for paragraph in title.element.iter(qn("a:p")))
            self._builder.heading("\n".join(lines), 1)
        for shape in self._flatten(self._slide.shapes):
            if title is None or shape.element is not title.element:
                self._shape(shape)
        self._count_unknown(self._slide.shapes.element)
        slide = self._slide
        if slide.has_notes_slide and slide.notes_slide.notes_text_frame is not None:
            self._builder.notes(slide.notes_slide.notes_text_frame.text)
        self._comments()

    def _flatten(self, shapes: Iterable[BaseShape], depth: int = 0) -> Iterator[BaseShape]:
        """Yields visible shapes from top to bottom and left to right, with groups opened."""
        for shape in sorted(shapes, key=lambda shape: (shape.top or 0, shape.left or 0)):
            if _is_hidden(shape.element):
                self._builder.ledger.count("hidden_shape", self._place)
            elif isinstance(shape, GroupShape):
                self._count_unknown(shape.element)
                if depth < _MAX_DEPTH:
                    yield from self._flatten(shape.shapes, depth + 1)
                else:
                    self._builder.ledger.count("shape", self._place)
            else:
                yield shape

    def _shape(self, shape: BaseShape) -> None:
        if isinstance(shape, GraphicFrame):
            self._frame(shape)
        elif isinstance(shape, Shape):
            if not is_furniture(shape):
                self._text_box(shape)
        elif local_name(shape.element.tag) == "pic":
            self._builder.ledger.count("picture", self._place)

    def _frame(self, frame: GraphicFrame) -> None:
        """Adds a table, chart or diagram, or keeps an embedded file for the end."""
        if frame.has_table:
            self._builder.table(_rows(frame))
            return
        for node in frame.element.iter():
            name, related = local_name(node.tag), node.get(f"{_R}id", "")
            if name == "chart":
                self._parts.drawings.write_chart(self._part(related), self._place)
            elif name == "relIds":
                data = self._part(node.get(f"{_R}dm", ""))
                self._parts.drawings.write_diagram(data, self._place)
            elif name == "oleObj":
                self._object(related)

    def _object(self, related: str) -> None:
        part = self._part(related)
        if part is None:
            self._builder.ledger.count("embedded_file", self._place)
        else:
            self._parts.files.add(part.blob, str(part.partname))

    def _text_box(self, shape: Shape) -> None:
        """Adds a text box, each line as a paragraph.

        Otherwise bullets would read as one sentence.
        """
        counter = _Counter()
        for paragraph in shape.element.iter(qn("a:p")):
            text = squeeze(paragraph_text(paragraph))
            if text:
                level = paragraph.find(qn("a:pPr"))
                is_deeper = level is not None and level.get("lvl", "0") != "0"
                mark = counter.label(paragraph) or ("-" if is_deeper else "")
                self._builder.paragraph(f"{mark} {text}" if mark else text)

    def _comments(self) -> None:
        for relation in self._slide.part.rels.values():
            if relation.is_external or not relation.reltype.endswith("/comments"):
                continue
            part = relation.target_part
            if self._parts.drawings.is_new(part):
                for key, text in _read_comments(safe_xml.root(part.blob, "the comments")):
                    author = self._parts.authors.get(key, "")
                    self._builder.notes(text, f"Comment by {author}:" if author else "Comment:")

    def _count_unknown(self, tree: Element) -> None:
        for child in tree:
            name = local_name(child.tag)
            if name and name not in _TREE and name not in _SHAPES:
                self._builder.ledger.count("unknown_element", f"{self._place}, {name}")

    def _part(self, key: str) -> Any:
        relation = self._slide.part.rels.get(key)
        return None if relation is None or relation.is_external else relation.target_part


class _Counter:
    """Counts the numbered paragraphs of a text box, by level and form."""

    def __init__(self) -> None:
        self._counts: dict[int, tuple[str, int]] = {}

    def label(self, paragraph: Element) -> str:
        """Returns the number that PowerPoint sets before the paragraph, or ""."""
        properties = paragraph.find(qn("a:pPr"))
        level = properties.get("lvl", "0") if properties is not None else "0"
        place = int(level) if level.isdecimal() and len(level) < 3 else 0
        for deeper in [each for each in self._counts if each > place]:
            del self._counts[deeper]
        form = properties.find(qn("a:buAutoNum")) if properties is not None else None
        if form is None:
            self._counts.pop(place, None)
            return ""
        kind, start = form.get("type", ""), form.get("startAt", "1")
        before, count = self._counts.get(place, ("", 0))
        first = int(start) if start.isdecimal() and len(start) < 6 else 1
        count = count + 1 if before == kind else first
        self._counts[place] = kind, count
        return _show(kind, count)


def _show(kind: str, count: int) -> str:
    """Writes a count in a form such as "alphaLcParenR" or "arabicPeriod"."""
    if kind.startswith("alpha"):
        number = repeated_letter(count)
    elif kind.startswith("roman"):
        number = to_roman(count)
    else:
        number = str(count)
    number = number.upper() if "Uc" in kind else number
    if kind.endswith("ParenBoth"):
        return f"({number})"
    return number + {"ParenR": ")", "Period": "."}.get(
        next((end for end in ("ParenR", "Period") if kind.endswith(end)), ""), ""
    )


def _rows(table: GraphicFrame) -> list[list[str]]:
    """Returns the rows of a table.

    It reads the tree: for each row, python-pptx counts again from the first.
    """
    return [
        [
            "\n".join(paragraph_text(p) for p in cell.iter(qn("a:p")))
            for cell in row.findall(qn("a:tc"))
        ]
        for row in table.element.iter(qn("a:tr"))
    ]


def _is_hidden(shape: Element) -> bool:
    properties = next((each for each in shape.iter(qn("p:cNvPr"))), None)
    return properties is not None and properties.get("hidden", "0") in {"1", "true"}


def _read_comments(root: Element) -> Iterator[tuple[str, str]]:
    """Yields the author's id and the text of each comment, and of each reply, in order."""
    for node in root.iter():
        if local_name(node.tag) not in {"cm", "reply"}:
            continue
        own = [child for child in node if local_name(child.tag) in {"text", "txBody"}]
        lines = [
            paragraph_text(paragraph) for part in own for paragraph in part.iter(qn("a:p"))
        ] or [part.text or "" for part in own]
        yield node.get("authorId", ""), "\n".join(lines)
