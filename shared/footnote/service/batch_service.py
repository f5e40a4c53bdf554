"""Batches as one caller sees them: documents that are added together, and how far they are."""

import uuid
from collections.abc import Mapping, Sequence

from footnote.clock import iso
from footnote.errors import BadRequestError, ForbiddenError, NotFoundError
from footnote.model import Caller, Record, covers
from footnote.service.document_service import DocumentService
from footnote.store.batches import Batch, Counts, arrived, count, load, save
from footnote.wiring.services import Services

type Wanted = Sequence[tuple[str, str, Mapping[str, object]]]
"""Path, collection and metadata of each document."""

type Tickets = list[dict[str, object]]
"""Of each document the form to upload it by, or `error`."""


class BatchService:
    """Makes batches for a caller, and counts those that the caller may read."""

    def __init__(self, services: Services, who: Caller, documents: DocumentService) -> None:
        self._services = services
        self._who = who
        self._documents = documents

    def add(self, wanted: Wanted) -> tuple[Batch, Tickets]:
        """Returns a batch of documents, and a ticket for each.

        A name that is refused has `error` instead, and is no part of the batch.
        """
        created = iso(self._services.clock())  # as records tell when they were received
        tickets = [self._ticket(*one) for one in wanted]
        batch = Batch(
            id=uuid.uuid4().hex,
            tenant=self._who.tenant,
            groups=self._who.groups,
            created=created,
            documents=tuple(dict.fromkeys(str(one["id"]) for one in tickets if "id" in one)),
        )
        save(self._services.artifacts, batch)
        return batch, tickets

    def tickets(self, batch_id: str, wanted: Wanted) -> Tickets:
        """Returns tickets, as of now, for the documents of a batch that was made of `wanted`.

        Raises NotFoundError as `get` does.
        """
        self._load(batch_id)
        return [self._ticket(*one) for one in wanted]

    def _ticket(
        self, path: str, collection: str, metadata: Mapping[str, object]
    ) -> dict[str, object]:
        try:
            return self._documents.add(path, collection, metadata)
        except (BadRequestError, ForbiddenError) as error:
            told = {"document": path, "collection": collection}
            return {**told, "error": error.problem.model_dump()}

    def get(self, batch_id: str) -> tuple[Counts, list[Record]]:
        """Returns how far a batch is, and the records of it that have arrived.

        Raises NotFoundError, also where whoever made it may read what this caller may not.
        """
        batch = self._load(batch_id)
        records = arrived(batch, self._documents.statuses(batch.documents))
        return count(batch, records), records

    def _load(self, batch_id: str) -> Batch:
        batch = load(self._services.artifacts, self._who.tenant, batch_id)
        if not covers(self._who.groups, batch.groups):
            raise NotFoundError(f"no batch {batch_id}")
        return batch
