"""The documents table: one item a document, every write conditional on the fence.

An item has the fields of `Record`, and beside them `fence` (the padded sequencer), `tenant` (for
the index `by-tenant`) and, on tombstones, `expires`.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from footnote.adapters.aws import translated
from footnote.adapters.catalog_rules import (
    UNFINISHED,
    after_key,
    cursor,
    iso,
    must_be_current,
    must_be_open,
    must_be_ready,
    must_store,
    refuse_older,
)
from footnote.adapters.dynamodb import (
    DAY,
    Plain,
    attributes,
    get_batches,
    names,
    plain_item,
    values,
)
from footnote.errors import ConflictError, NotFoundError
from footnote.model import Facts, Record, Revision, Status, fence

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import ScanInputTypeDef

TOMBSTONE_DAYS = 90  # far longer than any event can be late

STORABLE = (
    "attribute_not_exists(#document_id) OR (#fence < :fence AND #version <> :version)"
    " OR (#fence = :fence AND #status IN (:failed, :unsupported))"
)
REMOVABLE = "attribute_not_exists(#document_id) OR #fence <= :fence"
CURRENT = "#fence = :fence"
READY = "#fence = :fence AND #status = :ready"
OPEN = "#fence = :fence AND (NOT #status IN (:ready, :deleted) OR #status = :status)"

ORIGIN = ", #origin = if_not_exists(#origin, if_not_exists(#sequencer, :sequencer))"
"""Of a new item its own sequencer; an old one that has none had an event before this one."""

FORGET = (
    " REMOVE #error, #title, #media_type, #language, #pages, #chunks, #parts, #parts_done,"
    " #requeued, #warnings, #usd"
)
"""What was learned of an earlier version or in an earlier attempt."""


class DynamoCatalog:
    def __init__(
        self, client: "DynamoDBClient", table: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._client = client
        self._table = table
        self._clock = clock

    def receive(self, revision: Revision, size: int) -> None:
        try:
            self._arrive(revision, size, "RECEIVED")
        except ConflictError:
            if must_store(self.get(revision.document_id), revision):
                raise  # it changed between the two calls: the next delivery settles it

    def begin(self, revision: Revision, size: int) -> None:
        try:
            self._arrive(revision, size, "PARSING")  # in one call: the rule is a new file
        except ConflictError:
            self.receive(revision, size)
            self.advance(revision, "PARSING", Facts())

    def _arrive(self, revision: Revision, size: int, status: Status) -> None:
        now = iso(self._clock())
        new = self._event(revision) | {"status": status, "size": size, "received": now}
        given = {"failed": "FAILED", "unsupported": "UNSUPPORTED"}
        self._update(revision, sets(new) + ORIGIN + FORGET + ", #expires", new | given, STORABLE)

    def advance(self, revision: Revision, status: Status, facts: Facts) -> Record:
        learned = facts.model_dump(mode="json", exclude_none=True, exclude={"timings_ms"})
        new = {"status": status, "updated": iso(self._clock())} | learned
        change = sets(new)
        steps = list(facts.timings_ms or {})
        for n, step in enumerate(steps):  # merged: each is a member of the map
            change += f", #timings_ms.#step{n} = :step{n}"
            new[f"step{n}"] = (facts.timings_ms or {})[step]
        given = {"fence": fence(revision.sequencer), "ready": "READY", "deleted": "DELETED"}
        try:
            return self._update(revision, change, new | given, OPEN, steps)
        except ConflictError:
            must_be_open(self._stored(revision), status)
            raise

    def finish_part(self, revision: Revision, part: int) -> Record:
        new: dict[str, Plain] = {"updated": iso(self._clock())}
        return self._current(
            revision, sets(new) + " ADD #parts_done :part", new | {"part": frozenset({part})}
        )

    def publish(self, revision: Revision) -> Record:
        new: dict[str, Plain] = {
            "status": "READY",
            "live_version": revision.version,
            "updated": iso(self._clock()),
        }
        return self._current(revision, sets(new) + " REMOVE #error", new)

    def reopen(self, revision: Revision) -> Record:
        new: dict[str, Plain] = {"status": "INDEXING", "updated": iso(self._clock())}
        given: dict[str, Plain] = {"fence": fence(revision.sequencer), "ready": "READY"}
        change = sets(new) + " REMOVE #parts_done, #requeued"
        try:
            return self._update(revision, change, new | given, READY)
        except ConflictError:
            must_be_ready(self._stored(revision))
            raise

    def remove(self, revision: Revision) -> None:
        expires = int(self._clock()) + TOMBSTONE_DAYS * DAY
        new = self._event(revision) | {"status": "DELETED", "expires": expires}
        try:
            self._update(revision, sets(new) + ORIGIN + FORGET + ", #live_version", new, REMOVABLE)
        except ConflictError:
            refuse_older(self.get(revision.document_id), revision)
            raise

    def get(self, document_id: str) -> Record:
        with translated("get", f"{self._table}/{document_id}"):
            reply = self._client.get_item(
                TableName=self._table,
                Key=attributes({"document_id": document_id}),
                ConsistentRead=True,
            )
        if "Item" not in reply:
            raise NotFoundError(f"no document {document_id}")
        return record_of(plain_item(reply["Item"]))

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        # Consistent: what was removed must not be shown by a query that starts after that.
        found = get_batches(
            self._client,
            self._table,
            [attributes({"document_id": one}) for one in dict.fromkeys(document_ids)],
            "#document_id, #live_version",
            consistent=True,
        )
        return {str(it["document_id"]): str(it["live_version"]) for it in found if len(it) == 2}

    def documents(
        self, tenant: str, status: Status | None = None, after: str = "", limit: int = 100
    ) -> tuple[list[Record], str]:
        found = list(islice(self._listed(tenant, status, after_key(after), limit), limit + 1))
        page = found[:limit]
        return page, cursor(page[-1].key) if len(found) > limit else ""

    def live(self) -> Iterator[Record]:
        yield from self._scanned("#live_version > :none", {"none": ""})

    def unfinished(self) -> Iterator[Record]:
        given = {f"status{n}": status for n, status in enumerate(UNFINISHED)}
        chosen = f"#status IN ({', '.join(f':{name}' for name in given)})"
        yield from self._scanned(chosen, given)

    def page(self, after: str, limit: int) -> tuple[list[Record], str]:
        request: ScanInputTypeDef = {"TableName": self._table, "Limit": limit}
        if after:
            request["ExclusiveStartKey"] = attributes({"document_id": after})
        with translated("scan", self._table):
            reply = self._client.scan(**request)
        last = plain_item(reply.get("LastEvaluatedKey", {})).get("document_id", "")
        return [record_of(plain_item(found)) for found in reply["Items"]], str(last)

    def _scanned(self, chosen: str, given: Mapping[str, Plain]) -> Iterator[Record]:
        with translated("scan", self._table):
            for page in self._client.get_paginator("scan").paginate(
                TableName=self._table,
                FilterExpression=chosen,
                ExpressionAttributeNames=names(chosen),
                ExpressionAttributeValues=values(given),
            ):
                yield from (record_of(plain_item(found)) for found in page["Items"])

    def _listed(
        self, tenant: str, status: Status | None, after: str, limit: int
    ) -> Iterator[Record]:
        wanted = "#tenant = :tenant" + (" AND #key > :after" if after else "")
        chosen = "#status = :status" if status else "#status <> :status"
        given = {"tenant": tenant, "status": status or "DELETED"} | (
            {"after": after} if after else {}
        )
        with translated("query", self._table):
            for page in self._client.get_paginator("query").paginate(
                TableName=self._table,
                IndexName="by-tenant",
                KeyConditionExpression=wanted,
                FilterExpression=chosen,
                ExpressionAttributeNames=names(wanted, chosen),
                ExpressionAttributeValues=values(given),
                # The filter comes after the page is cut: a rare status needs long pages.
                PaginationConfig={"PageSize": 1000 if status else limit + 1},
            ):
                yield from (record_of(plain_item(found)) for found in page["Items"])

    def _event(self, revision: Revision) -> dict[str, Plain]:
        """The attributes that every event sets."""
        return {
            **revision.model_dump(include={"key", "version", "sequencer"}),
            "fence": fence(revision.sequencer),
            "tenant": revision.tenant,
            "updated": iso(self._clock()),
            "timings_ms": {},
        }

    def _stored(self, revision: Revision) -> Record:
        """The stored record; raises if it is of another event than `revision`."""
        stored = self.get(revision.document_id)
        must_be_current(stored, revision)
        return stored

    def _current(self, revision: Revision, change: str, given: Mapping[str, Plain]) -> Record:
        try:
            return self._update(
                revision, change, {**given, "fence": fence(revision.sequencer)}, CURRENT
            )
        except ConflictError:
            self._stored(revision)
            raise

    def _update(
        self,
        revision: Revision,
        change: str,
        given: Mapping[str, Plain],
        only_if: str,
        steps: Sequence[str] = (),
    ) -> Record:
        with translated("update", f"{self._table}/{revision.key}"):
            reply = self._client.update_item(
                TableName=self._table,
                Key=attributes({"document_id": revision.document_id}),
                UpdateExpression=change,
                ConditionExpression=only_if,
                ExpressionAttributeNames=names(change, only_if)
                | {f"#step{n}": step for n, step in enumerate(steps)},
                ExpressionAttributeValues=values(given),
                ReturnValues="ALL_NEW",
            )
        return record_of(plain_item(reply["Attributes"]))


def sets(new: Mapping[str, Plain]) -> str:
    return "SET " + ", ".join(f"#{name} = :{name}" for name in new)


def record_of(stored: Mapping[str, Plain]) -> Record:
    known = {name: value for name, value in stored.items() if name in Record.model_fields}
    parts = stored.get("parts_done")
    return Record.model_validate(
        known | {"parts_done": sorted(parts) if isinstance(parts, frozenset) else ()}
    )
