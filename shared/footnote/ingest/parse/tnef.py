"""Parses winmail.dat (TNEF), in which Outlook packs a message and its attachments ([MS-OXTNEF])."""

import struct
from collections.abc import Iterator
from email.mime.application import MIMEApplication
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText

from footnote.ingest.parse import eml, lzfu
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode, squeeze
from footnote.ingest.parse.formats import TNEF
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.refusals import ODD_VALUES, corrupt, too_large, translate_errors
from footnote.model import ParsedDocument

_BROKEN: tuple[type[Exception], ...] = (*eml.BROKEN, *ODD_VALUES, struct.error)
_SUBJECT, _BODY, _MESSAGE = 0x00018004, 0x0002800C, 0x00069003
_ATTACHED, _NAME, _DATA, _OF_ATTACHMENT = 0x00069002, 0x00018010, 0x0006800F, 0x00069005
_CONTENT, _LONG_NAME, _PLAIN, _RICH, _PAGE = (
    0x3701,
    0x3707,
    0x1000,
    0x1009,
    0x1013,
)
_FIXED = {0x02: 4, 0x03: 4, 0x04: 4, 0x05: 8, 0x06: 8, 0x07: 8, 0x0A: 4, 0x0B: 4, 0x14: 8,
          0x40: 8, 0x48: 16}  # fmt: skip
"""Sizes of values by their types, padded to four bytes."""
_SIZED = {0x0D, 0x1E, 0x1F, 0x102}
_WIDE, _OBJECT = 0x1F, 0x0D
_INTERFACE = 16  # bytes before an attached object that say what it is
_MANY = 0x1000  # the flag of a list of values
_NAMED = 0x8000  # the first number of a property that has a name
_HEADER = 6
_LEVELS = {1, 2}  # of the message, of an attachment
MAX_ATTACHMENTS = 1_000


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN):
        message = _message(body, name)
        eml.write(builder, message, NestedFiles(builder, allowance))
    return builder.to_parsed(TNEF, name, [eml.header(message, "Subject")])


def _message(body: bytes, name: str) -> eml.Part:
    """Rebuilds the message as an e-mail."""
    mail = MIMEMultipart("mixed")
    texts: dict[str, str] = {}
    attached: list[tuple[str, bytes]] = []
    for kind, data in _attributes(body, name):
        if kind == _SUBJECT and not mail["Subject"]:
            mail["Subject"] = squeeze(_text(data, name))
        elif kind == _BODY:
            texts["plain"] = _text(data, name)
        elif kind == _MESSAGE:
            texts |= _texts(data, name)
        elif kind == _ATTACHED:
            attached.append(("", b""))
        elif attached:
            attached[-1] = _complete(attached[-1], kind, data, name)
        if len(attached) > MAX_ATTACHMENTS:
            raise too_large(name, f"more than {MAX_ATTACHMENTS:,} attachments")
    parts = [MIMEText(text, kind, "utf-8") for kind, text in texts.items() if text.strip()]
    if parts:
        mail.attach(MIMEMultipart("alternative", None, parts))
    for filename, content in attached:
        part = MIMEApplication(content)
        part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", filename))
        mail.attach(part)
    return mail


def _attributes(body: bytes, name: str) -> Iterator[tuple[int, bytes]]:
    at = _HEADER
    while at + 9 <= len(body):
        kind, size = struct.unpack_from("<II", body, at + 1)
        if body[at] not in _LEVELS:
            return  # what follows is no part of the message
        if at + 9 + size > len(body):
            raise corrupt(name, "it ends too early")
        yield kind, body[at + 9 : at + 9 + size]
        at += 9 + size + 2  # a checksum follows


def _complete(file: tuple[str, bytes], kind: int, data: bytes, name: str) -> tuple[str, bytes]:
    if kind == _NAME:
        return file[0] or squeeze(_text(data, name)), file[1]
    if kind == _DATA:
        return file[0], data
    if kind == _OF_ATTACHMENT:
        path, content = file
        for key, type_, value in _properties(data):
            if key == _LONG_NAME:
                path = squeeze(_decode(type_, value, name)) or path
            elif key == _CONTENT:
                content = content or value[_INTERFACE if type_ == _OBJECT else 0 :]
        return path, content
    return file


def _texts(data: bytes, name: str) -> dict[str, str]:
    """Returns the bodies among the properties of a message by their kinds."""
    texts: dict[str, str] = {}
    rich = ""
    for number, kind, value in _properties(data):
        if number in {_PLAIN, _PAGE}:
            texts["plain" if number == _PLAIN else "html"] = _decode(kind, value, name)
        elif number == _RICH:
            rich = lzfu.text(value, name)
    return texts or {"plain": rich}


def _properties(data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yields the number, the type and the first value of each property."""
    (count,) = struct.unpack_from("<I", data)
    at = 4
    for _ in range(min(count, len(data))):
        kind, number = struct.unpack_from("<HH", data, at)
        at += 4
        if number >= _NAMED:
            at = _behind_name(data, at)
        values = 1
        if kind & _MANY or kind in _SIZED:
            (values,) = struct.unpack_from("<I", data, at)
            at += 4
        first = b""
        for n in range(min(values, len(data))):
            if kind & ~_MANY in _SIZED:
                (size,) = struct.unpack_from("<I", data, at)
                at += 4
            else:
                size = _FIXED[kind & ~_MANY]
            first = first if n else data[at : at + size]
            at += size + -size % 4
        yield number, kind, first


def _behind_name(data: bytes, at: int) -> int:
    (has_text,) = struct.unpack_from("<I", data, at + 16)
    if not has_text:
        return at + 24
    (size,) = struct.unpack_from("<I", data, at + 20)
    return at + 24 + int(size) + -int(size) % 4


def _decode(kind: int, value: bytes, name: str) -> str:
    if kind == _WIDE:
        return value.decode("utf-16-le", "replace").rstrip("\0")
    return _text(value, name)


def _text(data: bytes, name: str) -> str:
    data = data.rstrip(b"\0")
    return decode(data, name)[0] if data else ""
