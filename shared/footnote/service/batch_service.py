"""Batches as one caller sees them: documents that are added together, and their progress."""

import uuid
from collections.abc import Mapping, Sequence

from footnote.clock import iso
from footnote.errors import BadRequestError, ForbiddenError, NotFoundError
from footnote.model import Caller, Record, covers
from footnote.service.document_service import DocumentService
from footnote.store.batches import Batch, Counts, arrived, count, load, save
from footnote.wiring.audit import note
from footnote.wiring.services import Services

type Wanted = Sequence[tuple[str, str, Mapping[str, object], str]]
"""Path, collection, metadata and, where it is known, SHA-256 of each document."""

type Tickets = list[dict[str, object]]
"""For each document, the form that uploads it, or `error`."""


class BatchService:
    """Creates a caller's batches, and counts the documents that the caller may read."""

    def __init__(self, services: Services, who: Caller, documents: DocumentService) -> None:
        self._services = services
        self._who = who
        self._documents = documents

    def add(self, uploads: Wanted) -> tuple[Batch, Tickets]:
        """Creates a batch of documents. Returns it with a ticket for each.

        A document with a refused name gets `error` instead, and is no part of the batch. Neither is
        one that was made of this very file.
        """
        created = iso(self._services.clock())  # the format of `received` in records
        tickets = [self._ticket(*upload) for upload in uploads]
        batch = Batch(
            id=uuid.uuid4().hex,
            tenant=self._who.tenant,
            groups=self._who.groups,
            created=created,
            documents=tuple(
                dict.fromkeys(
                    str(ticket["id"]) for ticket in tickets if "id" in ticket and not ticket["same"]
                )
            ),
        )
        save(self._services.artifacts, batch)
        note(batch=batch.id)
        return batch, tickets

    def tickets(self, batch_id: str, uploads: Wanted) -> Tickets:
        """Returns new tickets for the documents of a batch that was made of `uploads`.

        Raises NotFoundError as `get` does.
        """
        self._load(batch_id)
        return [self._ticket(*upload) for upload in uploads]

    def _ticket(
        self, path: str, collection: str, metadata: Mapping[str, object], sha256: str
    ) -> dict[str, object]:
        try:
            return self._documents.add(path, collection, metadata, sha256)
        except (BadRequestError, ForbiddenError) as error:
            names = {"document": path, "collection": collection}
            return {**names, "error": error.problem.model_dump()}

    def get(self, batch_id: str) -> tuple[Counts, list[Record]]:
        """Returns the counts of a batch, and the records of its documents that have arrived.

        Raises NotFoundError, also where this caller lacks a group of the batch's creator.
        """
        batch = self._load(batch_id)
        records = arrived(batch, self._documents.statuses(batch.documents))
        return count(batch, records), records

    def _load(self, batch_id: str) -> Batch:
        batch = load(self._services.artifacts, self._who.tenant, batch_id)
        if not covers(self._who.groups, batch.groups):
            raise NotFoundError(f"no batch {batch_id}")
        return batch
