"""The port Catalog on DynamoDB: one item a document, and every write conditional on the fence.

An item has the fields of `Record`. `metadata` and `sidecar` are stored as JSON, since DynamoDB's
numbers are not JSON's. An item also has `fence` (the padded sequencer), `tenant` (for the index
`by-tenant`), `acl` (the sidecar's, if it has one), on tombstones `expires`, and `unfinished` until
its status is terminal (for the index of that name).
"""

import json
from collections.abc import Mapping
from typing import cast

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.document_reader import DocumentReader
from footnote.adapters.dynamodb.records import (
    ADD_SUMS,
    IF_CURRENT,
    IF_OPEN,
    IF_REMOVABLE,
    IF_REOPENABLE,
    IF_RETRIABLE,
    IF_SERVING,
    IF_SERVING_NONE,
    IF_STORABLE,
    IF_UNCHANGED,
    REMOVE_FACTS,
    SET_ORIGIN,
    SUMS,
    mark_unfinished,
    record_of,
    set_expression,
    set_timings,
    sidecar_attributes,
)
from footnote.adapters.dynamodb.values import DAY, attributes, names, plain_item, values
from footnote.adapters.rules.catalog import (
    bound_facts,
    must_be_current,
    must_be_open,
    must_be_reopenable,
    must_store,
    refuse_older,
    refuse_other,
)
from footnote.adapters.rules.limits import PlainValue, must_be_key
from footnote.clock import iso
from footnote.errors import ConflictError
from footnote.model import (
    NO_SIDECAR,
    NO_VERSION,
    Facts,
    Record,
    Revision,
    Sidecar,
    Status,
    pad_sequencer,
)

TOMBSTONE_DAYS = 90  # far longer than an event can be late


class DynamoCatalog(DocumentReader):
    """Stores the state of each document. An event that a newer one has replaced changes nothing.

    DynamoDB refuses such a write by its condition. Only then is the item read, to say why.
    """

    def receive(self, revision: Revision, size: int, sidecar: Sidecar = NO_SIDECAR) -> None:
        event = self._event(revision)
        new = event | {"status": "RECEIVED", "size": size, "received": event["updated"]}
        operands = {"deleted": "DELETED", "no_version": NO_VERSION}
        first = sidecar_attributes(sidecar) | {"annotation": 0}
        if_new = "".join(f", #{name} = if_not_exists(#{name}, :{name})" for name in first)
        try:
            change = set_expression(new) + SET_ORIGIN + if_new + REMOVE_FACTS + ", #expires"
            self._update(revision, change, new | operands | first, IF_STORABLE)
        except ConflictError:
            # raises if the item changed between the two calls: the next delivery settles it
            if must_store(self.get(revision.document_id), revision):
                self._begin_again(revision, "RECEIVED", IF_RETRIABLE)

    def annotate(self, record: Record, sidecar: Sidecar) -> Record:
        new = sidecar_attributes(sidecar) | {"annotation": record.annotation + 1}
        operands = new | {"before": record.annotation, "key": record.key}
        try:
            return self._update(record.revision, set_expression(new), operands, IF_UNCHANGED)
        except ConflictError:
            self.get(record.document_id)
            raise

    def advance(self, revision: Revision, status: Status, facts: Facts) -> Record:
        facts = bound_facts(facts)
        fields = facts.model_dump(mode="json", exclude_none=True, exclude={"timings_ms", *SUMS})
        if facts.metadata is not None:
            fields["metadata"] = json.dumps(facts.metadata)
        new = {"status": status, "updated": iso(self._clock())} | fields
        change = set_expression(new)
        timings = facts.timings_ms or {}
        change += set_timings(timings) + ("" if facts.error else " REMOVE #error") + ADD_SUMS
        new |= facts.model_dump(include=SUMS)
        operands = {
            "fence": pad_sequencer(revision.sequencer),
            "ready": "READY",
            "deleted": "DELETED",
        }
        try:
            return self._update(revision, change, new | operands, IF_OPEN, timings)
        except ConflictError:
            must_be_open(self._stored(revision), status)
            raise

    def finish_part(
        self, revision: Revision, part: int, timings_ms: Mapping[str, float] | None = None
    ) -> Record:
        new: dict[str, PlainValue] = {"updated": iso(self._clock())}
        timings = timings_ms or {}
        change = set_expression(new) + set_timings(timings) + " ADD #parts_done :part"
        return self._current(revision, change, new | {"part": frozenset({part})}, timings)

    def publish(self, revision: Revision) -> Record:
        new: dict[str, PlainValue] = {
            "status": "READY",
            "live_version": revision.version,
            "updated": iso(self._clock()),
        }
        return self._current(revision, set_expression(new) + " REMOVE #error", new)

    def reopen(self, revision: Revision, status: Status = "INDEXING") -> Record:
        try:
            return self._begin_again(revision, status, IF_REOPENABLE)
        except ConflictError:
            must_be_reopenable(self._stored(revision))
            raise

    def _begin_again(self, revision: Revision, status: Status, only_if: str) -> Record:
        new: dict[str, PlainValue] = {"status": status, "updated": iso(self._clock())}
        operands: dict[str, PlainValue] = {"fence": pad_sequencer(revision.sequencer)}
        statuses = {"failed": "FAILED", "unsupported": "UNSUPPORTED", "ready": "READY"}
        operands |= {name: value for name, value in statuses.items() if f":{name}" in only_if}
        change = set_expression(new) + " REMOVE #parts_done, #requeued, #error, #lines_missing"
        return self._update(revision, change, new | operands, only_if)

    def remove(self, revision: Revision, serving: str | None = None) -> None:
        expires = int(self._clock()) + TOMBSTONE_DAYS * DAY
        new = self._event(revision) | {"status": "DELETED", "expires": expires}
        change = set_expression(new) + SET_ORIGIN + REMOVE_FACTS + ", #live_version"
        operands, only_if = dict(new), IF_REMOVABLE
        if serving is not None:
            only_if = f"({IF_REMOVABLE}) AND {IF_SERVING if serving else IF_SERVING_NONE}"
            operands |= {"serving": serving} if serving else {}
        try:
            self._update(revision, change, operands, only_if)
        except ConflictError:
            stored = self.get(revision.document_id)
            refuse_older(stored, revision)
            refuse_other(stored, serving)
            raise

    def _event(self, revision: Revision) -> dict[str, PlainValue]:
        """Returns the attributes that every event sets."""
        return {
            **revision.model_dump(include={"key", "version", "sequencer"}),
            "fence": pad_sequencer(revision.sequencer),
            "tenant": revision.tenant,
            "updated": iso(self._clock()),
            "timings_ms": {},
        }

    def _stored(self, revision: Revision) -> Record:
        """Returns the stored record. Raises if it belongs to another event than `revision`."""
        stored = self.get(revision.document_id)
        must_be_current(stored, revision)
        return stored

    def _current(
        self,
        revision: Revision,
        change: str,
        operands: Mapping[str, PlainValue],
        timings: Mapping[str, float] | None = None,
    ) -> Record:
        fenced = {**operands, "fence": pad_sequencer(revision.sequencer)}
        try:
            return self._update(revision, change, fenced, IF_CURRENT, timings or {})
        except ConflictError:
            self._stored(revision)
            raise

    def _update(
        self,
        revision: Revision,
        change: str,
        operands: Mapping[str, PlainValue],
        only_if: str,
        timings: Mapping[str, float] | None = None,
    ) -> Record:
        must_be_key(f"put {revision.key[:100]}", revision.tenant, revision.key)
        steps = list((timings or {}).items())
        if "status" in operands:
            status = cast("Status", operands["status"])
            change, mark = mark_unfinished(change, status, revision.document_id)
            operands = {**operands, **mark}
        with translate_errors("update", f"{self._table}/{revision.key}"):
            reply = self._client.update_item(
                TableName=self._table,
                Key=attributes({"document_id": revision.document_id}),
                UpdateExpression=change,
                ConditionExpression=only_if,
                ExpressionAttributeNames=names(change, only_if)
                | {f"#step{n}": step for n, (step, _) in enumerate(steps)},
                ExpressionAttributeValues=values(operands)
                | values({f"step{n}": ms for n, (_, ms) in enumerate(steps)}),
                ReturnValues="ALL_NEW",
            )
        return record_of(plain_item(reply["Attributes"]))
