"""Counts what was really done: noted behind the faults, so that no crash hides any of it."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field

from footnote.adapters.memory.small import MemoryQueues, MemoryVectors
from footnote.errors import NotFoundError
from footnote.ingest.index.embed import cache_key
from tests.chaos.bucket import SUFFIX, BucketLog
from tests.corpus import HashEmbedder


@dataclass
class Ledger:
    log: BucketLog
    went_live: Counter[tuple[str, str]] = field(default_factory=Counter)
    embedded_again: int = 0
    delivery: int = 0  # number of the current delivery
    stored: dict[str, int] = field(default_factory=dict)  # vector → delivery that stored it
    recorded: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    put_off: set[tuple[str | int, ...]] = field(default_factory=set)  # queue, identity, waits
    sidecar_noted: Callable[[str, int], None] = lambda *_: None  # gets a key and a moment
    version_live: Callable[[str], None] = lambda _: None
    resurrected: int = 0
    seen_too_soon: int = 0
    begun_again: int = 0  # work on what was done or under way, though nobody asked for it

    @property
    def twice(self) -> int:
        """Counts versions that went live more than once and texts embedded although cached."""
        return sum(times - 1 for times in self.went_live.values()) + self.embedded_again


def event_of(revision) -> str:
    """Returns the event of a revision or a record. Zeros at the end of a sequencer say nothing."""
    return str(revision.sequencer.upper().rstrip("0"))


class LedgerQueues(MemoryQueues):
    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def send(self, queue, messages, delay=0):
        super().send(queue, messages, delay)
        self._ledger.put_off |= {
            (queue, *one.identity.values(), one.waits) for one in messages if one.waits
        }


class LedgerVectors(MemoryVectors):
    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def put(self, vectors):
        super().put(vectors)
        self._ledger.stored |= dict.fromkeys(vectors, self._ledger.delivery)


class LedgerEmbedder(HashEmbedder):
    """Notes texts that are embedded although the cache had them before the delivery."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def embed(self, texts, kind):
        keys = [cache_key(self.model, kind, text) for text in texts]
        stored = [self._ledger.stored[key] for key in keys if key in self._ledger.stored]
        self._ledger.embedded_again += sum(at < self._ledger.delivery for at in stored)
        return super().embed(texts, kind)


class LedgerCatalog:
    """Notes when a version goes live, and whether a newer event was recorded before."""

    def __init__(self, catalog, ledger: Ledger) -> None:
        self._catalog = catalog
        self._ledger = ledger

    def __getattr__(self, name):
        return getattr(self._catalog, name)

    def receive(self, revision, size, *sidecar):
        before = self._stored(revision)
        self._catalog.receive(revision, size, *sidecar)
        self._record(revision)
        if before is None:
            return
        if event_of(before) == event_of(revision):
            has_changed = self._stored(revision).status != before.status
            begun = has_changed and before.status not in ("FAILED", "UNSUPPORTED")
        else:
            is_known = before.version == revision.version and before.status != "DELETED"
            begun = is_known and revision.key not in self._ledger.log.reverted
        self._ledger.begun_again += begun

    def advance(self, revision, status, facts):
        before = self._stored(revision)
        record = self._catalog.advance(revision, status, facts)
        is_over = before.status in ("READY", "DELETED") and before.status != status
        self._ledger.begun_again += is_over
        return record

    def reopen(self, revision, *status):
        before = self._stored(revision)
        record = self._catalog.reopen(revision, *status)
        self._ledger.begun_again += before.status not in ("READY", "FAILED", "UNSUPPORTED")
        return record

    def _stored(self, revision):
        with suppress(NotFoundError):
            return self._catalog.get(revision.document_id)
        return None

    def remove(self, revision, *serving):
        self._catalog.remove(revision, *serving)
        self._record(revision)

    def annotate(self, record, sidecar):
        noted = self._catalog.annotate(record, sidecar)
        since = self._ledger.log.last_with(record.key + SUFFIX, sidecar.version)
        self._ledger.sidecar_noted(record.key, since)  # from here on nobody else may find it
        return noted

    def publish(self, revision):
        ledger, log = self._ledger, self._ledger.log
        before = self._catalog.get(revision.document_id).live_version
        record = self._catalog.publish(revision)
        ledger.version_live(revision.version)
        if before != revision.version and revision.key not in log.reverted:
            ledger.went_live[revision.document_id, revision.version] += 1
            newest = ledger.recorded[revision.document_id]
            ledger.resurrected += log.made_at[revision.version] < newest
        noted = record.sidecar.version
        ledger.seen_too_soon += noted not in self._sidecars_since(revision)
        return record

    def _sidecars_since(self, revision) -> Iterator[str]:
        """Yields the sidecars that lay beside the file when it was put, and later."""
        log = self._ledger.log
        for state in log.states(revision.key + SUFFIX, log.put_at[revision.version]):
            yield state.version

    def _record(self, revision):
        moment = self._ledger.log.made_at.get(revision.version, 0)
        newest = self._ledger.recorded[revision.document_id]
        self._ledger.recorded[revision.document_id] = max(newest, moment)
