"""In-memory adapters for every port but the catalog, the index, the models and the workflow.

Tests and evals use them. They pass the same suites as the real adapters.
"""

import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from footnote.adapters.question_rules import event_id, must_be_the_same, number_of
from footnote.clock import iso
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ForbiddenError,
    NotFoundError,
)
from footnote.model import (
    NOBODY,
    QUEUE_NAMES,
    Caller,
    Event,
    Picture,
    QuestionRecord,
    Reading,
    Revision,
    Upload,
    Vector,
)


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

    def put_once(self, key: str, body: bytes) -> bytes:
        return self._blobs.setdefault(key, body)

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        found = sorted(key for key in self._blobs if key.startswith(prefix) and key > after)
        return found[:limit]

    def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._blobs.pop(key, None)


class MemoryUploads:
    """Keeps every version, as the versioned bucket does, and every event until it is taken."""

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
        """Stores a file as its newest version and returns what the event of its upload carries."""
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
        """Returns the events since the last call, each with the file's size (None: a delete)."""
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
    """Keeps each queue's messages in `sent`, oldest first. Delays are noted but not waited for."""

    def __init__(self, queues: Sequence[str] = QUEUE_NAMES) -> None:
        self.sent: dict[str, list[Revision]] = {queue: [] for queue in queues}
        self.delays: list[int] = []
        self.held: list[tuple[str, int]] = []

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        self._known(queue).extend(messages)
        self.delays += [delay] * bool(delay)

    def waiting(self, queue: str) -> int:
        return len(self._known(queue))

    def hold(self, queue: str, receipts: Sequence[str], seconds: int) -> None:
        self._known(queue)
        self.held += [(receipt, seconds) for receipt in receipts]

    def _known(self, queue: str) -> list[Revision]:
        if queue not in self.sent:
            raise ConfigurationError(f"no queue {queue!r}; known: {', '.join(self.sent)}")
        return self.sent[queue]


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
    """Returns prepared readings, found by a picture's pixels. Any other picture reads as empty."""

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
    """Keeps questions and their traces. Threads may share it, as functions share the table."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._records: dict[str, QuestionRecord] = {}
        self._claims: dict[str, tuple[str, float]] = {}  # (run, end of its claim)
        self._events: dict[str, list[tuple[str, Event]]] = defaultdict(list)  # (name, event)
        self._clock = clock
        self._one = threading.RLock()

    def create(self, record: QuestionRecord) -> None:
        must_be_the_same(self._records.setdefault(record.question_id, record), record)

    def get(self, tenant: str, question_id: str) -> QuestionRecord:
        record = self._records.get(question_id)
        if record is None or record.tenant != tenant:
            raise NotFoundError(f"no question {question_id}")
        return record

    def claim(self, question_id: str, run: str, seconds: float) -> bool:
        with self._one:
            record, now = self._records.get(question_id), self._clock()
            holder, until = self._claims.get(question_id, (run, now))
            if record is None or record.status != "RUNNING" or (holder != run and until > now):
                return False
            self._claims[question_id] = (run, now + seconds)
            return True

    def finish(self, record: QuestionRecord) -> QuestionRecord:
        with self._one:
            if self.get(record.tenant, record.question_id).status == "RUNNING":
                self._records[record.question_id] = record
            return self._records[record.question_id]

    def session(self, tenant: str, session: str, limit: int) -> list[QuestionRecord]:
        done = [
            record
            for record in self._records.values()
            if (record.tenant, record.session, record.status) == (tenant, session, "DONE")
        ]
        return sorted(done, key=lambda record: record.created)[-limit:]

    def add_event(
        self, question_id: str, kind: str, data: Mapping[str, object], name: str = ""
    ) -> None:
        with self._one:
            events = self._events[question_id]
            if name and any(known == name for known, _ in events):
                return
            events.append((name, Event(id=event_id(len(events) + 1), kind=kind, data=data)))

    def events(self, question_id: str, after: str = "") -> list[Event]:
        return [event for _, event in self._events.get(question_id, [])[number_of(after) :]]


class MemoryTenants:
    """Maps API key ids to tenants, and to groups for the keys that have any."""

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
