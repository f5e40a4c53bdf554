"""What a mail reader shows of a message, as words to find and words that may be found.

To find: the subject, and of each choice between texts the last one, which mail readers show. May be
found: the other choices, the other lines of the header, and attachments that are text or messages.
"""

import email
from collections.abc import Iterator
from email.header import decode_header, make_header
from email.message import Message
from pathlib import Path

from evals.office_readers import Shown, own_text
from evals.web_readers import show


def read_message(file: Path) -> Shown:
    """Returns what Python's email package and w3m show of a message."""
    message = email.message_from_bytes(file.read_bytes())
    headers = [_header_of(part) for part in message.walk()]
    must = [_decoded(message.get("subject", "")), *_seen(message)]
    return Shown("\n".join(must), "\n".join([*headers, *_all(message)]))


def _decoded(value: object) -> str:
    try:
        return str(make_header(decode_header(str(value))))
    except (LookupError, ValueError):
        return str(value)


def _header_of(part: Message) -> str:
    return "\n".join(f"{name} {_decoded(value)}" for name, value in part.items())


def _seen(part: Message) -> Iterator[str]:
    kind = part.get_content_type()
    if kind == "multipart/alternative":
        texts = [each for each in _parts(part) if _has_text(each)]
        yield from _seen(texts[-1]) if texts else ()
    elif part.is_multipart():
        if kind == "message/rfc822":
            yield from (_decoded(each.get("subject", "")) for each in _parts(part))
        for each in _parts(part):
            yield from _seen(each)
    elif kind in {"text/plain", "text/html"} and not part.get_filename():
        shown = _text(part)
        yield shown.must if shown else ""


def _has_text(part: Message) -> bool:
    return any(each.get_content_type() in {"text/plain", "text/html"} for each in part.walk())


def _all(message: Message) -> Iterator[str]:
    for part in message.walk():
        if part.is_multipart():
            continue
        if part.get_content_maintype() in {"text", "message"}:
            shown = _text(part)
            yield shown.may if shown else ""
        elif isinstance(content := part.get_payload(decode=True), bytes):
            yield own_text(content)[0] or _plain(content)


def _plain(content: bytes) -> str:
    """Decodes an attachment that is text, whatever its type says."""
    if content[:2] in {b"\xff\xfe", b"\xfe\xff"}:
        return content.decode("utf-16", "replace")
    return "" if b"\0" in content else content.decode("utf-8", "replace")


def _parts(part: Message) -> list[Message]:
    payload = part.get_payload()
    return (
        [each for each in payload if isinstance(each, Message)] if isinstance(payload, list) else []
    )


def _text(part: Message) -> Shown | None:
    content = part.get_payload(decode=True)
    if not isinstance(content, bytes):
        return None
    if part.get_content_subtype() == "html" and (page := show(content)):
        return page
    charset = str(part.get_param("charset", "utf-8"))
    try:
        text = content.decode(charset)
    except (LookupError, ValueError):
        text = content.decode("cp1252", "replace")
    return Shown(text, text)
