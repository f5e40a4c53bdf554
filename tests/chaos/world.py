"""Puts a footnote in this process through a random history of its bucket, and keeps a ledger."""

import json
import random
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property

import pymupdf

from footnote.contracts import AdmitRequest, RemoveRequest, SweepRequest
from footnote.errors import FootnoteError
from footnote.ingest.chunk.chunk import BUDGET
from footnote.ingest.index.embed import CachedEmbedder
from footnote.model import ALL, QUEUE_NAMES
from footnote.service import Service
from footnote.settings import Settings
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.chaos.bucket import SUFFIX, Bucket
from tests.chaos.faults import SWEEP_RATE, Faults, Faulty, Killed
from tests.chaos.ledger import (
    Ledger,
    LedgerCatalog,
    LedgerEmbedder,
    LedgerQueues,
    LedgerVectors,
)
from tests.chaos.onlooker import SAID, Onlooker
from tests.chaos.sidecars import SIDECARS
from tests.chaos.sidecars import sidecar as made_sidecar
from tests.chaos.verdict import verdict
from tests.unit.faces import Words

TENANTS = ("acme", "acme-2")  # one's name begins with the other's
DUPLICATED = 0.3
LATE = 0.03  # share of events that come long after their change
BEFORE = 0.1  # share of keys with a file from before deployment, which has no event
PURGED = 0.06  # share of changes that delete an older version for good
TIDIED = 0.15  # share of new versions for which the one before is deleted at once
WINDOW = 60  # events that are shuffled among themselves
SWEEP_EVERY = 100  # deliveries
CHANGED = 0.15  # share of the calls taken by rivals before which the bucket changes
MOST_RIVALS = 4  # messages that they work off at one call
LOOK_EVERY = 3  # deliveries
REINDEX_EVERY = 500  # deliveries
SWEPT = 50  # items of each kind in one sweep, so that a round takes several
SECOND = 1.0  # the time that a delivery takes
DAY = 86_400.0
TOMBSTONES = 90 * DAY  # the table forgets a deleted file after this time
OURS = ("stuck", "stopped", "unavailable", "internal", "not_found", "configuration", "conflict")
# Makes a section one chunk; 64 chunks are a part.
PADDING = "It stands on a rock. " * (BUDGET // 10)
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
        "live",
        "live_versions",
        "visible_versions",
        "page",
    },
    "index": {
        "write",
        "annotate",
        "remove",
        "remove_older",
        "revisions",
        "count",
        "counts",
        "create_generation",
        "promote",
        "abandon",
    },
}


@dataclass(frozen=True)
class Weather:
    """What a history has to bear. `lost`: share of events that never come."""

    crashes: bool = True
    sweeps: bool = True
    reverted: float = 0.02  # share of changes that delete the newest version or marker for good
    lost: float = 0.03
    years: bool = False  # time passes, and messages and tombstones with it
    interleaved: float = 0.03  # share of calls at which another worker goes first
    rivals: float = 0.0  # share of those at which the other works on the same document
    documents: int = 1_000_000  # at most so many


STORMY = Weather()
"""Everything at once; sweeps repair what is lost."""
LONG = replace(STORMY, years=True)
UNSWEPT = Weather(sweeps=False, lost=0.0)
"""Crashes, but no event is lost and no sweep heals anything."""
CALM = Weather(crashes=False, sweeps=False, lost=0.0, interleaved=0.1)
"""Only the order of things: late, twice, and one in the middle of the other."""
RIVALS = replace(CALM, interleaved=0.15, rivals=0.8, documents=12)
"""Few documents, each changed and worked on by several at once, and often between two calls."""
CROWD = replace(STORMY, interleaved=0.1, rivals=0.5, documents=12, lost=0.3, reverted=0.2)
"""The same with everything else: much is lost, and older versions come back."""


@dataclass(frozen=True)
class Delivery:
    queue: str
    body: str
    receives: int = 0

    @cached_property
    def document(self) -> str:
        """The key of the document that the message, or its sidecar, is about."""
        key: str = json.loads(self.body)["key"]
        return key.removesuffix(SUFFIX)


class World:
    def __init__(self, seed: int, keys: int, weather: Weather = STORMY) -> None:
        self.chance = random.Random(seed)
        self.now = 1_790_000_000.0
        self.weather = weather
        self.bucket = Bucket(self.chance, lambda: self.now)
        self.faults = Faults(self.chance)
        self.faults.interleaved = weather.interleaved
        self.faults.rate *= weather.crashes
        self.ledger = Ledger(self.bucket)
        settings = Settings(backend="memory", sweep_items=SWEPT, pages_a_part=2)
        self.pipeline = Pipeline(settings, tokenizer=Words(), clock=lambda: self.now)
        self.waiting: list[Delivery] = []
        self.dead: list[Delivery] = []
        self.hurt: set[str] = set()  # keys of messages that died or of requests under way
        self.events = self.deliveries = self.reindexed = 0
        self.swept: Counter[str] = Counter()
        keys = min(keys, weather.documents)
        self._keys = [f"{TENANTS[n % 2]}/docs/{n // 2:04d}.md" for n in range(keys)]
        self._at_work = ""  # the document of the delivery under way
        self._make_ports()
        self.onlooker = self._make_onlooker()
        self.ledger.sidecar_noted = self.onlooker.note_sidecar
        self.ledger.version_live = self.onlooker.note_live

    def _make_ports(self) -> None:
        pipeline = self.pipeline
        pipeline.uploads = self.bucket
        pipeline.queues = LedgerQueues(self.ledger)
        cache = Faulty(LedgerVectors(self.ledger), self.faults, frozenset({"get", "put"}))
        pipeline.embedder = CachedEmbedder(LedgerEmbedder(self.ledger), cache)
        self.real = {name: getattr(pipeline, name) for name in PORTS}
        pipeline.catalog = LedgerCatalog(pipeline.catalog, self.ledger)
        for name, calls in PORTS.items():
            late = self.faults.leave_under_way
            port = Faulty(getattr(pipeline, name), self.faults, frozenset(calls), late)
            setattr(pipeline, name, port)
        self.faults.meanwhile = self._meanwhile

    def _make_onlooker(self) -> Onlooker:
        """Makes somebody who searches the same index and table, without faults of his own."""
        calm = Pipeline(Settings(backend="memory"), tokenizer=Words(), clock=lambda: self.now)
        calm.__dict__.update(self.real, embedder=LedgerEmbedder(Ledger(self.bucket)))
        dice = random.Random(self.chance.random())
        return Onlooker(calm, self.bucket, TENANTS, dice, self._said)

    def _said(self, version: str) -> frozenset[str]:
        return sentences(self.bucket.bodies[version])

    # -- history ---------------------------------------------------------------------------------

    def live_through(self, events: int) -> None:
        """Changes the bucket and sends the events, shuffled and some twice, while steps work."""
        if self.weather.sweeps:
            for key in self.chance.sample(self._keys, int(len(self._keys) * BEFORE)):
                self._change(key)
        late: list[Delivery] = []
        aged = not self.weather.years
        while self.events < events:
            told: list[Delivery] = []
            for _ in range(WINDOW):
                for event in self._change(self.chance.choice(self._keys)):
                    fate = self.chance.random()
                    if fate < LATE:
                        late.append(event)
                    elif fate > LATE + self.weather.lost:
                        told += [event] * (2 if self.chance.random() < DUPLICATED else 1)
            self._tell(told)
            if len(late) > WINDOW:
                self._tell(late[: WINDOW // 2])
                del late[: WINDOW // 2]
            if not aged and self.events > events // 2:
                aged = True
                late.clear()
                self._age()
        self._tell(late)

    def _tell(self, told: list[Delivery]) -> None:
        self.chance.shuffle(told)
        for message in told:
            self.events += 1
            self.waiting.append(message)
            for _ in range(self.chance.choice((0, 1, 2, 5))):
                self.deliver_one()

    def _change(self, key: str) -> list[Delivery]:
        """Changes the file or the sidecar of a key; returns the messages of its events."""
        sidecar = self.chance.random() < SIDECARS
        key += SUFFIX * sidecar
        self._change_bucket(key, sidecar=sidecar)
        return [
            Delivery("remove", RemoveRequest(**revision.identity).model_dump_json())
            if size is None
            else Delivery("admit", AdmitRequest(**revision.identity, size=size).model_dump_json())
            for revision, size in self.bucket.take_events()
        ]

    def _change_bucket(self, key: str, *, sidecar: bool) -> None:
        kind = self.chance.random()
        past = self.bucket.past(key)
        if past and kind < PURGED:
            self.bucket.delete_version(key, self.chance.choice(past))
        elif past and kind < PURGED + self.weather.reverted:
            self.bucket.delete_version(key, self.bucket.newest(key))
        elif self.bucket.version_at(key) and kind < 0.35:
            self.bucket.delete(key)
        else:
            before = self.bucket.version_at(key)
            body = made_sidecar(self.chance) if sidecar else self._body(key)
            own = {"edition": "first", "keeper": f"k{len(body)}"}  # a sidecar's edition wins
            self.bucket.put(key, body, own if self.chance.random() < 0.3 else {})
            if before and self.chance.random() < TIDIED:
                self.bucket.delete_version(key, before)

    def _body(self, key: str) -> bytes:
        kind = self.chance.random()
        if kind < 0.04:
            return self.chance.choice(BAD)
        sections = self.chance.randint(60, 200) if kind < 0.07 else self.chance.randint(1, 4)
        number = len(self.bucket.bodies)
        if kind > 1 - PAGED:
            return make_pdf(f"Version {number} of {key}", self.chance.randint(1, 7))
        return "".join(
            f"# Part {n}\n\nVersion {number} of {key} tells of lighthouse {n}. {PADDING}\n\n"
            for n in range(sections)
        ).encode()

    def _age(self) -> None:
        """Lets half a year pass. What waits in queues is gone, and so are old tombstones.

        First a few sweeps see what was deleted: a tombstone outlives the work of its removal.
        """
        self.drain()
        self.sweep_round()
        self.waiting.clear()
        self.now += 2 * TOMBSTONES
        records = self.real["catalog"]._records
        for document_id in [one for one, record in records.items() if record.status == "DELETED"]:
            del records[document_id]

    # -- working ---------------------------------------------------------------------------------

    def _meanwhile(self) -> None:
        if self._at_work and self.chance.random() < self.weather.rivals:
            self._rival(self._at_work)
        elif self.chance.random() < 0.3:
            self.onlooker.look()
        else:
            self.deliver_one()

    def _rival(self, document: str) -> None:
        """Lets the bucket change at a document that is worked on, and others work on it, too."""
        if self.chance.random() < CHANGED:
            events = self._change(document)
            self.events += len(events)
            self.waiting += events
        for _ in range(self.chance.randint(1, MOST_RIVALS)):
            self.deliver_one(document)

    def deliver_one(self, document: str = "") -> None:
        """Delivers a message that waits: of this document, if there is one."""
        self._collect()
        if self.faults.under_way and self.chance.random() < 0.2:
            self.faults.arrive()
        if not self.waiting:
            return
        self.deliveries += 1
        self.now += SECOND
        of_it = [n for n, one in enumerate(self.waiting) if document and one.document == document]
        at = self.chance.choice(of_it) if of_it else self.chance.randrange(len(self.waiting))
        self.waiting[at], self.waiting[-1] = self.waiting[-1], self.waiting[at]
        self._deliver(self.waiting.pop())
        if self.deliveries % LOOK_EVERY == 0:
            self.onlooker.look()
        if self.deliveries % REINDEX_EVERY == 0:
            self.reindex()
        if self.weather.sweeps and self.deliveries % SWEEP_EVERY == 0:
            self.sweep()

    def _deliver(self, delivery: Delivery) -> None:
        receives = delivery.receives + 1
        buried = receives > self.pipeline.settings.max_receives
        outer, self.ledger.delivery = self.ledger.delivery, self.deliveries
        outer_document, self._at_work = self._at_work, delivery.document
        step, moment = step_of(delivery.queue), self.bucket.moment
        [request] = step.requests(delivery.body)
        under_way = len(self.faults.under_way)
        try:
            done = step.receive(delivery.body, self.pipeline, receives)
        except Killed:
            done = False
        self.ledger.delivery, self._at_work = outer, outer_document
        if len(self.faults.under_way) > under_way:
            self.hurt.add(request.key.removesuffix(SUFFIX))
        if not done:
            (self.dead if buried else self.waiting).append(replace(delivery, receives=receives))
            if buried:
                self.hurt.add(request.key.removesuffix(SUFFIX))
        elif not self._is_put_off(delivery.queue, request):
            self._note_done(delivery.queue, request, moment)

    def _is_put_off(self, queue: str, request) -> bool:
        """Returns whether this message, or its double, was queued anew."""
        return (queue, *request.identity.values(), request.waits + 1) in self.ledger.put_off

    def _note_done(self, queue: str, request, moment: int) -> None:
        if queue == "annotate":
            self.onlooker.note_sidecar(request.key, moment)
        elif queue == "remove" and not request.key.endswith(SUFFIX):
            is_marker = request.version not in self.bucket.put_at
            if is_marker and request.version in self.bucket.made_at:
                self.onlooker.note_removal(request.key, self.bucket.made_at[request.version])

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
        while self.waiting or self.faults.under_way:
            self.deliver_one()
            self._collect()

    def sweep(self) -> None:
        """Runs one sweep; with its hundreds of calls it crashes about every second time."""
        with self.faults.at_rate(SWEEP_RATE), suppress(FootnoteError, Killed):
            result = step_of("sweep").run(SweepRequest(), self.pipeline)
            self.swept.update(result.model_dump())

    def reindex(self) -> None:
        """Runs a re-index, in the middle of which others go on working."""
        self.reindexed += 1
        with (
            self.faults.at_rate(SWEEP_RATE * self.weather.crashes),
            suppress(FootnoteError, Killed),
        ):
            self.pipeline.workflow.reindex("chaos")

    def come_to_rest(self, rounds: int) -> None:
        """Ends the faults, lets days go by, and retries what FAILED for reasons of ours."""
        self.drain()
        self.faults.calm = True
        for _ in range(rounds):
            self.sweep_round()
        for tenant in TENANTS:
            for code in OURS:
                Service(self.pipeline, tenant, (ALL,)).retries.retry_all(code)
        self.drain()
        self.sweep_round()

    def sweep_round(self) -> None:
        """Sweeps as often as it takes to see everything."""
        self.now += 2 * DAY
        for _ in range(4 * len(self._keys) // SWEPT + 2):
            self.sweep()
            self.drain()

    # -- what is left ----------------------------------------------------------------------------

    def first_look(self) -> dict[str, int]:
        """Judges before any sweep. Spared are the documents of messages that were given up."""
        self.drain()
        self.faults.calm = True
        self.drain()
        found = self._judge(spared=self.hurt)
        del found["left artifacts"]  # what a sweep is there for
        return found

    def verdict(self) -> dict[str, int]:
        return self._judge(spared=frozenset())

    def _judge(self, spared) -> dict[str, int]:
        said = {version: sentences(body) for version, body in self.bucket.bodies.items()}
        total: Counter[str] = Counter()
        for tenant in TENANTS:
            total.update(verdict(self.pipeline, tenant, said, self.bucket, spared))
        total["resurrected"] += self.ledger.resurrected
        total["stuck"] += len(self.waiting)
        total["said wrong"] += sum(
            self._is_annotated_wrong(key) for key in self._keys if key not in spared
        )
        total["begun again"] += self.ledger.begun_again
        total["seen too soon"] += self.ledger.seen_too_soon
        total["side effects done twice"] += self.ledger.twice
        total.update(self.onlooker.found)
        for key in self._keys:
            if key not in spared:
                total.update(self.onlooker.unlike(key))
        return dict(total)

    def _is_annotated_wrong(self, key: str) -> bool:
        """Returns whether a live chunk has an old annotation: its number must be the table's."""
        version = self.bucket.version_at(key)
        if not version:
            return False
        index = self.real["index"]
        stored = [entry.indexed for entry in index._get(index.ensure()).values()]
        return any(
            one.annotation.number != self.real["catalog"].get(one.revision.document_id).annotation
            for one in stored
            if one.revision.key == key and one.revision.version == version
        )


def make_pdf(name: str, pages: int) -> bytes:
    """Returns a PDF of so many pages; one with more than two is read in parts."""
    file = pymupdf.open()
    for n in range(pages):
        page = file.new_page()
        page.insert_text((72, 90), f"{name} tells of lighthouse {n}.")
        page.insert_text((72, 120), "It stands on a rock, and its lamp is lit by hand.")
    body: bytes = file.tobytes()
    return body


_SENTENCES: dict[bytes, frozenset[str]] = {}


def sentences(body: bytes) -> frozenset[str]:
    """Returns the sentences that a search must find of a version; none if it cannot be read."""
    if body not in _SENTENCES:
        _SENTENCES[body] = _sentences(body)
    return _SENTENCES[body]


def _sentences(body: bytes) -> frozenset[str]:
    if body in BAD:
        return frozenset()
    if not body.startswith(b"%PDF"):
        return frozenset(SAID.findall(body.decode()))
    with pymupdf.open(stream=body, filetype="pdf") as file:
        return frozenset(SAID.findall("".join(page.get_text() for page in file)))
