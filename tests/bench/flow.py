"""Adds thousands of small files of several tenants at once: pace, fairness, losses, memory.

`make bench-flow` runs it on a stack of its own (FILES=5000). One tenant drops 90 % of the files.
When these are all in the bucket, two others drop 5 % each. Before that, a fourth tenant has the
stack to itself with as many files as one of the two: so long would theirs have taken alone.
THROTTLED=60 makes OpenSearch refuse all writes with 429 for 60 s, from when the files are dropped.
"""

import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from urllib.request import Request, urlopen

from footnote.evaluation.metrics import latency
from footnote.wire import Json
from local.deploy import session
from local.process import find_marked, memory_mib
from local.state import Stack, running_stack

SHARES = {"big": 0.9, "left": 0.05, "right": 0.05}
ALONE = "alone"
UPLOADERS = 16
SAMPLE_SECONDS = 3.0
QUIET_SAMPLES = 3
# Seconds; a file that has not ended by then counts as not READY.
GIVE_UP = float(os.environ.get("SECONDS", "7200"))
STEPS = ("parse", "chunk", "index")
WORDS = [
    "harbour",
    "lantern",
    "copper",
    "meadow",
    "signal",
    "orchard",
    "granite",
    "velvet",
    "compass",
    "ledger",
    "timber",
    "quarry",
    "beacon",
    "saddle",
    "willow",
    "ember",
    "cobalt",
    "ferry",
    "thistle",
    "anchor",
    "marble",
    "kettle",
    "furrow",
    "summit",
]
COUNTS = ("ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible")


@dataclass
class Load:
    """One run: which files were put when, and samples of the stack meanwhile."""

    stack: Stack
    put: dict[str, float] = field(default_factory=dict)  # key → time when the bucket had it
    samples: list[Json] = field(default_factory=list)

    def __post_init__(self) -> None:
        made = session(self.stack)
        self.s3, self.sqs, self.table = (
            made.client(service, endpoint_url=self.stack.aws_url)
            for service in ("s3", "sqs", "dynamodb")
        )
        urls = self.sqs.list_queues(QueueNamePrefix=f"footnote-{self.stack.name}-")["QueueUrls"]
        self.queues = {url.rsplit("/", 1)[1].split("-")[2]: url for url in urls}

    # -- dropping files --------------------------------------------------------------------------

    def drop(self, tenant: str, count: int) -> None:
        with ThreadPoolExecutor(UPLOADERS) as pool:
            list(pool.map(self._put, (f"{tenant}/notes/{n:05d}.txt" for n in range(count))))

    def _put(self, key: str) -> None:
        bucket = self.stack.outputs["UploadsBucket"]
        self.s3.put_object(Bucket=bucket, Key=key, Body=text_of(key).encode())
        self.put[key] = time.time()

    # -- looking ---------------------------------------------------------------------------------

    def watched(self, work: Callable[[], None]) -> float:
        """Does the work, waits until every queue is empty, and returns the seconds for both."""
        started, dropped = time.time(), threading.Event()

        def drop() -> None:
            work()
            dropped.set()

        thread = threading.Thread(target=drop)
        thread.start()
        quiet = 0
        while quiet < QUIET_SAMPLES and time.time() - started < GIVE_UP:
            time.sleep(SAMPLE_SECONDS)
            sample = self._sample(time.time() - started)
            busy = any(sum(depth) for name, depth in sample["queues"].items() if "Dead" not in name)
            quiet = 0 if busy or not dropped.is_set() else quiet + 1
        thread.join()
        return time.time() - started

    def _sample(self, at: float) -> Json:
        depths = {name: self._depth(url) for name, url in self.queues.items()}
        memory = sum(memory_mib(one) for one in find_marked(self.stack.folder))
        self.samples.append({"at": at, "queues": depths, "memory": memory, "put": len(self.put)})
        waiting = "  ".join(
            f"{name.removesuffix('Queue').lower()} {ready}+{taken}"
            for name, (ready, taken) in depths.items()
            if ready + taken
        )
        print(f"{at:6.0f} s  put {len(self.put):5}  {memory:5} MiB  {waiting}", flush=True)
        return self.samples[-1]

    def _depth(self, url: str) -> tuple[int, int]:
        found = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=list(COUNTS))
        ready, taken = (int(found["Attributes"][name]) for name in COUNTS)
        return ready, taken

    def cpu_seconds(self) -> dict[str, float]:
        """Returns the processor time of each server since it started, all threads together."""
        ticks = os.sysconf("SC_CLK_TCK")
        found = {}
        for service, process in self.stack.pids.items():
            fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
            found[service] = (int(fields[11]) + int(fields[12])) / ticks
        return found

    def throttle(self, seconds: float) -> None:
        """Makes OpenSearch refuse all but small requests (4 KB) for so many seconds."""
        self._breaker("4kb")
        timer = threading.Timer(seconds, self._breaker, [None])
        timer.start()

    def _breaker(self, limit: str | None) -> None:
        settings = {"transient": {"network.breaker.inflight_requests.limit": limit}}
        request = Request(  # noqa: S310 - loopback
            f"{self.stack.opensearch_url}/_cluster/settings",
            json.dumps(settings).encode(),
            {"content-type": "application/json"},
            method="PUT",
        )
        urlopen(request).close()  # noqa: S310

    def records(self) -> dict[str, Json]:
        """Returns the documents table's item of every key that was put."""
        pages = self.table.get_paginator("scan").paginate(
            TableName=self.stack.outputs["DocumentsTable"],
            ProjectionExpression="#k, #s, #u, #r, #e",
            ExpressionAttributeNames={
                "#k": "key", "#s": "status", "#u": "updated", "#r": "received", "#e": "error",
            },
        )  # fmt: skip
        items = (item for page in pages for item in page["Items"])
        return {item["key"]["S"]: item for item in items if item["key"]["S"] in self.put}

    def dead(self) -> dict[str, int]:
        return {name: sum(self._depth(url)) for name, url in self.queues.items() if "Dead" in name}

    def rejected(self) -> int:
        """Counts OpenSearch's refused requests since its start: by a full queue or a breaker."""
        url = f"{self.stack.opensearch_url}/_nodes/stats/thread_pool,breaker"
        with urlopen(url) as answer:  # noqa: S310
            nodes = json.load(answer)["nodes"].values()
        return sum(
            node["thread_pool"]["write"]["rejected"]
            + node["breakers"]["in_flight_requests"]["tripped"]
            for node in nodes
        )


def text_of(key: str) -> str:
    """Returns a small text that no other key has; the same key always gets the same text."""
    chance = random.Random(key)
    lines = (" ".join(chance.choices(WORDS, k=12)).capitalize() + "." for _ in range(8))
    return f"Note {key}\n\n" + " ".join(lines) + "\n"


def log_lines(folder: Path) -> Iterator[Json]:
    """Yields the functions' log records."""
    for file in folder.glob("*Function*.log"):
        for line in file.read_text(errors="replace").splitlines():
            if line.startswith("{"):
                yield json.loads(line)


def seconds(moment: str) -> float:
    return datetime.fromisoformat(moment).timestamp()


def print_steps(folder: Path, since: float) -> Counter[str]:
    """Prints a line per step; returns the error codes of deliveries that failed and came again."""
    failed: Counter[str] = Counter()
    spent: dict[str, list[tuple[float, float]]] = {step: [] for step in STEPS}
    for line in log_lines(folder):
        at = seconds(line["timestamp"])
        if at < since:
            continue
        if line["message"] == "delivery failed":
            failed[line.get("code", "internal")] += 1
        if line["message"] == "step done" and line["step"] in spent:
            spent[line["step"]].append((at, line["ms"]))
    for step, done in spent.items():
        if done:
            first, last = min(at for at, _ in done), max(at for at, _ in done)
            p50, p95 = latency([ms for _, ms in done])
            rate = len(done) / max(last - first, 1)
            print(f"  {step:<8} {len(done):6} messages  {rate:5.1f} a second  "
                  f"p50 {p50:5.0f} ms  p95 {p95:5.0f} ms")  # fmt: skip
    return failed


def print_tenant(load: Load, records: dict[str, Json], tenant: str) -> None:
    mine = [key for key in load.put if key.startswith(f"{tenant}/")]
    ready = [
        seconds(records[key]["updated"]["S"]) - load.put[key]
        for key in mine
        if key in records and records[key]["status"]["S"] == "READY"
    ]
    seen = [
        seconds(records[key]["received"]["S"]) - load.put[key] for key in mine if key in records
    ]
    (p50, p95), (_, listed) = latency(ready), latency(seen)
    print(f"  {tenant:<6} {len(mine):5} files  READY after p50 {p50:6.1f} s  p95 {p95:6.1f} s"
          f"   listed after p95 {listed:6.1f} s")  # fmt: skip


def verdict(load: Load, records: dict[str, Json]) -> Json:
    """Returns the figures that must be 0."""
    states = Counter(item["status"]["S"] for item in records.values())
    return {
        "lost": len(load.put) - len(records),
        "not READY": sum(count for state, count in states.items() if state != "READY"),
        "dead letters": sum(load.dead().values()),
    }


def main() -> int:
    files = int(os.environ.get("FILES", "5000"))
    throttled = float(os.environ.get("THROTTLED", "0"))
    load = Load(running_stack(os.environ.get("FOOTNOTE_STACK", "dev")))
    few = max(1, round(files * SHARES["left"]))
    print(f"alone: {few} files of one tenant")
    alone = load.watched(lambda: load.drop(ALONE, few))

    def drop_all() -> None:
        if throttled:
            load.throttle(throttled)
        for tenant, share in SHARES.items():
            load.drop(tenant, round(files * share))

    print(f"together: {files} files of {len(SHARES)} tenants")
    began, before = time.time(), load.cpu_seconds()
    spent = load.watched(drop_all) - QUIET_SAMPLES * SAMPLE_SECONDS
    records = load.records()
    print(f"\n{files} files in {spent:.0f} s: {files / spent:.1f} a second "
          f"(alone: {few / (alone - QUIET_SAMPLES * SAMPLE_SECONDS):.1f})")  # fmt: skip
    used = {name: cpu - before[name] for name, cpu in load.cpu_seconds().items()}
    print("  CPU a file: " + ", ".join(f"{n} {s / files * 1000:.0f} ms" for n, s in used.items()))
    failed = print_steps(load.stack.folder / "logs", began)
    for tenant in (ALONE, *SHARES):
        print_tenant(load, records, tenant)
    print(f"  memory at most {max(sample['memory'] for sample in load.samples)} MiB")
    print(f"  OpenSearch refused {load.rejected()} requests; "
          f"deliveries made again: {dict(failed) or 'none'}")  # fmt: skip
    found = verdict(load, records)
    print(f"  {'  '.join(f'{name}: {count}' for name, count in found.items())}")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
