"""Reads attributes and plain text of ODF's elements."""

from collections.abc import Iterator
from functools import lru_cache

from footnote.ingest.parse.safe_xml import Element, local_name

_LONGEST_NUMBER = 11  # digits


local = lru_cache(maxsize=1024)(local_name)
"""`local_name`, which every element of a file asks for."""


def attribute(element: Element, name: str) -> str:
    """Returns an attribute by its name without the namespace, or ""."""
    for key, value in element.items():
        if local(key) == name:
            return str(value)
    return ""


def number(element: Element, name: str, default: int = 1) -> int:
    digits = attribute(element, name)
    return int(digits) if digits.isdecimal() and len(digits) <= _LONGEST_NUMBER else default


def children(element: Element, *tags: str) -> Iterator[Element]:
    return (child for child in element if local(child.tag) in tags)


def text_within(element: Element) -> str:
    """Returns all text of an element as it is, on one line."""
    return " ".join("".join(map(str, element.itertext())).split())


def has_text(element: Element) -> bool:
    return any(str(text).strip() for text in element.itertext())


def namespace(element: Element) -> str:
    return str(element.tag).rpartition("}")[0]
