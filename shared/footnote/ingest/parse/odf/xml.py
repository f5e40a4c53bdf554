"""Reads attributes and plain text of ODF's elements."""

from collections.abc import Iterator
from functools import lru_cache

from footnote.ingest.parse.safe_xml import Element, local_name

_LONGEST_NUMBER = 11  # digits


@lru_cache(maxsize=4096)
def _qualified(tag: str, name: str) -> str:
    """Returns an attribute's name in the namespace of an element."""
    return f"{tag.rpartition('}')[0]}}}{name}" if "}" in tag else name


def own_attribute(element: Element, name: str) -> str:
    """Returns an attribute of the element's own namespace, or "": the fastest look-up."""
    return element.get(_qualified(element.tag, name), "")


def attribute(element: Element, name: str) -> str:
    """Returns an attribute by its name without the namespace, or "".

    That of the element's own namespace comes first.
    """
    own = element.get(_qualified(element.tag, name))
    return own if own is not None else attributes(element).get(name, "")


def attributes(element: Element) -> dict[str, str]:
    """Returns all attributes by their names without namespaces; the first of each name."""
    return {local_name(key): str(value) for key, value in reversed(element.items())}


def number(element: Element, name: str, default: int = 1) -> int:
    """Returns a number that ODF has in the element's own namespace."""
    return to_number(own_attribute(element, name), default)


def to_number(digits: str, default: int = 1) -> int:
    return int(digits) if digits.isdecimal() and len(digits) <= _LONGEST_NUMBER else default


def children(element: Element, *tags: str) -> Iterator[Element]:
    return (child for child in element if local_name(child.tag) in tags)


def text_within(element: Element) -> str:
    """Returns all text of an element as it is, on one line."""
    return " ".join("".join(map(str, element.itertext())).split())


def has_text(element: Element) -> bool:
    return any(str(text).strip() for text in element.itertext())


def namespace(element: Element) -> str:
    return str(element.tag).rpartition("}")[0]
