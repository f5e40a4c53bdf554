"""The documents table in memory, under the rules of the real one (`adapters/rules/catalog.py`)."""

import json
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence

from footnote.adapters.rules.catalog import (
    EXAMINE,
    UNFINISHED,
    after_collection,
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
from footnote.adapters.rules.limits import Item, must_be_key, must_fit_item
from footnote.clock import iso
from footnote.errors import (
    ConflictError,
    NotFoundError,
)
from footnote.model import (
    ALL,
    NO_SIDECAR,
    Facts,
    Record,
    Revision,
    Sidecar,
    Status,
    may_read,
    pad_sequencer,
)


class MemoryCatalog:
    def __init__(self, clock: Callable[[], float] = time.time, examine: int = EXAMINE) -> None:
        self._records: dict[str, Record] = {}
        self._clock = clock
        self._examine = examine

    def receive(self, revision: Revision, size: int, sidecar: Sidecar = NO_SIDECAR) -> None:
        stored = self._records.get(revision.document_id)
        if not must_store(stored, revision):
            return
        if stored and pad_sequencer(stored.sequencer) == pad_sequencer(revision.sequencer):
            self._begin_again(stored, "RECEIVED")
            return
        live = stored.live_version if stored else ""
        self._event(revision, status="RECEIVED", size=size, live=live, sidecar=sidecar)

    def annotate(self, record: Record, sidecar: Sidecar) -> Record:
        stored = self.get(record.document_id)
        if stored.annotation != record.annotation:
            raise ConflictError(f"the sidecar of {record.key} was noted by another")
        return self._change(
            stored, sidecar=sidecar, annotation=stored.annotation + 1, updated=stored.updated
        )

    def advance(self, revision: Revision, status: Status, facts: Facts) -> Record:
        stored = self._current(revision)
        must_be_open(stored, status)
        facts = bound_facts(facts)
        learned = {name: value for name, value in facts if value is not None or name == "error"}
        merged = {
            "timings_ms": {**stored.timings_ms, **(facts.timings_ms or {})},
            "usd": round(stored.usd + facts.usd, 9),
            "lines_missing": stored.lines_missing + facts.lines_missing,
        }
        return self._change(stored, **learned | merged | {"status": status})

    def finish_part(
        self, revision: Revision, part: int, timings_ms: Mapping[str, float] | None = None
    ) -> Record:
        stored = self._current(revision)
        timings = {**stored.timings_ms, **(timings_ms or {})}
        done = tuple(sorted({*stored.parts_done, part}))
        return self._change(stored, parts_done=done, timings_ms=timings)

    def publish(self, revision: Revision) -> Record:
        stored = self._current(revision)
        return self._change(stored, status="READY", live_version=revision.version, error=None)

    def reopen(self, revision: Revision, status: Status = "INDEXING") -> Record:
        stored = self._current(revision)
        must_be_reopenable(stored)
        return self._begin_again(stored, status)

    def _begin_again(self, stored: Record, status: Status) -> Record:
        return self._change(
            stored, status=status, parts_done=(), requeued=False, error=None, lines_missing=0
        )

    def remove(self, revision: Revision, serving: str | None = None) -> None:
        stored = self._records.get(revision.document_id)
        if stored:
            refuse_older(stored, revision)
            refuse_other(stored, serving)
        self._event(
            revision,
            status="DELETED",
            size=stored.size if stored else 0,
            received=stored.received if stored else "",
        )

    def get(self, document_id: str) -> Record:
        if document_id not in self._records:
            raise NotFoundError(f"no document {document_id[:100]!r}")
        return self._records[document_id]

    def records(self, document_ids: Sequence[str]) -> list[Record]:
        stored = map(self._records.get, dict.fromkeys(document_ids))
        return [record for record in stored if record]

    def collections(self, tenant: str) -> Iterator[str]:
        revisions = [record.revision for record in self._records.values()]
        mine = {revision.collection for revision in revisions if revision.tenant == tenant}
        yield from sorted(mine, key=lambda name: after_collection(tenant, name))

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        return {
            record.document_id: record.live_version
            for record in self.records(document_ids)
            if record.live_version
        }

    def visible_versions(
        self, document_ids: Sequence[str], groups: Sequence[str]
    ) -> dict[str, str]:
        return {
            document_id: live
            for document_id, live in self.live_versions(document_ids).items()
            if may_read(self._records[document_id].sidecar.acl, groups)
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
        mine = sorted(
            (
                record
                for record in self._records.values()
                if record.revision.tenant == tenant
                and collection in {None, record.revision.collection}
            ),
            key=lambda record: record.key,
        )
        start = bisect_right(mine, decode_cursor(after), key=lambda one: one.key)
        looked = mine[start : start + self._examine]
        chosen = [
            record
            for record in looked
            if (record.status == status if status else record.status != "DELETED")
            and may_read(record.sidecar.acl, groups)
        ]
        return cut_page(chosen, limit, looked[-1].key if mine[start + self._examine :] else "")

    def live(self) -> Iterator[Record]:
        yield from [record for record in self._records.values() if record.live_version]

    def unfinished(self) -> Iterator[Record]:
        yield from [record for record in self._records.values() if record.status in UNFINISHED]

    def page(
        self,
        after: str,
        limit: int,
        *,
        whole: bool = True,  # noqa: ARG002 -- every record here can be read
    ) -> tuple[list[Record], str]:
        ids = sorted(document_id for document_id in self._records if document_id > after)
        page = [self._records[document_id] for document_id in ids[:limit]]
        return page, ids[limit - 1] if len(ids) > limit else ""

    def _current(self, revision: Revision) -> Record:
        stored = self.get(revision.document_id)
        must_be_current(stored, revision)
        return stored

    def _event(
        self,
        revision: Revision,
        *,
        status: Status,
        size: int,
        received: str | None = None,
        live: str = "",
        sidecar: Sidecar = NO_SIDECAR,
    ) -> None:
        now = self._now()
        stored = self._records.get(revision.document_id)
        record = Record(
            document_id=revision.document_id,
            **revision.model_dump(include={"key", "version", "sequencer"}),
            origin=stored.origin if stored else revision.sequencer,
            status=status,
            size=size,
            live_version=live,
            sidecar=stored.sidecar if stored else sidecar,
            annotation=stored.annotation if stored else 0,
            received=now if received is None else received,
            updated=now,
        )
        self._put(record)

    def _change(self, stored: Record, **changes: object) -> Record:
        changed = stored.model_copy(update={"updated": self._now(), **changes})
        self._put(changed)
        return changed

    def _put(self, record: Record) -> None:
        must_be_key(f"put {record.key}", record.revision.tenant, record.key)
        must_fit_item(record.key, item_of(record))
        self._records[record.document_id] = record

    def _now(self) -> str:
        return iso(self._clock())


def item_of(record: Record) -> Item:
    """Returns a record as the item that DynamoDB would hold (`adapters/dynamodb/records.py`)."""
    plain = record.model_dump(mode="json", exclude_defaults=True)
    return plain | {
        "parts_done": frozenset(record.parts_done),
        "metadata": json.dumps(record.metadata),
        "sidecar": record.sidecar.model_dump_json(),
        "acl": record.sidecar.acl,
        "fence": pad_sequencer(record.sequencer),
        "tenant": record.revision.tenant,
    }
