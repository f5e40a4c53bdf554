"""Writes what a browser shows in the place of an element: formulas, drawings, fields of forms.

Pictures, frames, sounds and films are counted.
"""

from collections.abc import Callable, Iterator

from lxml import etree, html

from footnote.ingest.parse import mathml
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.html import forms
from footnote.ingest.parse.safe_xml import Element

_FILES = frozenset({"iframe", "frame", "embed", "audio", "video", "applet"})
_NO_FILES = ("javascript:", "about:")
_LABELS = frozenset({"text", "foreignobject", "foreignObject"})
_TINY = frozenset({"0", "1", "0px", "1px"})


class Replaced:
    """Writes with the functions of a page's writer: for text in a line, for lines, for counts."""

    def __init__(
        self,
        add: Callable[[str], None],
        write_lines: Callable[[list[str]], None],
        count: Callable[[str, str], None],
    ) -> None:
        self._add = add
        self._write_lines = write_lines
        self._count = count
        self._write_as: dict[str, Callable[[html.HtmlElement], None]] = {
            "math": self._math,
            "svg": self._drawing,
            "input": self._input,
            "select": self._select,
            "textarea": self._textarea,
            "img": self._picture,
            **dict.fromkeys(_FILES, self._file),
        }

    def write(self, element: html.HtmlElement) -> bool:
        """Writes or counts the element, if it is of these kinds, and tells whether it was."""
        write = self._write_as.get(element.tag)
        if write is None:
            return False
        write(element)
        return True

    def _math(self, element: html.HtmlElement) -> None:
        line = mathml.to_line(element)
        if element.get("display") == "block" and line:
            line = f" {line} "
        self._add(line)

    def _drawing(self, element: html.HtmlElement) -> None:
        self._write_lines(list(_labels(element)))

    def _apart(self, text: str) -> None:
        self._add(f" {text} " if text else "")

    def _input(self, element: html.HtmlElement) -> None:
        self._apart(forms.input_text(element))

    def _textarea(self, element: html.HtmlElement) -> None:
        self._apart(forms.textarea_text(element))

    def _select(self, element: html.HtmlElement) -> None:
        text, others = forms.select_text(element)
        self._apart(text)
        if others:
            self._count("hidden_text", "entries of a list that are not chosen")

    def _picture(self, element: html.HtmlElement) -> None:
        """Counts a picture, unless it decorates or traces."""
        is_tiny = element.get("width") in _TINY or element.get("height") in _TINY
        if not is_tiny and squeeze(element.get("alt", "picture")):
            self._count("picture", squeeze(element.get("alt", "")))

    def _file(self, element: html.HtmlElement) -> None:
        source = element.get("src", "")
        source = "" if source.startswith(_NO_FILES) else source
        if element.tag in {"audio", "video"} or source or element.get("srcdoc"):
            self._count("embedded_file", squeeze(source.rpartition("/")[2]))


def _labels(drawing: Element) -> Iterator[str]:
    """Yields the texts of a drawing, without hidden ones. A text in a text is a part of it."""
    label: Element | None = None
    for event, element in etree.iterwalk(drawing, events=("start", "end")):
        if event == "start" and label is None and element.tag in _LABELS:
            label = element
        elif event == "end" and label is not None and element is label:
            label = None
            if element.get("display") != "none" and element.get("visibility") != "hidden":
                yield squeeze(" ".join(map(str, element.itertext())))
