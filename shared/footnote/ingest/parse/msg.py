"""Parses MSG: an Outlook message is rebuilt as an e-mail and read like one."""

import struct
from datetime import UTC, datetime, timedelta
from email.mime.application import MIMEApplication
from email.mime.message import MIMEMessage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.utils import format_datetime

from footnote.ingest.parse import eml, lzfu, ole, properties
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.characters import decode, squeeze
from footnote.ingest.parse.formats import MSG
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.refusals import too_large, translate_errors
from footnote.model import ParsedDocument

type Storage = tuple[str, ...]  # a folder in the file; () is the message itself

MAX_DEPTH = 8  # of nested messages
MAX_STORAGES = 5_000
_MAX_PACKED = 5 << 20  # bytes of compressed bodies
_BROKEN: tuple[type[Exception], ...] = (*eml.BROKEN, *ole.BROKEN)
# numbers of properties: https://learn.microsoft.com/openspecs/exchange_server_protocols/ms-oxprops
_HEADERS = {"Subject": "0037", "To": "0E04", "Cc": "0E03"}
_SENDER, _ADDRESSES = "0C1A", ("5D01", "0C1F")
_TEXT, _HTML, _RICH = "1000", "1013", "10090102"
_DATA, _EMBEDDED, _LONG_NAME, _SHORT_NAME = "37010102", "3701000D", "3707", "3704"
_SENT = (0x00390040, 0x0E060040)  # submitted, delivered
_PROPERTIES = "__properties_version1.0"
_EPOCH = datetime(1601, 1, 1, tzinfo=UTC)
_LAST_TICK = 2_650_467_743_990_000_000  # the last moment of the year 9999, in steps of 100 ns


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    builder = DocumentBuilder()
    with translate_errors(name, _BROKEN), ole.open_file(body, name) as file:
        outlook = _OutlookFile(file, name)
        message = outlook.message((), 0)
        eml.write(builder, message, NestedFiles(builder, allowance))
        if outlook.has_unread_body:
            builder.warnings.append("A body of compressed rich text could not be read.")
    parsed = builder.to_parsed(MSG, name, [eml.header(message, "Subject")])
    return properties.add_metadata(parsed, properties.message(eml.headers(message)))


class _OutlookFile:
    def __init__(self, file: ole.CompoundFile, name: str) -> None:
        self._file = file
        self._name = name
        self.has_unread_body = False
        self._room = _MAX_PACKED
        storages: list[Storage] = [tuple(path) for path in file.listdir(False, True)]
        if len(storages) > MAX_STORAGES:
            raise too_large(name, f"{len(storages):,} parts")
        self._inside: dict[Storage, list[Storage]] = {storage: [] for storage in storages}
        for storage in storages:
            self._inside.setdefault(storage[:-1], []).append(storage)

    def message(self, at: Storage, depth: int) -> eml.Part:
        if depth > MAX_DEPTH:
            raise too_large(self._name, f"messages nested more than {MAX_DEPTH} deep")
        mail = MIMEMultipart("mixed")
        for key, number in _HEADERS.items():
            mail[key] = squeeze(self._text(at, number))
        sender = squeeze(self._text(at, _SENDER))
        address = next(filter(None, (self._text(at, number) for number in _ADDRESSES)), "")
        mail["From"] = f"{sender} <{address}>" if "@" in address and address != sender else sender
        mail["Date"] = self._date(at)
        plain, page = self._text(at, _TEXT), self._text(at, _HTML)
        rich = self._bytes((*at, f"__substg1.0_{_RICH}"))
        if rich and not (plain.strip() or page.strip()):
            self._room -= len(rich)
            plain = lzfu.text(rich, self._name) if self._room > 0 else ""
            self.has_unread_body |= not plain.strip()
        bodies = [(plain, "plain"), (page, "html")]
        parts = [MIMEText(text, kind, "utf-8") for text, kind in bodies if text.strip()]
        if parts:
            mail.attach(MIMEMultipart("alternative", None, parts))
        for storage in self._attachments(at):
            mail.attach(self._attachment(storage, depth))
        return mail

    def _attachments(self, at: Storage) -> list[Storage]:
        return [
            storage
            for storage in self._inside.get(at, ())
            if storage[-1].startswith("__attach_version1.0_")
        ]

    def _attachment(self, at: Storage, depth: int) -> eml.Part:
        embedded = (*at, f"__substg1.0_{_EMBEDDED}")
        if embedded in self._inside:
            return MIMEMessage(self.message(embedded, depth + 1))
        part = MIMEApplication(self._bytes((*at, f"__substg1.0_{_DATA}")))
        filename = self._text(at, _LONG_NAME) or self._text(at, _SHORT_NAME)
        part.add_header("Content-Disposition", "attachment", filename=("utf-8", "", filename))
        return part

    def _text(self, at: Storage, number: str) -> str:
        """Returns a text property in either of the types for text."""
        wide = self._bytes((*at, f"__substg1.0_{number}001F"))
        if wide:
            return wide.decode("utf-16-le", "replace")
        narrow = self._bytes((*at, f"__substg1.0_{number}001E"))
        narrow = narrow or self._bytes((*at, f"__substg1.0_{number}0102"))
        return decode(narrow, self._name)[0] if narrow else ""

    def _date(self, at: Storage) -> str:
        """Returns the time of sending as an e-mail header has it; "" if unknown.

        The properties are entries of 16 bytes that follow a header.
        """
        properties = self._bytes((*at, _PROPERTIES))
        for offset in range(len(properties) % 16, len(properties) - 15, 16):
            tag, _, ticks = struct.unpack_from("<IIQ", properties, offset)
            if tag in _SENT and 0 < ticks < _LAST_TICK:
                return format_datetime(_EPOCH + timedelta(microseconds=ticks // 10))
        return ""

    def _bytes(self, stream: Storage) -> bytes:
        return self._file.read(stream)
