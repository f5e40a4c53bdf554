"""What an operator does: build the index anew, check health."""

from footnote.ingest.upkeep.generations import roll_back
from footnote.model import Caller, ReindexRun
from footnote.wiring.audit import note
from footnote.wiring.services import Services


class OperatingService:
    """Operates the deployment to which a caller's tenant belongs."""

    def __init__(self, services: Services, who: Caller) -> None:
        self._services = services
        self._tenant = who.tenant

    def reindex(self, reason: str, *, force: bool = False) -> str:
        """Starts building a new index generation and returns the id of the run.

        Without `force` it builds none that would equal the present one.
        """
        run = self._services.workflow.reindex(reason, force=force)
        note(run=run)
        return run

    def reindex_status(self, reindex_id: str) -> ReindexRun:
        return self._services.workflow.reindex_status(reindex_id)

    def roll_back(self) -> tuple[str, str]:
        """Points queries at the generation that they left last. Returns its name, and which they
        leave. Raises what `ingest.upkeep.generations.roll_back` does.
        """
        return roll_back(self._services.index, self._services.clock())

    def health(self) -> dict[str, object]:
        """Checks table and index. Raises UnavailableError naming the one that does not answer."""
        self._services.catalog.documents(self._tenant, None, "", 1)
        return {
            "status": "ok",
            "tenant": self._tenant,
            "index": dict(self._services.index.health()),
        }
