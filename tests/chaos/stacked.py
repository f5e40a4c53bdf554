"""Puts a deployed footnote through a random history of its bucket under faults."""

import json
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import unquote_plus

from footnote.errors import FootnoteError
from footnote.model import ALL, QUEUE_NAMES
from footnote.service import Service
from tests.chaos.bucket import SUFFIX, BucketLog
from tests.chaos.deployed import ASKING, DeployedStack
from tests.chaos.fates import Fates
from tests.chaos.files import BAD, FORMATS, lines
from tests.chaos.onlooker import Onlooker
from tests.chaos.proxy import Proxy
from tests.chaos.sidecars import SIDECARS, sidecar
from tests.chaos.verdict import verdict
from tests.stack import PATIENCE

DUPLICATED = 0.3
LOST = 0.03  # share of events that never come
LATE = 0.1  # share of events that come after all others
UNREADABLE = 0.04
DELETED = 0.3  # share of changes to an existing file that delete it
TIDIED = 0.15  # share of new versions for which the one before is deleted for good
LOOK_EVERY = 0.3  # seconds between two searches
WINDOW = 20  # changes whose events are shuffled among themselves
HIDDEN = 20
SWEEPS = 6  # at most, in one round
QUIET = 420.0  # seconds to work off whatever is left
RETRIED = ("stuck", "stopped", "unavailable", "internal", "not_found", "configuration")
HASTE = {
    "FOOTNOTE_RETRY_SECONDS": "1",
    # So short that a sweep takes up all that is left. The one that comes by the clock may meet
    # work under way, too: then that is done twice, which must change nothing.
    "FOOTNOTE_PARSE_SECONDS": "1",
    "FOOTNOTE_CHUNK_SECONDS": "1",
    "FOOTNOTE_INDEX_SECONDS": "1",
    "FOOTNOTE_BACKLOG_SECONDS": "1",
}
FEE = "The harbour fee for a barge at the lighthouse is 84 crowns."
QUESTION = "What is the harbour fee for a barge?"


@dataclass
class QuestionLog:
    """Counts how the questions ended that were asked under faults."""

    counts: Counter[str] = field(default_factory=Counter)

    def ask(self, client) -> None:
        try:
            answer = client.ask(QUESTION)
        except FootnoteError as error:
            self.counts[f"failed: {error.code}"] += 1
        else:
            self.counts["right" if "84 crowns" in answer["answer"] else "wrong"] += 1


class StackWorld:
    """A bucket's history: changes of `keys` files under faults, then calm until all is at rest."""

    def __init__(
        self, stack: DeployedStack, seed: int, keys: int, rate: float = 0.05, lost: float = LOST
    ) -> None:
        self.stack = stack
        self.lost = lost
        self.chance = random.Random(seed)
        self.fates = Fates(seed, rate)
        self.proxy = Proxy(stack.stack["aws_url"], stack.search_url, stack.folder, self.fates)
        self.tenant = f"chaos{uuid.uuid4().hex[:8]}"
        self.tenants = (self.tenant, f"{self.tenant}-2")
        kinds = list(FORMATS)
        self.keys = [
            f"{self.tenants[n % 2]}/docs/{n:03d}.{kinds[n % len(kinds)]}" for n in range(keys)
        ]
        self.said: dict[str, frozenset[str]] = {}  # version → sentences that a search must find
        self.log = BucketLog()
        self.onlooker = Onlooker(
            stack.services,
            self.log,
            self.tenants,
            random.Random(seed),
            lambda version: self.said[version],
        )
        self.hurt: set[str] = set()  # keys of messages that were given up
        self.early: dict[str, int] = {}  # faults before any sweep
        self.late: list[tuple[str, str]] = []
        self.changes = self.sent = 0
        self.dead: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()  # documents, by code, before the retry
        self.swept: Counter[str] = Counter()
        self.asked = QuestionLog()
        self.busy = 0

    def live(self, events: int, questions: int = 0, hidden: int = HIDDEN) -> None:
        """Runs everything: history, rest, retry, rest.

        `hidden` is the number of seconds until a killed function's message comes back. What others
        have left at work is waited for: killed, it would come back by the time that it was received
        with, which is up to half an hour.
        """
        if not self.stack.wait_until_quiet(QUIET):
            raise RuntimeError(f"{self.stack.at_work()} messages are still at work from before")
        steps = (*QUEUE_NAMES, *ASKING, "sweep")
        reroute = {**self.proxy.variables, **HASTE}
        with self.proxy, self.stack.hide_for(hidden):
            self.fates.calm = True
            client = self._add_fee() if questions else None
            with self.stack.given(reroute, steps), self._tapped() as tap:
                self.fates.calm = False
                with ThreadPoolExecutor(2) as pool:
                    over = threading.Event()
                    pool.submit(self._ask, client, questions)
                    looking = pool.submit(self._look, over)
                    try:
                        self._live_through(events, tap)
                        self._rest()
                        if not self.lost:
                            self.early = self._judge(self.hurt)
                        self._sweep()  # still under faults
                    finally:
                        over.set()
                looking.result()
                self._rest()
                self.fates.calm = True
                self._come_to_rest()

    @contextmanager
    def _tapped(self) -> Iterator[str]:
        self.stack.hide_longer_than_a_step()
        with self.stack.tap_events() as tap:
            yield tap

    def _add_fee(self):
        client = self.stack.client(self.tenant)
        key = f"{self.tenant}/default/fees.md"
        self._put(key, FEE.encode(), [FEE])
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            records, _ = Service(self.stack.services, self.tenant).documents.page()
            if [record.status for record in records] == ["READY"]:
                return client
            time.sleep(0.5)
        raise TimeoutError("the first file was not read in a minute")

    def _ask(self, client, questions: int) -> None:
        for _ in range(questions):
            self.asked.ask(client)

    def _look(self, over: threading.Event) -> None:
        while not over.wait(LOOK_EVERY):
            self.onlooker.look()

    # -- history ---------------------------------------------------------------------------------

    def _live_through(self, events: int, tap: str) -> None:
        while self.changes < events:
            count = min(WINDOW, events - self.changes)
            told = sum(self._change(key) for key in self.chance.choices(self.keys, k=count))
            self._tell(self._apply_fates(self._events(tap, told)))
            while self.stack.at_work() > WINDOW * 2:
                time.sleep(0.2)
        self._tell(self.late)

    def _change(self, key: str) -> int:
        """Changes a file or its sidecar; returns how many events that makes."""
        self.changes += 1
        if self.chance.random() < SIDECARS:
            return self._put_or_delete(key + SUFFIX, sidecar(self.chance), [])
        kind = key.rpartition(".")[2]
        said = lines(key, self.changes, self.chance.randint(1, 3))
        body = FORMATS[kind](said)
        if kind in BAD and self.chance.random() < UNREADABLE:
            said, body = [], BAD[kind]
        return self._put_or_delete(key, body, said)

    def _put_or_delete(self, key: str, body: bytes, said: Sequence[str]) -> int:
        before = self.log.version_at(key)
        if before and self.chance.random() < DELETED:
            gone = self.stack.s3.delete_object(Bucket=self.stack.bucket, Key=key)
            self.log.note_mark(key, gone["VersionId"])
            return 1
        self._put(key, body, said)
        if not before or self.chance.random() > TIDIED:
            return 1
        self.stack.s3.delete_object(Bucket=self.stack.bucket, Key=key, VersionId=before)
        self.log.note_purge(key, before)
        return 2

    def _put(self, key: str, body: bytes, said: Sequence[str]) -> None:
        put = self.stack.s3.put_object(Bucket=self.stack.bucket, Key=key, Body=body)
        self.said[put["VersionId"]] = frozenset(said)
        self.log.note_put(key, put["VersionId"], body)

    def _events(self, tap: str, count: int) -> list[tuple[str, str]]:
        """Receives the bucket's events of `count` changes, each as (queue, body)."""
        told: list[tuple[str, str]] = []
        while len(told) < count:
            for body in self.stack.take(tap, wait=1):
                told += self._ours(body)
        return told

    def _ours(self, body: str):
        for record in json.loads(body).get("Records", []):
            if unquote_plus(record["s3"]["object"]["key"]).startswith(self.tenant):
                queue = "admit" if record["eventName"].startswith("ObjectCreated") else "remove"
                yield queue, json.dumps({"Records": [record]})

    def _apply_fates(self, told: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """Loses some events, delays some, doubles some, and shuffles the rest."""
        kept = []
        for event in told:
            fate = self.chance.random()
            if fate < LATE:
                self.late.append(event)
            elif fate > LATE + self.lost:
                twice = self.chance.random() < DUPLICATED
                kept += [event] * (1 + twice)
                if twice and self.chance.random() < 0.5:
                    self.late.append(event)
        self.chance.shuffle(kept)
        return kept

    def _tell(self, told: list[tuple[str, str]]) -> None:
        for queue, body in told:
            self.sent += 1
            self.stack.sqs.send_message(QueueUrl=self.stack.queues[queue], MessageBody=body)

    # -- rest ------------------------------------------------------------------------------------

    def _rest(self) -> None:
        if not self.stack.wait_until_quiet(QUIET):
            self.busy += self.stack.at_work()
        for queue in QUEUE_NAMES:
            dead = self.stack.dead_letters(queue)
            self.dead[queue] += len(dead)
            self.hurt.update(key.removesuffix(SUFFIX) for key in map(key_of, dead))

    def _sweep(self) -> bool:
        """Runs one sweep; returns whether it had anything to do."""
        done = self.stack.invoke("sweep", {"reason": "chaos"}) or {"died": 1}
        self.swept.update(done)
        return any(done.values())

    def _sweep_round(self) -> None:
        """Sweeps until a sweep finds nothing to do, at most SWEEPS times."""
        for _ in range(SWEEPS):
            if not self._sweep():
                return
            self._rest()

    def _come_to_rest(self) -> None:
        self._sweep_round()
        for tenant in self.tenants:
            service = Service(self.stack.services, tenant, (ALL,))
            records, _ = service.documents.page("FAILED", limit=1000)
            self.failed.update(record.error.code for record in records if record.error)
            for code in RETRIED:
                service.retries.retry_all(code)
        self._rest()
        self._sweep_round()

    def verdict(self) -> dict[str, int]:
        found = Counter(self._judge(frozenset()))
        found["resurrected"] += self.proxy.traffic.resurrected
        found["stuck"] += self.busy
        found["side effects done twice"] = self.proxy.traffic.twice
        found["answers from nothing"] = self.asked.counts["wrong"]
        found.update(self.onlooker.found)
        found.update({f"{name} before any sweep": n for name, n in self.early.items() if n})
        return dict(found)

    def _judge(self, spared: Collection[str]) -> dict[str, int]:
        found: Counter[str] = Counter()
        for tenant in self.tenants:
            found.update(verdict(self.stack.services, tenant, self.said, self.log, spared))
        for key in self.keys:
            if key not in spared:
                found.update(self.onlooker.unlike(key))
        return dict(found)


def key_of(body: str) -> str:
    """Returns the key that a message of ours, or an event of S3's, is about."""
    message = json.loads(body)
    if "key" in message:
        return str(message["key"])
    return str(unquote_plus(message["Records"][0]["s3"]["object"]["key"]))
