"""Reads what stands around the cells of a sheet: shapes, comments, headers and footers.

What it meets and does not read it counts.
"""

from collections.abc import Iterator
from typing import NamedTuple

from footnote.errors import BadDocumentError
from footnote.ingest.parse import ooxml, worksheet
from footnote.ingest.parse.allowance import MAX_BYTES, Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.ole import embedded_package
from footnote.ingest.parse.ooxml.drawings import Drawings
from footnote.ingest.parse.print_headers import PrintHeaders
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.xlsx.workbook import Sheet, Workbook, is_true, rich_text

_KNOWN_PARTS = frozenset((
    "drawing", "vmlDrawing", "comments", "threadedComment", "table", "hyperlink",
    "printerSettings", "pivotTable", "image", "oleObject", "package", "control", "ctrlProp",
    "queryTable", "slicer", "timeline", "customProperty", "chart", "chartEx", "externalLinkPath",
    "tableSingleCells", "activeXControlBinary"
))  # fmt: skip
_KNOWN = frozenset((
    "sheetPr", "dimension", "sheetViews", "sheetFormatPr", "cols", "sheetData", "sheetCalcPr",
    "sheetProtection", "protectedRanges", "scenarios", "autoFilter", "sortState",
    "dataConsolidate", "customSheetViews", "mergeCells", "phoneticPr", "conditionalFormatting",
    "dataValidations", "hyperlinks", "printOptions", "pageMargins", "pageSetup", "headerFooter",
    "rowBreaks", "colBreaks", "customProperties", "cellWatches", "ignoredErrors", "smartTags",
    "drawing", "legacyDrawing", "legacyDrawingHF", "drawingHF", "picture", "oleObjects",
    "controls", "webPublishItems", "tableParts", "extLst", "AlternateContent"
))  # fmt: skip
_EMBEDDED = ("oleObject", "package")
_THREADED = "[Threaded comment]"  # how a copy for an older Excel begins
_GROUPS = frozenset({"grpSp", "sp", "cxnSp", "pic", "graphicFrame"})
_DEEPEST = 100  # groups in groups
_GRAPHICS = {"chart": "chart", "relIds": "diagram"}
"""What a frame shows, by the element that names the part with its data."""


class _Part(NamedTuple):
    """A part of the package, as drawings want it."""

    partname: str
    blob: bytes


class Asides:
    """Writes the asides of all sheets of a workbook."""

    def __init__(self, book: Workbook, builder: DocumentBuilder, allowance: Allowance) -> None:
        self._book = book
        self._builder = builder
        self._inside = NestedFiles(builder, allowance, keeps_pages=False)
        self._count = builder.ledger.count
        self._headers = PrintHeaders()
        self._drawings = Drawings(builder)
        self._people: dict[str, str] | None = None

    def write(self, sheet: Sheet, root: Element | None) -> None:
        """Writes the asides below a sheet. `root` is a worksheet without its rows."""
        related = self._book.relations(sheet.path)
        parts: dict[str, list[str]] = {}
        for each in related.values():
            if not each.is_outside and each.target in self._book.package.names:
                parts.setdefault(each.kind, []).append(each.target)
        if sheet.kind == "chartsheet":
            self._builder.heading(sheet.name, 1)
        elif sheet.kind != "worksheet":
            self._count("unknown_element", sheet.name)
        for path in parts.get("drawing", ()):
            self._drawing(path, sheet.name)
        for path in parts.get("vmlDrawing", ()):
            self._controls(path, sheet.name)
        self._comments(parts)
        for path in (path for kind in _EMBEDDED for path in parts.get(kind, ())):
            self._embedded(path, sheet.name)
        for kind in parts.keys() - _KNOWN_PARTS:
            self._count("unknown_element", f"{sheet.name}, {kind}")
        if root is not None:
            self._rest(root, sheet.name)

    def _embedded(self, path: str, place: str) -> None:
        """Reads an embedded file as a section; an object in a form of its own is counted."""
        file = path.rpartition("/")[2]
        with self._inside.skip_refused():
            content = self._book.package.read(path, MAX_BYTES, file)
            inner = embedded_package(content) if file.endswith(".bin") else (file, content)
            if inner is None:
                self._count("embedded_file", f"{place}, {file}")
            else:
                self._inside.add(inner[1], inner[0], 2)

    def _rest(self, root: Element, place: str) -> None:
        for child in root:
            tag = local_name(child.tag)
            if tag == "headerFooter":
                for line in child:
                    self._builder.paragraph(self._headers.text(line.text or ""))
            elif tag not in _KNOWN and any(text.strip() for text in child.itertext()):
                self._count("unknown_element", place)

    def _drawing(self, path: str, place: str) -> None:
        related = self._book.relations(path)
        for anchor in self._book.root(path):
            for shape in _visible(anchor):
                self._shape(shape, place, related, 0)

    def _shape(
        self, shape: Element, place: str, related: dict[str, ooxml.Relation], depth: int
    ) -> None:
        tag = local_name(shape.tag)
        if tag not in _GROUPS or depth > _DEEPEST:
            return
        if any(is_true(each.get("hidden")) for each in _properties(shape)):
            self._count("hidden_shape", place)
        elif tag == "grpSp":
            for inner in _visible(shape):
                self._shape(inner, place, related, depth + 1)
        elif tag == "pic":
            self._count("picture", place)
        elif tag == "graphicFrame":
            self._frame(shape, place, related)
        else:
            self._builder.paragraph("\n".join(_paragraphs(shape)))

    def _frame(self, frame: Element, place: str, related: dict[str, ooxml.Relation]) -> None:
        """Finds the part of a chart or a diagram. Other graphics are counted as shapes."""
        data = [child for data in frame.iter("{*}graphicData") for child in data]
        for each in data:
            tag = local_name(each.tag)
            ids = (value for key, value in each.attrib.items() if local_name(key) in {"id", "dm"})
            link = related.get(str(next(ids, "")))
            path = link.target if link and link.target in self._book.package.names else ""
            if tag in _GRAPHICS:
                self._graphic(_GRAPHICS[tag], path, place)
        if not any(local_name(each.tag) in _GRAPHICS for each in data):
            self._count("shape", place)

    def _graphic(self, kind: str, path: str, place: str) -> None:
        """Adds a chart or a diagram whose data are in the part at `path`."""
        read = self._book.package.read
        part = _Part(path, ooxml.to_transitional(read(path))) if path else None
        if kind == "chart":
            shown = [sheet.name for sheet in self._book.sheets if not sheet.is_hidden]
            self._drawings.write_chart(part, place, shown)
        else:
            self._drawings.write_diagram(part, place)

    def _controls(self, path: str, place: str) -> None:
        """Writes the labels of buttons and boxes. Notes are in a part of their own."""
        body = self._book.package.read(path)
        if b"<br>" in body:
            body = body.replace(b"<br>", b"<br/>")  # as Excel writes it, which is no XML
        try:
            root = self._book.parse(body)
        except BadDocumentError:
            self._count("shape", place)
            return
        for shape in root.iter("{*}shape"):
            kinds = [data.get("ObjectType", "") for data in shape.iter("{*}ClientData")]
            if "Note" not in kinds:
                texts = [" ".join(map(str, box.itertext())) for box in shape.iter("{*}textbox")]
                self._builder.paragraph(squeeze(" ".join(texts)))

    def _comments(self, parts: dict[str, list[str]]) -> None:
        answered: set[str] = set()
        for path in parts.get("threadedComment", ()):
            for each in self._book.root(path).iter("{*}threadedComment"):
                answered.add(each.get("ref", ""))
                author = self._person(each.get("personId", ""))
                text = "".join(t.text or "" for t in each if local_name(t.tag) == "text")
                worksheet.write_comment(self._builder, author, each.get("ref", ""), text)
        for path in parts.get("comments", ()):
            root = self._book.root(path)
            authors = [each.text or "" for each in root.iter("{*}author")]
            for each in root.iter("{*}comment"):
                at = int(each.get("authorId") or -1)
                author = authors[at] if 0 <= at < len(authors) else ""
                text = "".join(rich_text(t) for t in each if local_name(t.tag) == "text")
                is_copy = author.startswith("tc=") or text.startswith(_THREADED)
                if not (is_copy and each.get("ref", "") in answered):
                    worksheet.write_comment(self._builder, author, each.get("ref", ""), text)

    def _person(self, number: str) -> str:
        if self._people is None:
            path = self._book.persons
            people = self._book.root(path) if path in self._book.package.names else ()
            self._people = {p.get("id", ""): p.get("displayName", "") for p in people}
        return self._people.get(number, "")


def _visible(parent: Element) -> Iterator[Element]:
    """Yields the children. Of alternate contents, it yields those of the first choice."""
    for child in parent:
        if local_name(child.tag) == "AlternateContent":
            yield from next(iter(child), ())
        else:
            yield child


def _properties(shape: Element) -> Iterator[Element]:
    """Yields the properties of a shape itself, not of those in it."""
    for child in shape:
        if local_name(child.tag).startswith("nv"):
            yield from (each for each in child if local_name(each.tag) == "cNvPr")


def _paragraphs(shape: Element) -> Iterator[str]:
    for paragraph in shape.iter("{*}p"):
        runs = [
            "\n" if local_name(each.tag) == "br" else each.text or ""
            for each in paragraph.iter("{*}t", "{*}br")
        ]
        yield "".join(runs)
