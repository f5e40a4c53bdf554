"""Bounds the zip file that an office document is, before anything unpacks it."""

import zlib
from collections.abc import Iterable
from io import BytesIO
from zipfile import BadZipFile, ZipFile, ZipInfo

from footnote.ingest.parse.refusals import corrupt, too_large

MAX_ENTRIES = 20_000
MAX_UNPACKED = 400 << 20
MAX_PART = 50 << 20  # of a part that is read into memory as a tree
MAX_RATIO = 200
PROLOG = 64 << 10  # a DTD stands before the root element
_SMALL = 1 << 20  # below this a high ratio does no harm

ZIP_ERRORS: tuple[type[Exception], ...] = (
    BadZipFile,
    zlib.error,
    EOFError,
    NotImplementedError,  # a compression method that zipfile does not know
    RuntimeError,  # an entry with a password
    OSError,
    ValueError,  # a name that does not fit its encoding, an offset before the beginning
)


def check(body: bytes, name: str, trees: str) -> None:
    """Refuses zip bombs and DTDs with a BadDocumentError.

    `trees` begins the paths of the parts that a library reads into memory whole.
    """
    try:
        with ZipFile(BytesIO(body)) as archive:
            check_sizes(archive.infolist(), name, trees)
            for entry in archive.infolist():
                if entry.filename.endswith((".xml", ".rels", ".vml")):
                    with archive.open(entry) as part:
                        refuse_dtd(part.read(PROLOG), name)
    except ZIP_ERRORS as error:
        raise corrupt(name, f"it could not be unpacked ({type(error).__name__})") from error


def check_sizes(entries: Iterable[ZipInfo], name: str, trees: str = "") -> None:
    """Refuses entries that are too many, or that would unpack to too much."""
    entries = list(entries)
    if len(entries) > MAX_ENTRIES:
        raise too_large(name, f"{len(entries):,} parts")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED:
        raise too_large(name, f"{unpacked >> 20:,} MB when unpacked")
    for entry in entries:
        is_tree = entry.filename.startswith(trees) and entry.filename.endswith(".xml")
        if is_tree and entry.file_size > MAX_PART:
            raise too_large(name, f"a part of {entry.file_size >> 20:,} MB")
        if entry.file_size > max(_SMALL, MAX_RATIO * entry.compress_size):
            raise too_large(name, f"a part that unpacks to more than {MAX_RATIO} times its size")


def refuse_dtd(prolog: bytes, name: str) -> None:
    """Refuses a DTD: its entities are a way to read local files or to fill memory."""
    if b"<!DOCTYPE" in prolog.replace(b"\x00", b""):
        raise corrupt(name, "it has a DTD, which may declare entities, and those are not read")
