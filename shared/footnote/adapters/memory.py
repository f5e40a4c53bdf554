"""Every port but the index, the models and the workflow, in this process and without a service.

For tests, evals and the CLI's --memory mode; held to the same suites as the real adapters.
"""

import secrets
import time
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence

from footnote.adapters.catalog_rules import (
    UNFINISHED,
    after_key,
    cursor,
    iso,
    must_be_current,
    must_be_open,
    must_be_over,
    must_store,
    refuse_older,
)
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ConflictError,
    ForbiddenError,
    NotFoundError,
)
from footnote.model import (
    ALL,
    NO_SIDECAR,
    NOBODY,
    Caller,
    Event,
    Facts,
    Picture,
    QuestionRecord,
    Reading,
    Record,
    Revision,
    Sidecar,
    Status,
    Upload,
    Vector,
    may_read,
)

QUEUES = ("admit", "parse", "chunk", "index", "remove", "annotate")


class MemoryBlobStore:
    def __init__(self) -> None:
        self._blobs: dict[str, bytes] = {}

    def get(self, key: str, span: tuple[int, int] | None = None) -> bytes:
        if key not in self._blobs:
            raise NotFoundError(f"no blob {key}")
        body = self._blobs[key]
        if span is None:
            return body
        offset, length = span
        if length > 0 and offset >= len(body):
            raise NotFoundError(f"blob {key} ends before {offset}")
        return body[offset : offset + length]

    def put(self, key: str, body: bytes) -> None:
        self._blobs[key] = body

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        found = sorted(key for key in self._blobs if key.startswith(prefix) and key > after)
        return found[:limit]

    def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._blobs.pop(key, None)


class MemoryUploads:
    """Keeps every version, as the versioned bucket does, and its events until they are taken."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._versions: dict[tuple[str, str], bytes] = {}
        self._tags: dict[tuple[str, str], Mapping[str, str]] = {}
        self._current: dict[str, Upload] = {}
        self._clock = clock
        self._events = 0
        self._untaken: list[tuple[Revision, int | None]] = []

    def put(
        self,
        key: str,
        body: bytes,
        attributes: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> Revision:
        """Upload a file; what its event would carry."""
        revision = self._event(key, len(body))
        self._versions[key, revision.version] = body
        self._tags[key, revision.version] = tags or {}
        self._current[key] = Upload(
            key=key,
            version=revision.version,
            size=len(body),
            modified=iso(self._clock()),
            attributes=attributes or {},
        )
        return revision

    def take_events(self) -> list[tuple[Revision, int | None]]:
        """What happened since the last call: each with the file's size, None for a delete."""
        taken, self._untaken = self._untaken, []
        return taken

    def read(self, key: str, version: str) -> bytes:
        if (key, version) not in self._versions:
            raise NotFoundError(f"no version {version} of {key}")
        return self._versions[key, version]

    def tags(self, key: str, version: str) -> Mapping[str, str]:
        self.read(key, version)
        return self._tags[key, version]

    def presign(
        self, key: str, max_bytes: int, seconds: int, attributes: Mapping[str, str] | None = None
    ) -> tuple[str, Mapping[str, str]]:
        if "${filename}" in key:
            raise BadRequestError(f"the name of an upload may not contain ${{filename}}: {key}")
        return "memory://uploads", {
            "key": key,
            "max_bytes": str(max_bytes),
            "expires": str(seconds),
            **{f"x-amz-meta-{name}": value for name, value in (attributes or {}).items()},
        }

    def delete(self, key: str) -> None:
        """Leaves a delete marker: earlier versions stay readable, as in the bucket."""
        self._event(key, None)
        self._current.pop(key, None)

    def current(self, key: str) -> Upload | None:
        return self._current.get(key)

    def listing(self, after: str, limit: int) -> list[Upload]:
        listed = [self._current[key] for key in sorted(self._current) if key > after][:limit]
        return [one.model_copy(update={"attributes": {}}) for one in listed]

    def _event(self, key: str, size: int | None) -> Revision:
        self._events += 1
        revision = Revision(key=key, version=f"v{self._events}", sequencer=f"{self._events:016X}")
        self._untaken.append((revision, size))
        return revision


class MemoryQueues:
    """`sent` holds each queue's messages, oldest first. A delay is noted; nobody waits for it."""

    def __init__(self, queues: Sequence[str] = QUEUES) -> None:
        self.sent: dict[str, list[Revision]] = {queue: [] for queue in queues}
        self.delays: list[int] = []

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        self._known(queue).extend(messages)
        self.delays += [delay] * bool(delay)

    def waiting(self, queue: str) -> int:
        return len(self._known(queue))

    def _known(self, queue: str) -> list[Revision]:
        if queue not in self.sent:
            raise ConfigurationError(f"no queue {queue!r}; known: {', '.join(self.sent)}")
        return self.sent[queue]


class MemoryCatalog:
    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._records: dict[str, Record] = {}
        self._clock = clock

    def receive(self, revision: Revision, size: int, sidecar: Sidecar = NO_SIDECAR) -> None:
        stored = self._records.get(revision.document_id)
        if must_store(stored, revision):
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
        must_be_over(stored)
        return self._change(
            stored, status=status, parts_done=(), requeued=False, error=None, lines_missing=0
        )

    def remove(self, revision: Revision) -> None:
        stored = self._records.get(revision.document_id)
        if stored:
            refuse_older(stored, revision)
        self._event(
            revision,
            status="DELETED",
            size=stored.size if stored else 0,
            received=stored.received if stored else "",
        )

    def get(self, document_id: str) -> Record:
        if document_id not in self._records:
            raise NotFoundError(f"no document {document_id}")
        return self._records[document_id]

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        known = [self._records[one] for one in document_ids if one in self._records]
        return {record.document_id: record.live_version for record in known if record.live_version}

    def readable(self, document_ids: Sequence[str], groups: Sequence[str]) -> dict[str, str]:
        return {
            one: live
            for one, live in self.live_versions(document_ids).items()
            if may_read(self._records[one].sidecar.acl, groups)
        }

    def documents(
        self,
        tenant: str,
        status: Status | None = None,
        after: str = "",
        limit: int = 100,
        groups: Sequence[str] = (ALL,),
    ) -> tuple[list[Record], str]:
        mine = sorted(
            (record for record in self._records.values() if record.revision.tenant == tenant),
            key=lambda record: record.key,
        )
        chosen = [
            record
            for record in mine[bisect_right(mine, after_key(after), key=lambda one: one.key) :]
            if (record.status == status if status else record.status != "DELETED")
            and may_read(record.sidecar.acl, groups)
        ]
        page = chosen[:limit]
        return page, cursor(page[-1].key) if len(chosen) > limit else ""

    def live(self) -> Iterator[Record]:
        yield from [record for record in self._records.values() if record.live_version]

    def unfinished(self) -> Iterator[Record]:
        yield from [one for one in self._records.values() if one.status in UNFINISHED]

    def page(self, after: str, limit: int) -> tuple[list[Record], str]:
        ids = sorted(one for one in self._records if one > after)
        page = [self._records[one] for one in ids[:limit]]
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
        self._records[revision.document_id] = Record(
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

    def _change(self, stored: Record, **changes: object) -> Record:
        changed = stored.model_copy(update={"updated": self._now(), **changes})
        self._records[stored.document_id] = changed
        return changed

    def _now(self) -> str:
        return iso(self._clock())


class MemoryVectors:
    def __init__(self) -> None:
        self._vectors: dict[str, Vector] = {}

    def get(self, keys: Sequence[str]) -> dict[str, Vector]:
        return {key: self._vectors[key] for key in keys if key in self._vectors}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        self._vectors.update(vectors)


class MemoryReplies:
    def __init__(self) -> None:
        self._replies: dict[str, str] = {}

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        return {key: self._replies[key] for key in keys if key in self._replies}

    def put(self, replies: Mapping[str, str]) -> None:
        self._replies.update(replies)


class MemoryReader:
    """OCR that knows what stands on each picture, by its pixels; it sees nothing on others."""

    def __init__(
        self,
        readings: Mapping[bytes, Reading],
        languages: frozenset[str] = frozenset({"en"}),
        name: str = "memory",
    ) -> None:
        self._readings = readings
        self.name = name
        self.languages = languages

    def read(self, picture: Picture) -> Reading:
        return self._readings.get(picture.pixels, Reading())


class MemoryQuestions:
    def __init__(self, clock: Callable[[], int] = time.time_ns) -> None:
        self._records: dict[str, QuestionRecord] = {}
        self._events: dict[str, list[Event]] = defaultdict(list)
        self._clock = clock

    def create(self, record: QuestionRecord) -> None:
        self._records[record.question_id] = record

    def get(self, tenant: str, question_id: str) -> QuestionRecord:
        record = self._records.get(question_id)
        if record is None or record.tenant != tenant:
            raise NotFoundError(f"no question {question_id}")
        return record

    def finish(self, record: QuestionRecord) -> None:
        self._records[record.question_id] = record

    def session(self, tenant: str, session: str, limit: int) -> list[QuestionRecord]:
        done = [
            record
            for record in self._records.values()
            if (record.tenant, record.session, record.status) == (tenant, session, "DONE")
        ]
        return sorted(done, key=lambda record: record.created)[-limit:]

    def add_event(self, question_id: str, kind: str, data: Mapping[str, object]) -> None:
        event_id = f"{self._clock():020d}-{secrets.token_hex(2)}"
        self._events[question_id].append(Event(id=event_id, kind=kind, data=data))

    def events(self, question_id: str, after: str = "") -> list[Event]:
        return [event for event in self._events.get(question_id, []) if event.id > after]


class MemoryTenants:
    """Tenants by API key id, and the groups of keys that are in some."""

    def __init__(
        self, tenants: Mapping[str, str], groups: Mapping[str, Sequence[str]] | None = None
    ) -> None:
        self._tenants = tenants
        self._groups = {} if groups is None else groups

    def of(self, api_key_id: str) -> Caller:
        tenant = self._tenants.get(api_key_id, "")
        if tenant in ("", NOBODY) or "/" in tenant:
            raise ForbiddenError(f"no tenant for API key {api_key_id or '(none)'}")
        return Caller(tenant=tenant, groups=tuple(self._groups.get(api_key_id, ())))
