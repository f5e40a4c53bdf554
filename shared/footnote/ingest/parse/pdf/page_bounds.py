"""Checks before a PDF page is read whether it holds more than a page can."""

import zlib
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

MAX_CONTENT = 32 << 20
"""Bytes to which one page's content may unpack. The largest of 1,493 real pages had .4 MB;
engineers' drawings have some ten.
"""
_IMAGE_FILTERS = ("JBIG2Decode", "JPXDecode", "CCITTFaxDecode", "DCTDecode")
_DEFLATE = "/FlateDecode"
_MAX_RATIO = 1032  # of Deflate: one byte unpacks to so many at most
_PIECE = 1 << 20


def is_bomb(page: Any) -> bool:
    """Tells whether a page's text is packed with an image's filter: it can unpack to gigabytes."""
    file = page.parent
    filters = (_filters(file, xref) for xref in page.get_contents())
    return any(name in written for written in filters for name in _IMAGE_FILTERS)


def is_endless(page: Any) -> bool:
    """Tells whether a page's content unpacks to more than MAX_CONTENT. Small
    content is not unpacked.
    """
    file = page.parent
    streams: list[tuple[bytes, int]] = [
        (file.xref_stream_raw(xref) or b"", _filters(file, xref).count(_DEFLATE))
        for xref in page.get_contents()
    ]
    if sum(len(raw) * _MAX_RATIO**times for raw, times in streams) <= MAX_CONTENT:
        return False
    size = 0
    for piece in chain.from_iterable(_inflate([raw], times) for raw, times in streams):
        size += len(piece)
        if size > MAX_CONTENT:
            return True
    return False


def unpack_stream(file: Any, xref: int, most: int) -> bytes | None:
    """Unpacks a stream of at most `most` bytes. Returns None for a larger or unknown one."""
    written = _filters(file, xref)
    times = written.count(_DEFLATE)
    if written not in {"null", ""} and written.count("/") != times:
        return None
    content = bytearray()
    for piece in _inflate([file.xref_stream_raw(xref) or b""], times):
        content += piece
        if len(content) > most:
            return None
    return bytes(content)


def _filters(file: Any, xref: int) -> str:
    """Returns the filters of a stream as they are written, "null" where there is none."""
    written: str = file.xref_get_key(xref, "Filter")[1]
    return written


def _inflate(pieces: Sequence[bytes] | Iterator[bytes], times: int) -> Iterator[bytes]:
    """Unpacks pieces so many times. No piece is larger than _PIECE. Damage ends them."""
    if not times:
        return iter(pieces)
    return _inflate(_inflate_once(pieces), times - 1)


def _inflate_once(pieces: Sequence[bytes] | Iterator[bytes]) -> Iterator[bytes]:
    inflater = zlib.decompressobj()
    try:
        for piece in chain(pieces, [b""]):
            rest = piece
            while rest:
                yield inflater.decompress(rest, _PIECE)
                rest = inflater.unconsumed_tail
    except zlib.error:
        return
