"""Parses RTF in one pass over its control words: paragraphs, headings, lists, tables, asides.

Asides are notes, text boxes, comments, headers and footers: their text is no part of the sentence
around them. The parser is our own: libraries search with patterns that take quadratic time on a
hostile file.
"""

import re
from typing import NamedTuple

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.formats import RTF
from footnote.ingest.parse.refusals import corrupt
from footnote.ingest.parse.rtf_words import (
    ASIDES,
    CHARSETS,
    CONTAINERS,
    ENCODINGS,
    ENDS,
    FORM_WORDS,
    FORMATTING,
    MEANINGFUL,
    MUTE,
    SKIPPED,
    SYMBOLS,
    VISIBLE,
    WORD_ART,
    encoding_of,
    form_field,
)
from footnote.model import ParsedDocument

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n\\]",
    re.DOTALL,
)
_MAX_DEPTH = 1_000
_BODY_LEVEL = 9  # the outline level that Word gives to body text


class _Group(NamedTuple):
    """The state until a brace closes."""

    is_skipped: bool = False
    is_mute: bool = False  # what stands here directly is a setting
    dropped: str = ""  # the code under which text that is not shown is counted
    unknown: str = ""  # the name of a destination that the parser does not know
    is_twin: bool = False  # the text repeats HTML that the RTF holds
    is_fonts: bool = False
    is_instruction: bool = False  # it says how a field is made; a form's field is described there
    has_twins: bool = False  # the first group in this one repeats the second, without Unicode
    asides: int = 0  # how many asides the group lies in
    substitutes: int = 1  # characters after a Unicode one, for programs without Unicode
    font: int = -1


class _Aside(NamedTuple):
    """What an aside interrupts."""

    kind: str
    text: list[str]


def parse(body: bytes, name: str) -> ParsedDocument:
    reader = _Reader(name)
    reader.read(body)
    return reader.builder.to_parsed(RTF, name, reader.builder.opening_title())


class _Reader:
    def __init__(self, name: str) -> None:
        self.builder = DocumentBuilder()
        self._name = name
        self._group = _Group()
        self._open: list[_Group] = []
        self._is_first = False  # nothing has come since the last opening brace
        self._is_optional = False  # the group may be passed over by those who do not know it
        self._fonts: dict[int, str] = {}
        self._encoding = "cp1252"
        # characters written as codes, until the last of them has come
        self._bytes = bytearray()
        self._to_skip = 0
        self._text: list[str] = []
        self._asides: list[_Aside] = []
        self._pending: list[tuple[str, str, str]] = []  # kind, author, text
        self._author = self._number = self._property = ""
        self._form: dict[bytes, int] = {}  # the words of the form field at hand
        self._entries: list[str] = []  # and the entries of its list
        self._edges: dict[str, None] = {}  # headers and footers, each once
        self._notes: list[str] = []
        self._cells: list[str] = []
        self._rows: list[list[str]] = []
        self._level = 0
        self._is_cell = self._is_item = self._was_item = False

    def read(self, body: bytes) -> None:
        at = 0
        while token := _TOKEN.match(body, at):
            word, number, code, symbol, brace, text = token.groups()
            at = token.end() + (max(0, int(number or 0)) if word == b"bin" else 0)
            if code or text:
                self._add(bytes.fromhex(code.decode()) if code else text, is_code=bool(code))
                continue
            self._decode()
            if brace:
                self._brace(brace)
            elif sign := word or symbol:
                if self._is_optional or sign in MEANINGFUL:
                    self._control(sign, int(number) if number else None)
                self._is_first = False
        self._decode()
        self._paragraph()
        self._table()
        self._write_pending()
        if self._notes:
            self.builder.heading("Footnotes", 1)
            for note in self._notes:
                self.builder.item(f"- {note}")
        for edge in self._edges:
            self.builder.paragraph(edge)

    def _add(self, content: bytes, *, is_code: bool) -> None:
        skipped = min(self._to_skip, len(content))
        self._to_skip -= skipped
        self._is_first = False
        group = self._group
        if not is_code:
            self._decode()
        if group.is_skipped or group.dropped or group.is_mute or group.is_twin:
            self._count_lost(content)
        else:
            self._bytes += content[skipped:]
        if not is_code:
            self._decode()

    def _count_lost(self, content: bytes) -> None:
        """Counts text that is dropped, once a group."""
        group = self._group
        if not content.strip():
            return
        if group.unknown:
            self.builder.ledger.count("unknown_element", group.unknown)
        elif group.dropped and not group.is_skipped:
            self.builder.ledger.count(group.dropped)
            group = group._replace(is_skipped=True)
        self._group = group._replace(unknown="")

    def _decode(self) -> None:
        if self._bytes:
            encoding = self._fonts.get(self._group.font, self._encoding)
            self._text.append(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()

    def _brace(self, brace: bytes) -> None:
        self._to_skip = 0
        self._is_first = brace == b"{"
        self._is_optional = False
        if brace == b"{":
            twins = self._group.has_twins
            self._open.append(self._group._replace(has_twins=False))
            self._group = self._open[-1]._replace(is_skipped=self._group.is_skipped or twins)
            if len(self._open) > _MAX_DEPTH:
                raise corrupt(self._name, f"groups are nested more than {_MAX_DEPTH:,} deep")
        elif self._open:
            closed, self._group = self._group, self._open.pop()
            if closed.asides > self._group.asides:
                self._end_aside()

    def _control(self, word: bytes, number: int | None) -> None:
        is_optional, is_first = self._is_optional, self._is_first
        group = self._group
        self._is_optional = word == b"*" and is_first
        self._is_first = False
        if word == b"*":
            return
        if word in SKIPPED or (word == b"pict" and not group.is_skipped):
            self._group = group._replace(
                is_skipped=True, is_instruction=group.is_instruction or word == b"fldinst"
            )
            self.builder.ledger.count("picture", number=int(word == b"pict"))
        elif word in ASIDES and (
            not group.is_skipped or (word == b"formfield" and group.is_instruction)
        ):
            self._begin_aside(ASIDES[word])
        elif word in CONTAINERS:
            self._contain(word)
        elif is_optional and word.isalpha() and word not in FORMATTING:
            name = "" if group.is_skipped else word.decode()
            self._group = group._replace(is_skipped=True, unknown=name)
        elif word in {b"v", b"deleted", b"plain"}:
            self._hide(word, is_on=number != 0)
        elif word == b"fonttbl":
            self._group = group._replace(is_fonts=True, is_skipped=True)
        elif word == b"htmlrtf":
            self._group = group._replace(is_twin=number != 0)
        elif word == b"upr":
            self._group = group._replace(has_twins=True)
        else:
            self._set(word, number)

    def _contain(self, word: bytes) -> None:
        if word in MUTE:
            self._group = self._group._replace(is_mute=True)
        elif word in VISIBLE:
            self._group = self._group._replace(is_mute=False)
        if word == b"object" and not self._group.is_skipped:
            self.builder.ledger.count("embedded_file")

    def _hide(self, word: bytes, *, is_on: bool) -> None:
        """Switches hidden or deleted text on or off. Text that was counted stays out."""
        codes = {b"v": "hidden_text", b"deleted": "deleted_text"}
        dropped = codes.get(word, "") if is_on else ""
        was_counted = bool(self._group.dropped) and self._group.is_skipped
        self._group = self._group._replace(
            dropped=dropped, is_skipped=self._group.is_skipped and not was_counted
        )

    def _set(self, word: bytes, number: int | None) -> None:
        group = self._group
        if word == b"f":
            self._group = group._replace(font=number or 0)
        elif word == b"fcharset" and group.is_fonts and number in CHARSETS:
            self._fonts[group.font] = CHARSETS[number]
        elif word in FORM_WORDS:
            self._form[word] = number or 0
        elif word == b"uc":
            self._group = group._replace(substitutes=number or 0)
        elif word == b"ansicpg":
            self._encoding = encoding_of(number or 0)
        elif word in ENCODINGS:
            self._encoding = ENCODINGS[word]
        elif not (group.is_skipped or group.dropped or group.is_mute):
            self._add_visible(word, number)

    def _add_visible(self, word: bytes, number: int | None) -> None:
        if word == b"u" and number is not None:
            self._text.append(_character(number))
            self._to_skip = self._group.substitutes
        elif word in SYMBOLS:
            self._text.append(SYMBOLS[word])
        elif word in ENDS:
            self._paragraph()
        else:
            self._layout(word, number)

    def _layout(self, word: bytes, number: int | None) -> None:
        if self._group.asides:
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
        elif word == b"outlinelevel" and (number or 0) < _BODY_LEVEL:
            self._level = (number or 0) + 1

    def _begin_aside(self, kind: str) -> None:
        self._asides.append(_Aside(kind, self._text))
        self._text = []
        self._group = self._group._replace(
            asides=self._group.asides + 1, is_mute=False, is_skipped=False
        )
        if kind == "form":
            self._form, self._entries = {}, []

    def _end_aside(self) -> None:
        text = self._take_text().strip()
        kind, self._text = self._asides.pop()
        if kind in {"form", "entry", "property", "value"}:
            self._end_setting(kind, text)
        elif kind == "note":
            self._notes.append(squeeze(text))
        elif kind == "number":
            self._is_item, self._number = True, squeeze(text)
        elif kind in {"author", "initials"}:
            self._author = squeeze(text) or self._author
        elif kind == "edge":
            line = squeeze(text)
            self._edges |= {line: None} if any(map(str.isalnum, line)) else {}
        elif text:
            self._pending.append((kind, self._author, text))

    def _end_setting(self, kind: str, text: str) -> None:
        """Takes a part of a form field or of a shape that is no text by itself."""
        if kind == "entry":
            self._entries.append(squeeze(text))
        elif kind == "property":
            self._property = text
        elif kind == "value" and self._property == WORD_ART:
            self._pending.append(("box", "", text))
        elif kind == "form" and not self._group.dropped:
            self._text.append(form_field(self._form, self._entries))

    def _paragraph(self) -> None:
        if self._is_cell or self._group.asides:
            self._text.append("\n")
            return
        self._table()
        text = self._take_text().strip()
        marked = f"{self._mark()} {text}" if self._is_item and text else text
        if self._level:
            self.builder.heading(text if self._mark() == "-" else marked, self._level)
        elif self._is_item:
            self.builder.paragraph(marked, "\n" if self._was_item else "\n\n")
        else:
            self.builder.paragraph(text)
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
                self.builder.paragraph(f"Comment by {author or 'an unnamed author'}:")
            for line in text.split("\n"):
                self.builder.paragraph(squeeze(line))
        self._pending = []

    def _take_text(self) -> str:
        """Returns the text so far and starts anew. Joins the surrogate halves of characters."""
        text, self._text = "".join(self._text), []
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _table(self) -> None:
        if self._rows:
            self.builder.table(self._rows)
            self._rows = []


def _character(number: int) -> str:
    """Returns the character with this code. Codes above 32,767 are written as negative numbers.

    The halves of a surrogate pair come one by one.
    """
    code = number % 0x10000 if number < 0 else number
    return chr(code) if code <= 0x10FFFF else "\ufffd"
