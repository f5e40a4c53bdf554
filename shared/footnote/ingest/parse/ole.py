"""Opens compound (OLE) files, which XLS and MSG are.

Their size is bounded before olefile follows their chains of sectors.
"""

import struct
from io import BytesIO

from olefile import DEFECT_INCORRECT, OleFileIO

from footnote.ingest.parse.refusals import corrupt

BROKEN: tuple[type[Exception], ...] = (
    OSError,  # olefile's own errors are of this kind
    struct.error,
    LookupError,
    ValueError,
    TypeError,
    AttributeError,
    ArithmeticError,
    RecursionError,
)
_SECTOR_SHIFTS = {(9, 6), (12, 6)}  # base-2 logarithms of the sizes of sectors and mini sectors
_MAX_TABLE_RATIO = 2  # a table of sectors may have room for this many times the sectors of the file


def open_file(body: bytes, name: str) -> OleFileIO:
    """Opens the file. Raises BadDocumentError if its sector table is too large for it.

    A chain of sectors may form a loop: it is then as long as the table allows.
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
    return OleFileIO(BytesIO(body), raise_defects=DEFECT_INCORRECT)
