"""Puts a footnote in this process through a random history of its bucket, and keeps a ledger."""

import random
import re
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field, replace

import pymupdf

from footnote.adapters.memory import MemoryVectors
from footnote.contracts import AdmitRequest, RemoveRequest, SweepRequest
from footnote.errors import UnavailableError
from footnote.ingest.chunk.chunk import BUDGET
from footnote.ingest.index.embed import CachedEmbedder, cache_key
from footnote.metadata.attributes import SUFFIX
from footnote.metadata.sidecar import sidecar_at
from footnote.model import ALL, QUEUE_NAMES, Revision
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.pipeline import Pipeline, step_of
from tests.chaos.faults import SWEEP_RATE, Faults, Faulty, Killed
from tests.chaos.sidecars import SIDECARS
from tests.chaos.sidecars import sidecar as made_sidecar
from tests.chaos.verdict import verdict
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

TENANT = "acme"
DUPLICATED = 0.3
LOST = 0.03  # share of events that never come
LATE = 0.03  # share of events that come long after a sweep has seen their change
BEFORE = 0.1  # share of keys with a file from before deployment, which has no event
WINDOW = 60  # events that are shuffled among themselves
SWEEP_EVERY = 100  # deliveries
SWEPT = 50  # items of each kind in one sweep, so that a round takes several
SECOND = 1.0  # the time that a delivery takes
DAY = 86_400.0
# Makes a section one chunk; 64 chunks are a part.
PADDING = "It stands on a rock. " * (BUDGET // 10)
SAID = re.compile(r"Version \d+ of \S+ tells of lighthouse \d+\.")
BAD = (b"", b"\x00\x01\x02\x00" * 50)
PAGED = 0.06  # share of files that are PDFs, mostly of several parts

PORTS = {
    "uploads": {"read", "tags", "current", "listing"},
    "artifacts": {"get", "put", "keys", "delete"},
    "queues": {"send", "waiting"},
    "catalog": {
        "receive",
        "annotate",
        "advance",
        "finish_part",
        "publish",
        "reopen",
        "remove",
        "get",
        "live_versions",
        "readable",
        "page",
    },
    "index": {"write", "annotate", "remove", "remove_older", "revisions", "count"},
}


@dataclass(frozen=True)
class Delivery:
    queue: str
    body: str
    receives: int = 0


@dataclass
class Ledger:
    """Counts what was really done; it is noted behind the faults, so that no crash hides any."""

    went_live: Counter[tuple[str, str]] = field(default_factory=Counter)
    embedded_again: int = 0
    delivery: int = 0  # number of the current delivery
    stored: dict[str, int] = field(default_factory=dict)  # vector → delivery that stored it
    recorded: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    resurrected: int = 0
    seen_too_soon: int = 0
    sidecars: dict[str, list[tuple[int, str]]] = field(default_factory=lambda: defaultdict(list))


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

    def __init__(self, catalog, ledger, moments) -> None:
        self._catalog = catalog
        self._ledger = ledger
        self._moments = moments

    def __getattr__(self, name):
        return getattr(self._catalog, name)

    def receive(self, revision, size, *sidecar):
        self._catalog.receive(revision, size, *sidecar)
        self._record(revision)

    def remove(self, revision):
        self._catalog.remove(revision)
        self._record(revision)

    def publish(self, revision):
        before = self._catalog.get(revision.document_id).live_version
        record = self._catalog.publish(revision)
        if before != revision.version:
            self._ledger.went_live[revision.document_id, revision.version] += 1
            newest = self._ledger.recorded[revision.document_id]
            self._ledger.resurrected += self._moments[revision.version] < newest
        self._ledger.seen_too_soon += self._is_too_soon(revision, record.sidecar.version)
        return record

    def _is_too_soon(self, revision, noted):
        """Returns whether `noted` is older than the sidecar in the bucket at the upload."""
        put = self._moments[revision.version]
        changes = self._ledger.sidecars[revision.key]
        before = [version for moment, version in changes if moment < put][-1:] or [""]
        since = [version for moment, version in changes if moment > put]
        return noted not in [*before, *since]

    def _record(self, revision):
        moment = self._moments.get(revision.version, 0)
        newest = self._ledger.recorded[revision.document_id]
        self._ledger.recorded[revision.document_id] = max(newest, moment)


class World:
    def __init__(self, seed: int, keys: int) -> None:
        self.chance = random.Random(seed)
        self.now = 1_790_000_000.0
        self.faults = Faults(self.chance)
        self.ledger = Ledger()
        settings = Settings(backend="memory", sweep_items=SWEPT, pages_a_part=2)
        self.pipeline = Pipeline(settings, tokenizer=Words(), clock=lambda: self.now)
        self.bodies: dict[str, bytes] = {}  # by version
        self.moments: dict[str, int] = {}  # version or delete marker → moment when it was made
        self.waiting: list[Delivery] = []
        self.dead: list[Delivery] = []
        self.events = 0
        self.deliveries = 0
        self.swept: Counter[str] = Counter()
        self._keys = [f"{TENANT}/docs/{n:04d}.md" for n in range(keys)]
        self._make_ports()

    def _make_ports(self) -> None:
        cache = Faulty(LedgerVectors(self.ledger), self.faults, frozenset({"get", "put"}))
        pipeline = self.pipeline
        pipeline.embedder = CachedEmbedder(LedgerEmbedder(self.ledger), cache)
        self.real = {name: getattr(pipeline, name) for name in PORTS}
        pipeline.catalog = LedgerCatalog(pipeline.catalog, self.ledger, self.moments)
        for name, calls in PORTS.items():
            port = Faulty(getattr(pipeline, name), self.faults, frozenset(calls))
            setattr(pipeline, name, port)
        self.faults.meanwhile = self.deliver_one

    # -- history ---------------------------------------------------------------------------------

    def live_through(self, events: int) -> None:
        """Changes the bucket and sends the events, shuffled and some twice, while steps work."""
        for key in self.chance.sample(self._keys, int(len(self._keys) * BEFORE)):
            self._event(key)
        late: list[Delivery] = []
        while self.events < events:
            told: list[Delivery] = []
            for _ in range(WINDOW):
                event = self._event(self.chance.choice(self._keys))
                fate = self.chance.random()
                if fate < LATE:
                    late.append(event)
                elif fate > LATE + LOST:
                    told += [event] * (2 if self.chance.random() < DUPLICATED else 1)
            self._tell(told)
            if len(late) > WINDOW:
                self._tell(late[: WINDOW // 2])
                del late[: WINDOW // 2]
        self._tell(late)

    def _tell(self, told: list[Delivery]) -> None:
        self.chance.shuffle(told)
        for message in told:
            self.events += 1
            self.waiting.append(message)
            for _ in range(self.chance.choice((0, 1, 2, 5))):
                self.deliver_one()

    def _event(self, key: str) -> Delivery:
        """Changes the file or the sidecar of a key; returns the message of its event."""
        sidecar = self.chance.random() < SIDECARS
        key += SUFFIX * sidecar
        there = self.real["uploads"].current(key)
        if there and self.chance.random() < 0.3:
            self.real["uploads"].delete(key)
        else:
            body = made_sidecar(self.chance) if sidecar else self._body(key)
            revision = self.real["uploads"].put(key, body)
            self.bodies[revision.version] = body
        [(revision, size)] = self.real["uploads"].take_events()
        self.moments[revision.version] = len(self.moments) + 1
        if sidecar:
            change = (len(self.moments), "" if size is None else revision.version)
            self.ledger.sidecars[key.removesuffix(SUFFIX)].append(change)
        if size is None:
            return Delivery("remove", RemoveRequest(**revision.identity).model_dump_json())
        request = AdmitRequest(**revision.identity, size=size)
        return Delivery("admit", request.model_dump_json())

    def _body(self, key: str) -> bytes:
        kind = self.chance.random()
        if kind < 0.04:
            return self.chance.choice(BAD)
        sections = self.chance.randint(60, 200) if kind < 0.07 else self.chance.randint(1, 4)
        number = len(self.bodies)
        if kind > 1 - PAGED:
            return make_pdf(f"Version {number} of {key}", self.chance.randint(1, 7))
        return "".join(
            f"# Part {n}\n\nVersion {number} of {key} tells of lighthouse {n}. {PADDING}\n\n"
            for n in range(sections)
        ).encode()

    # -- working ---------------------------------------------------------------------------------

    def deliver_one(self) -> None:
        self._collect()
        if not self.waiting:
            return
        self.deliveries += 1
        self.now += SECOND
        at = self.chance.randrange(len(self.waiting))
        self.waiting[at], self.waiting[-1] = self.waiting[-1], self.waiting[at]
        self._deliver(self.waiting.pop())
        if self.deliveries % SWEEP_EVERY == 0:
            self.sweep()

    def _deliver(self, delivery: Delivery) -> None:
        receives = delivery.receives + 1
        buried = receives > self.pipeline.settings.max_receives
        outer, self.ledger.delivery = self.ledger.delivery, self.deliveries
        try:
            done = step_of(delivery.queue).receive(delivery.body, self.pipeline, receives)
        except Killed:
            done = False
        self.ledger.delivery = outer
        if not done:
            (self.dead if buried else self.waiting).append(replace(delivery, receives=receives))

    def _collect(self) -> None:
        """Collects what steps have sent, some of it twice: SQS delivers at least once."""
        sent = self.real["queues"].sent
        for queue in QUEUE_NAMES:
            for message in sent[queue]:
                copies = 2 if self.chance.random() < DUPLICATED and not self.faults.calm else 1
                self.waiting += [Delivery(queue, message.model_dump_json())] * copies
            sent[queue].clear()

    def drain(self) -> None:
        self._collect()
        while self.waiting:
            self.deliver_one()
            self._collect()

    def sweep(self) -> None:
        """Runs one sweep; with its hundreds of calls it crashes about every second time."""
        with self.faults.at_rate(SWEEP_RATE), suppress(UnavailableError, Killed):
            result = step_of("sweep").run(SweepRequest(), self.pipeline)
            self.swept.update(result.model_dump())

    def come_to_rest(self, rounds: int) -> None:
        """Ends the faults, lets days go by, and retries what FAILED for reasons of ours."""
        self.drain()
        self.faults.calm = True
        for _ in range(rounds):
            self.sweep_round()
        service = Service(self.pipeline, TENANT, (ALL,))
        for code in ("stuck", "stopped", "unavailable", "internal", "not_found"):
            service.retry_all(code)
        self.drain()
        self.sweep_round()

    def sweep_round(self) -> None:
        """Sweeps as often as it takes to see everything."""
        self.now += 2 * DAY
        for _ in range(4 * len(self._keys) // SWEPT + 2):
            self.sweep()
            self.drain()

    # -- what is left ----------------------------------------------------------------------------

    def verdict(self) -> dict[str, int]:
        said = {version: sentences(body) for version, body in self.bodies.items()}
        found = verdict(self.pipeline, TENANT, said)
        found["resurrected"] += self.ledger.resurrected
        found["stuck"] += len(self.waiting)
        found["said wrong"] += sum(map(self._is_annotated_wrong, self._keys))
        mine = {
            "seen too soon": self.ledger.seen_too_soon,
            "side effects done twice": self._twice(),
        }
        return found | mine

    def _entries(self):
        index = self.real["index"]
        return [entry.indexed for entry in index._get(index.ensure()).values()]

    def _record(self, key):
        return self.real["catalog"]._records.get(
            Revision(key=key, version="", sequencer="").document_id
        )

    def _is_annotated_wrong(self, key: str) -> bool:
        """Returns whether a live chunk has an old annotation or another acl than the bucket.

        The annotation must be the table's last. The acl must be the same, not only equivalent.
        """
        if self.real["uploads"].current(key) is None:
            return False
        record, wanted = self._record(key), sidecar_at(self.real["uploads"], key)
        return any(
            one.annotation.number != record.annotation or one.annotation.acl != wanted.acl
            for one in self._of(record.document_id)
            if one.revision.version == record.live_version
        )

    def _of(self, document_id: str):
        return [one for one in self._entries() if one.revision.document_id == document_id]

    def _twice(self) -> int:
        """Counts versions that went live more than once and texts embedded although cached."""
        live = sum(times - 1 for times in self.ledger.went_live.values())
        return live + self.ledger.embedded_again


def make_pdf(name: str, pages: int) -> bytes:
    """Returns a PDF of so many pages; one with more than two is read in parts."""
    file = pymupdf.open()
    for n in range(pages):
        page = file.new_page()
        page.insert_text((72, 90), f"{name} tells of lighthouse {n}.")
        page.insert_text((72, 120), "It stands on a rock, and its lamp is lit by hand.")
    body: bytes = file.tobytes()
    return body


def sentences(body: bytes) -> frozenset[str]:
    """Returns the sentences that a search must find of a version; none if it cannot be read."""
    if body in BAD:
        return frozenset()
    if not body.startswith(b"%PDF"):
        return frozenset(SAID.findall(body.decode()))
    with pymupdf.open(stream=body, filetype="pdf") as file:
        return frozenset(SAID.findall("".join(page.get_text() for page in file)))
