"""The deployment: re-index, health, and the caller itself."""

from footnote.client.calls import Calls, path_of
from footnote.client.connection import once
from footnote.wire import Json


class OperatingCalls(Calls):
    """Operates the deployment."""

    def reindex(self, *, force: bool = False) -> Json:
        body = {"reason": "cli", "force": force}
        return self._api.call("POST", "reindex", json=body, headers=once())

    def roll_back(self) -> Json:
        """Points queries at the index that the last re-index replaced: {generation, left}."""
        return self._api.call("POST", "reindex/rollback")

    def reindex_status(self, run: str) -> Json:
        return self._api.call("GET", path_of("reindex", run))

    def me(self) -> Json:
        """Returns the caller: tenant, groups, limits, and today's use."""
        return self._api.call("GET", "me")

    def health(self) -> Json:
        return self._api.call("GET", "health")
