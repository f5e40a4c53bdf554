"""The properties of Word's paragraphs and runs, each looked up in one pass over its children."""

from collections.abc import Mapping
from functools import lru_cache

from docx.document import Document as WordDocument
from docx.oxml.ns import qn

from footnote.ingest.parse.safe_xml import Element, local_name

_VALUE = qn("w:val")
_PARAGRAPH, _RUN = qn("w:pPr"), qn("w:rPr")
_STYLE, _STYLE_ID = qn("w:style"), qn("w:styleId")
_OFF = frozenset({"0", "false", "off"})


class Marks(dict[str, Element]):
    """Properties by their names without the namespace."""

    def value(self, name: str) -> str:
        """Returns a property's value, or "" where it is not set."""
        found = self.get(name)
        return "" if found is None else found.get(_VALUE, "")

    def has(self, name: str) -> bool:
        return name in self

    def switch(self, name: str) -> bool | None:
        """Returns whether a property is on or off; None where it is not set."""
        found = self.get(name)
        return None if found is None else found.get(_VALUE, "1") not in _OFF

    def inner(self, name: str) -> "Marks":
        """Returns the properties within a property; none where it is not set."""
        return _marks(self.get(name))


def properties_of(paragraph: Element) -> Marks:
    """Returns a paragraph's properties."""
    return _marks(paragraph.find(_PARAGRAPH))


def run_properties_of(run: Element) -> Marks:
    """Returns a run's properties, or a style's for its text."""
    return _marks(run.find(_RUN))


def _marks(element: Element | None) -> Marks:
    if element is None:
        return _NONE
    return Marks({local_name(child.tag): child for child in element})


_NONE = Marks()


@lru_cache(maxsize=256)
def _steps(path: str) -> str:
    return "/".join(qn(step) for step in path.split("/"))


def value_at(element: Element, path: str) -> str:
    """Returns the value of the element at a path such as "w:pPr/w:numPr/w:ilvl", or ""."""
    child = element.find(_steps(path))
    return "" if child is None else child.get(_VALUE, "")


class StyleSheet:
    """The styles of a document, read once: the properties of each by its id."""

    def __init__(self, document: WordDocument) -> None:
        self.marks = {
            style.get(_STYLE_ID, ""): _marks(style)
            for style in document.styles.element.findall(_STYLE)
        }

    def inherited[T](self, own: Mapping[str, T]) -> dict[str, T]:
        """Returns what each style has itself, or of the nearest style that it is based on.

        A style is looked at once, however long the chains are; a circle has nothing.
        """
        resolved: dict[str, T | None] = dict(own)
        for style in self.marks:
            chain: list[str] = []
            at = style
            while at and at not in resolved:
                resolved[at] = None  # of a circle, until it is known
                chain.append(at)
                at = self.marks.get(at, _NONE).value("basedOn")
            value = resolved.get(at)
            resolved.update(dict.fromkeys(chain, value))
        return {style: value for style, value in resolved.items() if value is not None}
