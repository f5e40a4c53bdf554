"""Opens ODT, ODS and ODP: the zip package, its content, styles and embedded objects."""

from collections.abc import Iterator
from contextlib import contextmanager
from posixpath import normpath

from footnote.errors import BadDocumentError
from footnote.ingest.parse import safe_xml, zip_bounds
from footnote.ingest.parse.odf_styles import Styles
from footnote.ingest.parse.odf_xml import text_within
from footnote.ingest.parse.refusals import ODD_VALUES, corrupt, encrypted, translate_errors
from footnote.ingest.parse.safe_xml import Element, local_name

MAX_TABLE_CHARACTERS = 50_000_000  # in the cells of a table, repeated ones counted each time
_MOST_OBJECTS = 500  # that are read; a text may show one object many times
_BROKEN = (*zip_bounds.ZIP_ERRORS, *ODD_VALUES)


class OpenDocument:
    """An open file: the element that holds its content, its own title, its styles."""

    def __init__(self, package: zip_bounds.Package, name: str) -> None:
        self._package = package
        self._objects_left = _MOST_OBJECTS
        self._latest: tuple[str, Element | None] = ("", None)
        self.name = name
        self.warnings: list[str] = []
        with translate_errors(name, _BROKEN):
            root = safe_xml.root(package.read("content.xml"), name)
            meta = package.read("meta.xml") if "meta.xml" in package.names else b""
            self.title = _title(meta, name) if meta else ""
        content = body_of(root)
        if content is None:
            raise corrupt(name, "it has no document in it")
        self.content = content
        self.styles = Styles(self._read_styles(), root)

    def _read_styles(self) -> Element | None:
        part = "styles.xml"
        if part not in self._package.names:
            return None
        try:
            with translate_errors(part, _BROKEN):
                return safe_xml.root(self._package.read(part, name=part), part)
        except BadDocumentError as refused:
            self.warnings.append(f"Left out: {refused.message}")
            return None

    def embedded(self, href: str) -> Element | None:
        """Returns the root of an embedded object's content; None if it has none to read."""
        if self._latest[0] != href:
            self._latest = (href, self._read_object(normpath(f"{href}/content.xml")))
        return self._latest[1]

    def _read_object(self, part: str) -> Element | None:
        if part not in self._package.names or not self._objects_left:
            return None
        self._objects_left -= 1
        try:
            with translate_errors(part, _BROKEN):
                return safe_xml.root(self._package.read(part, name=part), part)
        except BadDocumentError:
            return None


@contextmanager
def open_document(file: bytes, name: str) -> Iterator[OpenDocument]:
    """Opens a file. Raises BadDocumentError if it is damaged, encrypted or too large."""
    with zip_bounds.open_package(file, name) as package:
        with translate_errors(name, _BROKEN):
            zip_bounds.check_sizes(package.entries, name, lambda _: True)
            if _is_encrypted(package):
                raise encrypted(name)
        yield OpenDocument(package, name)


def body_of(root: Element) -> Element | None:
    """Returns the element that holds the content: `office:text` or its like."""
    for element in root:
        if local_name(element.tag) == "body" and len(element):
            return element[0]
    return None


def _is_encrypted(package: zip_bounds.Package) -> bool:
    manifest = "META-INF/manifest.xml"
    return manifest in package.names and b"encryption-data" in package.read(manifest)


def _title(meta: bytes, name: str) -> str:
    titles = [e for e in safe_xml.root(meta, name).iter() if local_name(e.tag) == "title"]
    return text_within(titles[0]) if titles else ""
