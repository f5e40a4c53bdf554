"""Writes what an RTF file shows: paragraphs, lists, tables, and asides, which interrupt a text."""

from typing import NamedTuple

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.rtf.words import ENDS, WORD_ART, form_field

_BODY_LEVEL = 9  # the outline level that Word gives to body text
_SETTINGS = frozenset({"form", "entry", "property", "value"})


class _Aside(NamedTuple):
    """What an aside interrupts."""

    kind: str
    text: list[str]


class Blocks:
    """Takes the texts of a file in their order and writes its blocks to a builder."""

    def __init__(self, builder: DocumentBuilder) -> None:
        self._builder = builder
        self._text: list[str] = []
        self._asides: list[_Aside] = []
        self._pending: list[tuple[str, str, str]] = []  # kind, author, text
        self._author = self._number = self._property = ""
        self._field: dict[bytes, int] = {}  # what is said of the form field at hand
        self._entries: list[str] = []  # and the entries of its list
        self._edges: dict[str, None] = {}  # headers and footers, each once
        self._notes: list[str] = []
        self._cells: list[str] = []
        self._rows: list[list[str]] = []
        self._level = 0
        self._is_cell = self._is_item = self._was_item = False

    def add(self, text: str) -> None:
        self._text.append(text)

    def finish(self) -> None:
        """Writes what is left, then footnotes, headers and footers."""
        self._end_paragraph()
        self._table()
        self._write_pending()
        if self._notes:
            self._builder.heading("Footnotes", 1)
            for note in self._notes:
                self._builder.item(f"- {note}")
        for edge in self._edges:
            self._builder.paragraph(edge)

    def lay_out(self, word: bytes, number: int) -> None:
        """Heeds a word that ends a paragraph, a cell or a row, or says what a paragraph is."""
        if word in ENDS:
            self._end_paragraph()
        elif self._asides:
            # a table in an aside becomes lines
            self._text.append({b"cell": "\t", b"nestcell": "\t", b"row": "\n"}.get(word, ""))
        elif word in {b"cell", b"nestcell"}:
            self._cells.append(self._take_text())
        elif word == b"row":
            self._rows.append(self._cells)
            self._cells = []
        elif word == b"pard":
            self._level, self._is_cell = 0, False
        elif word == b"intbl":
            self._is_cell = True
        elif word == b"outlinelevel" and number < _BODY_LEVEL:
            self._level = number + 1

    def begin_aside(self, kind: str) -> None:
        self._asides.append(_Aside(kind, self._text))
        self._text = []
        if kind == "form":
            self._field, self._entries = {}, []

    def describe_field(self, word: bytes, number: int) -> None:
        self._field[word] = number

    def end_aside(self, *, is_shown: bool) -> None:
        """Takes the text of an aside, and goes on with the text that it interrupts."""
        text = self._take_text().strip()
        kind, self._text = self._asides.pop()
        if kind in _SETTINGS:
            self._end_setting(kind, text, is_shown=is_shown)
        elif kind == "note":
            self._notes += [squeeze(text)] if text else []
        elif kind == "number":
            self._is_item, self._number = True, squeeze(text)
        elif kind in {"author", "initials"}:
            self._author = squeeze(text) or self._author
        elif kind == "edge":
            line = squeeze(text)
            self._edges |= {line: None} if any(map(str.isalnum, line)) else {}
        elif text:
            self._pending.append((kind, self._author, text))

    def _end_setting(self, kind: str, text: str, *, is_shown: bool) -> None:
        """Takes a part of a form field or of a shape that is no text by itself."""
        if kind == "entry":
            self._entries.append(squeeze(text))
        elif kind == "property":
            self._property = text
        elif kind == "value" and self._property == WORD_ART:
            self._pending.append(("box", "", text))
        elif kind == "form" and is_shown:
            self._text.append(form_field(self._field, self._entries))

    def _end_paragraph(self) -> None:
        if self._is_cell or self._asides:
            self._text.append("\n")
            return
        self._table()
        text = self._take_text().strip()
        marked = f"{self._mark()} {text}" if self._is_item and text else text
        if self._level:
            self._builder.heading(text if self._mark() == "-" else marked, self._level)
        elif self._is_item:
            self._builder.paragraph(marked, "\n" if self._was_item else "\n\n")
        else:
            self._builder.paragraph(text)
        self._was_item, self._is_item, self._number = self._is_item, False, ""
        self._write_pending()

    def _mark(self) -> str:
        """Returns the number before a paragraph, or a dash for a bullet."""
        is_number = any(map(str.isdecimal, self._number)) or len(self._number) > 1
        return self._number if is_number and any(map(str.isalnum, self._number)) else "-"

    def _write_pending(self) -> None:
        """Writes the boxes and comments that began in the last paragraph or table."""
        for kind, author, text in self._pending:
            if kind == "comment":
                self._builder.paragraph(f"Comment by {author or 'an unnamed author'}:")
            for line in text.split("\n"):
                self._builder.paragraph(squeeze(line))
        self._pending = []

    def _take_text(self) -> str:
        """Returns the text so far and starts anew. Joins the surrogate halves of characters."""
        text, self._text = "".join(self._text), []
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _table(self) -> None:
        if self._rows:
            self._builder.table(self._rows)
            self._rows = []
