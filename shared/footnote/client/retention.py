"""Retention of collections, and erasure of documents."""

from collections.abc import Mapping

from footnote.client.calls import Calls, path_of
from footnote.wire import Json


class RetentionCalls(Calls):
    """Shows and replaces what of a collection must stay, and when the rest goes."""

    def retention(self, collection: str) -> Json:
        return self._api.call("GET", path_of("collections", collection, "retention"))

    def set_retention(
        self,
        collection: str,
        *,
        days: int = 0,
        hold: str = "",
        documents: Mapping[str, str] | None = None,
    ) -> Json:
        """Replaces the rule: what is not given holds no longer."""
        body = {"days": days, "hold": hold, "documents": dict(documents or {})}
        return self._api.call("PUT", path_of("collections", collection, "retention"), json=body)

    def begin_erasure(self, document: str, collection: str = "default") -> Json:
        """Begins to erase a document for good. Returns its receipt."""
        asked = {"collection": collection}
        return self._api.call("POST", path_of("documents", document, "erase"), params=asked)

    def go_on_erasing(self, erasure: str) -> Json:
        """Does the next part of an erasure, and returns its receipt: call it until that is DONE."""
        return self._api.call("POST", path_of("erasures", erasure))

    def receipt(self, erasure: str) -> Json:
        return self._api.call("GET", path_of("erasures", erasure))
