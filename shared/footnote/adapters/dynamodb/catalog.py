"""The Catalog port on DynamoDB: one item per document, every write conditional on the fence.

An item has the fields of `Record`. `metadata` and `sidecar` are stored as JSON, since DynamoDB's
numbers are not JSON's. An item also has `fence` (the padded sequencer), `tenant` (for the index
`by-tenant`), `acl` (the sidecar's, if it has one) and, on tombstones, `expires`.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.listing import list_collections, query_tenant, scan, scan_page
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
    acl_of,
    readable,
    record_of,
    set_expression,
    set_timings,
    sidecar_attributes,
)
from footnote.adapters.dynamodb.values import (
    DAY,
    attributes,
    get_batches,
    names,
    plain_item,
    values,
)
from footnote.adapters.rules.catalog import (
    EXAMINE,
    UNFINISHED,
    after_collection,
    before_collection,
    bound_facts,
    cut_page,
    decode_cursor,
    must_be_current,
    must_be_open,
    must_be_reopenable,
    must_store,
    refuse_older,
    refuse_other,
)
from footnote.adapters.rules.limits import PlainValue, is_key, must_be_key
from footnote.clock import iso
from footnote.errors import ConflictError, NotFoundError
from footnote.model import (
    ALL,
    NO_SIDECAR,
    NO_VERSION,
    Facts,
    Record,
    Revision,
    Sidecar,
    Status,
    may_read,
    pad_sequencer,
)

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

QUERY = 1000  # documents that one query looks at; DynamoDB stops at 1 MB
TOMBSTONE_DAYS = 90  # far longer than an event can be late


class DynamoCatalog:
    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        clock: Callable[[], float] = time.time,
        examine: int = EXAMINE,
    ) -> None:
        self._client = client
        self._table = table
        self._clock = clock
        self._examine = examine

    def receive(self, revision: Revision, size: int, sidecar: Sidecar = NO_SIDECAR) -> None:
        event = self._event(revision)
        new = event | {"status": "RECEIVED", "size": size, "received": event["updated"]}
        given = {"deleted": "DELETED", "no_version": NO_VERSION}
        first = sidecar_attributes(sidecar) | {"annotation": 0}
        kept = "".join(f", #{name} = if_not_exists(#{name}, :{name})" for name in first)
        try:
            change = set_expression(new) + SET_ORIGIN + kept + REMOVE_FACTS + ", #expires"
            self._update(revision, change, new | given | first, IF_STORABLE)
        except ConflictError:
            # raises if the item changed between the two calls: the next delivery settles it
            if must_store(self.get(revision.document_id), revision):
                self._begin_again(revision, "RECEIVED", IF_RETRIABLE)

    def annotate(self, record: Record, sidecar: Sidecar) -> Record:
        new = sidecar_attributes(sidecar) | {"annotation": record.annotation + 1}
        given = new | {"before": record.annotation, "key": record.key}
        try:
            return self._update(record.revision, set_expression(new), given, IF_UNCHANGED)
        except ConflictError:
            self.get(record.document_id)
            raise

    def advance(self, revision: Revision, status: Status, facts: Facts) -> Record:
        facts = bound_facts(facts)
        learned = facts.model_dump(mode="json", exclude_none=True, exclude={"timings_ms", *SUMS})
        if facts.metadata is not None:
            learned["metadata"] = json.dumps(facts.metadata)
        new = {"status": status, "updated": iso(self._clock())} | learned
        change = set_expression(new)
        timings = facts.timings_ms or {}
        change += set_timings(timings) + ("" if facts.error else " REMOVE #error") + ADD_SUMS
        new |= facts.model_dump(include=SUMS)
        given = {"fence": pad_sequencer(revision.sequencer), "ready": "READY", "deleted": "DELETED"}
        try:
            return self._update(revision, change, new | given, IF_OPEN, timings)
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
        given: dict[str, PlainValue] = {"fence": pad_sequencer(revision.sequencer)}
        statuses = {"failed": "FAILED", "unsupported": "UNSUPPORTED", "ready": "READY"}
        given |= {name: value for name, value in statuses.items() if f":{name}" in only_if}
        change = set_expression(new) + " REMOVE #parts_done, #requeued, #error, #lines_missing"
        return self._update(revision, change, new | given, only_if)

    def remove(self, revision: Revision, serving: str | None = None) -> None:
        expires = int(self._clock()) + TOMBSTONE_DAYS * DAY
        new = self._event(revision) | {"status": "DELETED", "expires": expires}
        change = set_expression(new) + SET_ORIGIN + REMOVE_FACTS + ", #live_version"
        given, only_if = dict(new), IF_REMOVABLE
        if serving is not None:
            only_if = f"({IF_REMOVABLE}) AND {IF_SERVING if serving else IF_SERVING_NONE}"
            given |= {"serving": serving} if serving else {}
        try:
            self._update(revision, change, given, only_if)
        except ConflictError:
            stored = self.get(revision.document_id)
            refuse_older(stored, revision)
            refuse_other(stored, serving)
            raise

    def get(self, document_id: str) -> Record:
        if not is_key(document_id):
            raise NotFoundError(f"no document {document_id[:100]!r}")
        with translate_errors("get", f"{self._table}/{document_id}"):
            reply = self._client.get_item(
                TableName=self._table,
                Key=attributes({"document_id": document_id}),
                ConsistentRead=True,
            )
        if "Item" not in reply:
            raise NotFoundError(f"no document {document_id}")
        return record_of(plain_item(reply["Item"]))

    def records(self, document_ids: Sequence[str]) -> list[Record]:
        found = get_batches(
            self._client,
            self._table,
            [
                attributes({"document_id": one})
                for one in dict.fromkeys(document_ids)
                if is_key(one)
            ],
            ", ".join(f"#{name}" for name in Record.model_fields),
            consistent=True,  # as `get`
        )
        return list(readable(record_of, found))

    def collections(self, tenant: str) -> Iterator[str]:
        if not is_key(tenant):
            return iter(())
        return list_collections(self._client, self._table, tenant)

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        # Consistent: a query that starts after a removal must not show the removed document.
        found = get_batches(
            self._client,
            self._table,
            [
                attributes({"document_id": one})
                for one in dict.fromkeys(document_ids)
                if is_key(one)
            ],
            "#document_id, #live_version",
            consistent=True,
        )
        return {str(it["document_id"]): str(it["live_version"]) for it in found if len(it) == 2}

    def visible_versions(
        self, document_ids: Sequence[str], groups: Sequence[str]
    ) -> dict[str, str]:
        found = get_batches(
            self._client,
            self._table,
            [
                attributes({"document_id": one})
                for one in dict.fromkeys(document_ids)
                if is_key(one)
            ],
            "#document_id, #live_version, #acl",
            consistent=True,  # nor may a query show what was revoked before it
        )
        return {
            str(it["document_id"]): str(it["live_version"])
            for it in found
            if "live_version" in it and may_read(acl_of(it), groups)
        }

    def documents(
        self,
        tenant: str,
        status: Status | None = None,
        after: str = "",
        limit: int = 100,
        groups: Sequence[str] = (ALL,),
        *,
        collection: str | None = None,
    ) -> tuple[list[Record], str]:
        found: list[Record] = []
        left, end = self._examine if is_key(tenant) else 0, ""
        last = decode_cursor(after)
        if collection is not None:
            last = max(last, before_collection(tenant, collection))
            end = after_collection(tenant, collection)
        size = QUERY if status else limit + 1
        while len(found) <= limit and left > 0:
            listed, last, looked = query_tenant(
                self._client, self._table, tenant, status, after=last, size=min(size, left)
            )
            found += [
                record
                for record in listed
                if may_read(record.sidecar.acl, groups)
                and collection in {None, record.revision.collection}
            ]
            if not last or (end and last >= end):
                last = ""
                break
            left -= looked
            size = QUERY
        return cut_page(found, limit, last)

    def live(self) -> Iterator[Record]:
        found = scan(self._client, self._table, "#live_version > :none", {"none": ""})
        return map(record_of, found)

    def unfinished(self) -> Iterator[Record]:
        given = {f"status{n}": status for n, status in enumerate(UNFINISHED)}
        chosen = f"#status IN ({', '.join(f':{name}' for name in given)})"
        return readable(record_of, scan(self._client, self._table, chosen, given))

    def page(self, after: str, limit: int, *, whole: bool = True) -> tuple[list[Record], str]:
        items, last = scan_page(self._client, self._table, after, limit)
        found = map(record_of, items) if whole else readable(record_of, items)
        return list(found), last

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
        given: Mapping[str, PlainValue],
        timings: Mapping[str, float] | None = None,
    ) -> Record:
        fenced = {**given, "fence": pad_sequencer(revision.sequencer)}
        try:
            return self._update(revision, change, fenced, IF_CURRENT, timings or {})
        except ConflictError:
            self._stored(revision)
            raise

    def _update(
        self,
        revision: Revision,
        change: str,
        given: Mapping[str, PlainValue],
        only_if: str,
        timings: Mapping[str, float] | None = None,
    ) -> Record:
        must_be_key(f"put {revision.key[:100]}", revision.tenant, revision.key)
        steps = list((timings or {}).items())
        with translate_errors("update", f"{self._table}/{revision.key}"):
            reply = self._client.update_item(
                TableName=self._table,
                Key=attributes({"document_id": revision.document_id}),
                UpdateExpression=change,
                ConditionExpression=only_if,
                ExpressionAttributeNames=names(change, only_if)
                | {f"#step{n}": step for n, (step, _) in enumerate(steps)},
                ExpressionAttributeValues=values(given)
                | values({f"step{n}": ms for n, (_, ms) in enumerate(steps)}),
                ReturnValues="ALL_NEW",
            )
        return record_of(plain_item(reply["Attributes"]))
