"""Makes any Open XML package one that python-docx and python-pptx open, and lists its relations.

Templates, slide shows and files with macros differ from documents by a content type. Strict files
differ by the names of their namespaces. Both hold the same document.
"""

import posixpath
import re
from collections.abc import Iterator
from io import BytesIO
from typing import NamedTuple
from urllib.parse import unquote
from zipfile import ZIP_DEFLATED, ZipFile

from footnote.ingest.parse import safe_xml, zip_bounds
from footnote.ingest.parse.refusals import translate_errors
from footnote.ingest.parse.safe_xml import local_name

TYPES, _ROOT = "[Content_Types].xml", "_rels/.rels"
_OFFICE = b"application/vnd.openxmlformats-officedocument."
_DOCUMENT = _OFFICE + b"wordprocessingml.document.main+xml"
_PRESENTATION = _OFFICE + b"presentationml.presentation.main+xml"
_MAIN_TYPES = {
    _OFFICE + b"wordprocessingml.template.main+xml": _DOCUMENT,
    b"application/vnd.ms-word.document.macroEnabled.main+xml": _DOCUMENT,
    b"application/vnd.ms-word.template.macroEnabledTemplate.main+xml": _DOCUMENT,
    _OFFICE + b"presentationml.slideshow.main+xml": _PRESENTATION,
    _OFFICE + b"presentationml.template.main+xml": _PRESENTATION,
    b"application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml": _PRESENTATION,
    b"application/vnd.ms-powerpoint.template.macroEnabled.main+xml": _PRESENTATION,
}
"""Content types of main parts: of a kin of DOCX or PPTX → of DOCX or PPTX."""
_STRICT = b"http://purl.oclc.org/ooxml/"
_STRICT_NAME = re.compile(re.escape(_STRICT) + rb"(\w+)/(\w+)")
_HYPHENATED = {
    b"extendedProperties": b"extended-properties",
    b"customProperties": b"custom-properties",
}


def normalise(body: bytes, name: str) -> bytes:
    """Returns the package with the content types of a document, and without strict namespaces.

    Call it after `zip_bounds.check`. A package that needs no change is returned as it is.
    """
    with zip_bounds.open_package(body, name) as package:
        changed = dict(_changes(package))
    if not changed:
        return body
    file = BytesIO(body)
    with translate_errors(name, zip_bounds.ZIP_ERRORS), ZipFile(file, "a", ZIP_DEFLATED) as archive:
        for path, content in changed.items():
            # the directory lists the new part instead of the old one, whose bytes stay behind
            archive.filelist.remove(archive.NameToInfo.pop(path))
            archive.writestr(path, content)
    return file.getvalue()


def _changes(package: zip_bounds.Package) -> Iterator[tuple[str, bytes]]:
    """Yields the path and the new content of each part that has to change."""
    is_strict = _ROOT in package.names and _STRICT in package.read(_ROOT)
    for path in package.names:
        if path != TYPES and not (is_strict and path.casefold().endswith((".xml", ".rels"))):
            continue
        content = package.read(path)
        changed = to_transitional(content) if is_strict else content
        if path == TYPES:
            for kin, document in _MAIN_TYPES.items():
                changed = changed.replace(kin, document)
        if changed != content:
            yield path, changed


def to_transitional(content: bytes) -> bytes:
    """Returns a part with the names of the transitional standard instead of strict ones."""
    return _STRICT_NAME.sub(_transitional, content) if _STRICT in content else content


def _transitional(name: re.Match[bytes]) -> bytes:
    """Translates a namespace, or the type of a relation (ECMA-376, part 1, annex A; part 4)."""
    last = _HYPHENATED.get(name[2], name[2])
    return b"http://schemas.openxmlformats.org/" + name[1] + b"/2006/" + last


class Relation(NamedTuple):
    """A link of a part to another part of the package, or to something outside it."""

    kind: str  # the last piece of its type: "worksheet", "drawing", …
    target: str  # the path of the part
    is_outside: bool


def relations(package: zip_bounds.Package, part: str, name: str) -> dict[str, Relation]:
    """Returns the relations of a part by their ids; none if the part has no list of them."""
    folder, _, file = part.rpartition("/")
    path = posixpath.join(folder, "_rels", f"{file}.rels")
    if path not in package.names:
        return {}
    return {
        each.get("Id", ""): Relation(
            kind=each.get("Type", "").rpartition("/")[2],
            target=_resolve(folder, each.get("Target", "")),
            is_outside=each.get("TargetMode", "") == "External",
        )
        for each in safe_xml.root(package.read(path), name)
        if local_name(each.tag) == "Relationship"
    }


def _resolve(folder: str, target: str) -> str:
    target = unquote(target)
    path = target if target.startswith("/") else posixpath.join("/", folder, target)
    return posixpath.normpath(path).lstrip("/")
