"""Parses EPUB: the chapters in reading order. Each is a web page."""

import posixpath
from collections.abc import Iterator
from urllib.parse import unquote, urlsplit

from footnote.errors import BadDocumentError
from footnote.ingest.parse import html, properties, safe_xml, zip_bounds
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.formats import EPUB
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.refusals import ODD_VALUES, corrupt, encrypted, translate_errors
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.model import ParsedDocument

_BROKEN = (*zip_bounds.ZIP_ERRORS, *ODD_VALUES)
_CONTAINER = "META-INF/container.xml"
_ENCRYPTION = "META-INF/encryption.xml"
_PAGES = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document", "image/svg+xml"})


def parse(body: bytes, name: str) -> ParsedDocument:
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN), zip_bounds.open_package(body, name) as book:
        zip_bounds.check_sizes(book.entries, name, lambda _: True)
        package_path = _attribute(_root(book, _CONTAINER, name), "rootfile", "full-path")
        package = _root(book, package_path, name)
        # each once: a spine could name one chapter a million times
        folder = posixpath.dirname(package_path)
        chapters = list(dict.fromkeys(_chapters(package, folder, builder.ledger)))
        if not chapters and not any(builder.ledger.warnings()):
            raise corrupt(name, "it names no chapters")
        _refuse_locked(book, chapters, name)
        for chapter in chapters:
            _write(builder, book, chapter)
    titles = [squeeze("".join(map(str, e.itertext()))) for e in _elements(package, "title")]
    parsed = builder.to_parsed(EPUB, name, [*titles[:1], *builder.opening_title()])
    return properties.add_metadata(parsed, properties.book(package))


def _write(builder: DocumentBuilder, book: zip_bounds.Package, chapter: str) -> None:
    """Adds a chapter. A missing or broken one becomes a warning that names it."""
    try:
        with translate_errors(chapter, _BROKEN):
            body = book.read(chapter, name=chapter)
        if body.strip():
            place = posixpath.basename(chapter)
            builder.embed(html.read_chapter(body, chapter, builder.ledger, place), 0, chapter)
    except BadDocumentError as refused:
        builder.warnings.append(f"Left out: {refused.message}")


def _chapters(package: Element, folder: str, ledger: Ledger) -> Iterator[str]:
    """Yields the names of the chapters' members, in the spine's order; counts other members."""
    items = {item.get("id", ""): item for item in _elements(package, "item")}
    for reference in _elements(package, "itemref"):
        item = items.get(reference.get("idref", ""))
        if item is not None and item.get("media-type") not in _PAGES:
            is_picture = (item.get("media-type") or "").startswith("image/")
            ledger.count("picture" if is_picture else "embedded_file", item.get("href", ""))
            item = None if is_picture else items.get(item.get("fallback", ""))
        if item is not None and item.get("media-type") in _PAGES:
            path = unquote(urlsplit(item.get("href", "")).path)
            yield posixpath.normpath(posixpath.join(folder, path))


def _refuse_locked(book: zip_bounds.Package, chapters: list[str], name: str) -> None:
    """Refuses a book whose chapters are encrypted.

    Fonts are often obscured, too, which does no harm.
    """
    if _ENCRYPTION in book.names:
        locked = {
            e.get("URI", "") for e in _elements(_root(book, _ENCRYPTION, name), "CipherReference")
        }
        if locked.intersection(chapters):
            raise encrypted(name)


def _root(book: zip_bounds.Package, path: str, name: str) -> Element:
    return safe_xml.root(book.read(path), name)


def _elements(root: Element, tag: str) -> list[Element]:
    return [element for element in root.iter() if local_name(element.tag) == tag]


def _attribute(root: Element, tag: str, attribute: str) -> str:
    return next((str(e.get(attribute, "")) for e in _elements(root, tag)), "")
