"""Names the documents that pages of the web become: by host and path, with the right ending."""

import hashlib
from pathlib import PurePosixPath
from urllib.parse import unquote, urlsplit

LONGEST = 900  # bytes of a name; a key has 1,024, with tenant and collection
ENDINGS = {
    "text/html": (".html", ".htm", ".xhtml"),
    "application/xhtml+xml": (".html", ".htm", ".xhtml"),
    "application/pdf": (".pdf",),
    "text/plain": (".txt", ".text", ".md", ".csv", ".log"),
    "text/markdown": (".md", ".markdown"),
    "text/csv": (".csv",),
    "application/json": (".json",),
    "application/xml": (".xml",),
    "text/xml": (".xml",),
}
"""Media type → the endings that suit it; the first is given to a name without any of them."""


def name_page(url: str, media_type: str) -> str:
    """Returns the document's path of a page: `example.org/guides/fees.html`.

    A query becomes a digest, and so does what would be too long.
    """
    place = urlsplit(url)
    segments = [_plain(unquote(part)) for part in place.path.split("/")]
    kept = [part for part in segments if part not in {"", ".", ".."}] or ["index"]
    name = "/".join([place.hostname or "page", *kept])
    path = PurePosixPath(name)
    endings = ENDINGS.get(media_type, ())
    suffix = path.suffix if not endings or path.suffix.casefold() in endings else ""
    stem = name.removesuffix(suffix) if suffix else name
    if place.query:
        stem += f"-{_digest(place.query)}"
    if len(f"{stem}{suffix}".encode()) > LONGEST:
        stem = f"{place.hostname}/{_digest(url)}"
    return f"{stem}{suffix or (endings[0] if endings else '')}"


def _plain(part: str) -> str:
    """Returns a segment without slashes and signs that nobody can see."""
    return "".join(sign for sign in part if sign.isprintable() and sign != "/").strip()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
