"""Parses RTF in one pass over its control words: paragraphs, headings, lists, tables, asides.

Asides are notes, text boxes, comments, headers and footers: their text is no part of the sentence
around them. The parser is our own: libraries search with patterns that take quadratic time on a
hostile file.
"""

import re
from typing import NamedTuple

from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import RTF
from footnote.ingest.parse.refusals import corrupt
from footnote.ingest.parse.rtf.blocks import Blocks
from footnote.ingest.parse.rtf.words import (
    ASIDES,
    CHARSETS,
    CONTAINERS,
    ENCODINGS,
    FORM_WORDS,
    FORMATTING,
    MEANINGFUL,
    MUTE,
    SKIPPED,
    SYMBOLS,
    VISIBLE,
    encoding_of,
)
from footnote.model import ParsedDocument

_TOKEN = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,9})? ?|\\'([0-9a-fA-F]{2})|\\(.)|([{}])|([^\\{}\r\n]+)|[\r\n\\]",
    re.DOTALL,
)
_MAX_DEPTH = 1_000


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


def parse(body: bytes, name: str) -> ParsedDocument:
    builder = DocumentBuilder()
    _Reader(builder, name).read(body)
    return builder.to_parsed(RTF, name, builder.opening_title())


class _Reader:
    def __init__(self, builder: DocumentBuilder, name: str) -> None:
        self._ledger = builder.ledger
        self._blocks = Blocks(builder)
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
        self._blocks.finish()

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
            self._ledger.count("unknown_element", group.unknown)
        elif group.dropped and not group.is_skipped:
            self._ledger.count(group.dropped)
            group = group._replace(is_skipped=True)
        self._group = group._replace(unknown="")

    def _decode(self) -> None:
        if self._bytes:
            encoding = self._fonts.get(self._group.font, self._encoding)
            self._blocks.add(self._bytes.decode(encoding, "replace"))
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
            for _ in range(closed.asides - self._group.asides):
                self._blocks.end_aside(is_shown=not self._group.dropped)

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
            self._ledger.count("picture", number=int(word == b"pict"))
        elif word in ASIDES and (
            not group.is_skipped or (word == b"formfield" and group.is_instruction)
        ):
            self._blocks.begin_aside(ASIDES[word])
            self._group = group._replace(asides=group.asides + 1, is_mute=False, is_skipped=False)
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
            self._ledger.count("embedded_file")

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
            self._blocks.describe_field(word, number or 0)
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
            self._blocks.add(_character(number))
            self._to_skip = self._group.substitutes
        elif word in SYMBOLS:
            self._blocks.add(SYMBOLS[word])
        else:
            self._blocks.lay_out(word, number or 0)


def _character(number: int) -> str:
    """Returns the character with this code. Codes above 32,767 are written as negative numbers.

    The halves of a surrogate pair come one by one.
    """
    code = number % 0x10000 if number < 0 else number
    return chr(code) if code <= 0x10FFFF else "\ufffd"
