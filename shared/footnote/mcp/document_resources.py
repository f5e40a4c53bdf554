"""Documents and their pages as resources: `footnote://documents/{id}`, `…/pages/{n}`."""

import re
from typing import NamedTuple

from footnote.errors import NotFoundError
from footnote.mcp.face import Face
from footnote.text.own_words import BY_OCR
from footnote.wire import Json

SCHEME = "footnote://documents/"
TEMPLATES = {
    "document": (SCHEME + "{id}", "The text of a document; of a long one, its beginning."),
    "page": (SCHEME + "{id}/pages/{n}", "The text of one page of a document."),
}
_URI = re.compile(re.escape(SCHEME) + r"([A-Za-z0-9_-]{1,100})(?:/pages/([1-9][0-9]{0,8}))?")
PAGE = 100  # documents in one list


class Listed(NamedTuple):
    uri: str
    name: str
    title: str


class Part(NamedTuple):
    """A text. `more` tells whether OCR read it and how to get the rest; "" for neither."""

    text: str
    more: str = ""


def list_resources(face: Face, after: str) -> tuple[list[Listed], str]:
    """Returns readable documents, and the cursor of the next ones ("" on the last page)."""
    page = face.document_page("", after, PAGE)
    readable = [record for record in page["documents"] if record["searchable"]]
    return [_listed(record) for record in readable], page["after"]


def _listed(record: Json) -> Listed:
    return Listed(f"{SCHEME}{record['id']}", record["document"], record["title"])


def read_resource(face: Face, uri: str) -> Part:
    """Returns the text of a document or page. Raises NotFoundError for any other address."""
    address = _URI.fullmatch(uri)
    if not address:
        raise NotFoundError(
            f"no resource {uri[:200]!r}", code="unknown_resource", action="List the resources."
        )
    document, page = address[1], address[2]
    if page:
        reply = face.page_text(document, int(page))
        return Part(reply["text"], _how(reply))
    part = face.text(document, start=0)
    text = "".join(block["text"] for block in part["blocks"])
    if part["next"] is None:
        return Part(text, _how(part))
    rest = (
        f"These are {len(text)} of {part['length']} characters. The tool `open_section` with"
        f" document={document} and start={part['next']} gives what follows."
    )
    return Part(text, " ".join(filter(None, (_how(part), rest))))


def _how(reply: Json) -> str:
    """Returns a sentence about a text that OCR read. Replies of older versions lack `read`."""
    return f"It was {BY_OCR}." if reply.get("read") == "ocr" else ""
