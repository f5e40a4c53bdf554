"""In-memory adapters for every port but the catalog, the index, the models and the workflow.

Tests and evals use them. They pass the same suites as the real adapters.
"""

import hashlib
import json
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import NamedTuple

from footnote.adapters.limits import (
    must_be_keys,
    must_be_object,
    must_fit_item,
)
from footnote.adapters.question_rules import (
    decode_place,
    encode_place,
    event_id,
    must_be_storable,
    must_be_the_same,
    must_have_ended,
    number_of,
    place_of,
)
from footnote.adapters.queue_rules import checked_entry
from footnote.clock import iso
from footnote.errors import (
    BadRequestError,
    ConfigurationError,
    ForbiddenError,
    NotFoundError,
)
from footnote.model import (
    NO_VERSION,
    NOBODY,
    QUEUE_NAMES,
    Caller,
    Event,
    Picture,
    QuestionRecord,
    Reading,
    Revision,
    Turn,
    Upload,
    Vector,
    name_version,
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
        must_be_object(key)
        self._blobs[key] = body

    def put_once(self, key: str, body: bytes) -> bytes:
        must_be_object(key)
        return self._blobs.setdefault(key, body)

    def keys(self, prefix: str, after: str = "", limit: int | None = None) -> list[str]:
        found = sorted(key for key in self._blobs if key.startswith(prefix) and key > after)
        return found[:limit]

    def delete(self, keys: Sequence[str]) -> None:
        for key in keys:
            self._blobs.pop(key, None)


class _Stored(NamedTuple):
    """A version of an object as the bucket keeps it. A delete marker has no upload."""

    version_id: str
    upload: Upload | None
    body: bytes = b""
    tags: Mapping[str, str] = MappingProxyType({})


class MemoryUploads:
    """Keeps every version and every delete marker, and every event until it is taken.

    As in the versioned bucket, the newest version that is left is the one that is there. After
    `suspend` a key has one version without an id, which each change of the key replaces.
    """

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._stored: dict[str, list[_Stored]] = defaultdict(list)  # by key, the newest last
        self._clock = clock
        self._is_suspended = False
        self._ids = 0
        self._sequence = 0
        self._untaken: list[tuple[Revision, int | None]] = []

    def suspend(self) -> None:
        """Suspends versioning, as an operator may. What has a version id keeps it."""
        self._is_suspended = True

    def put(
        self,
        key: str,
        body: bytes,
        attributes: Mapping[str, str] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> Revision:
        """Stores a file as its newest version and returns what the event of its upload carries."""
        must_be_object(key, attributes, tags)
        version_id = self._new_id()
        etag = hashlib.md5(body, usedforsecurity=False).hexdigest()
        upload = Upload(
            key=key,
            version=name_version(version_id, etag),
            size=len(body),
            modified=iso(self._clock()),
            attributes=attributes or {},
        )
        self._push(key, _Stored(version_id, upload, body, tags or {}))
        return self._event(key, upload.version, len(body))

    def take_events(self) -> list[tuple[Revision, int | None]]:
        """Returns the events since the last call, each with the file's size (None: a delete)."""
        taken, self._untaken = self._untaken, []
        return taken

    def read(self, key: str, version: str) -> bytes:
        return self._version(key, version).body

    def tags(self, key: str, version: str) -> Mapping[str, str]:
        return self._version(key, version).tags

    def presign(
        self, key: str, max_bytes: int, seconds: int, attributes: Mapping[str, str] | None = None
    ) -> tuple[str, Mapping[str, str]]:
        if "${filename}" in key:
            raise BadRequestError(f"the name of an upload may not contain ${{filename}}: {key}")
        must_be_object(key, attributes)
        return "memory://uploads", {
            "key": key,
            "max_bytes": str(max_bytes),
            "expires": str(seconds),
            **{f"x-amz-meta-{name}": value for name, value in (attributes or {}).items()},
        }

    def delete(self, key: str) -> None:
        """Leaves a delete marker: earlier versions stay readable, as in the bucket."""
        marker = _Stored(self._new_id(), None)
        self._push(key, marker)
        self._event(key, marker.version_id, None)

    def version_ids(self, key: str) -> list[str]:
        """Returns the ids of the versions and delete markers at a key, the oldest first."""
        return [one.version_id for one in self._stored[key]]

    def delete_version(self, key: str, version_id: str) -> None:
        """Deletes a version or a delete marker for good. The one below it may come to light."""
        left = [one for one in self._stored[key] if one.version_id != version_id]
        if len(left) < len(self._stored[key]):
            self._stored[key] = left
            self._event(key, version_id, None)

    def current(self, key: str) -> Upload | None:
        stored = self._stored.get(key)
        return stored[-1].upload if stored else None

    def listing(self, after: str, limit: int) -> list[Upload]:
        there = (self.current(key) for key in sorted(self._stored) if key > after)
        listed = islice((one for one in there if one), limit)
        return [one.model_copy(update={"attributes": {}}) for one in listed]

    def _version(self, key: str, version: str) -> _Stored:
        for one in self._stored.get(key, ()):
            if one.upload and one.upload.version == version:
                return one
        raise NotFoundError(f"no version {version} of {key}")

    def _new_id(self) -> str:
        self._ids += 1
        return NO_VERSION if self._is_suspended else f"v{self._ids}"

    def _push(self, key: str, new: _Stored) -> None:
        kept = [one for one in self._stored[key] if one.version_id != new.version_id]
        self._stored[key] = [*kept, new]

    def _event(self, key: str, version: str, size: int | None) -> Revision:
        self._sequence += 1
        revision = Revision(key=key, version=version, sequencer=f"{self._sequence:016X}")
        self._untaken.append((revision, size))
        return revision


class MemoryQueues:
    """Keeps each queue's messages in `sent`, oldest first. Delays are noted but not waited for."""

    def __init__(self, queues: Sequence[str] = QUEUE_NAMES) -> None:
        self.sent: dict[str, list[Revision]] = {queue: [] for queue in queues}
        self.delays: list[int] = []
        self.held: list[tuple[str, int]] = []

    def send(self, queue: str, messages: Sequence[Revision], delay: int = 0) -> None:
        waiting = self._known(queue)
        for message in messages:
            checked_entry(queue, message, delay)
        waiting.extend(messages)
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
        must_be_keys("get vectors", keys)
        return {key: self._vectors[key] for key in keys if key in self._vectors}

    def put(self, vectors: Mapping[str, Vector]) -> None:
        must_be_keys("put vectors", vectors)
        for key, vector in vectors.items():
            must_fit_item(key, {"key": key, "value": bytes(4 * len(vector))})
        self._vectors.update(vectors)


class MemoryReplies:
    def __init__(self) -> None:
        self._replies: dict[str, str] = {}

    def get(self, keys: Sequence[str]) -> dict[str, str]:
        must_be_keys("get replies", keys)
        return {key: self._replies[key] for key in keys if key in self._replies}

    def put(self, replies: Mapping[str, str]) -> None:
        must_be_keys("put replies", replies)
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

    def read(self, picture: Picture, likely: str = "") -> Reading:  # noqa: ARG002 - knows it all
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
        must_be_storable(record)
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
        must_be_storable(record)
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

    def turns(
        self, tenant: str, session: str, after: str = "", limit: int = 50
    ) -> tuple[list[Turn], str]:
        mine = [one for one in self._turns(tenant) if one.session == session]
        return self._page(mine, after, limit)

    def latest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Turn], str]:
        return self._page(self._turns(tenant)[::-1], after, limit, newest_first=True)

    def _turns(self, tenant: str) -> list[Turn]:
        mine = [one for one in self._records.values() if one.tenant == tenant and one.session]
        return sorted((one.turn for one in mine), key=place_of)

    @staticmethod
    def _page(
        turns: Sequence[Turn], after: str, limit: int, *, newest_first: bool = False
    ) -> tuple[list[Turn], str]:
        if after:
            last = decode_place(after)
            turns = [
                one
                for one in turns
                if (place_of(one) < last if newest_first else place_of(one) > last)
            ]
        page = list(turns[:limit])
        return page, encode_place(page[-1]) if len(turns) > limit else ""

    def delete(self, tenant: str, question_id: str) -> None:
        with self._one:
            record = self._records.get(question_id)
            if record is None or record.tenant != tenant:
                return
            must_have_ended(question_id, record.status)
            for kept in (self._records, self._claims, self._events):
                kept.pop(question_id, None)

    def add_event(
        self, question_id: str, kind: str, data: Mapping[str, object], name: str = ""
    ) -> None:
        with self._one:
            events = self._events[question_id]
            must_fit_item(
                kind, {"question_id": question_id, "data": json.dumps(data), "name": name}
            )
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
