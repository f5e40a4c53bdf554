"""Opens compound (OLE) files: XLS and MSG.

Their size is bounded before olefile follows their chains of sectors.
"""

import struct
from collections.abc import Sequence
from io import BytesIO

from olefile import DEFECT_INCORRECT, STGTY_STREAM, OleFileIO
from olefile.olefile import OleDirectoryEntry

from footnote.errors import BadDocumentError
from footnote.ingest.parse.refusals import ODD_VALUES, corrupt

BROKEN: tuple[type[Exception], ...] = (
    OSError,  # olefile's own errors are of this kind
    struct.error,
    *ODD_VALUES,
)
_UNREADABLE: tuple[type[Exception], ...] = (BadDocumentError, *BROKEN)
_SECTOR_SHIFTS = {(9, 6), (12, 6)}  # base-2 logarithms of the sizes of sectors and mini sectors
_WHOLE = (
    ("package", "embedded file", b""),
    ("workbook", "embedded sheet.xls", b"\x09\x08"),
    ("book", "embedded sheet.xls", b"\x09\x08"),
    ("contents", "embedded file.pdf", b"%PDF-"),
)
"""Streams that are a file: their name, what the file is called, how it begins."""
_MAX_TABLE_RATIO = 2  # a table of sectors may have room for this many times the file's sectors


class CompoundFile(OleFileIO):  # type: ignore[misc] # olefile has no types
    """A compound file that finds its streams by a table.

    olefile searches all entries for each name. It also reads a chain of sectors again for each
    entry that begins with it, so one long chain could be a thousand streams.
    """

    def __init__(self, body: bytes, name: str) -> None:
        super().__init__(BytesIO(body), raise_defects=DEFECT_INCORRECT)
        self._file_name = name
        self._left = len(body)
        self._streams: dict[tuple[str, ...], OleDirectoryEntry] = {}
        is_open: list[tuple[tuple[str, ...], OleDirectoryEntry]] = [((), self.root)]
        while is_open:
            path, folder = is_open.pop()
            for entry in folder.kids:
                inner = (*path, entry.name.lower())
                if entry.entry_type == STGTY_STREAM:
                    self._streams.setdefault(inner, entry)
                is_open.append((inner, entry))

    def has(self, path: Sequence[str]) -> bool:
        return tuple(map(str.lower, path)) in self._streams

    def read(self, path: Sequence[str]) -> bytes:
        """Returns a stream, or nothing for an unknown path.

        Raises BadDocumentError where streams share their content: all together are
        not larger than the file.
        """
        entry = self._streams.get(tuple(map(str.lower, path)))
        if entry is None:
            return b""
        self._left -= entry.size
        if self._left < 0:
            raise corrupt(self._file_name, "its streams lie on each other")
        return bytes(self._open(entry.isectStart, entry.size).read())


def open_file(body: bytes, name: str) -> CompoundFile:
    """Opens the file. Raises BadDocumentError if its sector table is too large for it.

    A chain of sectors may form a loop. It is then as long as the table allows.
    """
    shifts = struct.unpack_from("<HH", body, 30)
    tables, more_tables = *struct.unpack_from("<I", body, 44), *struct.unpack_from("<I", body, 72)
    size = 1 << shifts[0] if shifts in _SECTOR_SHIFTS else 0
    covered = tables * size * size // 4  # bytes
    if (
        not size
        or covered > _MAX_TABLE_RATIO * (len(body) + size * size // 4)
        or more_tables > tables
    ):
        raise corrupt(name, "it says that it is larger than it is")
    return CompoundFile(body, name)


def embedded_package(body: bytes) -> tuple[str, bytes] | None:
    """Returns the name and the content of the file in an OLE object, or None if it holds none."""
    try:
        with open_file(body, "the embedded object") as file:
            return package_in(file)
    except _UNREADABLE:
        return None


def package_in(file: CompoundFile, folder: Sequence[str] = ()) -> tuple[str, bytes] | None:
    """Returns the name and the content of the file in a folder of a compound file, or None.

    Office keeps its new files whole ("Package"), its old sheets as their stream ("Workbook"),
    Acrobat a PDF ("CONTENTS"). Others lie in a record of Office's packager ("Ole10Native": a size,
    a flag, the name, two paths, the content; MS-OLEDS 2.3.6).
    """
    for stream, name, beginning in _WHOLE:
        content = file.read((*folder, stream))
        if content and content.startswith(beginning):
            return name, content
    return _from_record(file.read((*folder, "\x01ole10native")))


def _from_record(record: bytes) -> tuple[str, bytes] | None:
    name, _, rest = record[6:].partition(b"\0")
    _, _, rest = rest.partition(b"\0")  # the path it came from
    rest = rest[8:].partition(b"\0")[2] if len(rest) > 8 else b""  # and the one it went to
    if len(rest) < 4:
        return None
    size = struct.unpack_from("<I", rest)[0]
    content = rest[4 : 4 + size]
    return (name.decode("latin-1"), content) if name and len(content) == size else None
