"""Puts a deployed footnote through a random history of its bucket under faults."""

import json
import random
import time
import uuid
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from urllib.parse import unquote_plus

from footnote.errors import FootnoteError
from footnote.metadata.attributes import SUFFIX
from footnote.model import ALL, QUEUE_NAMES
from footnote.service import Service
from tests.chaos.deployed import ASKING, DeployedStack
from tests.chaos.fates import Fates
from tests.chaos.files import BAD, FORMATS, lines
from tests.chaos.proxy import Proxy
from tests.chaos.sidecars import SIDECARS, sidecar
from tests.chaos.verdict import verdict

DUPLICATED = 0.3
LOST = 0.03  # share of events that never come
LATE = 0.1  # share of events that come after all others
UNREADABLE = 0.04
DELETED = 0.3  # share of changes to an existing file that delete it
WINDOW = 20  # changes whose events are shuffled among themselves
HIDDEN = 20
SWEEPS = 6  # at most, in one round
QUIET = 420.0  # seconds to work off whatever is left
RETRIED = ("stuck", "stopped", "unavailable", "internal", "not_found", "configuration")
HASTE = {
    "FOOTNOTE_RETRY_SECONDS": "1",
    # These may be short: a sweep runs only when nothing is at work.
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

    def __init__(self, stack: DeployedStack, seed: int, keys: int, rate: float = 0.05) -> None:
        self.stack = stack
        self.chance = random.Random(seed)
        self.fates = Fates(seed, rate)
        self.proxy = Proxy(
            stack.stack["aws_url"], stack.stack["opensearch_url"], stack.folder, self.fates
        )
        self.tenant = f"chaos{uuid.uuid4().hex[:8]}"
        kinds = list(FORMATS)
        self.keys = [f"{self.tenant}/docs/{n:03d}.{kinds[n % len(kinds)]}" for n in range(keys)]
        self.said: dict[str, frozenset[str]] = {}  # version → sentences that a search must find
        self.there: set[str] = set()
        self.late: list[tuple[str, str]] = []
        self.changes = self.sent = 0
        self.dead: Counter[str] = Counter()
        self.failed: Counter[str] = Counter()  # documents, by code, before the retry
        self.swept: Counter[str] = Counter()
        self.asked = QuestionLog()
        self.busy = 0

    def live(self, events: int, questions: int = 0, hidden: int = HIDDEN) -> None:
        """Runs everything: history, rest, retry, rest.

        `hidden` is the number of seconds until a killed function's message comes back.
        """
        steps = (*QUEUE_NAMES, *ASKING, "sweep")
        reroute = {**self.proxy.variables, **HASTE}
        with self.proxy, self.stack.hide_for(hidden):
            self.fates.calm = True
            client = self._add_fee() if questions else None
            with self.stack.given(reroute, steps), self.stack.tap_events() as tap:
                self.fates.calm = False
                with ThreadPoolExecutor(1) as pool:
                    pool.submit(self._ask, client, questions)
                    self._live_through(events, tap)
                    self._rest()
                    self._sweep()  # still under faults
                self._rest()
                self.fates.calm = True
                self._come_to_rest()

    def _add_fee(self):
        client = self.stack.client(self.tenant)
        key = f"{self.tenant}/default/fees.md"
        put = self.stack.s3.put_object(Bucket=self.stack.bucket, Key=key, Body=FEE.encode())
        self.said[put["VersionId"]] = frozenset([FEE])
        until = time.monotonic() + 60
        while time.monotonic() < until:
            records, _ = Service(self.stack.services, self.tenant).documents()
            if [record.status for record in records] == ["READY"]:
                return client
            time.sleep(0.5)
        raise TimeoutError("the first file was not read in a minute")

    def _ask(self, client, questions: int) -> None:
        for _ in range(questions):
            self.asked.ask(client)

    # -- history ---------------------------------------------------------------------------------

    def _live_through(self, events: int, tap: str) -> None:
        while self.changes < events:
            count = min(WINDOW, events - self.changes)
            for key in self.chance.choices(self.keys, k=count):
                self._change(key)
            self._tell(self._apply_fates(self._events(tap, count)))
            while self.stack.at_work() > WINDOW * 2:
                time.sleep(0.2)
        self._tell(self.late)

    def _change(self, key: str) -> None:
        self.changes += 1
        if self.chance.random() < SIDECARS:
            self._change_sidecar(key + SUFFIX)
            return
        if key in self.there and self.chance.random() < DELETED:
            self.stack.s3.delete_object(Bucket=self.stack.bucket, Key=key)
            self.there.discard(key)
            return
        kind = key.rpartition(".")[2]
        said = lines(key, self.changes, self.chance.randint(1, 3))
        body = FORMATS[kind](said)
        if kind in BAD and self.chance.random() < UNREADABLE:
            said, body = [], BAD[kind]
        put = self.stack.s3.put_object(Bucket=self.stack.bucket, Key=key, Body=body)
        self.said[put["VersionId"]] = frozenset(said)
        self.there.add(key)

    def _change_sidecar(self, key: str) -> None:
        if key in self.there and self.chance.random() < DELETED:
            self.stack.s3.delete_object(Bucket=self.stack.bucket, Key=key)
            self.there.discard(key)
            return
        body = sidecar(self.chance)
        self.stack.s3.put_object(Bucket=self.stack.bucket, Key=key, Body=body)
        self.there.add(key)

    def _events(self, tap: str, count: int) -> list[tuple[str, str]]:
        """Receives the bucket's events of `count` changes, each as (queue, body)."""
        told: list[tuple[str, str]] = []
        until = time.monotonic() + 60
        while len(told) < count and time.monotonic() < until:
            reply = self.stack.sqs.receive_message(
                QueueUrl=tap, MaxNumberOfMessages=10, WaitTimeSeconds=1
            )
            for message in reply.get("Messages", []):
                self.stack.sqs.delete_message(QueueUrl=tap, ReceiptHandle=message["ReceiptHandle"])
                told += self._ours(message["Body"])
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
            elif fate > LATE + LOST:
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
            self.dead[queue] += len(self.stack.dead_letters(queue))

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
        service = Service(self.stack.services, self.tenant, (ALL,))
        records, _ = service.documents("FAILED", limit=1000)
        self.failed.update(record.error.code for record in records if record.error)
        for code in RETRIED:
            service.retry_all(code)
        self._rest()
        self._sweep_round()

    def verdict(self) -> dict[str, int]:
        found = verdict(self.stack.services, self.tenant, self.said)
        found["resurrected"] += self.proxy.traffic.resurrected
        found["stuck"] += self.busy
        found["side effects done twice"] = self.proxy.traffic.twice
        return {**found, "answers from nothing": self.asked.counts["wrong"]}
