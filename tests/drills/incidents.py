"""Incidents that are made to happen on a local stack, by the means by which they happen.

Each yields what CloudWatch would have counted: footnote's own figures from the functions' logs, and
AWS's from where they come from (the queue, refusals, questions, OpenSearch), as LocalStack counts
none of those and has no domain. Where an alarm wants longer than a drill lasts, a second of the
drill stands for PACE, or a round of it for a quarter of an hour.
"""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from botocore.exceptions import ClientError

from footnote.errors import FootnoteError
from local.paths import server_folder
from tests.alarm_rules import Figure, figure
from tests.drills.site import Site, until
from tests.insights import Line
from tests.scripted_server import run_server

QUESTION = "What is the harbour fee?"
PACE = 300
"""Seconds of CloudWatch's clock for one of a drill: that of the queue's age."""
QUARTER, FIVE_MINUTES = 900, 300
POISON = 5
ASKED = 3
REFUSED = 51
"""Calls in five minutes that find no place: ThrottlesAlarm wants more than 50."""
WATERMARKS = "cluster.routing.allocation.disk"
HELD = "index.blocks.read_only_allow_delete"

type Mark = Mapping[str, int]
type Finds = Callable[[Sequence[Line]], object]


class Drill(NamedTuple):
    """An incident: its alarms, what makes it, and what the lines of a query must show, if more
    than that there are some."""

    alarms: frozenset[str]
    make: Callable[[Site, Mark], Iterator[Figure]]
    shows: Mapping[str, Finds] = {}


def stall(site: Site, _mark: Mark) -> Iterator[Figure]:
    """The consumer of a queue is paused, as by hand in an incident that was forgotten."""
    functions = site.aws("lambda")
    name = site.names["ParseFunction"]
    [mapping] = functions.list_event_source_mappings(FunctionName=name)["EventSourceMappings"]
    pause(functions, mapping["UUID"], "Disabled")
    try:
        site.put("stalled.md")
        until("a message in the queue of parse", lambda: site.stack.counts()["parse"][0])
        began = time.monotonic()
        while (seconds := time.monotonic() - began) * PACE < 2 * 3300:
            waits = site.stack.counts()["parse"][0]
            age = seconds * PACE if waits else 0
            yield site.of_queue("ParseQueue", "ApproximateAgeOfOldestMessage", seconds * PACE, age)
            time.sleep(0.5)
    finally:
        pause(functions, mapping["UUID"], "Enabled")
    until("the file that waited is READY", lambda: site.status("stalled.md") == "READY")


def pause(functions, uuid: str, state: str) -> None:
    functions.update_event_source_mapping(UUID=uuid, Enabled=state == "Enabled")
    until(
        f"the consumer of parse is {state}",
        lambda: functions.get_event_source_mapping(UUID=uuid)["State"] == state,
    )


def lose_the_provider(site: Site, _mark: Mark) -> Iterator[Figure]:
    """Nobody listens where the models' provider was. Two quarters of an hour, by two rounds."""
    key = f"{site.template.stack}-drill-key"
    site.aws("ssm").put_parameter(Name=key, Value="sk-test", Type="SecureString", Overwrite=True)
    with run_server() as server:
        url = f"http://127.0.0.1:{server.server_port}"
    with ExitStack() as changed:
        for step in ("Plan", "Grade", "Synthesize"):
            model = {"AnthropicKeyParameter": key, "AnthropicBaseUrl": url}
            changed.enter_context(site.given(step, model))
        for quarter in range(2):
            begun = site.mark()
            for _ in range(ASKED):
                site.client.ask(QUESTION)
            yield from site.measured(begun, quarter * QUARTER)


def lose_a_shard(site: Site, mark: Mark) -> Iterator[Figure]:
    """The index's only copy is lost: where its node looks for it, no folder is.

    A filter that allows no node would not do: a primary whose copy is there is allocated all the
    same, within a second.
    """
    began = time.monotonic()
    copies = [copy for name in site.indexes() for copy in primaries(site, name)]
    try:
        for copy in copies:
            copy.folder.rename(copy.aside)
        reroute(site, "cancel", copies, allow_primary=True)
        until("the index is red", lambda: colour(site) == "red")
        with ThreadPoolExecutor(1) as asking:
            asked = asking.submit(fails, site)
            site.put("red.md")
            until("the file is put off", lambda: site.says(mark, "put off"))
            red = colour(site) == "red"
            yield site.of_domain("ClusterStatus.red", time.monotonic() - began, float(red))
            yield from site.of_questions(1, int(asked.result()))
    finally:
        lost = [copy for copy in copies if copy.aside.exists()]
        for copy in lost:
            copy.aside.rename(copy.folder)
        reroute(site, "allocate_stale_primary", lost, accept_data_loss=True)
    until("the index is not red any more", lambda: colour(site) != "red")
    until("the file that waited is READY", lambda: site.status("red.md") == "READY")


class Copy(NamedTuple):
    """A primary of an index: its number, its node and where that keeps it."""

    index: str
    shard: int
    node: str
    folder: Path

    @property
    def aside(self) -> Path:
        return self.folder.with_name(f"lost-{self.shard}")


def primaries(site: Site, index: str) -> Iterator[Copy]:
    [found] = site.search_server("GET", f"_cat/indices/{index}?format=json&h=uuid")
    folder = server_folder(site.stack.stack["name"]) / "data/nodes/0/indices" / found["uuid"]
    for one in site.search_server("GET", f"_cat/shards/{index}?format=json&h=shard,prirep,node"):
        if one["prirep"] == "p":
            yield Copy(index, int(one["shard"]), one["node"], folder / one["shard"])


def reroute(site: Site, command: str, copies: Sequence[Copy], **how: bool) -> None:
    commands = [
        {command: {"index": one.index, "shard": one.shard, "node": one.node} | how}
        for one in copies
    ]
    site.search_server("POST", "_cluster/reroute", {"commands": commands})


def colour(site: Site) -> str:
    return str(site.search_server("GET", "_cluster/health")["status"])


def fails(site: Site) -> bool:
    """Asks, and tells whether the question failed."""
    try:
        site.client.ask(QUESTION)
    except FootnoteError:
        return True
    return False


def fill_the_disk(site: Site, mark: Mark) -> Iterator[Figure]:
    """OpenSearch holds its disk for full, and blocks writes as it does at its flood stage."""
    full = dict.fromkeys(("low", "high", "flood_stage"), "1%")
    names = {f"{WATERMARKS}.watermark.{name}": value for name, value in full.items()}
    settings = {f"{WATERMARKS}.threshold_enabled": True, "cluster.info.update.interval": "10s"}
    settings |= names
    try:
        site.search_server("PUT", "_cluster/settings", {"transient": settings})
        until("the index takes no writes", lambda: blocked(site))
        site.put("full.md")
        until("the file is put off", lambda: site.says(mark, "put off"))
        yield site.of_domain("ClusterIndexWritesBlocked", 0, float(blocked(site)))
    finally:
        off = dict.fromkeys(settings)
        site.search_server("PUT", "_cluster/settings", {"transient": off})
        for name in site.indexes():
            site.search_server("PUT", f"{name}/_settings", {HELD: None})
    until("the index takes writes again", lambda: not blocked(site))


def blocked(site: Site) -> bool:
    found = site.search_server("GET", f"_all/_settings/{HELD}?flat_settings=true")
    return any(one["settings"].get(HELD) == "true" for one in found.values())


def poison(site: Site, mark: Mark) -> Iterator[Figure]:
    """Files that are none of what their names say, and a message that is none of ours."""
    metric, before = "ApproximateNumberOfMessagesVisible", dead(site)
    yield site.of_queue("ParseDeadLetters", metric, 0, before)
    site.stack.sqs.send_message(QueueUrl=site.stack.queues["parse"], MessageBody="no json")
    names = [f"poison-{number}.pdf" for number in range(POISON)]
    for name in names:
        site.put(name, b"%PDF-1.7\nnothing of one " + name.encode())
    until("all are FAILED", lambda: all(site.status(name) == "FAILED" for name in names))
    until("the message is given up", lambda: dead(site) > before)
    yield site.of_queue("ParseDeadLetters", metric, FIVE_MINUTES, dead(site))
    yield from site.measured(mark)


def dead(site: Site) -> int:
    found = site.stack.sqs.get_queue_attributes(
        QueueUrl=site.names["ParseDeadLetters"], AttributeNames=["ApproximateNumberOfMessages"]
    )
    return int(found["Attributes"]["ApproximateNumberOfMessages"])


def use_up_places(site: Site, _mark: Mark) -> Iterator[Figure]:
    """A function finds no place to run: none is reserved for it, as where an account has none."""
    functions, name = site.aws("lambda"), site.names["PlanFunction"]
    functions.put_function_concurrency(FunctionName=name, ReservedConcurrentExecutions=0)
    try:
        with ThreadPoolExecutor(1) as asking:
            asked = asking.submit(fails, site)
            for period in range(3):
                count = sum(is_throttled(functions, name) for _ in range(REFUSED))
                yield figure("AWS/Lambda", "Throttles", period * FIVE_MINUTES, count)
            yield from site.of_questions(1, int(asked.result()))
    finally:
        functions.delete_function_concurrency(FunctionName=name)


def is_throttled(functions, name: str) -> bool:
    try:
        functions.invoke(FunctionName=name, Payload=b"{}")
    except ClientError as error:
        return error.response["Error"]["Code"] == "TooManyRequestsException"
    return False


def parse_is_missing(lines: Sequence[Line]) -> bool:
    steps = {line["step"] for line in lines}
    return bool(steps) and "parse" not in steps


DRILLS: dict[str, Drill] = {
    "a queue's consumer is paused": Drill(
        frozenset({"ParseQueueAgeAlarm"}), stall, {"slow": parse_is_missing}
    ),
    "the provider of models is down": Drill(frozenset({"ProviderDownAlarm"}), lose_the_provider),
    "the index is red": Drill(frozenset({"DomainRedAlarm", "QuestionsFailAlarm"}), lose_a_shard),
    "the disk is full": Drill(frozenset({"DomainWritesBlockedAlarm"}), fill_the_disk),
    "poison": Drill(frozenset({"FailedDocumentsAlarm", "ParseDeadLettersAlarm"}), poison),
    "no places to run": Drill(frozenset({"ThrottlesAlarm", "QuestionsFailAlarm"}), use_up_places),
}
