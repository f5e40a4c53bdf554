"""Finds the format of a text by how it begins and by the ending of its name."""

import re
from pathlib import PurePosixPath

from footnote.ingest.parse.formats import EML, HTML, JSON, JSONL, MBOX, TEXT, TEXT_ENDINGS, XML
from footnote.ingest.parse.refusals import unsupported

_UNREAD = {  # text, but its markup would be indexed as words
    ".ipynb": "a notebook",
    ".svg": "an image",
}
_HEAD = 4096
_TAIL = 64
_WEB_PAGE = re.compile(
    r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
_DRAWING = re.compile(
    r"(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+)?svg[\s>]", _WEB_PAGE.flags
)
_VALUES = re.compile(r'(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:')
_VALUE_A_LINE = re.compile(r"\}\r?\n\{")
_HEADERS = re.compile(r"(?:[!-9;-~]{1,60}:(?:[ \t][^\n]*|\r?)\n(?:[ \t]+[^\n]*\n)*)+")
_OF_MAIL = re.compile(
    r"^(from|to|date|subject|message-id|received|mime-version|return-path|delivered-to):",
    re.IGNORECASE | re.MULTILINE,
)
_FEWEST_HEADERS = 3
_MAILBOX = re.compile(r"From \S+ [^\n]*\d\d:\d\d[^\n]* \d{4}[^\n]{0,9}\n[!-9;-~]{1,60}:")


def sniff(body: bytes, name: str) -> str:
    """Returns the media type of a text; raises UnsupportedError if footnote does not read it."""
    ending = PurePosixPath(name.casefold()).suffix
    head, tail = _sample_text(body[:_HEAD]), _sample_text(body[-_TAIL:]).rstrip()
    if _WEB_PAGE.match(head):
        return HTML
    if _DRAWING.match(head):
        raise unsupported(name, "an image")
    if ending in _UNREAD:
        raise unsupported(name, _UNREAD[ending])
    if ending in TEXT_ENDINGS:
        return TEXT_ENDINGS[ending]
    if head.startswith("<?xml"):
        return XML
    return _by_shape(head, tail)


def _by_shape(head: str, tail: str) -> str:
    if _MAILBOX.match(head):
        return MBOX
    if _is_mail(head):
        return EML
    if _VALUES.match(head) and tail.endswith(("}", "]")):
        return JSONL if _VALUE_A_LINE.search(head) else JSON
    return TEXT


def _is_mail(head: str) -> bool:
    headers = _HEADERS.match(head)
    found = {key.casefold() for key in _OF_MAIL.findall(headers[0])} if headers else set()
    return len(found) >= _FEWEST_HEADERS and bool(found - {"to", "date", "subject"})


def _sample_text(sample: bytes) -> str:
    """Decodes a sample well enough to know its format, whatever the encoding.

    Byte order marks and blanks before the text are cut.
    """
    text = sample.replace(b"\x00", b"").decode("latin-1")
    return text.lstrip("\xef\xbb\xbf\xff\xfe \t\r\n")
