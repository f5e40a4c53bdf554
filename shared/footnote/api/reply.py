"""Makes replies: JSON within a function's bounds, links, files of text, errors."""

import hashlib
import json
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from aws_lambda_powertools.event_handler import Response

from footnote.api.request import event
from footnote.errors import BadRequestError
from footnote.model import LinkHeaders

OF_ALL = {"X-Content-Type-Options": "nosniff"}
MAX_REPLY = 3_000_000  # bytes; a function may reply with 6 MB, and text in JSON may double


def reply(status: int, body: Mapping[str, object]) -> Response[str]:
    """Returns the response. Raises BadRequestError for more than a function may reply with."""
    headers: dict[str, str | list[str]] = {**OF_ALL, "Cache-Control": "no-store"}
    return Response(status, "application/json", _text_of(body), headers)


def unless_known(body: Mapping[str, object]) -> Response[str]:
    """Returns the response with its ETag, or 304 without a body if the client has it already."""
    return tagged(_text_of(body), "application/json")


def tagged(text: str, kind: str, more: Mapping[str, str] = MappingProxyType({})) -> Response[str]:
    """Returns a text with its ETag, or 304 without a body if `If-None-Match` names it."""
    tag = f'"{hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()[:32]}"'
    headers: dict[str, str | list[str]] = {
        **OF_ALL,
        **more,
        "Cache-Control": "private, no-cache",  # stored by the browser, and checked each time
        "ETag": tag,
    }
    header = event().headers.get("if-none-match", "")
    tags = {text.strip().removeprefix("W/") for text in header.split(",")}
    if tags & {tag, "*"}:
        return Response(304, kind, "", headers)
    return Response(200, kind, text, headers)


class InPieces(Response[str]):
    """A reply whose body comes in pieces. The function that streams sends each as it comes."""

    def __init__(self, kind: str, pieces: Iterator[str]) -> None:
        headers: dict[str, str | list[str]] = {**OF_ALL, "Cache-Control": "no-store"}
        super().__init__(200, kind, "", headers)
        self.pieces = pieces


def _text_of(body: Mapping[str, object]) -> str:
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    if (size := len(text.encode("utf-8", "replace"))) > MAX_REPLY:
        raise BadRequestError(
            f"the reply has {size:,} bytes; the limit is {MAX_REPLY:,}",
            code="reply_too_large",
            action="Ask for less: a smaller `k` or `limit`.",
        )
    return text


def link_or_json(url: str, view: Mapping[str, object]) -> Response[str]:
    """Returns a redirect to a presigned link, or JSON about it for a client that accepts JSON.

    A browser's `fetch` sends its own headers on to the address of a redirect. So a client with a
    key asks for JSON, and follows the link without the key.
    """
    if "application/json" in event().headers.get("accept", ""):
        return reply(200, view)
    return Response(
        status_code=302,
        content_type="text/plain",
        body="",
        headers={"Location": url, "Cache-Control": "no-store"},
    )


def file(text: str, media_type: str, name: str) -> Response[str]:
    """Returns a file of text, which a browser saves instead of showing it."""
    headers = LinkHeaders(media_type=media_type, name=name, attachment=True)
    return Response(
        status_code=200,
        content_type=f"{media_type}; charset=utf-8",
        body=text,
        headers={
            "Cache-Control": "no-store",
            "Content-Disposition": headers.disposition,
        },
    )
