"""Parses ZIP: each file becomes a section with its path. Nothing is written to disk."""

from contextlib import suppress
from zipfile import ZipInfo

from footnote.errors import BadDocumentError
from footnote.ingest.parse import zip_bounds
from footnote.ingest.parse.allowance import MAX_BYTES, MAX_FILES, Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode
from footnote.ingest.parse.formats import ZIP
from footnote.ingest.parse.nested_files import NestedFiles, shorten
from footnote.ingest.parse.refusals import (
    encrypted,
    no_text,
    too_large,
    translate_errors,
    unsupported,
)
from footnote.model import ParsedDocument

_LITTER = ("__MACOSX/", ".DS_Store", "Thumbs.db", "desktop.ini")  # left by file managers
_LOCKED = 0x1  # the flag of an entry with a password
_IS_UTF8 = 0x800  # the flag of an entry whose path is UTF-8


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    builder = DocumentBuilder()
    inside = NestedFiles(builder, allowance)
    with zip_bounds.open_package(body, name) as package:
        entries = [e for e in package.entries if not e.is_dir() and not _is_litter(e.filename)]
        zip_bounds.check_sizes(entries, name)
        if len(entries) > MAX_FILES:
            raise too_large(name, f"{len(entries):,} files, and {MAX_FILES:,} is the limit")
        for entry in entries:
            with inside.skip_refused():
                inside.add(_content(package, entry), _path(entry))
    _refuse_unread(inside, name, [shorten(_path(entry)) for entry in entries])
    return builder.to_parsed(ZIP, name)


def _is_litter(path: str) -> bool:
    return path.startswith(_LITTER[0]) or path.rpartition("/")[2] in _LITTER


def _path(entry: ZipInfo) -> str:
    """Returns the path of a file. A path not marked as UTF-8 is decoded in the encoding that fits.

    The library takes such a path for CP437, as the standard says and programs ignore.
    """
    path = entry.filename
    if path.isascii() or entry.flag_bits & _IS_UTF8:
        return path
    with suppress(UnicodeEncodeError, BadDocumentError):
        return decode(path.encode("cp437"), path)[0]
    return path


def _content(package: zip_bounds.Package, entry: ZipInfo) -> bytes:
    path = shorten(_path(entry))
    if entry.flag_bits & _LOCKED:
        raise encrypted(path)
    with translate_errors(path, zip_bounds.ZIP_ERRORS):
        return package.read(entry, MAX_BYTES, path)


def _refuse_unread(inside: NestedFiles, name: str, paths: list[str]) -> None:
    """Refuses an archive in which no file could be read.

    The error names the reason, as for a single file.
    """
    if inside.read or not inside.refusals:
        return
    if inside.has_only_unsupported:
        some = ", ".join(paths[:3]) + (", …" if len(paths) > 3 else "")
        raise unsupported(name, f"an archive of files that cannot be read ({some})")
    if {refused.code for refused in inside.refusals} == {"encrypted"}:
        raise encrypted(name)
    first = inside.refusals[0]
    raise no_text(name, f"nothing in it could be read: {first.message}", first.action)
