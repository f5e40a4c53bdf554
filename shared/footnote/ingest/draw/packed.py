"""Drawing as bytes in and bytes out, for a process that is not trusted (`wiring/child.py`).

A request is made by us and read as JSON with the file behind it. A reply has a fixed layout, and
whoever reads it believes nothing but lengths and numbers.
"""

import codecs
import email
import encodings
import json
import struct
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from math import isfinite
from pkgutil import iter_modules

from PIL import Image

from footnote.errors import BadDocumentError
from footnote.ingest.draw.draw import Drawn, Inside, draw
from footnote.ingest.parse.formats import FORMATS
from footnote.model import Box

REQUEST = struct.Struct(">I")  # bytes of the JSON
REPLY = struct.Struct(">ddIH")  # width, height, pages, bytes of the label
LONGEST_LABEL = 1_000  # bytes


def draw_by(
    run: Callable[[bytes], bytes], body: bytes, name: str, page: int | Inside, boxes: Sequence[Box]
) -> Drawn:
    """Draws by `run`, which does `work` elsewhere."""
    return unpack_drawn(run(pack_request(body, name, page, boxes)))


def prepare() -> None:
    """Imports what libraries import only when they need it: later nothing can be opened."""
    Image.init()
    for found in FORMATS:
        if found.nests:  # what may be around the file that is drawn
            import_module(f"footnote.ingest.parse.{found.module}")
    for one in iter_modules(email.__path__):
        import_module(f"email.{one.name}")
    for one in iter_modules(encodings.__path__):
        with suppress(LookupError):  # those of other systems, and what is no encoding
            codecs.lookup(one.name)


def work(request: bytes) -> bytes:
    """Draws what a request asks for. Raises what `draw` raises."""
    (length,) = REQUEST.unpack_from(request)
    begin = REQUEST.size + length
    asked = json.loads(request[REQUEST.size : begin])
    page = Inside(asked["inside"], asked["page"]) if asked["inside"] else asked["page"]
    boxes = [Box(**one) for one in asked["boxes"]]
    return pack_drawn(draw(request[begin:], asked["name"], page, boxes))


def pack_request(body: bytes, name: str, page: int | Inside, boxes: Sequence[Box]) -> bytes:
    inside, number = (page.name, page.number) if isinstance(page, Inside) else ("", page)
    asked = {
        "name": name,
        "page": number,
        "inside": inside,
        "boxes": [box.model_dump() for box in boxes],
    }
    text = json.dumps(asked).encode()
    return REQUEST.pack(len(text)) + text + body


def pack_drawn(drawn: Drawn) -> bytes:
    label = drawn.label.encode(errors="replace")[:LONGEST_LABEL]
    head = REPLY.pack(drawn.width, drawn.height, drawn.pages, len(label))
    return head + label + drawn.body


def unpack_drawn(reply: bytes) -> Drawn:
    """Returns what was drawn. Raises BadDocumentError for a reply that cannot be one."""
    try:
        width, height, pages, length = REPLY.unpack_from(reply)
    except struct.error:
        raise _no_reply() from None
    begin = REPLY.size + length
    label, body = reply[REPLY.size : begin], reply[begin:]
    if not (isfinite(width) and isfinite(height) and body[:4] == b"RIFF" and body[8:12] == b"WEBP"):
        raise _no_reply()
    return Drawn(body, width, height, pages, label.decode(errors="replace"))


def _no_reply() -> BadDocumentError:
    return BadDocumentError(
        "the page cannot be drawn: what draws it answered with something else.",
        action="Read it as text.",
    )
