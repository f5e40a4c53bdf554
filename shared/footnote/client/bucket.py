"""The buckets behind the API: files go there and come from there by presigned addresses."""

from typing import IO

import httpx

from footnote.client.connection import reason_of
from footnote.errors import BadRequestError, UnavailableError
from footnote.wire import Json

UPLOAD_SECONDS = 600.0


class Bucket:
    """Uploads by tickets and downloads by links. It sends no credential of the API."""

    def __init__(self, transport: httpx.BaseTransport | None) -> None:
        self.http = httpx.Client(timeout=UPLOAD_SECONDS, transport=transport)

    def close(self) -> None:
        self.http.close()

    def upload(self, ticket: Json, name: str, content: IO[bytes] | bytes, size: int) -> Json:
        """Sends a file of this name and of `size` bytes to its ticket's address.

        Returns {id, document, collection, version, sidecar, same}. Sends nothing where the ticket
        says that the document was made of this very file. Raises BadRequestError for a file that is
        too large, UnavailableError if its upload fails.
        """
        if ticket.get("same"):
            return _uploaded(ticket, "")
        if size > ticket["max_bytes"]:
            raise BadRequestError(
                f"{ticket['document']} has {size:,} bytes; the limit is {ticket['max_bytes']:,}",
                code="too_large",
                action="Split the file, or deploy with a larger MaxUploadBytes.",
            )
        try:
            answer = self.http.post(
                ticket["url"],
                data=ticket["fields"],
                files={"file": (name.encode("ascii", "replace").decode(), content)},
            )
        except httpx.HTTPError as error:
            raise UnavailableError(f"uploading {name} failed: {reason_of(error)}") from None
        if answer.status_code >= 300:
            raise UnavailableError(
                f"uploading {name} was refused: HTTP {answer.status_code}",
                code="upload_refused",
            )
        version = answer.headers.get("x-amz-version-id", "")
        return _uploaded(ticket, version)

    def fetch(self, url: str) -> bytes:
        try:
            answer = self.http.get(url)
        except httpx.HTTPError as error:
            raise UnavailableError(f"the bucket does not answer: {reason_of(error)}") from None
        if answer.status_code >= 300:
            raise UnavailableError(f"the link was refused: HTTP {answer.status_code}")
        return answer.content

    def save(self, url: str, target: IO[bytes]) -> int:
        """Writes the bytes at a link to a target, a block at a time. Returns their number."""
        size = 0
        try:
            with self.http.stream("GET", url) as answer:
                if answer.status_code >= 300:
                    raise UnavailableError(f"the link was refused: HTTP {answer.status_code}")
                for block in answer.iter_raw():
                    size += target.write(block)
        except httpx.HTTPError as error:
            raise UnavailableError(f"the bucket does not answer: {reason_of(error)}") from None
        return size


def _uploaded(ticket: Json, version: str) -> Json:
    named = {field: ticket[field] for field in ("id", "document", "collection", "sidecar")}
    return named | {"version": version, "same": bool(ticket.get("same"))}
