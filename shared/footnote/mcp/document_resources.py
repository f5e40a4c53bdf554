"""Documents and their pages as resources: `footnote://documents/{id}`, `…/pages/{n}`."""

import re
from typing import NamedTuple

from footnote.errors import NotFoundError
from footnote.mcp.face import Face
from footnote.text.read_by_ocr import BY_OCR
from footnote.wire import Json

SCHEME = "footnote://documents/"
TEMPLATES = {
    "document": (SCHEME + "{id}", "The text of a document; of a long one, its beginning."),
    "page": (SCHEME + "{id}/pages/{n}", "The text of one page of a document."),
}
_URI = re.compile(re.escape(SCHEME) + r"([A-Za-z0-9_-]{1,100})(?:/pages/([1-9][0-9]{0,8}))?")
PAGE = 100  # documents of one list


class Listed(NamedTuple):
    uri: str
    name: str
    title: str


class Part(NamedTuple):
    """A text. `more` says whether OCR read it and how to get what follows it, "" for neither."""

    text: str
    more: str = ""


def list_resources(face: Face, after: str) -> tuple[list[Listed], str]:
    """Returns documents that can be read, and the cursor of the next ("" on the last page)."""
    page = face.document_page("", after, PAGE)
    readable = [one for one in page["documents"] if one["searchable"]]
    return [_listed(one) for one in readable], page["after"]


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
        found = face.page_text(document, int(page))
        return Part(found["text"], _how(found))
    part = face.text(document, start=0)
    text = "".join(block["text"] for block in part["blocks"])
    if part["next"] is None:
        return Part(text, _how(part))
    rest = (
        f"These are {len(text)} of {part['length']} characters. The tool `open_section` with"
        f" document={document} and start={part['next']} gives what follows."
    )
    return Part(text, " ".join(filter(None, (_how(part), rest))))


def _how(found: Json) -> str:
    """Returns what is said of a text that OCR read. An older footnote does not tell."""
    return f"It was {BY_OCR}." if found.get("read") == "ocr" else ""
