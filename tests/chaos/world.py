"""A footnote in this process that lives through a random history of its bucket, and its ledger."""

import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace

from footnote.adapters.memory import MemoryVectors
from footnote.contracts import AdmitRequest, RemoveRequest, SweepRequest
from footnote.errors import UnavailableError
from footnote.ingest.embed import CachedEmbedder, cache_key
from footnote.model import TERMINAL, Revision
from footnote.pipeline import QUEUE_STEPS, Pipeline, step_of
from footnote.service import Service
from footnote.settings import Settings
from tests.chaos.faults import SWEEP_RATE, Faults, Faulty, Killed
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

TENANT = "acme"
DUPLICATED = 0.3
LOST = 0.03  # events that never come
LATE = 0.03  # events that come when a sweep has long seen what they tell of
BEFORE = 0.1  # of the keys hold a file from before deployment, of which there is no event
WINDOW = 60  # events that are shuffled among themselves
SWEEP_EVERY = 100  # deliveries
SWEPT = 50  # of each kind in one run: several runs for one round
SECOND = 1.0  # a delivery takes
DAY = 86_400.0
PADDING = "It stands on a rock. " * 20  # so that a section is a chunk, and 64 of them a part
SAID = re.compile(r"Version \d+ of \S+ tells of lighthouse \d+\.")
BAD = (b"", b"\x00\x01\x02\x00" * 50)

PORTS = {
    "uploads": {"read", "current", "listing"},
    "artifacts": {"get", "put", "keys", "delete"},
    "queues": {"send", "waiting"},
    "catalog": {
        "receive",
        "begin",
        "advance",
        "finish_part",
        "publish",
        "reopen",
        "remove",
        "get",
        "live_versions",
        "page",
    },
    "index": {"write", "remove", "remove_older", "revisions", "count"},
}


@dataclass(frozen=True)
class Delivery:
    queue: str
    body: str
    receives: int = 0


@dataclass
class Ledger:
    """What was done, told by the ports themselves: under the faults, so crashes hide nothing."""

    went_live: Counter[tuple[str, str]] = field(default_factory=Counter)
    embedded_again: int = 0
    delivery: int = 0  # the one that is worked on
    stored: dict[str, int] = field(default_factory=dict)  # vectors: in which delivery
    recorded: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    resurrected: int = 0


class LedgerVectors(MemoryVectors):
    def __init__(self, ledger: Ledger) -> None:
        super().__init__()
        self._ledger = ledger

    def put(self, vectors):
        super().put(vectors)
        self._ledger.stored |= dict.fromkeys(vectors, self._ledger.delivery)


class LedgerEmbedder(HashEmbedder):
    """The model: notes what it computes although it was in the cache before the delivery."""

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

    def receive(self, revision, size):
        self._catalog.receive(revision, size)
        self._record(revision)

    def begin(self, revision, size):
        self._catalog.begin(revision, size)
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
        return record

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
        settings = Settings(backend="memory", sweep_items=SWEPT)
        self.pipeline = Pipeline(settings, tokenizer=Words(), clock=lambda: self.now)
        self.bodies: dict[str, bytes] = {}  # what each version holds
        self.moments: dict[str, int] = {}  # when each version or delete marker was made
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
        """Changes in the bucket and their events, shuffled, twice, while messages are worked on."""
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
        """Something happens to a key; the message that tells of it."""
        there = self.real["uploads"].current(key)
        if there and self.chance.random() < 0.3:
            self.real["uploads"].delete(key)
        else:
            body = self._body(key)
            revision = self.real["uploads"].put(key, body)
            self.bodies[revision.version] = body
        [(revision, size)] = self.real["uploads"].take_events()
        self.moments[revision.version] = len(self.moments) + 1
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
        last = receives >= self.pipeline.settings.max_receives
        outer, self.ledger.delivery = self.ledger.delivery, self.deliveries
        try:
            done = step_of(delivery.queue).deliver(delivery.body, self.pipeline, last=last)
        except Killed:
            done = False
        self.ledger.delivery = outer
        if not done:
            (self.dead if last else self.waiting).append(replace(delivery, receives=receives))

    def _collect(self) -> None:
        """Messages that steps sent, some of them twice: SQS delivers at least once."""
        sent = self.real["queues"].sent
        for queue in QUEUE_STEPS:
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
        """One run. It makes some hundred calls: it crashes about every second time."""
        with self.faults.at_rate(SWEEP_RATE), suppress(UnavailableError, Killed):
            result = step_of("sweep").run(SweepRequest(), self.pipeline)
            self.swept.update(result.model_dump())

    def come_to_rest(self, rounds: int) -> None:
        """The faults end; days go by; what FAILED for reasons of ours is tried again."""
        self.drain()
        self.faults.calm = True
        for _ in range(rounds):
            self.sweep_round()
        service = Service(self.pipeline, TENANT)
        for code in ("stuck", "unavailable", "internal", "not_found"):
            service.retry_all(code)
        self.drain()
        self.sweep_round()

    def sweep_round(self) -> None:
        """As many runs as it takes to have seen everything."""
        self.now += 2 * DAY
        for _ in range(4 * len(self._keys) // SWEPT + 2):
            self.sweep()
            self.drain()

    # -- what is left ----------------------------------------------------------------------------

    def verdict(self) -> dict[str, int]:
        return {
            "lost": sum(map(self._lost, self._keys)),
            "duplicate chunks": sum(self._duplicates()),
            "orphans": self._orphans(),
            "resurrected": self.ledger.resurrected + sum(map(self._resurrected, self._keys)),
            "stuck": len(self.waiting) + sum(map(self._stuck, self._records())),
            "side effects done twice": self._twice(),
        }

    def _records(self):
        return [*self.real["catalog"]._records.values()]

    def _entries(self):
        index = self.real["index"]
        return [entry.indexed for entry in index._get(index.ensure()).values()]

    def _record(self, key):
        return self.real["catalog"]._records.get(
            Revision(key=key, version="", sequencer="").document_id
        )

    def _lost(self, key: str) -> bool:
        """A file of which the table, the index or the artifacts do not hold all there is."""
        there = self.real["uploads"].current(key)
        if there is None:
            return False
        record = self._record(key)
        if record is None or record.version != there.version:
            return True
        if self.bodies[there.version] in BAD:
            return record.status not in {"FAILED", "UNSUPPORTED"} or record.error is None
        mine = [
            one.chunk
            for one in self._of(record.document_id)
            if one.revision.version == there.version
        ]
        whole = sorted(chunk.ordinal for chunk in mine) == list(range(record.chunks))
        text = "".join(chunk.text for chunk in mine)
        said = set(SAID.findall(self.bodies[there.version].decode())) == set(SAID.findall(text))
        stored = len(self.real["artifacts"].keys(f"chunks/{record.document_id}/"))
        ready = record.status == "READY" and record.live_version == there.version
        return not (ready and whole and said and stored == record.parts)

    def _of(self, document_id: str):
        return [one for one in self._entries() if one.revision.document_id == document_id]

    def _duplicates(self) -> Iterator[int]:
        """Chunks too many of a version that queries see."""
        live = {record.document_id: record for record in self._records() if record.live_version}
        seen = Counter(
            (one.revision.document_id, one.chunk.ordinal)
            for one in self._entries()
            if one.revision.document_id in live
            and one.revision.version == live[one.revision.document_id].live_version
        )
        yield from (count - 1 for count in seen.values())

    def _orphans(self) -> int:
        """Chunks and artifacts that serve no version."""
        records = {record.document_id: record for record in self._records()}

        def serves(document_id, version, sequencer):
            record = records.get(document_id)
            return record is not None and (
                version == record.live_version
                or (record.status != "DELETED" and record.sequencer == sequencer)
            )

        chunks = sum(
            not serves(one.revision.document_id, one.revision.version, one.revision.sequencer)
            for one in self._entries()
        )
        kept = {
            key.split("/")[1]
            for kind in ("parsed/", "chunks/")
            for key in self.real["artifacts"].keys(kind)
        }
        return (
            chunks
            + sum(records[one].status == "DELETED" for one in kept if one in records)
            + len(kept - set(records))
        )

    def _resurrected(self, key: str) -> bool:
        """A deleted file that is there."""
        record = self._record(key)
        gone = self.real["uploads"].current(key) is None
        return (
            gone
            and record is not None
            and (record.status != "DELETED" or bool(record.live_version))
        )

    def _stuck(self, record) -> bool:
        return record.status not in TERMINAL or (
            record.error is not None and record.error.code == "stuck"
        )

    def _twice(self) -> int:
        """Versions that went live more than once, texts that were embedded although cached."""
        live = sum(times - 1 for times in self.ledger.went_live.values())
        return live + self.ledger.embedded_again
