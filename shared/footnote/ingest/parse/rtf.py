"""Parses RTF in one pass over its control words: paragraphs, headings, lists, tables, footnotes.

The parser is our own: libraries search with patterns that take quadratic time on a hostile file.
"""

import codecs
import re
from typing import NamedTuple

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import squeeze
from footnote.ingest.parse.formats import RTF
from footnote.ingest.parse.refusals import corrupt
from footnote.model import ParsedDocument

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n\\]",
    re.DOTALL,
)
_SKIPPED = frozenset(
    b"colortbl stylesheet info pict object objdata themedata colorschememapping datastore header "
    b"latentstyles listtable listoverridetable rsidtbl generator xmlnstbl fldinst headerl headerr "
    b"headerf footer footerl footerr footerf pntext pnseclvl bkmkstart bkmkend listtext private "
    b"nonshppict annotation atnid atnauthor atrfstart atrfend filetbl revtbl userprops fontfile "
    b"fontemb tc xe".split()
)
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 255: "cp850",
}  # fmt: skip
_SYMBOLS = {
    b"tab": "\t", b"line": "\n", b"lquote": "\u2018", b"rquote": "\u2019", b"ldblquote": "\u201c",
    b"rdblquote": "\u201d", b"emdash": "\u2014", b"endash": "\u2013", b"bullet": "\u2022",
    b"emspace": " ", b"enspace": " ", b"~": " ", b"_": "-", b"{": "{", b"}": "}", b"\\": "\\",
}  # fmt: skip
_ENDS = frozenset({b"par", b"sect", b"page", b"\n", b"\r"})
_MAX_DEPTH = 1_000
_BODY_LEVEL = 9  # the outline level that Word gives to body text


class _Group(NamedTuple):
    """The state until a brace closes."""

    is_skipped: bool = False
    is_hidden: bool = False
    is_fonts: bool = False
    is_note: bool = False
    substitutes: int = 1  # characters after a Unicode one, for programs without Unicode
    font: int = -1


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
        self._fonts: dict[int, str] = {}
        self._encoding = "cp1252"
        # characters written as codes, until the last of them has come
        self._bytes = bytearray()
        self._to_skip = 0
        self._text: list[str] = []
        self._outside: list[str] = []  # the paragraph that a footnote interrupts
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
            elif word or symbol:
                self._control(word or symbol, int(number) if number else None)
        self._decode()
        self._paragraph()
        self._table()
        if self._notes:
            self.builder.heading("Footnotes", 1)
            for note in self._notes:
                self.builder.item(f"- {note}")

    def _add(self, content: bytes, *, is_code: bool) -> None:
        skipped = min(self._to_skip, len(content))
        self._to_skip -= skipped
        if not is_code:
            self._decode()
        if not (self._group.is_skipped or self._group.is_hidden):
            self._bytes += content[skipped:]
        if not is_code:
            self._decode()

    def _decode(self) -> None:
        if self._bytes:
            encoding = self._fonts.get(self._group.font, self._encoding)
            self._text.append(self._bytes.decode(encoding, "replace"))
            self._bytes.clear()

    def _brace(self, brace: bytes) -> None:
        self._to_skip = 0
        if brace == b"{":
            self._open.append(self._group)
            if len(self._open) > _MAX_DEPTH:
                raise corrupt(self._name, f"groups are nested more than {_MAX_DEPTH:,} deep")
        elif self._open:
            closed, self._group = self._group, self._open.pop()
            if closed.is_note and not self._group.is_note:
                self._notes.append(squeeze(self._take_text()))
                self._text = self._outside

    def _control(self, word: bytes, number: int | None) -> None:
        group = self._group
        if word in _SKIPPED or word == b"*":
            self._group = group._replace(is_skipped=True)
            self._is_item |= word in {b"listtext", b"pntext"}
        elif word in {b"v", b"deleted", b"plain"}:
            self._group = group._replace(is_hidden=word != b"plain" and number != 0)
        elif word == b"fonttbl":
            self._group = group._replace(is_fonts=True, is_skipped=True)
        elif word == b"f":
            self._group = group._replace(font=number or 0)
        elif word == b"fcharset" and group.is_fonts and number in _CHARSETS:
            self._fonts[group.font] = _CHARSETS[number]
        elif word == b"uc":
            self._group = group._replace(substitutes=number or 0)
        elif word == b"ansicpg":
            self._encoding = _known_encoding(f"cp{number}")
        elif not (group.is_skipped or group.is_hidden):
            self._add_visible(word, number)

    def _add_visible(self, word: bytes, number: int | None) -> None:
        if word == b"u" and number is not None:
            self._text.append(_character(number))
            self._to_skip = self._group.substitutes
        elif word in _SYMBOLS:
            self._text.append(_SYMBOLS[word])
        elif word == b"footnote" and not self._group.is_note:
            self._outside, self._text = self._text, []
            self._group = self._group._replace(is_note=True)
        elif word in _ENDS:
            self._paragraph()
        else:
            self._layout(word, number)

    def _layout(self, word: bytes, number: int | None) -> None:
        if word in {b"cell", b"nestcell"}:
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

    def _paragraph(self) -> None:
        if self._is_cell or self._group.is_note:
            self._text.append("\n")
            return
        self._table()
        text = self._take_text()
        if self._level:
            self.builder.heading(text, self._level)
        elif self._is_item:
            goes_on = "\n" if self._was_item else "\n\n"
            self.builder.paragraph(f"- {text.strip()}" if text.strip() else "", goes_on)
        else:
            self.builder.paragraph(text)
        self._was_item, self._is_item = self._is_item, False

    def _take_text(self) -> str:
        """Returns the text so far and starts anew. Joins the surrogate halves of characters."""
        text, self._text = "".join(self._text), []
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")

    def _table(self) -> None:
        if self._rows:
            self.builder.table(self._rows)
            self._rows = []


def _known_encoding(encoding: str) -> str:
    try:
        return codecs.lookup(encoding).name
    except LookupError:
        return "cp1252"


def _character(number: int) -> str:
    """Returns the character with this code. Codes above 32,767 are written as negative numbers.

    The halves of a surrogate pair come one by one.
    """
    code = number % 0x10000 if number < 0 else number
    return chr(code) if code <= 0x10FFFF else "\ufffd"
