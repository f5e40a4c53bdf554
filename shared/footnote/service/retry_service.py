"""Trying again: work on documents that are FAILED or UNSUPPORTED."""

import time
from collections.abc import Mapping
from contextlib import suppress

from footnote.contracts import QUEUES
from footnote.errors import (
    BadRequestError,
    ConflictError,
    FootnoteError,
    NotFoundError,
    SupersededError,
)
from footnote.ingest.upkeep.resume import resume
from footnote.model import Facts, Record, Status
from footnote.service.document_service import DocumentService
from footnote.wiring.audit import note_documents
from footnote.wiring.logs import correlation, hand_on
from footnote.wiring.services import Services

QUEUE_STATUS: Mapping[str, Status] = {"chunk": "CHUNKING", "index": "INDEXING"}
RETRYABLE: tuple[Status, ...] = ("FAILED", "UNSUPPORTED")
# Bounds of one call that retries: documents, and seconds after which it begins no more. The caller
# goes on from the cursor.
MAX_RETRIES = 200
RETRY_SECONDS = 8.0
RETRY_PAGE = 25  # documents between two checks of those bounds


class RetryService:
    """Restarts work on a caller's documents, from the stored artifacts."""

    def __init__(self, services: Services, documents: DocumentService) -> None:
        self._services = services
        self._documents = documents

    def retry(self, id_or_path: str, collection: str = "default") -> Record:
        """Restarts work on one document. Raises ConflictError where it has not failed."""
        record = self._documents.get(id_or_path, collection)
        if record.status not in RETRYABLE:
            raise ConflictError(
                f"{record.revision.path} is {record.status}; only FAILED or UNSUPPORTED is retried",
                action="Wait for it to end, or upload the file again.",
            )
        return self._restart(record)

    def retry_all(self, code: str, after: str = "") -> tuple[list[Record], str]:
        """Restarts work on some of the documents whose error has this code.

        The second value is the cursor for the next call; "" when all are done. A document that
        fails again meanwhile is not retried twice.
        """
        if not code.strip():
            raise BadRequestError(
                "no code is given: retry of what?",
                code="bad_code",
                action="Give the code of an error; each document that failed shows its own.",
            )
        status, page = split_cursor(after)
        until = time.monotonic() + RETRY_SECONDS
        again: list[Record] = []
        while len(again) < MAX_RETRIES and time.monotonic() < until:
            records, page = self._documents.look_through(status, page, RETRY_PAGE)
            for record in records:
                if record.error and record.error.code == code:
                    with suppress(SupersededError, NotFoundError):  # replaced or removed meanwhile
                        again.append(self._restart(record))
            if not page:
                if status == RETRYABLE[-1]:
                    return again, ""
                status = RETRYABLE[RETRYABLE.index(status) + 1]
        return again, f"{status}:{page}"

    def _restart(self, record: Record) -> Record:
        catalog = self._services.catalog
        note_documents(record.document_id)
        # all parts run again: a re-index may have dropped the generation that held the finished
        # ones
        afresh = record.model_copy(update={"parts_done": ()})
        messages = hand_on(correlation(), resume(afresh, self._services.artifacts))
        queue = QUEUES[type(messages[0])]
        # Reopened before the message is sent: else the table would take a quick worker's result for
        # the old one.
        if queue == "parse":
            catalog.receive(record.revision, record.size)
        else:
            catalog.reopen(record.revision, QUEUE_STATUS[queue])
        try:
            self._services.queues.send(queue, messages)
        except FootnoteError as error:
            catalog.advance(record.revision, "FAILED", Facts(error=error.problem))
            raise
        return catalog.get(record.document_id)


def split_cursor(after: str) -> tuple[Status, str]:
    """Splits the cursor of `retry_all` into a status and the cursor of a page."""
    if not after:
        return RETRYABLE[0], ""
    named, _, page = after.partition(":")
    for status in RETRYABLE:
        if status == named:
            return status, page
    raise BadRequestError(
        f"{after[:100]!r} is not a cursor of this list",
        action="Give `after` as the last reply has it.",
    )
