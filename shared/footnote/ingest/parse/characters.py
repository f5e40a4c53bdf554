"""Turns bytes into clean text: finds the encoding and removes characters that are not text."""

import codecs
import re
import unicodedata

from footnote.ingest.parse import encodings
from footnote.ingest.parse.refusals import unsupported

_BYTE_ORDER_MARKS = (
    # longest first: the little-endian UTF-32 mark begins with the UTF-16 one
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_USUAL_NAMES = {
    "ascii": "cp1252",
    "iso8859-1": "cp1252",
    "iso8859-9": "cp1254",
    "iso8859-11": "cp874",
    "tis-620": "cp874",
    "gb2312": "gb18030",
    "gbk": "gb18030",
    "big5": "cp950",
    "shift_jis": "cp932",
    "euc_kr": "cp949",
}
"""Python's name of a declared encoding → the larger encoding to use for it.

Browsers do the same: https://encoding.spec.whatwg.org, 4.2.
"""
TICKED, UNTICKED = "☒", "☐"
_SHIFT = re.compile(rb"\x1b\$(?:[@B]|\([CD]|A|\)C)")
_ROWS = bytes(range(7))
_NO_TEXT = "neither text nor a format that footnote knows"
_UNKNOWN = "text in an encoding that cannot be told from it"
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f]")
# Sequences that a terminal obeys: colours and the like (ECMA-48, 5.4), titles of windows, and
# letters struck over others, as in nroff's bold and underlined words
_TERMINAL = re.compile(
    "\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)|[^\n\b]\b(?=[^\n\b])"
)
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_VERTICAL_FORMS = dict(
    zip(
        (*range(0xFE10, 0xFE1A), *range(0xFE30, 0xFE34), *range(0xFE35, 0xFE45), 0xFE47, 0xFE48),
        "，、。：；！？〖〗…‥—–＿（）｛｝〔〕【】《》〈〉「」『』［］",  # noqa: RUF001 wide ones are meant
        strict=True,
    )
)
"""Code of a sign in its shape for vertical writing → the sign."""
_SYMBOLS = {
    0xF06E: "\u25a0", 0xF06F: "\u2610", 0xF071: "\u2751", 0xF076: "\u2756", 0xF078: "\u2612",
    0xF0A7: "\u25aa", 0xF0A8: "\u2610", 0xF0B7: "\u2022", 0xF0D8: "\u27a2", 0xF0E0: "\u2192",
    0xF0FB: "\u2717", 0xF0FC: "\u2713", 0xF0FD: "\u2612", 0xF0FE: "\u2611",
}  # fmt: skip
"""Private code of a sign in a font of symbols → the sign: bullets, boxes to tick, ticks, an arrow.

Such fonts have their codes from F000 on (OpenType, `cmap`, platform 3, encoding 0). The signs are
those of Wingdings, but F0B7 is the bullet of Symbol, which is far more frequent than a clock.
"""
_PRESENTATION_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
_TABLE = str.maketrans(
    dict.fromkeys((*range(32), *range(127, 160), 173, 8203, 8288, 65279), "")
    | dict.fromkeys((160, *range(8192, 8203), 8239, 8287, 12288), " ")
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | {ord(ligature): letters for ligature, letters in _LIGATURES.items()}
    | _VERTICAL_FORMS
    | _SYMBOLS
    | {ord(mark): "\n" for mark in "\n\v\f\x85\u2028\u2029"}
    | {ord("\t"): "\t", ord("\r"): "\n"}
)
_CHANGED = re.compile(
    f"[{re.escape(''.join(chr(code) for code, sign in _TABLE.items() if sign != chr(code)))}]"
)
"""A character that the table changes: a search is many times faster than a translation."""


def clean(text: str) -> str:
    """Normalises text to NFC, with one kind of line end and one kind of blank.

    Removes control characters, sequences for terminals, and soft hyphens. Ligatures become letters,
    and codes of symbol fonts their signs.
    """
    if text.isascii() and text.isprintable():
        return text
    if _CHANGED.search(text):
        text = _TERMINAL.sub("", text.replace("\r\n", "\n")).translate(_TABLE)
    return unicodedata.normalize("NFC", text)


def unshape(text: str) -> str:
    """Replaces presentation forms, which are codes of fonts, by Hebrew and Arabic letters."""
    return _PRESENTATION_FORMS.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)


def squeeze(text: str) -> str:
    """Returns clean text on one line, with single blanks."""
    return " ".join(clean(text).split())


def decode(body: bytes, name: str, declared: str = "") -> tuple[str, tuple[str, ...]]:
    """Returns the text in `body`, and warnings. Raises UnsupportedError for bytes that are no text.

    `declared` is the encoding that the file states.
    """
    encoding, warnings = _encoding(body, name, declared)
    text = body.decode(encoding, "replace")
    # a word processor's file is full of control characters, a text has a stray NUL at most
    if _is_binary(text):
        raise unsupported(name, _NO_TEXT)
    if warnings and (damaged := text.count("\ufffd")):
        warnings = (*warnings, f"{damaged:,} of its characters could not be read.")
    return text, warnings


def _is_binary(text: str) -> bool:
    return len(_CONTROL.findall(text[:100_000])) > 0.1 * min(len(text), 100_000)


def _encoding(body: bytes, name: str, declared: str) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return encoding, ()
    declared = _USUAL_NAMES.get(_codec(declared), _codec(declared))
    for encoding in (_shifted(body), "utf-8", _utf16_variant(body)):
        if encoding and _fits(body, encoding):
            return encoding, ()
    if declared and declared != encodings.CANDIDATES[0].encoding and _fits(body, declared):
        return declared, ()
    return _guess(body, name, declared)


def _guess(body: bytes, name: str, declared: str) -> tuple[str, tuple[str, ...]]:
    """Returns the encoding that fits the text best. Programs often declare Windows-1252 falsely."""
    if encodings.is_damaged_utf8(body):
        return "utf-8", ("The encoding is UTF-8, with faults.",)
    candidate = encodings.guess(body, declared)
    if candidate is None:
        candidate = encodings.CANDIDATES[0]
        if _is_binary(body[:100_000].decode("cp850")):  # all but its control characters are signs
            raise unsupported(name, _NO_TEXT)
        if candidate.encoding != declared and not encodings.is_mostly_ascii(body):
            raise unsupported(name, _UNKNOWN, "Save it with the encoding UTF-8 and upload that.")
    if candidate.encoding == declared:
        return declared, ()
    what = "The encoding is not the one it states" if declared else "The encoding is not stated"
    return candidate.encoding, (f"{what}; read as {candidate.label}.",)


def _codec(declared: str) -> str:
    """Returns Python's name of an encoding; "" for an unknown one."""
    try:
        return codecs.lookup(declared).name if declared else ""
    except (LookupError, ValueError):
        return ""


def _shifted(body: bytes) -> str:
    """Returns the encoding of Japanese or Korean text in seven bits, which looks like ASCII."""
    sign = _SHIFT.search(body) if b"\x1b$" in body else None
    if not sign:
        return ""
    return "iso2022_kr" if sign[0] == b"\x1b$)C" else "iso2022_jp_2"


def _utf16_variant(body: bytes) -> str:
    """Returns the encoding of UTF-16 without a byte order mark; else "".

    In an alphabet every other byte is then the same low number: 0 in Latin, 4 in Cyrillic.
    """
    sample = body[:4000]
    for encoding, offset in (("utf-16-le", 1), ("utf-16-be", 0)):
        high, low = sample[offset::2], sample[1 - offset :: 2]
        if _count_rows(high) > len(sample) * 0.3 > _count_rows(low) * 10:
            return encoding
    return ""


def _count_rows(part: bytes) -> int:
    """Counts the bytes that may be the first of a letter in UTF-16, up to Arabic."""
    return len(part) - len(part.translate(None, _ROWS))


def _fits(body: bytes, encoding: str) -> bool:
    if encoding == "utf-8" and (_utf16_variant(body)):
        return False  # such low numbers are valid UTF-8
    try:
        body.decode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True
