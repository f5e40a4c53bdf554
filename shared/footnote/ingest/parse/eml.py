"""Parses EML: sender, recipients, date, body, and attachments as sections of their own."""

import re
from collections.abc import Sequence
from contextlib import suppress
from email import message_from_bytes
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from email.policy import Compat32
from itertools import islice
from typing import NamedTuple

from footnote.errors import BadDocumentError
from footnote.ingest.parse import calendar, html, properties, reports, txt
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode, squeeze
from footnote.ingest.parse.formats import EML
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.refusals import ODD_VALUES, translate_errors
from footnote.model import Document, ParsedDocument

type Part = Message[str, str]
type _Words = dict[str, None]

BROKEN: tuple[type[Exception], ...] = (
    MessageError,
    *ODD_VALUES,
)
_HEADERS = ("From", "To", "Cc", "Date")
_LONGEST_HEADER = 16_000
_ENCRYPTED = {"multipart/encrypted", "application/pkcs7-mime", "application/x-pkcs7-mime"}
_WHOLE = {"message/rfc822", "text/calendar", *reports.KINDS}
"""Parts that are read as one thing, whatever is in them."""
_COPIES = {"text/x-amp-html", "text/watch-html"}
"""Alternatives for some devices, which say what the others say."""
_WORD = re.compile(r"\w+")
_NEW_WORDS = 0.01  # the share of an alternative's words that the plain text may lack
_MOST_WORDS = 2_000
_LONGEST_COMPARED = 200_000  # characters
_SIGNATURES = {
    "application/pgp-signature",
    "application/pkcs7-signature",
    "application/x-pkcs7-signature",
}


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    builder = DocumentBuilder()
    with translate_errors(name, BROKEN):
        message = read(body.lstrip())
        write(builder, message, NestedFiles(builder, allowance))
        titles = [header(message, "Subject")]
        fields = headers(message)
    return properties.add_metadata(builder.to_parsed(EML, name, titles), properties.message(fields))


class _ShortHeaders(Compat32):
    """Reads at most the beginning of a header.

    The standard library takes quadratic time for a long header's parameters.
    """

    def header_source_parse(self, sourcelines: list[str]) -> tuple[str, str]:
        name, value = super().header_source_parse(sourcelines)
        return name, value[: _LONGEST_HEADER + 1]  # the last one says that there is more


def read(body: bytes) -> Part:
    """Reads a message, and at most 16,000 characters of each header."""
    return message_from_bytes(body, policy=_ShortHeaders())


def write(builder: DocumentBuilder, message: Part, inside: NestedFiles, level: int = 1) -> None:
    """Adds a message as a section named by its subject. Its attachments go under it."""
    parts = _parts(message)
    builder.heading(header(message, "Subject"), level)
    lines = [(key, header(message, key)) for key in _HEADERS]
    for key in ("Subject", *_HEADERS):
        builder.ledger.count("long_header", key, int(_is_cut(_first_value(message, key))))
    builder.paragraph("\n".join(f"{key}: {value}" for key, value in lines if value))
    for part in parts:
        if _is_body(part):
            with inside.skip_refused():
                builder.embed(_document(part), level)
    attached = [part for part in parts if not _is_body(part)]
    for number, part in enumerate(attached, start=1):
        _attach(builder, part, number, inside, level + 1)


def headers(message: Part) -> dict[str, str]:
    """Returns the headers that describe a message."""
    return {key: header(message, key) for key in ("Subject", *_HEADERS)}


def header(message: Part, key: str) -> str:
    """Decodes a header as mail programs show it. A malformed one is returned unchanged."""
    raw = _raw_header(message, key)
    try:
        return squeeze(str(make_header(decode_header(raw))))
    except UnicodeError:
        return squeeze(_decode_leniently(raw))
    except (MessageError, LookupError, ValueError):
        return squeeze(raw)


def _first_value(message: Part, key: str) -> str:
    values = (value for name, value in message.raw_items() if name.casefold() == key.casefold())
    return str(next(values, ""))


def _is_cut(raw: str) -> bool:
    return len(raw) > _LONGEST_HEADER


def _raw_header(message: Part, key: str) -> str:
    """Returns a header unchanged. Bytes beyond ASCII are decoded in the encoding that fits."""
    raw = _first_value(message, key)
    if _is_cut(raw):  # in the middle of a word that may be encoded
        raw = raw[:_LONGEST_HEADER].rpartition(" ")[0] or raw[:_LONGEST_HEADER]
    with suppress(UnicodeEncodeError, BadDocumentError):  # it is text, or in no known encoding
        return decode(raw.encode("ascii", "surrogateescape"), key)[0]
    return raw.encode("utf-8", "replace").decode()


def _decode_leniently(raw: str) -> str:
    """Decodes the words of a header whose stated encoding is wrong."""
    with suppress(MessageError, BadDocumentError, ValueError):
        return "".join(
            decode(word, "The header", charset or "")[0] if isinstance(word, bytes) else word
            for word, charset in decode_header(raw)
        )
    return raw


def _parts(part: Part) -> list[Part]:
    """Returns the parts that a reader sees, in order. Of alternatives it returns only one text.

    It looks at each part once, however deep alternatives nest in alternatives.
    """
    return _choose(part)[0]


class _Choice(NamedTuple):
    """One of several parts, what is visible of it, and the words of all its texts."""

    part: Part
    visible: list[Part]
    words: _Words


def _choose(part: Part, *, is_measured: bool = False) -> tuple[list[Part], _Words]:
    """Returns the visible parts, and the words of all texts in `part` if `is_measured`."""
    kind = part.get_content_type()
    if kind in _WHOLE or kind in _ENCRYPTED or not part.is_multipart():
        return [part], _words(part) if is_measured else {}
    children = [child for child in part.get_payload() if isinstance(child, Message)]
    is_choice = kind == "multipart/alternative" and len(children) > 1
    is_measured |= is_choice
    choices = [_Choice(child, *_choose(child, is_measured=is_measured)) for child in children]
    visible = _decide(choices) if is_choice else [part for each in choices for part in each.visible]
    words = max((each.words for each in choices), key=len, default={})
    for each in choices:
        if each.words is not words:
            words |= each.words
    return visible, words


def _decide(choices: Sequence[_Choice]) -> list[Part]:
    """Returns one text of several alternatives, and the attachments of all of them.

    The plain text is taken, unless the last alternative says more: readers are shown that one.
    """
    texts = [each for each in choices if any(map(_is_body, each.visible))]
    plain = [each for each in texts if each.part.get_content_type() == "text/plain"]
    chosen = [*texts[-1:], *(plain[:1] if plain and not _says_more(texts[-1], plain[0]) else ())]
    visible: list[Part] = []
    attached: set[tuple[str, str]] = set()
    for each in choices:
        for part in each.visible:
            mark = (_filename(part), str(part.get_payload()))
            if _is_body(part):
                visible += [part] * (each is chosen[-1])
            elif part.get_content_type() not in _COPIES and mark not in attached:
                attached.add(mark)
                visible.append(part)
    return visible


def _says_more(shown: _Choice, plain: _Choice) -> bool:
    words = list(islice(shown.words, _MOST_WORDS))
    return sum(word not in plain.words for word in words) > _NEW_WORDS * len(words)


def _words(part: Part) -> _Words:
    if _is_body(part):
        with suppress(BadDocumentError):  # this alternative is no text, the other one is
            text = _document(part).text[:_LONGEST_COMPARED]
            return dict.fromkeys(_WORD.findall(text.casefold()))
    return {}


def _is_body(part: Part) -> bool:
    if part.get_content_maintype() == "multipart":
        return not part.is_multipart()  # no parts were found in it, so its content is text
    is_text = part.get_content_type() in {"text/plain", "text/html"}
    return is_text and not part.get_filename() and part.get_content_disposition() != "attachment"


def _document(part: Part) -> Document:
    text, warnings = _text(part)
    body = text.encode("utf-8", "replace")
    is_page = part.get_content_type() == "text/html" and body.strip()
    parsed = (html.parse if is_page else txt.parse)(body, "").document
    return parsed.model_copy(update={"warnings": (*warnings, *parsed.warnings)})


def _text(part: Part) -> tuple[str, tuple[str, ...]]:
    return decode(_bytes(part), "The message", part.get_content_charset(""))


def _bytes(part: Part) -> bytes:
    payload = part.get_payload(decode=True)
    return payload if isinstance(payload, bytes) else b""


def _attach(
    builder: DocumentBuilder, part: Part, number: int, inside: NestedFiles, level: int
) -> None:
    kind = part.get_content_type()
    forwarded = part.get_payload() if kind == "message/rfc822" and part.is_multipart() else []
    if kind in _ENCRYPTED:
        builder.warnings.append("The message is encrypted; only what is outside of that was read.")
    elif forwarded:
        for message in forwarded:
            if isinstance(message, Message):
                write(builder, message, inside, level)
    elif kind == "text/calendar":
        with inside.skip_refused():
            calendar.write(builder, _text(part)[0])
    elif kind in reports.KINDS:
        reports.write(builder, part)
    elif kind not in _SIGNATURES:
        inside.add(_bytes(part), squeeze(_filename(part)) or f"attachment {number}", level)


def _filename(part: Part) -> str:
    name = part.get_filename("")
    try:
        return str(make_header(decode_header(name)))
    except (MessageError, LookupError, ValueError):
        return name
