"""What an operator does: build the index anew, look whether all is well."""

from footnote.model import Caller, ReindexRun
from footnote.wiring.services import Services


class OperatingService:
    """Operates the deployment that a caller's tenant is part of."""

    def __init__(self, services: Services, who: Caller) -> None:
        self._services = services
        self._tenant = who.tenant

    def reindex(self, reason: str, *, force: bool = False) -> str:
        """Starts building a new index generation and returns the id of the run.

        Where a new one would be the same as the one there is, none is made without `force`.
        """
        return self._services.workflow.reindex(reason, force=force)

    def reindex_status(self, reindex_id: str) -> ReindexRun:
        return self._services.workflow.reindex_status(reindex_id)

    def health(self) -> dict[str, object]:
        """Checks table and index. Raises UnavailableError naming the one that does not answer."""
        self._services.catalog.documents(self._tenant, None, "", 1)
        return {
            "status": "ok",
            "tenant": self._tenant,
            "index": dict(self._services.index.health()),
        }
