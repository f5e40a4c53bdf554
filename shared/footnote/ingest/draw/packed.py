"""Drawing with bytes in and bytes out, for a process that is not trusted (`wiring/child.py`).

A request is our own: JSON with the file after it. A reply has a fixed layout, of which only lengths
and numbers are interpreted.
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
    """Draws by `run`, which does `work` in another process."""
    return unpack_drawn(run(pack_request(body, name, page, boxes)))


def prepare() -> None:
    """Imports all that libraries import on demand: later nothing can be opened."""
    Image.init()
    for entry in FORMATS:
        if entry.nests:  # formats that may contain the drawn file
            import_module(f"footnote.ingest.parse.{entry.module}")
    for module in iter_modules(email.__path__):
        import_module(f"email.{module.name}")
    for module in iter_modules(encodings.__path__):
        with suppress(LookupError):  # those of other systems, and modules that are no encoding
            codecs.lookup(module.name)


def work(request: bytes) -> bytes:
    """Draws the page of a request. Raises what `draw` raises."""
    (length,) = REQUEST.unpack_from(request)
    begin = REQUEST.size + length
    fields = json.loads(request[REQUEST.size : begin])
    page = Inside(fields["inside"], fields["page"]) if fields["inside"] else fields["page"]
    boxes = [Box(**box) for box in fields["boxes"]]
    return pack_drawn(draw(request[begin:], fields["name"], page, boxes))


def pack_request(body: bytes, name: str, page: int | Inside, boxes: Sequence[Box]) -> bytes:
    inside, number = (page.name, page.number) if isinstance(page, Inside) else ("", page)
    fields = {
        "name": name,
        "page": number,
        "inside": inside,
        "boxes": [box.model_dump() for box in boxes],
    }
    text = json.dumps(fields).encode()
    return REQUEST.pack(len(text)) + text + body


def pack_drawn(drawn: Drawn) -> bytes:
    label = drawn.label.encode(errors="replace")[:LONGEST_LABEL]
    head = REPLY.pack(drawn.width, drawn.height, drawn.pages, len(label))
    return head + label + drawn.body


def unpack_drawn(reply: bytes) -> Drawn:
    """Returns the picture of a reply. Raises BadDocumentError for bytes that are no reply."""
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
