"""The visible text of Word's paragraphs, and what is anchored in them.

Insertions, fields, symbols and equations are read. Deleted, moved-away and hidden text is left out
and counted, as is what no reader of this package knows.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from docx.oxml.ns import qn

from footnote.ingest.parse.docx import symbol_fonts
from footnote.ingest.parse.docx.marks import Marks, StyleSheet, run_properties_of, value_at
from footnote.ingest.parse.ledger import Ledger
from footnote.ingest.parse.ooxml import omml
from footnote.ingest.parse.safe_xml import Element, local_name
from footnote.ingest.parse.superscripts import to_superscript

_OFF = frozenset({"0", "false", "off"})
_TEXT = qn("w:t")
_PRIVATE = re.compile("[\uf000-\uf0ff]")  # numbers of a font's own letters
_OPENED = frozenset(
    re.findall(
        r"\w+",
        "hyperlink smartTag ins moveTo sdt sdtContent fldSimple customXml dir bdo rubyBase",
    )
)
_SILENT = frozenset(
    re.findall(
        r"\w+",
        "pPr rPr sdtPr sdtEndPr instrText delInstrText softHyphen lastRenderedPageBreak "
        "pgNum footnoteReference endnoteReference footnoteRef endnoteRef annotationRef "
        "separator continuationSeparator proofErr bookmarkStart bookmarkEnd "
        "commentRangeStart commentRangeEnd permStart permEnd smartTagPr customXmlPr fldData "
        "rt rubyPr moveFromRangeStart moveFromRangeEnd moveToRangeStart moveToRangeEnd "
        "customXmlInsRangeStart customXmlInsRangeEnd customXmlDelRangeStart "
        "customXmlDelRangeEnd",
    )
)
_MAX_DEPTH = 100  # of elements in each other; Word's own limit for content controls is far below


@dataclass
class Line:
    """A paragraph's text, and what is anchored in it, in order: each is shown after it."""

    text: str = ""
    anchored: list[Element] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)


class TextReader:
    """Reads paragraphs of one document. It knows which styles hide their text."""

    def __init__(self, styles: StyleSheet, ledger: Ledger) -> None:
        self._hidden = _hiding_styles(styles)
        self._ledger = ledger

    def read(self, paragraph: Element, style: str = "") -> Line:
        """Returns the line of a paragraph; `style` is the id of its style."""
        return _Paragraph(self._hidden, style, self._ledger).read(paragraph)


class _Paragraph:
    """Reads one paragraph: collects its text and what is anchored in it."""

    def __init__(self, hiding: frozenset[str], style: str, ledger: Ledger) -> None:
        self._hiding = hiding
        self._is_hidden_style = style in hiding
        self._ledger = ledger
        self._line = Line()

    def read(self, paragraph: Element) -> Line:
        self._line.text = "".join(self._inner(paragraph, 0))
        return self._line

    def _inner(self, node: Element, depth: int) -> Iterator[str]:
        if depth > _MAX_DEPTH:
            self._ledger.count("unknown_element", "elements too deep in each other")
            return
        for child in node:
            name = local_name(child.tag)
            if name in {"del", "moveFrom"}:
                self._leave_out(child, "deleted_text")
            elif name == "r":
                yield from self._run(child, depth)
            elif name in _OPENED:
                yield from self._inner(child, depth + 1)
            else:
                yield from self._single(child, depth)

    def _run(self, run: Element, depth: int) -> Iterator[str]:
        marks = run_properties_of(run)
        if self._hides(marks):
            self._leave_out(run, "hidden_text")
            return
        is_raised = marks.value("vertAlign") == "superscript"
        for child in run:
            if child.tag == _TEXT:
                text = _in_font(child.text or "", marks)
                yield (to_superscript(text.strip()) or text) if is_raised else text
            else:
                yield from self._single(child, depth)

    def _single(self, node: Element, depth: int) -> Iterator[str]:
        """Yields the text of an element that is no run; keeps what is anchored there."""
        name = local_name(node.tag)
        if write := _WRITTEN.get(name):
            yield write(node)
        elif name == "sym":
            yield self._symbol(node)
        elif name == "ruby":
            yield from self._ruby(node, depth)
        elif name == "AlternateContent":
            for choice in [each for each in node if len(each)][:1]:
                yield from self._inner(choice, depth + 1)
        elif name in {"drawing", "pict", "object"}:
            self._line.anchored.append(node)
        elif name == "commentReference":
            self._line.comments.append(node.get(qn("w:id"), ""))
        elif name and name not in _SILENT and _has_text(node):
            self._ledger.count("unknown_element", name)

    def _ruby(self, node: Element, depth: int) -> Iterator[str]:
        """Yields a word, and in brackets how it is pronounced, as browsers without ruby do."""
        parts = {local_name(child.tag): child for child in node}
        for name, brackets in (("rubyBase", ""), ("rt", "()")):
            text = "".join(self._inner(parts[name], depth + 1)) if name in parts else ""
            yield f"{brackets[:1]}{text}{brackets[1:]}" if text else ""

    def _symbol(self, node: Element) -> str:
        number = node.get(qn("w:char"), "")
        try:
            shown = symbol_fonts.letter(node.get(qn("w:font"), ""), int(number, 16))
        except ValueError:
            shown = ""
        if not shown:
            self._ledger.count("symbol", node.get(qn("w:font"), ""))
        return shown

    def _hides(self, marks: Marks) -> bool:
        own = marks.switch("vanish")
        if own is not None:
            return own
        return self._is_hidden_style or marks.value("rStyle") in self._hiding

    def _leave_out(self, node: Element, code: str) -> None:
        if any((each.text or "").strip() for each in node.iter(qn("w:t"), qn("w:delText"))):
            self._ledger.count(code)


def _hiding_styles(styles: StyleSheet) -> frozenset[str]:
    """Returns the ids of styles whose text is hidden; a style inherits it."""
    switches = ((key, marks.inner("rPr").switch("vanish")) for key, marks in styles.marks.items())
    own = {key: hides for key, hides in switches if hides is not None}
    return frozenset(style for style, hides in styles.inherited(own).items() if hides)


def _in_font(text: str, marks: Marks) -> str:
    """Returns text whose letters are a font's own numbers in common letters."""
    if not _PRIVATE.search(text):
        return text
    fonts = marks.get("rFonts")
    font = "" if fonts is None else fonts.get(qn("w:ascii"), "")
    return _PRIVATE.sub(lambda letter: symbol_fonts.letter(font, ord(letter[0])), text)


def _form_field(node: Element) -> str:
    """Returns what a field of a form shows that holds no text: its choice, or whether it is set."""
    data = node.find(qn("w:ffData"))
    if data is None:
        return ""
    choices = data.find(qn("w:ddList"))
    if choices is not None:
        entries = [each.get(qn("w:val"), "") for each in choices.findall(qn("w:listEntry"))]
        chosen = value_at(choices, "w:result") or value_at(choices, "w:default") or "0"
        place = int(chosen) if chosen.isdecimal() and len(chosen) < 5 else 0
        return entries[place] if place < len(entries) else ""
    box = data.find(qn("w:checkBox"))
    if box is None:
        return ""
    state = box.find(qn("w:checked"))
    state = box.find(qn("w:default")) if state is None else state
    is_set = state is not None and state.get(qn("w:val"), "1") not in _OFF
    return "\u2612" if is_set else "\u2610"


def _has_text(node: Element) -> bool:
    return any((text or "").strip() for text in node.itertext())


_WRITTEN: dict[str, Callable[[Element], str]] = {
    "tab": lambda _: "\t",
    "ptab": lambda _: "\t",
    "noBreakHyphen": lambda _: "-",
    "br": lambda _: "\n",
    "cr": lambda _: "\n",
    "oMath": omml.to_linear,
    "oMathPara": omml.to_linear,
    "fldChar": _form_field,
}
