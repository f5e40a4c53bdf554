"""A server on loopback that speaks Textract's JSON protocol and answers from a script.

`python -m tests.scripted_textract PORT` answers for every picture that TEXT stands on it.
"""

import base64
import json
import struct
import sys
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler

from tests.serving import LoopbackServer, serving

TEXT = "The quay at Saltmere was closed for nine days after the storm of March"


@dataclass(frozen=True)
class Line:
    """A line's words: (left, top, right, bottom, text), as shares of the page's size."""

    words: tuple[tuple[float, float, float, float, str], ...]
    upright: bool = True


@dataclass(frozen=True)
class Refusal:
    """An error instead of blocks."""

    code: str
    status: int = 400


class TextractServer(LoopbackServer):
    """Plays `script`, one entry per call; after it, returns what `answer` makes of the picture."""

    def __init__(self, script=(), port=0, answer=None):
        super().__init__(Handler, port)
        self.script = list(script)
        self.pictures = []
        self.answer = answer or (lambda _: [typed_line(TEXT.split())])


class Handler(BaseHTTPRequestHandler):
    server: TextractServer
    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.headers["x-amz-target"] != "Textract.DetectDocumentText":
            self._send(400, {"__type": "InvalidAction", "message": "scripted"})
            return
        picture = base64.b64decode(body["Document"]["Bytes"])
        self.server.pictures.append(picture)
        reply = self.server.script.pop(0) if self.server.script else self.server.answer(picture)
        if isinstance(reply, Refusal):
            self._send(reply.status, {"__type": reply.code, "message": "scripted"})
        elif isinstance(reply, dict):
            self._send(200, reply)
        else:
            self._send(200, {"Blocks": blocks(reply), "DocumentMetadata": {"Pages": 1}})

    def _send(self, status, body):
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("content-type", "application/x-amz-json-1.1")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format, *args):  # noqa: A002 - its name up there
        """Prints nothing."""


def typed_line(words, top=0.1):
    """Returns a line of words that are spread evenly over the page's width."""
    width = 0.9 / len(words)
    boxes = (
        (0.05 + n * width, top, 0.05 + (n + 0.9) * width, top + 0.015, word)
        for n, word in enumerate(words)
    )
    return Line(tuple(boxes))


def blocks(lines):
    """Returns Textract's blocks for these lines: the page, all lines, then all words."""
    found, words = [], []
    for n, line in enumerate(lines):
        ids = [f"w{n}-{i}" for i in range(len(line.words))]
        words += [
            {"Id": one, "BlockType": "WORD", "Text": word[4], "TextType": "PRINTED"}
            | {"Geometry": geometry(*word[:4], upright=line.upright), "Confidence": 99.0}
            for one, word in zip(ids, line.words, strict=True)
        ]
        around = [f(box[i] for box in line.words) for i, f in enumerate((min, min, max, max))]
        found.append(
            {"Id": f"l{n}", "BlockType": "LINE", "Text": " ".join(w[4] for w in line.words)}
            | {"Geometry": geometry(*around, upright=line.upright), "Confidence": 99.0}
            | {"Relationships": [{"Type": "CHILD", "Ids": ids}]}
        )
    page = {"Id": "p", "BlockType": "PAGE", "Geometry": geometry(0, 0, 1, 1, upright=True)}
    ids = [line["Id"] for line in found]
    return [{**page, "Relationships": [{"Type": "CHILD", "Ids": ids}]}, *found, *words]


def geometry(left, top, right, bottom, *, upright):
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    if not upright:  # turned clockwise: the text's upper left corner is the box's upper right
        corners = [*corners[1:], corners[0]]
    return {
        "BoundingBox": {"Left": left, "Top": top, "Width": right - left, "Height": bottom - top},
        "Polygon": [{"X": x, "Y": y} for x, y in corners],
    }


def size_of(png):
    """Reads columns, rows and colour type from a PNG's header."""
    columns, rows, _, colours = struct.unpack(">IIBB", png[16:26])
    return columns, rows, colours


@contextmanager
def run_textract(script=(), answer=None):
    with serving(TextractServer(script, answer=answer)) as server:
        yield server


if __name__ == "__main__":
    TextractServer(port=int(sys.argv[1])).serve_forever()
