"""Parses untrusted XML: no DTD, no entities, nothing fetched."""

import re
from functools import lru_cache

from lxml import etree

from footnote.ingest.parse import zip_bounds
from footnote.ingest.parse.refusals import too_large, translate_errors

DECLARATION = re.compile(r"\A\s*<\?xml[^>]*\?>")
type Element = etree._Element  # noqa: SLF001 lxml has no public name for it

MAX_TAGS = 4_000_000
MAX_ATTRIBUTES = 1_000  # attributes of one tag: lxml takes quadratic time to list them
_LONG_TAG = re.compile(rb"<[^<]{5000,}+")
MAX_NODES = zip_bounds.MAX_NODES  # tags and attributes


def root(body: bytes, name: str, encoding: str | None = None) -> Element:
    """Returns the root element. Raises BadDocumentError if it is malformed, unsafe or too large."""
    zip_bounds.refuse_dtd(body[: zip_bounds.PROLOG], name)
    tags = body.count(b"<")
    if tags > MAX_TAGS:
        raise too_large(name, f"more than {MAX_TAGS:,} tags")
    if tags + body.count(b"=") > MAX_NODES:
        raise too_large(name, f"more than {MAX_NODES:,} tags and attributes")
    parser = etree.XMLParser(
        encoding=encoding,
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )
    with translate_errors(name, (etree.LxmlError, ValueError, LookupError)):
        element = etree.fromstring(body, parser)
    if element.getroottree().docinfo.internalDTD is not None:
        zip_bounds.refuse_dtd(b"<!DOCTYPE", name)  # it came after a longer prolog
    if _may_have_many_attributes(body) and any(
        len(each.attrib) > MAX_ATTRIBUTES for each in element.iter()
    ):
        raise too_large(name, f"more than {MAX_ATTRIBUTES:,} attributes of one tag")
    return element


def _may_have_many_attributes(body: bytes) -> bool:
    return any(tag[0].count(b"=") > MAX_ATTRIBUTES for tag in _LONG_TAG.finditer(body))


@lru_cache(maxsize=4096)  # every element of a file asks for it
def local_name(tag: object) -> str:
    """Returns a tag or an attribute without its namespace; "" for a node that is no element."""
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""
