"""Turns bytes into clean text: finds the encoding and removes characters that are not text."""

import codecs
import re
import unicodedata

from footnote.ingest.parse.refusals import unsupported

_BYTE_ORDER_MARKS = (
    # longest first: the little-endian UTF-32 mark begins with the UTF-16 one
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f\x80-\x84\x86-\x9f]")
_LIGATURES = {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "st", "ﬆ": "st"}
_VERTICAL_FORMS = dict(
    zip(
        (*range(0xFE10, 0xFE1A), *range(0xFE30, 0xFE34), *range(0xFE35, 0xFE45), 0xFE47, 0xFE48),
        "，、。：；！？〖〗…‥—–＿（）｛｝〔〕【】《》〈〉「」『』［］",  # noqa: RUF001 wide ones are meant
        strict=True,
    )
)
"""Code of a sign in the shape that it has in vertical writing → the sign."""
_PRESENTATION_FORMS = re.compile("[\ufb1d-\ufdff\ufe70-\ufefc]+")
_TABLE = str.maketrans(
    dict.fromkeys((*range(32), *range(127, 160), 173, 8203, 8288, 65279), "")
    | dict.fromkeys((160, *range(8192, 8203), 8239, 8287, 12288), " ")
    | dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
    | {ord(ligature): letters for ligature, letters in _LIGATURES.items()}
    | _VERTICAL_FORMS
    | {ord(mark): "\n" for mark in "\n\v\f\x85\u2028\u2029"}
    | {ord("\t"): "\t", ord("\r"): "\n"}
)


def clean(text: str) -> str:
    """Normalises text to NFC, with one kind of line end and one kind of blank.

    Control characters and soft hyphens go; ligatures become letters.
    """
    if text.isascii() and text.isprintable():
        return text
    return unicodedata.normalize("NFC", text.replace("\r\n", "\n").translate(_TABLE))


def unshape(text: str) -> str:
    """Replaces presentation forms, which are codes of fonts, by Hebrew and Arabic letters."""
    return _PRESENTATION_FORMS.sub(lambda found: unicodedata.normalize("NFKC", found[0]), text)


def squeeze(text: str) -> str:
    """Returns clean text on one line, with single blanks."""
    return " ".join(clean(text).split())


def decode(body: bytes, name: str, declared: str = "") -> tuple[str, tuple[str, ...]]:
    """Returns the text in `body`, and warnings. Raises UnsupportedError for what is no text.

    `declared` is the encoding that the file says it has.
    """
    encoding, warnings = _encoding(body, declared)
    text = body.decode(encoding, "replace")
    # a word processor's file is full of control characters, a text has a stray NUL at most
    if len(_CONTROL.findall(text[:100_000])) > 0.1 * min(len(text), 100_000):
        raise unsupported(name, "neither text nor a format that footnote knows")
    return text, warnings


def _encoding(body: bytes, declared: str) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in _BYTE_ORDER_MARKS:
        if body.startswith(mark):
            return encoding, ()
    for encoding in ("utf-8", _utf16_variant(body), declared):
        if encoding and _fits(body, encoding):
            return encoding, ()
    return "cp1252", ("The encoding is not stated; read as Windows-1252.",)


def _utf16_variant(body: bytes) -> str:
    """Returns the byte order of UTF-16 that lacks its mark, as an encoding; else "".

    In western text every other byte is then NUL.
    """
    sample = body[:4000]
    for encoding, offset in (("utf-16-le", 1), ("utf-16-be", 0)):
        if sample[offset::2].count(0) > len(sample) * 0.3 > sample[1 - offset :: 2].count(0) * 10:
            return encoding
    return ""


def _fits(body: bytes, encoding: str) -> bool:
    if encoding == "utf-8" and (_utf16_variant(body)):
        return False  # NUL is valid UTF-8
    try:
        body.decode(encoding)
    except (UnicodeError, LookupError):
        return False
    return True
