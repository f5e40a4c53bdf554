"""Reads the text of ODF's paragraphs; gathers the notes, comments and shapes beside it."""

import re
from collections.abc import Callable

from footnote.ingest.parse import mathml
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.odf import OpenDocument
from footnote.ingest.parse.odf.controls import Controls
from footnote.ingest.parse.odf.xml import (
    attribute,
    children,
    has_text,
    namespace,
    number,
    own_attribute,
)
from footnote.ingest.parse.raised_text import is_short_number
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.superscripts import to_superscript

SHAPES = frozenset(
    re.findall(
        r"[\w-]+",
        "frame g a custom-shape rect ellipse circle line polyline polygon regular-polygon path "
        "connector caption measure scene page-thumbnail",
    )
)
_MAY_BE_HIDDEN = frozenset({"hidden-text", "hidden-paragraph"})
_SILENT = frozenset({"annotation-end", "event-listeners", "script", "scripts", "rdfa"})
_ELSEWHERE = frozenset({"content-control", "date-time", "footer", "header", "del-text"})
UNREAD = "\x00"
"""Stands for a field that is not read; `squeeze` removes it."""
_BLANKS = re.compile(r"[ \t\r\n]+")
_MOST_BLANKS = 1_000


class Reader:
    """Reads paragraphs. `notes` and `beside` gather what the caller writes elsewhere."""

    def __init__(self, document: OpenDocument, ledger: Ledger) -> None:
        self._document = document
        self._styles = document.styles
        self._ledger = ledger
        self._controls = Controls(document.content)
        self._space = ""
        self._is_hidden = False
        self._after_number = False
        self._spans: dict[str, tuple[bool, bool]] = {}
        self.notes: list[Element] = []
        self.beside: list[Element] = []
        self._write_as: dict[str, Callable[[Element, list[str]], None]] = {
            "s": self._blanks,
            "tab": lambda _, pieces: self._add(pieces, "\t"),
            "line-break": lambda _, pieces: self._add(pieces, "\n"),
            "span": self._span,
            "note": self._note,
            "annotation": self._annotation,
            "ruby": self._ruby,
            "control": self._form_field,
            "math": lambda math, pieces: self._add(pieces, mathml.to_line(math)),
        }
        self.unread: frozenset[str] = frozenset()  # fields without a meaning where it reads

    def text(self, paragraph: Element) -> str:
        """Returns the visible text of a paragraph, or "" where the paragraph is hidden."""
        notes, beside = len(self.notes), len(self.beside)
        pieces: list[str] = []
        if not len(paragraph):
            pieces.append(_fold(paragraph.text or ""))
        else:
            self._space = namespace(paragraph)
            self._is_hidden = self._after_number = False
            self._walk(paragraph, pieces)
        text = "".join(pieces).strip("\n")
        if text and (self._is_hidden or self._hides(paragraph)):
            self._ledger.count("hidden_text")
            del self.notes[notes:], self.beside[beside:]
            text = ""
        self._is_hidden = False
        return text

    def _hides(self, paragraph: Element) -> bool:
        return self._styles.is_hidden("paragraph", own_attribute(paragraph, "style-name"))

    def _walk(self, element: Element, pieces: list[str]) -> None:
        if element.text:
            self._add(pieces, _fold(element.text))
        for child in element:
            self._inline(child, local_name(child.tag), pieces)
            if child.tail:
                self._add(pieces, _fold(child.tail))

    def _add(self, pieces: list[str], text: str) -> None:
        if text:
            if self._after_number and text[0].isdigit():
                pieces.append(" ")
            self._after_number = False
            pieces.append(text)

    def _inline(self, child: Element, tag: str, pieces: list[str]) -> None:
        write = self._write_as.get(tag)
        if write is not None:
            write(child, pieces)
        elif tag in SHAPES and namespace(child) != self._space:
            self._shape(child, pieces)
        elif tag in self.unread:
            pieces.append(UNREAD)
        else:
            self._field(child, tag, pieces)

    def _field(self, child: Element, tag: str, pieces: list[str]) -> None:
        """Reads a field or a mark of the text's own vocabulary; counts an unknown element."""
        if tag in _MAY_BE_HIDDEN and attribute(child, "is-hidden") == "true":
            self._is_hidden |= tag == "hidden-paragraph"
            if tag == "hidden-text":
                self._ledger.count("hidden_text")
                return
        if tag in _SILENT:
            return
        if namespace(child) == self._space or tag in _ELSEWHERE:
            self._walk(child, pieces)
        elif has_text(child):
            self._ledger.count("unknown_element", tag)

    def _blanks(self, child: Element, pieces: list[str]) -> None:
        self._add(pieces, " " * min(number(child, "c"), _MOST_BLANKS))

    def _note(self, note: Element, _: list[str]) -> None:
        self.notes += children(note, "note-body")

    def _annotation(self, annotation: Element, _: list[str]) -> None:
        self.beside.append(annotation)

    def _form_field(self, control: Element, pieces: list[str]) -> None:
        label = self.control(control)
        self._add(pieces, f" {label} " if label else "")

    def _span(self, span: Element, pieces: list[str]) -> None:
        style = own_attribute(span, "style-name")
        hides, raises = self._spans.get(style) or self._look_up(style)
        if hides:
            if has_text(span):
                self._ledger.count("hidden_text")
            return
        if not raises:
            self._walk(span, pieces)
            return
        raised: list[str] = []
        self._walk(span, raised)
        text = "".join(raised)
        if not is_short_number(text):
            self._add(pieces, text)
            return
        if pieces and pieces[-1][-1].isalnum():
            text = to_superscript(text.strip()) or f"^{text.strip()}"
        pieces.append(text)
        self._after_number = True

    def _look_up(self, style: str) -> tuple[bool, bool]:
        """Returns whether a style of spans hides and whether it raises."""
        self._spans[style] = self._styles.is_hidden("text", style), self._styles.is_raised(style)
        return self._spans[style]

    def _ruby(self, ruby: Element, pieces: list[str]) -> None:
        for child in ruby:
            part: list[str] = []
            self._walk(child, part)
            text = "".join(part)
            is_reading = local_name(child.tag) == "ruby-text" and text.strip()
            self._add(pieces, f"({text})" if is_reading else text)

    def _shape(self, shape: Element, pieces: list[str]) -> None:
        """Reads a formula in its place. Other shapes come after the paragraph."""
        for held in children(shape, "object"):
            href = attribute(held, "href")
            root = self._document.embedded(href) if href else next(iter(held), None)
            if root is not None and local_name(root.tag) == "math":
                self._add(pieces, mathml.to_line(root))
                return
        self.beside.append(shape)

    def control(self, control: Element) -> str:
        """Returns what a form control shows."""
        return self._controls.text(attribute(control, "control"), self._ledger)


def _fold(text: str) -> str:
    """Folds line ends and runs of blanks, which mean one blank (OpenDocument 1.3, 6.1.2)."""
    return _BLANKS.sub(" ", text) if "\n" in text or "  " in text or "\t" in text else text
