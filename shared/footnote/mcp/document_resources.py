"""Documents and their pages as resources: `footnote://documents/{id}`, `…/pages/{n}`."""

import re
from typing import NamedTuple

from footnote.errors import NotFoundError
from footnote.mcp.face import Face
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
    """A text. `more` says what follows it and how to get that, "" where it is whole."""

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
    found = _URI.fullmatch(uri)
    if not found:
        raise NotFoundError(
            f"no resource {uri[:200]!r}", code="unknown_resource", action="List the resources."
        )
    document, page = found[1], found[2]
    if page:
        return Part(face.page_text(document, int(page))["text"])
    part = face.text(document, start=0)
    text = "".join(block["text"] for block in part["blocks"])
    if part["next"] is None:
        return Part(text)
    return Part(
        text,
        f"These are {len(text)} of {part['length']} characters. The tool `open_section` with"
        f" document={document} and start={part['next']} gives what follows.",
    )
