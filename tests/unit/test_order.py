"""Whatever happens to a key, and however its events are told: the end is what the bucket holds.

No sweep runs here. Histories are puts, delete markers, permanent deletes of versions and of
markers, with versioning on or suspended. Their events come late, twice and in any order, and other
workers run between any two calls of a step.
"""

import random
from itertools import permutations, product

import pytest

from footnote.contracts import AdmitRequest, RemoveRequest
from footnote.ingest.upkeep.settle import find_record
from footnote.model import QUEUE_NAMES, document_id
from footnote.service import Service
from footnote.wiring.local_workflow import step_of
from footnote.wiring.pipeline import Pipeline
from tests.corpus import HashEmbedder
from tests.unit.faces import Words

KEY = "acme/default/fees.md"
OPERATIONS = ("put", "put same", "mark", "drop oldest", "drop newest", "drop second", "suspend")
DEPTH = 3  # workers at once


class World:
    """A key, its bucket and queues. Deliveries and changes run into each other by `chance`."""

    def __init__(self, chance: random.Random | None = None) -> None:
        self.pipeline = Pipeline(embedder=HashEmbedder(), tokenizer=Words())
        self.uploads = self.pipeline.uploads
        self.chance = chance
        self.operations: list[str] = []
        self.waiting: list[tuple[str, str]] = []
        self.told: list[str] = []
        self.puts = 0
        self.depth = 0
        if chance:
            self.pipeline.uploads = Torn(self.uploads, self, {"current", "read"})
            self.pipeline.catalog = Torn(
                self.pipeline.catalog, self, {"get", "receive", "remove", "advance", "publish"}
            )

    # -- what users do ---------------------------------------------------------------------------

    def change(self, operation: str) -> list[tuple[str, str]]:
        """Changes the bucket and returns the messages that S3 sends."""
        self.told.append(operation)
        ids = self.uploads.version_ids(KEY)
        chosen = {"drop oldest": 0, "drop second": 1, "drop newest": -1}.get(operation)
        if operation.startswith("put"):
            self.puts += operation == "put" or not self.puts
            self.uploads.put(KEY, f"# Fees\n\nThe harbour fee is {self.puts} crowns.".encode())
        elif operation == "mark":
            self.uploads.delete(KEY)
        elif operation == "suspend":
            self.uploads.suspend()
        elif chosen is not None and len(ids) > max(chosen, 0):
            self.uploads.delete_version(KEY, ids[chosen])
        return [message_of(*event) for event in self.uploads.take_events()]

    # -- what queues do --------------------------------------------------------------------------

    def deliver(self, queue: str, body: str) -> None:
        step_of(queue).receive(body, self.pipeline, 1)
        self.collect()

    def collect(self) -> None:
        for queue in QUEUE_NAMES:
            sent = self.pipeline.queues.sent[queue]
            self.waiting += [(queue, message.model_dump_json()) for message in sent]
            sent.clear()

    def run_into(self) -> None:
        """Lets other workers and users do something now, between two calls of a worker."""
        if self.chance and self.depth < DEPTH and self.chance.random() < 0.25:
            self.act()

    def act(self) -> None:
        self.depth += 1
        if self.operations and self.chance.random() < 0.4:
            self.waiting += self.change(self.operations.pop(0))
        elif self.waiting:
            queue, body = self.waiting.pop(self.chance.randrange(len(self.waiting)))
            if self.chance.random() < 0.15:
                self.waiting.append((queue, body))  # it comes again
            self.deliver(queue, body)
        self.depth -= 1

    def run(self, operations: list[str]) -> None:
        self.operations = list(operations)
        while self.operations or self.waiting:
            self.act()

    # -- what is to be ---------------------------------------------------------------------------

    def problem(self) -> str:
        """Says what differs from the bucket, or nothing."""
        there = self.uploads.current(KEY)
        record = find_record(self.pipeline.catalog, document_id(KEY))
        hits, _ = Service(self.pipeline, "acme").searches.search("harbour fee crowns")
        texts = [hit.chunk.text for hit in hits]
        if there is None:
            state = record.status if record else "DELETED"
            return "" if (state, texts) == ("DELETED", []) else f"gone, but {state} {texts}"
        wanted = ("READY", there.version, there.version)
        state = (record.status, record.version, record.live_version) if record else ()
        body = self.uploads.read(KEY, there.version).decode()
        return "" if state == wanted and texts == [body] else f"{wanted}, but {state} {texts}"


class Torn:
    """A port between whose calls other workers run."""

    def __init__(self, port, world, calls):
        self._port = port
        self._world = world
        self._calls = calls

    def __getattr__(self, name):
        call = getattr(self._port, name)
        if name not in self._calls:
            return call

        def torn(*args, **named):
            self._world.run_into()
            try:
                return call(*args, **named)
            finally:
                self._world.run_into()

        return torn


def message_of(revision, size):
    if size is None:
        return "remove", RemoveRequest(**revision.identity).model_dump_json()
    return "admit", AdmitRequest(**revision.identity, size=size).model_dump_json()


def settle_all(world, messages):
    """Delivers messages in this order, each with all that follows from it."""
    for message in messages:
        world.waiting.append(message)
        while world.waiting:
            world.deliver(*world.waiting.pop(0))


def test_the_removal_of_an_old_version_overtakes_the_put_of_the_new_one():
    world = World()
    first, second = world.change("put"), world.change("put")
    dropped = world.change("drop oldest")
    settle_all(world, [*first, *dropped, *second])
    assert world.problem() == ""


def test_a_version_that_was_deleted_for_good_is_not_shown_while_an_older_one_is_read():
    world = World()
    settle_all(world, [*world.change("put"), *world.change("put")])
    [(queue, body)] = world.change("drop newest")
    world.deliver(queue, body)
    assert Service(world.pipeline, "acme").searches.search("harbour fee crowns")[0] == []
    assert [queue for queue, _ in world.waiting] == ["parse"]
    settle_all(world, [])


@pytest.mark.parametrize("operations", list(product(OPERATIONS, repeat=3)), ids=" ".join)
def test_three_changes_end_as_the_bucket_is_in_whatever_order_they_are_told(operations):
    for order in permutations(range(3)):
        world = World()
        changed = [message for operation in operations for message in world.change(operation)]
        settle_all(world, [changed[n] for n in order if n < len(changed)])
        assert world.problem() == "", (operations, order)


@pytest.mark.parametrize("seed", range(60))
def test_workers_that_run_into_each_other_end_as_the_bucket_is(seed):
    chance = random.Random(seed)
    for _ in range(10):
        operations = ["put", *chance.choices(OPERATIONS, k=chance.randint(1, 7))]
        world = World(chance)
        world.run(operations)
        world.chance = None
        assert world.problem() == "", (operations, world.told)
