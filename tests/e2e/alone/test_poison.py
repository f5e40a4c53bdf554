"""A message that can never be handled ends in a dead-letter queue and in the table, with a reason.

The functions reach their services through a proxy that kills them at chosen requests. Meanwhile a
sweep runs, as it does every quarter of an hour. So what is to die is about files in the bucket.
"""

import json
import time

import pytest

from footnote.contracts import ChunkRequest, ParseRequest
from footnote.model import document_id
from footnote.wiring.queue_messages import from_s3
from tests.chaos.deployed import DeployedStack
from tests.chaos.fates import Fates
from tests.chaos.proxy import Proxy
from tests.stack import PATIENCE

pytestmark = pytest.mark.timeout(1800)

HIDDEN = 8  # seconds at least until a killed function's message comes back; minutes when deployed
BODY = "# Harbour\n\nThe harbour fee for a barge is 84 crowns, says {}.\n"
STEPS = ("parse", "chunk", "index")
NAMES = ("parse.md", "chunk.md", "index.md", "shape.md", "lost.md", "fine.md")
DEAD = (
    ("parse", "parse.md"),
    ("parse", "no json"),
    ("chunk", "chunk.md"),
    ("chunk", "shape.md"),
    ("chunk", "lost.md"),
    ("index", "index.md"),
)


class Poisoned:
    """A tenant whose messages go wrong, with the means to look at them."""

    def __init__(self, stack, proxy, client, tenant):
        self.stack, self.proxy, self.client, self.tenant = stack, proxy, client, tenant
        self.dead = {step: [] for step in STEPS}  # step → bodies of dead letters
        self.ended = {}  # name → record

    def key(self, name):
        return f"{self.tenant}/default/{name}"

    def put(self, name):
        key = self.key(name)
        body = BODY.format(name).encode()
        self.stack.s3.put_object(Bucket=self.stack.bucket, Key=key, Body=body)

    def put_untold(self, *names):
        """Puts files of whose events no step is told; returns the requests to parse them."""
        with self.stack.tap_events() as tap:
            for name in names:
                self.put(name)
            told = {}
            while len(told) < len(names):
                told |= self._requests(tap)
        return [told[self.key(name)] for name in names]

    def _requests(self, tap):
        bodies = self.stack.take(tap, wait=1)
        records = [one for body in bodies for one in json.loads(body).get("Records", [])]
        requests = [ParseRequest(**from_s3(record, ParseRequest)) for record in records]
        return {request.key: request for request in requests}

    def tell(self, queue, body):
        self.stack.sqs.send_message(QueueUrl=self.stack.queues[queue], MessageBody=body)

    def record(self, name):
        return self.stack.services.catalog.get(document_id(self.key(name)))

    def reads(self, name):
        return self.proxy.traffic.reads[f"/{self.stack.bucket}/{self.key(name)}"]

    def gather(self):
        """Waits until the dead-letter queues hold all expected messages, then reads the records."""
        end = time.monotonic() + 3 * PATIENCE
        while missing := [pair for pair in DEAD if not self.is_dead(*pair)]:
            assert time.monotonic() < end, self.alive(missing)
            time.sleep(1)
            for queue in STEPS:
                self.dead[queue] += self.stack.dead_letters(queue)
        self.until("fine.md", "READY")
        self.ended = {name: self.record(name) for name in NAMES}

    def alive(self, missing):
        """Says where messages are that did not die, in few words: CI prints the end of a line."""
        statuses = {one["document"]: one["status"] for one in self.client.documents()}
        at_work = {name: counts for name, counts in self.stack.counts().items() if any(counts)}
        return f"not dead: {missing}; {statuses}; at work: {at_work}"

    def is_dead(self, queue, word):
        sought = self.key(word) if word in NAMES else word
        return any(sought in body for body in self.dead[queue])

    def status(self, name):
        found = {one["document"]: one["status"] for one in self.client.documents()}
        return found.get(name)

    def until(self, name, status):
        while self.status(name) != status:
            time.sleep(0.5)
        return self.record(name)


@pytest.fixture(scope="module")
def poisoned(stack, aws, new_tenant):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ENDPOINT_URL", stack["aws_url"])
        patch.setenv("AWS_DEFAULT_REGION", stack["region"])
        deployed = DeployedStack(stack)
        proxy = Proxy(stack["aws_url"], deployed.search_url, deployed.folder, Fates(1, rate=0.0))
        world = Poisoned(deployed, proxy, *new_tenant(groups="@all"))
        with proxy, deployed.hide_for(HIDDEN), deployed.given(proxy.variables, STEPS):
            deployed.hide_longer_than_a_step()
            poison(world)
            world.gather()
            yield world


def poison(world):
    shape, lost = world.put_untold("shape.md", "lost.md")
    chunked, indexed = (document_id(world.key(name)) for name in ("chunk.md", "index.md"))
    artifacts = world.stack.services.settings.artifacts_bucket
    world.proxy.fates.doomed |= {  # the first that fits a request decides
        f"HEAD /{world.stack.bucket}/{world.key('parse.md')}": "killed before",
        f"GET /{artifacts}/parsed/{chunked}/carried": "fine",  # parse looks there, chunk reads
        f"GET /{artifacts}/parsed/{chunked}": "killed before",
        f"GET /{artifacts}/chunks/{indexed}": "killed after",
    }
    for name in ("parse.md", "chunk.md", "index.md", "fine.md"):
        world.put(name)
    world.tell("parse", "no json")
    for known in (shape, lost):
        world.stack.services.catalog.receive(known, known.size)
    world.tell("chunk", json.dumps({**shape.identity, "surprise": True}))
    world.tell("chunk", ChunkRequest(**lost.identity, document_key="parsed/no").model_dump_json())
    never = ParseRequest(key=world.key("never.md"), version="v1", sequencer="A")
    world.tell("parse", never.model_dump_json())
    assert world.stack.invoke("sweep", {"reason": "test"})


@pytest.mark.parametrize("step", STEPS)
def test_a_file_on_which_a_step_is_killed_each_time_has_failed_and_says_at_what(poisoned, step):
    record = poisoned.ended[f"{step}.md"]
    assert (record.status, record.error.code) == ("FAILED", "stopped")
    assert record.error.message.startswith(f"{step}.md: the {step} step was stopped 4 times")
    assert [poisoned.key(f"{step}.md") in body for body in poisoned.dead[step]].count(True) == 1


def test_a_message_that_is_no_json_is_kept_for_the_operator(poisoned):
    assert poisoned.dead["parse"].count("no json") == 1


def test_a_message_of_the_wrong_shape_fails_the_document_that_it_names(poisoned):
    record = poisoned.ended["shape.md"]
    assert (record.status, record.error.code) == ("FAILED", "bad_message")
    assert [poisoned.key("shape.md") in body for body in poisoned.dead["chunk"]].count(True) == 1


def test_a_message_about_an_artifact_that_is_not_there_fails_its_document(poisoned):
    record = poisoned.ended["lost.md"]
    assert (record.status, record.error.code) == ("FAILED", "not_found")
    assert [poisoned.key("lost.md") in body for body in poisoned.dead["chunk"]].count(True) == 1


def test_the_event_of_a_file_that_is_not_there_any_more_is_dropped(poisoned):
    assert not any(poisoned.key("never.md") in body for body in poisoned.dead["parse"])
    names = [record["document"] for record in poisoned.client.documents()]
    assert "never.md" not in names and "fine.md" in names


def test_the_others_are_not_held_up(poisoned):
    assert poisoned.ended["fine.md"].status == "READY"


def test_a_retry_goes_on_from_what_is_stored_and_parses_nothing_again(poisoned):
    poisoned.proxy.fates.doomed.clear()
    poisoned.stack.hide_all(PATIENCE)  # nothing is killed any more: one that is slow is not twice
    before = {step: poisoned.reads(f"{step}.md") for step in STEPS}
    assert poisoned.client.retry("index.md")["status"] == "INDEXING"
    retried = poisoned.client.retry_all("stopped")
    assert sorted(one["document"] for one in retried) == ["chunk.md", "parse.md"]
    for step in STEPS:
        assert poisoned.until(f"{step}.md", "READY").error is None
    again = {step: poisoned.reads(f"{step}.md") - before[step] for step in STEPS}
    assert again == {"parse": 1, "chunk": 0, "index": 0}
    found = {hit["document"] for hit in poisoned.client.search("harbour fee barge")["hits"]}
    assert found == {"parse.md", "chunk.md", "index.md", "fine.md"}
