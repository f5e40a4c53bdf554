"""Adding documents: one file, a text, or a batch of files."""

import hashlib
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from footnote.client.calls import Calls, path_of
from footnote.client.connection import once
from footnote.client.sidecars import check_sidecar, sidecars_first
from footnote.errors import FootnoteError, UnavailableError
from footnote.model import WebPage
from footnote.outside.page_names import name_page
from footnote.outside.pages import WebFetcher
from footnote.text.characters import replace_surrogates
from footnote.wire import Json

_BLOCK = 1_048_576  # bytes that are read at a time


class UploadCalls(Calls):
    """Uploads files by the tickets that the API signs."""

    def add(
        self,
        file: Path,
        document: str = "",
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        *,
        again: bool = False,
    ) -> Json:
        """Uploads one file. Returns {id, document, collection, version, sidecar, same}.

        The file is processed after this returns: see `wait`. `metadata` holds its
        attributes, up to 2 KB as JSON. `sidecar` tells whether the file only describes a
        document: then there is nothing to wait for. `same` tells that the document was made of this
        very file: then nothing was sent. With `again`, or with `metadata`, a file is always
        sent, and read anew.

        Raises BadRequestError for a file that is too large, UnavailableError if its upload fails.
        """
        with file.open("rb") as content:
            sha256 = "" if metadata or again else _digest(content)
            ticket = self._ticket(document or file.name, collection, metadata, sha256)
            return self._bucket.upload(ticket, file.name, content, file.stat().st_size)

    def add_page(
        self,
        url: str,
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
        fetch: Callable[[str], WebPage] | None = None,
    ) -> Json:
        """Fetches a page of the web from here, and adds it. Returns and raises what `add` does.

        Its document is named by host and path, and has the attributes `url` and `fetched`, a day.
        A page whose document was made of these very bytes is not sent again. Raises BadRequestError
        for what is refused (`outside/pages.py`), UnavailableError where nothing comes.
        """
        page = (fetch or WebFetcher().fetch)(url)
        name = name_page(page.url, page.media_type)
        digest = hashlib.sha256(page.body).hexdigest()
        ticket = self._ticket(name, collection, None, "" if metadata else digest)
        if not ticket["same"]:
            today = datetime.now(UTC).date().isoformat()
            attributes = {**(metadata or {}), "url": page.url, "fetched": today}
            ticket = self._ticket(name, collection, attributes)
        return self._bucket.upload(ticket, name.rpartition("/")[2], page.body, len(page.body))

    def is_same(self, file: Path, document: str, collection: str = "default") -> bool:
        """Tells whether a document is READY and was made of this very file. Sends no file."""
        return self.is_made_of(_digest_of(file), document, collection)

    def is_made_of(self, sha256: str, document: str, collection: str = "default") -> bool:
        """Tells whether a document is READY and was made of a file with this SHA-256, in hex."""
        return bool(self._ticket(document, collection, None, sha256)["same"])

    def add_text(
        self, document: str, text: str, collection: str = "default", *, new: bool = False
    ) -> Json:
        """Uploads a text as a file in UTF-8. Returns and raises what `add` does.

        With `new` it raises ConflictError where the name is taken, even in the same moment. Such a
        text must fit into the body of a request.
        """
        if new:
            named = {"document": document, "collection": collection, "new_text": text}
            added = self._api.call("POST", "documents", json=named, headers=once())
            fields = ("id", "document", "collection", "sidecar", "version")
            return {name: added[name] for name in fields}
        body = replace_surrogates(text).encode()
        ticket = self._ticket(document, collection, None)
        return self._bucket.upload(ticket, document.rpartition("/")[2], body, len(body))

    def add_batch(
        self,
        files: Mapping[str, Path],
        collection: str = "default",
        metadata: Mapping[str, object] | None = None,
    ) -> Json:
        """Uploads up to 100 files as one batch. `files` maps documents' names to files.

        Sidecars go first. A document whose sidecar was refused is not sent, nor is one that was
        made of this very file. Returns {id, added, refused}: the batch's id, for `batch`; the
        results of `add`, for `wait`; and {document, collection, error} for the others.
        """
        sizes = {document: file.stat().st_size for document, file in files.items()}
        names = {"collection": collection, "metadata": dict(metadata or {})}
        digests = {document: "" if metadata else _digest_of(files[document]) for document in sizes}
        documents = [
            {"document": document, "sha256": digest, **names}
            for document, digest in digests.items()
        ]
        batch = self._api.call(
            "POST", "documents/batch", json={"documents": documents}, headers=once()
        )
        added: list[Json] = []
        refused = [ticket for ticket in batch["tickets"] if "error" in ticket]
        tickets = [ticket for ticket in batch["tickets"] if "error" not in ticket]
        for ticket in sidecars_first(tickets, lambda each: str(each["document"])):
            file, size = files[ticket["document"]], sizes[ticket["document"]]
            try:
                check_sidecar(ticket["document"], {item["document"] for item in refused})
                added.append(self._send(ticket, file, size, metadata))
            except FootnoteError as error:
                place = {"document": ticket["document"], "collection": collection}
                refused.append({**place, "error": error.problem.model_dump()})
        return {"id": batch["id"], "added": added, "refused": refused}

    def _send(
        self, ticket: Json, file: Path, size: int, metadata: Mapping[str, object] | None
    ) -> Json:
        """Uploads a file of a batch. Signs again if its form expired while others were sent."""
        try:
            with file.open("rb") as content:
                return self._bucket.upload(ticket, file.name, content, size)
        except UnavailableError as error:
            if error.code != "upload_refused":
                raise
        again = self._ticket(ticket["document"], ticket["collection"], metadata)
        with file.open("rb") as content:
            return self._bucket.upload(again, file.name, content, size)

    def batch(self, batch_id: str) -> Json:
        """Returns how many documents of a batch are ready, and why others are not."""
        return self._api.call("GET", path_of("batches", batch_id))

    def _ticket(
        self,
        document: str,
        collection: str,
        metadata: Mapping[str, object] | None,
        sha256: str = "",
    ) -> Json:
        body: Json = {"document": document, "collection": collection}
        if metadata:
            body |= {"metadata": dict(metadata)}
        if sha256:
            body |= {"sha256": sha256}
        return self._api.call("POST", "documents", json=body, read=True)


def _digest(content: IO[bytes]) -> str:
    """Returns the SHA-256 of a file in hex, and goes back to its beginning."""
    digest = hashlib.sha256()
    while block := content.read(_BLOCK):
        digest.update(block)
    content.seek(0)
    return digest.hexdigest()


def _digest_of(file: Path) -> str:
    with file.open("rb") as content:
        return _digest(content)
