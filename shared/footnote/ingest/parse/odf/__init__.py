"""Opens ODT, ODS and ODP: the zip package or the flat XML file, and embedded objects."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from posixpath import normpath

from footnote.errors import BadDocumentError
from footnote.ingest.parse import properties, safe_xml, zip_bounds
from footnote.ingest.parse.odf.styles import Styles
from footnote.ingest.parse.refusals import (
    ODD_VALUES,
    corrupt,
    encrypted,
    too_large,
    translate_errors,
)
from footnote.ingest.parse.safe_xml import Element, local_name

MAX_TABLE_CHARACTERS = 50_000_000  # in the cells of a table, repeated ones counted each time
_MOST_OBJECTS = 500  # that are read; a text may show one object many times
_BROKEN = (*zip_bounds.ZIP_ERRORS, *ODD_VALUES)
_ZIP = b"PK\x03\x04"
_PICTURES = re.compile(rb"(<office:binary-data)>[^<]*+</office:binary-data>")


class OpenDocument:
    """An open file: the element that holds its content, its metadata, its styles."""

    def __init__(self, name: str, root: Element, meta: Element | None) -> None:
        content = body_of(root)
        if content is None:
            raise corrupt(name, "it has no document in it")
        self.name = name
        self.content = content
        self.fields = properties.odf(meta) if meta is not None else {}
        self.warnings: list[str] = []
        self.styles = Styles(self._common_styles(), root)

    @property
    def title(self) -> str:
        return str(self.fields.get("title", ""))

    def _common_styles(self) -> Element | None:
        """Returns the root of the styles that are not in the content."""
        return None

    def embedded(self, href: str) -> Element | None:  # noqa: ARG002 a flat file holds its objects
        """Returns the root of an embedded object's content; None if it has none to read."""
        return None


class _PackedDocument(OpenDocument):
    """A document in a zip package."""

    def __init__(self, package: zip_bounds.Package, name: str) -> None:
        self._package = package
        self._objects_left = _MOST_OBJECTS
        self._latest: tuple[str, Element | None] = ("", None)
        with translate_errors(name, _BROKEN):
            root = safe_xml.root(package.read("content.xml"), name)
            has_meta = "meta.xml" in package.names
            meta = safe_xml.root(package.read("meta.xml"), name) if has_meta else None
        super().__init__(name, root, meta)

    def _common_styles(self) -> Element | None:
        part = "styles.xml"
        if part not in self._package.names:
            return None
        try:
            return self._read(part)
        except BadDocumentError as refused:
            self.warnings.append(f"Left out: {refused.message}")
            return None

    def embedded(self, href: str) -> Element | None:
        if self._latest[0] != href:
            self._latest = (href, self._read_object(normpath(f"{href}/content.xml")))
        return self._latest[1]

    def _read_object(self, part: str) -> Element | None:
        if part not in self._package.names or not self._objects_left:
            return None
        self._objects_left -= 1
        try:
            return self._read(part)
        except BadDocumentError:
            return None

    def _read(self, part: str) -> Element:
        with translate_errors(part, _BROKEN):
            return safe_xml.root(self._package.read(part, name=part), part)


@contextmanager
def open_document(file: bytes, name: str) -> Iterator[OpenDocument]:
    """Opens a file. Raises BadDocumentError if it is damaged, encrypted or too large."""
    if not file.startswith(_ZIP):
        yield _open_flat(file, name)
        return
    with zip_bounds.open_package(file, name) as package:
        with translate_errors(name, _BROKEN):
            zip_bounds.check_sizes(package.entries, name, lambda _: True)
            if _is_encrypted(package):
                raise encrypted(name)
        yield _PackedDocument(package, name)


def _open_flat(file: bytes, name: str) -> OpenDocument:
    """Opens a file that is one XML document. Its pictures, which are counted, are dropped first."""
    text = _PICTURES.sub(rb"\1/>", file)
    if len(text) > zip_bounds.MAX_PART:
        raise too_large(name, f"{len(text) >> 20:,} MB of XML without its pictures")
    root = safe_xml.root(text, name)
    meta = next((child for child in root if local_name(child.tag) == "meta"), None)
    return OpenDocument(name, root, meta)


def body_of(root: Element) -> Element | None:
    """Returns the element that holds the content: `office:text` or its like."""
    for element in root:
        if local_name(element.tag) == "body" and len(element):
            return element[0]
    return None


def _is_encrypted(package: zip_bounds.Package) -> bool:
    manifest = "META-INF/manifest.xml"
    return manifest in package.names and b"encryption-data" in package.read(manifest)
