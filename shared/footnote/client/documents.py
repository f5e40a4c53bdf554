"""The stored documents: list, look up, wait, retry, remove."""

from collections.abc import Callable, Iterator, Sequence

from footnote.client.calls import Calls, path_of
from footnote.client.looks import wait_ended, wait_gone
from footnote.wire import Json

PAGE_SIZE = 500  # documents in one page of the list: the API's limit


class DocumentCalls(Calls):
    """Lists, watches and removes documents."""

    def documents(self, status: str = "", collection: str = "") -> Iterator[Json]:
        """Yields all documents, or those with this status or collection. Requests a page at a time.

        A server before the release of 2026-11-28 knows no collection here, and yields all.
        """
        for page in self._pages("documents", status=status, collection=collection, limit=PAGE_SIZE):
            yield from page["documents"]

    def document_page(self, status: str = "", after: str = "", limit: int = PAGE_SIZE) -> Json:
        """Returns some documents, and in `after` the cursor of the next
        page: "" on the last one.
        """
        params: Json = {"status": status, "after": after, "limit": limit}
        return self._api.call("GET", "documents", params=params)

    def document(self, document: str, collection: str = "default") -> Json:
        return self._api.call(
            "GET", path_of("documents", document), params={"collection": collection}
        )

    def remove(self, document: str, collection: str = "default") -> Json:
        return self._api.call(
            "DELETE", path_of("documents", document), params={"collection": collection}
        )

    def retry(self, document: str, collection: str = "default") -> Json:
        return self._api.call(
            "POST", path_of("documents", document, "retry"), params={"collection": collection}
        )

    def retry_all(self, code: str) -> list[Json]:
        """Restarts work on all documents whose error has this code. Returns their records."""
        again: list[Json] = []
        after = ""
        while True:
            page = self._api.call("POST", "documents/retry", params={"code": code, "after": after})
            again += page["documents"]
            if not (after := page["after"]):
                return again

    def statuses(self, ids: Sequence[str]) -> list[Json]:
        """Returns the records of these ids, up to 100, in no order. Unknown ids are left out."""
        records: list[Json] = self._api.call(
            "POST", "documents/status", json={"ids": list(ids)}, read=True
        )["documents"]
        return records

    def wait(
        self, added: Sequence[Json], seen: Callable[[Json], None], seconds: float = 900.0
    ) -> list[Json]:
        """Waits until uploads have ended. Calls `seen` with each change. Returns the last records.

        Sidecars are skipped. `seen` gets no record of the version that an upload replaces. It looks
        at some files at a time, in the order of `added`. So for thousands of files `seen` gets the
        end of each, but few of the changes before.

        Raises UnavailableError when nothing has changed for `seconds`. It names the first five
        documents that have not ended.
        """
        documents = [item for item in added if not item.get("sidecar")]
        return wait_ended(self.statuses, documents, seen, seconds)

    def wait_removed(self, removed: Sequence[Json], seconds: float = 60.0) -> list[Json]:
        """Waits until these documents are DELETED. Returns those that are not after `seconds`."""
        return wait_gone(self.statuses, removed, seconds)
