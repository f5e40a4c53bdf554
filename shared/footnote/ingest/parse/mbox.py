"""Parses MBOX: the messages of a mailbox in order, each read like a file of its own."""

import re
from collections.abc import Iterator
from itertools import zip_longest

from footnote.ingest.parse import eml
from footnote.ingest.parse.allowance import Allowance
from footnote.ingest.parse.builder import DocumentBuilder
from footnote.ingest.parse.formats import MBOX
from footnote.ingest.parse.nested_files import NestedFiles
from footnote.ingest.parse.refusals import corrupt, too_large, translate_errors
from footnote.model import ParsedDocument

MAX_MESSAGES = 5_000
_START = re.compile(rb"(?:\A|\n)From [^\r\n]*\r?\n(?=[!-9;-~]+:)")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def parse(body: bytes, name: str, allowance: Allowance) -> ParsedDocument:
    builder = DocumentBuilder()
    inside = NestedFiles(builder, allowance)
    messages = list(_messages(body.lstrip()))
    if not messages:
        raise corrupt(name, "no message begins in it")
    for number, message in enumerate(messages, start=1):
        if number > MAX_MESSAGES:
            raise too_large(name, f"more than {MAX_MESSAGES:,} messages")
        with inside.skip_refused(), translate_errors(f"message {number:,}", eml.BROKEN):
            eml.write(builder, eml.read(message), inside)
    return builder.to_parsed(MBOX, name)


def _messages(body: bytes) -> Iterator[bytes]:
    starts = list(_START.finditer(body))
    for start, following in zip_longest(starts, starts[1:]):
        end = following.start() if following else len(body)
        yield _QUOTED.sub(rb"\1", body[start.end() : end])
