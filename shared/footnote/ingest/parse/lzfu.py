"""Unpacks the compressed RTF in which Outlook stores message bodies ([MS-OXRTFCP])."""

import struct

from footnote.errors import BadDocumentError
from footnote.ingest.parse import rtf
from footnote.ingest.parse.refusals import corrupt, too_large

_START = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""What a compressed text may refer to before it has begun."""
_SIZE = 4096
_HEADER = 16
MAX_BYTES = 10 << 20


def text(packed: bytes, name: str) -> str:
    """Returns the text of a compressed body; "" for one that cannot be read."""
    try:
        return rtf.parse(unpack(packed, name), name).document.text
    except BadDocumentError:
        return ""


def unpack(packed: bytes, name: str) -> bytes:
    """Returns the RTF. Raises BadDocumentError if it is broken, or larger than 10 MB."""
    if len(packed) < _HEADER:
        raise corrupt(name, "its body ends too early")
    size, kind = struct.unpack_from("<I4s", packed, 4)
    if kind == b"MELA":
        return packed[_HEADER : _HEADER + size]
    if kind != b"LZFu":
        raise corrupt(name, "its body is not compressed as it says")
    window = bytearray(_START.ljust(_SIZE, b"\0"))
    out = bytearray()
    at, into = _HEADER, len(_START)
    while at < len(packed):
        flags = packed[at]
        at += 1
        for bit in range(8):
            if not flags >> bit & 1:
                piece = packed[at : at + 1]
                at += 1
            else:
                (token,) = struct.unpack_from(">H", packed[at : at + 2].ljust(2, b"\0"))
                at += 2
                source, count = token >> 4, (token & 15) + 2
                if source == into % _SIZE:
                    return bytes(out)
                piece = _copy(window, source, into, count)
            for byte in piece:
                window[into % _SIZE] = byte
                into += 1
            out += piece
            if len(out) > MAX_BYTES:
                raise too_large(name, f"a body of more than {MAX_BYTES >> 20} MB")
    return bytes(out)


def _copy(window: bytearray, source: int, into: int, count: int) -> bytes:
    """Copies from the window. A copy may run into what it is writing itself."""
    piece = bytearray()
    for n in range(count):
        place = (source + n) % _SIZE
        behind = (place - into) % _SIZE
        piece.append(piece[behind] if behind < len(piece) else window[place])
    return bytes(piece)
