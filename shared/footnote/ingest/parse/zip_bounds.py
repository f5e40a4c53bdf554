"""Bounds the zip file of an office document, a book or an archive.

No declared size is trusted: members are unpacked in pieces, and counted. A library that unpacks by
itself gets only bytes whose members were checked to have their declared sizes.
"""

import lzma
import struct
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from copy import copy
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

from footnote.ingest.parse.refusals import corrupt, too_large, translate_errors

MAX_ENTRIES = 20_000
MAX_UNPACKED = 400 << 20
MAX_PART = 50 << 20  # of a part that is read into memory as a tree
MAX_RATIO = 200
MAX_DIRECTORY = 16 << 20  # bytes of the list of entries
MAX_NODES = 6_000_000  # tags and attributes of the parts that are read as trees: 250 bytes each
PROLOG = 64 << 10  # a DTD stands before the root element
_SMALL = 1 << 20  # below this a high ratio does no harm
_PIECE = 1 << 20
_SMALL_PIECE = 4 << 10  # zipfile inflates a piece whole, except with Deflate
_DIRECTORY_ENTRY, _DIRECTORY_END = b"PK\x01\x02", b"PK\x05\x06"
_LONGEST_COMMENT = 1 << 16
_END_SIZE = 22  # bytes of the record at the end
_XML = (".xml", ".rels", ".vml")

ZIP_ERRORS: tuple[type[Exception], ...] = (
    BadZipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,  # an extra field that ends too early
    EOFError,
    NotImplementedError,  # a compression method that zipfile does not know
    RuntimeError,  # an entry with a password
    OSError,
    ValueError,  # a name that does not fit its encoding, or an offset before the file's beginning
)


type IsTree = Callable[[str], bool]


class Package:
    """An open zip file that gives no more than MAX_UNPACKED bytes in all."""

    def __init__(self, archive: ZipFile, name: str) -> None:
        self._archive = archive
        self._name = name
        self._left = MAX_UNPACKED
        self.entries = archive.infolist()
        self.names = frozenset(archive.namelist())
        self._most = _most_of_a_part(self.entries)

    def read(self, path: str | ZipInfo, most: int = MAX_PART, name: str = "") -> bytes:
        """Returns the content of a member. Raises BadDocumentError if it is larger than `most`.

        `name` is the member's name in errors; by default they name the file around it.
        """
        return b"".join(self.pieces(path, most, name))

    def pieces(self, path: str | ZipInfo, most: int, name: str = "") -> Iterator[bytes]:
        """Yields a member piece by piece, each inflated on demand.

        Raises BadDocumentError where it is larger than it declares, or than the limits allow.
        """
        name = name or self._name
        entry = path if isinstance(path, ZipInfo) else self._archive.getinfo(path)
        size = 0
        most = min(most, self._most)
        # zipfile stops at a member's declared size, and ignores the rest
        unbounded = copy(entry)
        unbounded.file_size = MAX_UNPACKED + 1
        with self._archive.open(unbounded) as member:
            while piece := member.read(_piece_size(entry)):
                size += len(piece)
                self._left -= len(piece)
                if size > entry.file_size:
                    raise corrupt(name, "a part is larger than it says")
                if size > most or self._left < 0:
                    raise too_large(name, f"a part unpacks to more than {size >> 20:,} MB")
                yield piece
        if size != entry.file_size:
            raise corrupt(name, "a part is smaller than it says")


def _piece_size(entry: ZipInfo) -> int:
    is_bounded = entry.compress_type in {ZIP_STORED, ZIP_DEFLATED}
    return _PIECE if is_bounded else _SMALL_PIECE


@contextmanager
def open_package(body: bytes, name: str) -> Iterator[Package]:
    """Opens a zip file. Raises BadDocumentError if its directory is too large or broken."""
    refuse_long_directory(body, name)
    with translate_errors(name, ZIP_ERRORS), ZipFile(BytesIO(body)) as archive:
        yield Package(archive, name)


def refuse_long_directory(body: bytes, name: str) -> None:
    """Refuses a zip file of too many entries before there is an object for each of them."""
    end = body.rfind(_DIRECTORY_END, max(0, len(body) - _LONGEST_COMMENT - _END_SIZE))
    if end < 0 or len(body) < end + _END_SIZE:
        return  # it is broken, and zipfile raises an error
    last = body[-_END_SIZE:]
    records = [body[end : end + _END_SIZE]] + [last] * last.startswith(_DIRECTORY_END)
    size = max(struct.unpack_from("<I", record, 12)[0] for record in records)
    size = min(size, len(body))  # with ZIP64 it is 4 GB here, and the number is stored elsewhere
    entries = body.count(_DIRECTORY_ENTRY, max(0, len(body) - size - 2 * _LONGEST_COMMENT))
    if entries > MAX_ENTRIES:
        raise too_large(name, f"more than {MAX_ENTRIES:,} parts")
    if MAX_DIRECTORY < size < len(body):
        raise too_large(name, f"a directory of {size >> 20:,} MB")


def check(body: bytes, name: str, is_tree: IsTree = lambda _: True) -> None:
    """Refuses zip bombs, DTDs and parts with false sizes, with BadDocumentError.

    After this a library may unpack the file. `is_tree` tells whether the library reads an
    XML part into memory whole.
    """
    with open_package(body, name) as package:
        check_sizes(package.entries, name, is_tree)
        nodes = 0
        for entry in package.entries:
            if entry.compress_type not in {ZIP_STORED, ZIP_DEFLATED}:
                raise corrupt(name, "a part is packed as office documents are not")
            is_xml = entry.filename.casefold().endswith(_XML)
            is_counted = is_xml and is_tree(entry.filename)
            for number, piece in enumerate(package.pieces(entry, MAX_UNPACKED)):
                if is_xml and not number:
                    refuse_dtd(piece[:PROLOG], name)
                nodes += (piece.count(b"<") + piece.count(b"=")) if is_counted else 0
            if nodes > MAX_NODES:
                raise too_large(name, f"more than {MAX_NODES:,} tags and attributes")


def check_sizes(entries: Iterable[ZipInfo], name: str, is_tree: IsTree = lambda _: False) -> None:
    """Refuses too many entries, or entries with too large declared sizes."""
    entries = list(entries)
    if len(entries) > MAX_ENTRIES:
        raise too_large(name, f"{len(entries):,} parts")
    unpacked = sum(entry.file_size for entry in entries)
    if unpacked > MAX_UNPACKED:
        raise too_large(name, f"{unpacked >> 20:,} MB when unpacked")
    most = _most_of_a_part(entries)
    for entry in entries:
        is_xml = entry.filename.casefold().endswith(_XML)
        if is_xml and entry.file_size > MAX_PART and is_tree(entry.filename):
            raise too_large(name, f"a part of {entry.file_size >> 20:,} MB")
        if entry.file_size > most:
            raise too_large(name, f"a part that unpacks to {MAX_RATIO} times the file or more")


def _most_of_a_part(entries: Iterable[ZipInfo]) -> int:
    """Returns how large a part may become beside the size of the whole file, packed.

    A part alone may be packed tighter: Word has written thousands of equal separators of notes.
    """
    return max(_SMALL, MAX_RATIO * sum(entry.compress_size for entry in entries))


def refuse_dtd(prolog: bytes, name: str) -> None:
    """Refuses a DTD: its entities are a way to read local files or to fill memory."""
    if b"<!DOCTYPE" in prolog.replace(b"\x00", b""):
        raise corrupt(name, "it has a DTD, which may declare entities, and those are not read")
