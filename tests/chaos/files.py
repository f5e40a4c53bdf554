"""Makes small files in several formats; each says which version of which key it is."""

import json
from collections.abc import Callable, Mapping, Sequence
from email.message import EmailMessage
from io import BytesIO

import docx

BAD: Mapping[str, bytes] = {"md": b"", "html": b"\x00\x01\x02\x00" * 50, "docx": b"PK\x03\x04no"}


def lines(key: str, number: int, count: int) -> list[str]:
    return [f"Version {number} of {key} tells of lighthouse {n}." for n in range(count)]


def text(said: Sequence[str]) -> bytes:
    return "\n\n".join(said).encode()


def markdown(said: Sequence[str]) -> bytes:
    return "".join(f"# Part {n}\n\n{line}\n\n" for n, line in enumerate(said)).encode()


def html(said: Sequence[str]) -> bytes:
    body = "".join(f"<h1>Part {n}</h1><p>{line}</p>" for n, line in enumerate(said))
    return f"<html><head><title>A page</title></head><body>{body}</body></html>".encode()


def delimited(said: Sequence[str]) -> bytes:
    return "\n".join(["number,says", *(f"{n},{line}" for n, line in enumerate(said))]).encode()


def data(said: Sequence[str]) -> bytes:
    return json.dumps({"title": "Lighthouses", "notes": list(said)}).encode()


def mail(said: Sequence[str]) -> bytes:
    message = EmailMessage()
    message["Subject"], message["From"] = "Lighthouses", "ann@shop.example"
    message.set_content("\n\n".join(said))
    return message.as_bytes()


def word(said: Sequence[str]) -> bytes:
    document, body = docx.Document(), BytesIO()
    for line in said:
        document.add_paragraph(line)
    document.save(body)
    return body.getvalue()


FORMATS: Mapping[str, Callable[[Sequence[str]], bytes]] = {
    "txt": text,
    "md": markdown,
    "html": html,
    "csv": delimited,
    "json": data,
    "eml": mail,
    "docx": word,
}
