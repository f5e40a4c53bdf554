"""Finds the format of a text by its beginning and the ending of its name."""

import re
from pathlib import PurePosixPath

from footnote.ingest.parse import unread
from footnote.ingest.parse.formats import (
    EML,
    HTML,
    JSON,
    JSONL,
    MBOX,
    NOTEBOOK,
    ODP,
    ODS,
    ODT,
    TEXT,
    TEXT_ENDINGS,
    XML,
)
from footnote.ingest.parse.refusals import unsupported

_UNREAD = {  # texts whose markup would be indexed as words
    ".svg": "an image",
}
_HEAD = 4096
_TAIL = 64
_DECLARATION = re.compile(r"<\?xml[^>]*>\s*", re.IGNORECASE)
_WEB_PAGE = re.compile(r"<(?:!doctype\s+html|html[\s>])", re.IGNORECASE)
_DRAWING = re.compile(r"<(?:!doctype\s+)?svg[\s>]", re.IGNORECASE)
_FLAT = re.compile(r'<office:document\s[^>]*?\soffice:mimetype="([\w./+-]+)"')
_FLAT_HEAD = 32_768  # bytes: the names of LibreOffice's namespaces come first, and take 5,000
_VALUES = re.compile(r'(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')
_NOTEBOOK = re.compile(r'\{\s*"(?:cells|metadata|nbformat|worksheets)"\s*:')
_CELLS = re.compile(r'"cell_type"\s*:')
_VALUE_A_LINE = re.compile(r"\}\r?\n\{")
_HEADERS = re.compile(r"(?:[!-9;-~]{1,60}:(?:[ \t][^\n]*|\r?)\n(?:[ \t][^\n]*\n)*)+")
_OF_MAIL = re.compile(
    r"^(from|to|date|subject|message-id|received|mime-version|return-path|delivered-to):",
    re.IGNORECASE | re.MULTILINE,
)
_FEWEST_HEADERS = 3
_MAILBOX = re.compile(r"From \S+ ([^\n]*)\n[!-9;-~]{1,60}:")
_CLOCK = re.compile(r"\d\d:\d\d")
_YEAR_AT_END = re.compile(r" \d{4}.{0,9}")
_LONGEST_YEAR_AT_END = 14  # characters


def sniff(body: bytes, name: str) -> str:
    """Returns the media type of a text. Raises UnsupportedError if footnote does not read it."""
    ending = PurePosixPath(name.casefold()).suffix
    head, tail = _sample_text(body[:_HEAD]), _sample_text(body[-_TAIL:]).rstrip()
    start = _after_comments(head)
    if _WEB_PAGE.match(head, start):
        return HTML
    if _DRAWING.match(head, start):
        raise unsupported(name, "an image")
    if flat := _flat_type(body, head, start, name):
        return flat
    if ending in _UNREAD:
        raise unsupported(name, _UNREAD[ending])
    if ending in TEXT_ENDINGS:
        return TEXT_ENDINGS[ending]
    if head.startswith("<?xml"):
        return XML
    return _by_shape(head, tail)


def _flat_type(body: bytes, head: str, start: int, name: str) -> str:
    """Returns the type of an OpenDocument file that is one XML document; "" for any other text."""
    if not head.startswith("<office:document", start):
        return ""
    root = _FLAT.match(_sample_text(body[:_FLAT_HEAD]), start)
    kind = root[1].removesuffix("-template") if root else ""
    unread.refuse_by_members(kind, (), name)
    return kind if kind in {ODT, ODS, ODP} else ""


def _by_shape(head: str, tail: str) -> str:
    if _is_mailbox(head):
        return MBOX
    if _is_mail(head):
        return EML
    if _NOTEBOOK.match(head) and _CELLS.search(head):
        return NOTEBOOK
    if _VALUES.match(head) and tail.endswith(("}", "]")):
        return JSONL if _VALUE_A_LINE.search(head) else JSON
    return TEXT


def _after_comments(head: str) -> int:
    """Returns where the first tag may begin: after an XML declaration and comments.

    This is no pattern: one for any number of comments takes exponential time.
    """
    declaration = _DECLARATION.match(head)
    start = declaration.end() if declaration else 0
    while head.startswith("<!--", start):
        end = head.find("-->", start)
        if end < 0:
            return start
        start = end + len("-->")
        while head[start : start + 1].isspace():
            start += 1
    return start


def _is_mailbox(head: str) -> bool:
    """Tells whether a mailbox begins: a sender, a time, a year, and then a header."""
    match = _MAILBOX.match(head)
    if match is None:
        return False
    clock = _CLOCK.search(match[1])
    ends_at = max(clock.end(), len(match[1]) - _LONGEST_YEAR_AT_END) if clock else -1
    return clock is not None and _has_year_at_end(match[1][ends_at:])


def _has_year_at_end(text: str) -> bool:
    return any(_YEAR_AT_END.fullmatch(text, n) for n in range(len(text)))


def _is_mail(head: str) -> bool:
    headers = _HEADERS.match(head)
    names = {key.casefold() for key in _OF_MAIL.findall(headers[0])} if headers else set()
    return len(names) >= _FEWEST_HEADERS and bool(names - {"to", "date", "subject"})


def _sample_text(sample: bytes) -> str:
    """Decodes a sample well enough to recognise its format, whatever the encoding.

    It cuts byte order marks and blanks before the text.
    """
    text = sample.replace(b"\x00", b"").decode("latin-1")
    return text.lstrip("\xef\xbb\xbf\xff\xfe \t\r\n")
