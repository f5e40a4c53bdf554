"""Implements the port PageReader with Amazon Textract: one page per call, as PNG."""

import struct
import zlib
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.model import OcrLine, OcrWord, Picture, Reading

if TYPE_CHECKING:
    from mypy_boto3_textract import TextractClient
    from mypy_boto3_textract.type_defs import BlockTypeDef

# The price of DetectDocumentText in us-east-1 for the first million pages a month. Other regions
# differ. https://aws.amazon.com/textract/pricing/, November 2026
USD_A_PAGE = 0.0015
# Textract reads printed text in these languages. A picture sent in a request may have 10 MB, and
# 10,000 pixels a side. https://docs.aws.amazon.com/textract/latest/dg/limits-document.html
LANGUAGES = frozenset({"de", "en", "es", "fr", "it", "pt"})
MAX_BYTES = 10_000_000
_RGB, _GREY = 2, 0  # PNG's colour types
_LEVEL = 3  # of compression; twice as fast as 6, and a tenth larger
_SLOPE = 0.3  # of a line's upper edge; a line that is steeper is not upright


class Textract:
    """Reads pictures at `USD_A_PAGE` each.

    Its client retries throttled calls and then raises UnavailableError.
    """

    name = "textract-2"  # 2: with confidences, which readings of 1 in the cache lack
    languages = LANGUAGES

    def __init__(self, client: "TextractClient") -> None:
        self._client = client

    def read(self, picture: Picture, likely: str = "") -> Reading:  # noqa: ARG002 - it tells itself
        with translate_errors("detect text", f"a picture of {picture.columns} by {picture.rows}"):
            reply = self._client.detect_document_text(Document={"Bytes": png(picture)})
        blocks = reply.get("Blocks", [])
        return Reading(lines=tuple(_lines(blocks, picture)), usd=USD_A_PAGE)


def png(picture: Picture) -> bytes:
    """Encodes a picture as PNG: in colour, or as the green channel alone where colour is too large.

    Photos in colour can be over Textract's limit. Green is most of what the eye takes for
    brightness, at a third of the size.
    """
    in_colour = _encode_png(picture.pixels, picture.columns, picture.rows, _RGB)
    if len(in_colour) <= MAX_BYTES:
        return in_colour
    return _encode_png(picture.pixels[1::3], picture.columns, picture.rows, _GREY)


def _encode_png(pixels: bytes, columns: int, rows: int, colours: int) -> bytes:
    """Writes a PNG (https://www.w3.org/TR/png-3/) of 8 bits per sample with unfiltered rows."""
    stride = len(pixels) // rows
    raw = b"".join(b"\0" + pixels[i : i + stride] for i in range(0, len(pixels), stride))
    header = struct.pack(">IIBBBBB", columns, rows, 8, colours, 0, 0, 0)
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(raw, _LEVEL)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in parts
    )


def _lines(blocks: Sequence["BlockTypeDef"], picture: Picture) -> Iterator[OcrLine]:
    """Yields the LINE blocks in the order given, each with its WORD blocks."""
    by_id = {block.get("Id", ""): block for block in blocks}
    for line in blocks:
        if line.get("BlockType") != "LINE":
            continue
        ids = [
            word_id
            for relation in line.get("Relationships", [])
            if relation.get("Type") == "CHILD"
            for word_id in relation.get("Ids", [])
        ]
        words = [_word(by_id[word_id], picture) for word_id in ids if word_id in by_id]
        box = line.get("Geometry", {}).get("BoundingBox", {})
        upright = _is_upright(line, picture)
        height, width = box.get("Height", 0.0), box.get("Width", 0.0)
        size = height * picture.height if upright else width * picture.width
        if words:
            yield OcrLine(words=tuple(words), size=round(size, 1), upright=upright)


def _word(block: "BlockTypeDef", picture: Picture) -> OcrWord:
    """Converts a WORD block. Textract gives boxes as shares of the page, an OcrWord has points."""
    box = block.get("Geometry", {}).get("BoundingBox", {})
    left, top = box.get("Left", 0.0) * picture.width, box.get("Top", 0.0) * picture.height
    return OcrWord(
        x0=left,
        y0=top,
        x1=left + box.get("Width", 0.0) * picture.width,
        y1=top + box.get("Height", 0.0) * picture.height,
        text=block.get("Text", ""),
        confidence=round(block["Confidence"] / 100, 3) if "Confidence" in block else None,
    )


def _is_upright(line: "BlockTypeDef", picture: Picture) -> bool:
    """Judges by the line's upper edge: its polygon begins at the upper left of the writing."""
    corners = line.get("Geometry", {}).get("Polygon", [])
    if len(corners) < 2:
        return True
    across = (corners[1].get("X", 0.0) - corners[0].get("X", 0.0)) * picture.width
    down = (corners[1].get("Y", 0.0) - corners[0].get("Y", 0.0)) * picture.height
    return across > 0 and abs(down) <= _SLOPE * across
