"""Batches as one caller sees them: documents that are added together, and how far they are."""

import uuid
from collections.abc import Mapping, Sequence

from footnote.clock import iso
from footnote.errors import BadRequestError, ForbiddenError, NotFoundError
from footnote.model import Caller, Record, covers
from footnote.service.document_service import DocumentService
from footnote.store.batches import Batch, Counts, arrived, count, load, save
from footnote.wiring.services import Services


class BatchService:
    """Makes batches for a caller, and counts those that the caller may read."""

    def __init__(self, services: Services, who: Caller, documents: DocumentService) -> None:
        self._services = services
        self._who = who
        self._documents = documents

    def add(
        self, wanted: Sequence[tuple[str, str, Mapping[str, object]]]
    ) -> tuple[Batch, list[dict[str, object]]]:
        """Returns a batch of documents, and for each (path, collection, metadata) a ticket.

        A name that is refused has `error` instead, and is no part of the batch.
        """
        created = iso(self._services.clock())  # as records tell when they were received
        tickets: list[dict[str, object]] = []
        for path, collection, metadata in wanted:
            try:
                tickets.append(self._documents.add(path, collection, metadata))
            except (BadRequestError, ForbiddenError) as error:
                told = {"document": path, "collection": collection}
                tickets.append({**told, "error": error.problem.model_dump()})
        batch = Batch(
            id=uuid.uuid4().hex,
            tenant=self._who.tenant,
            groups=self._who.groups,
            created=created,
            documents=tuple(dict.fromkeys(str(one["id"]) for one in tickets if "id" in one)),
        )
        save(self._services.artifacts, batch)
        return batch, tickets

    def get(self, batch_id: str) -> tuple[Counts, list[Record]]:
        """Returns how far a batch is, and the records of it that have arrived.

        Raises NotFoundError, also where whoever made it may read what this caller may not.
        """
        batch = load(self._services.artifacts, self._who.tenant, batch_id)
        if not covers(self._who.groups, batch.groups):
            raise NotFoundError(f"no batch {batch_id}")
        records = arrived(batch, self._documents.statuses(batch.documents))
        return count(batch, records), records
