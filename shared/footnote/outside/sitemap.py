"""Reads a site's map: which pages there are, and when each was changed last.

https://www.sitemaps.org/protocol.html. A map may be packed by gzip, and may list other maps.
"""

import zlib
from collections.abc import Callable, Iterator
from typing import NamedTuple
from xml.etree import ElementTree as ET

from footnote.errors import BadRequestError
from footnote.model import WebPage
from footnote.outside.hosts import host_of

MOST_MAPS, MOST_PAGES = 50, 5_000
MOST_BYTES = 50_000_000  # of a map once it is unpacked, as the protocol has it
TYPES = (
    "application/xml", "text/xml", "text/plain", "application/gzip", "application/x-gzip",
)  # fmt: skip
_GZIP = b"\x1f\x8b"

type Fetch = Callable[[str], WebPage]


class SitePage(NamedTuple):
    """A page of a map. `changed` is a day or moment as ISO 8601 writes it, "" if it is not said."""

    url: str
    changed: str


def read_map(address: str, fetch: Fetch) -> list[SitePage]:
    """Returns the pages of a map on the map's own host, each once, in order.

    Raises BadRequestError for what is no map, or is larger than footnote reads.
    """
    maps, pages = [address], dict[str, SitePage]()
    for number, url in enumerate(maps):
        root = _parse(fetch(url).body)
        if root.tag.endswith("sitemapindex") and number:
            raise _no_map("a map that an index lists is an index itself")
        for place, changed in _entries(root):
            if host_of(place) != host_of(address):
                continue
            if root.tag.endswith("sitemapindex"):
                maps.append(place)
            else:
                pages.setdefault(place, SitePage(place, changed))
        if len(maps) > MOST_MAPS + 1 or len(pages) > MOST_PAGES:
            raise _no_map(f"it has more than {MOST_MAPS} maps or {MOST_PAGES:,} pages")
    return list(pages.values())


def _parse(body: bytes) -> ET.Element:
    try:
        text = _unpacked(body).decode("utf-8-sig")
    except (UnicodeDecodeError, zlib.error):
        raise _no_map("it is no text in UTF-8") from None
    if "<!DOCTYPE" in text or "<!ENTITY" in text:  # a map has none, and one could make it endless
        raise _no_map("it defines entities")
    try:
        root = ET.fromstring(text)  # noqa: S314 - it has no entities
    except ET.ParseError:
        raise _no_map("it is no XML") from None
    if not root.tag.endswith(("urlset", "sitemapindex")):
        raise _no_map("it lists no pages")
    return root


def _unpacked(body: bytes) -> bytes:
    if not body.startswith(_GZIP):
        return body
    unpacker = zlib.decompressobj(wbits=31)
    plain = unpacker.decompress(body, MOST_BYTES)
    if unpacker.unconsumed_tail:
        raise _no_map(f"it unpacks to more than {MOST_BYTES:,} bytes")
    return plain


def _entries(root: ET.Element) -> Iterator[tuple[str, str]]:
    """Yields the address of each entry, and when it was changed."""
    for entry in root:
        texts = {child.tag.rpartition("}")[2]: (child.text or "").strip() for child in entry}
        if place := texts.get("loc", ""):
            yield place, texts.get("lastmod", "")


def _no_map(why: str) -> BadRequestError:
    return BadRequestError(
        f"this is no map of a site: {why}", code="bad_sitemap",
        action="Name the address of a sitemap in XML; robots.txt of the site may tell it.",
    )  # fmt: skip
