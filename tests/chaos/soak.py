"""Works a deployed stack for long under faults, and judges what is left.

python -m local.stack run --name soak -- python -m tests.chaos.soak [--minutes 50] [--seed 1]

Three users with a tenant each add, replace, describe and delete files, read them, search, and ask:
facts, lists, comparisons, a second question of a session, grids. One of them re-indexes once. All
the while requests of the steps meet the faults of `fates`, OpenSearch stands still for seconds, and
the model refuses. Then calm returns, and everything must have ended, once, and left nothing behind.
"""

import argparse
import math
import os
import random
import signal
import sys
import threading
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from botocore.exceptions import ClientError

from footnote.errors import FootnoteError
from footnote.model import ALL, QUEUE_NAMES
from footnote.service import Service
from local.process import is_alive
from local.state import Stack, running_stack
from tests.bench.soak import Look, look
from tests.chaos.bucket import SUFFIX, BucketLog
from tests.chaos.deployed import ASKING, DeployedStack
from tests.chaos.fates import Fates
from tests.chaos.files import BAD, FORMATS, lines
from tests.chaos.leftovers import count_leftovers, kinds_of_lines
from tests.chaos.proxy import Proxy
from tests.chaos.run import format_counts
from tests.chaos.run_stack import reach_stack
from tests.chaos.sidecars import meaning, sidecar
from tests.chaos.stacked import FEE, HASTE, QUIET, RETRIED, SWEEPS
from tests.chaos.verdict import verdict
from tests.reconfigured import Reconfigured
from tests.scripted_server import ScriptedServer, Status, run_server

USERS = 3
KEYS = 24  # of each user
HIDDEN = 30  # seconds until a killed function's message comes back
LOOK_EVERY = 60.0  # seconds
PAUSES = (20.0, 90.0)  # seconds between two outages
STILL = (3.0, 20.0)  # seconds that OpenSearch stands still
REFUSED = (1, 12)  # requests in a row that the model refuses
AFTER = 30.0  # seconds after an outage in which a request may still fail by it
EXPECTED = frozenset({"not_found", "not_ready", "conflict", "gone", "deleted"})
"""Codes of what work under way does: a file that is read may just be replaced."""
UNDER_OUTAGE = frozenset({"unavailable", "throttled", "timeout", "internal", "busy"})
HIDDEN = frozenset({"forbidden", "unknown_document"})
"""Codes of a file that is closed to who asks; the second also before its upload is admitted."""
ADMITTED = 60  # seconds, under faults, from a change in the bucket to what the API knows of it
THREADS_MORE = 40
MAPS_MORE = 400
FILES_MORE = 60

ASKED = (
    "What is the harbour fee for a barge?",
    "List all documents about lighthouses.",
    "How many documents are there?",
    "Compare the harbour fee for a barge with the harbour fee for a tug.",
    "Which version tells of lighthouse 1?",
    "Which documents do not mention a fee?",
)
GRID = ("Which version is it?", "Is there a fee?")
FOLLOWING = ("And for a tug?", "Which document says so?", "How many are they?")
FEES = f"{FEE} The harbour fee for a tug is 31 crowns."


@dataclass
class Outages:
    """Tells when something outside stood still: a request then may fail."""

    spans: list[tuple[float, float]] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)

    def touch(self, began: float, ended: float) -> bool:
        return any(start < ended and began < end + AFTER for start, end in tuple(self.spans))


class User:
    """Does one random thing after the other for a tenant, and remembers what must be there."""

    def __init__(self, stack: DeployedStack, number: int, seed: int, outages: Outages) -> None:
        self.stack, self.outages = stack, outages
        self.chance = random.Random(f"{seed}/{number}")
        self.tenant = f"soak{uuid.uuid4().hex[:8]}"
        self.client = stack.client(self.tenant)
        kinds = list(FORMATS)
        self.names = [f"{n:03d}.{kinds[n % len(kinds)]}" for n in range(KEYS)]
        self.log, self.said = BucketLog(), {}
        self.changes = 0
        self.done: Counter[str] = Counter()
        self.errors: Counter[str] = Counter()  # expected or under an outage
        self.wrong: list[str] = []
        self.at = ""  # the file at hand
        self.changed_at: defaultdict[str, float] = defaultdict(lambda: -math.inf)  # by key
        self.questions: set[str] = set()  # that must be there
        self.unsure = 0  # requests to ask that failed, of which some may have been heard
        self.sessions: dict[str, set[str]] = {}
        self.grids: set[str] = set()
        self.answers: Counter[str] = Counter()
        self.folder = TemporaryDirectory()

    def work(self, until: float) -> None:
        actions: Mapping[Callable[[], object], float] = {
            self.change: 40, self.ask: 20, self.follow_up: 8, self.read: 12, self.search: 10,
            self.make_grid: 1, self.end_session: 2, self.list_all: 3,
        }  # fmt: skip
        while time.monotonic() < until:
            [action] = self.chance.choices(list(actions), list(actions.values()))
            self.attempt(action)

    def attempt(self, action: Callable[[], object]) -> None:
        name, began = action.__name__, time.monotonic()
        try:
            action()
        except FootnoteError as error:
            self._note_error(name, began, error)
        except Exception as error:  # noqa: BLE001 - whatever it is, the soak goes on and tells it
            self._note_wrong(f"{name}: {type(error).__name__} {error}")
        else:
            self.done[name] += 1

    def _note_error(self, name: str, began: float, error: FootnoteError) -> None:
        outage = self.outages.touch(began, time.monotonic())
        where = " under an outage" if outage else ""
        self.errors[f"{name}: {error.code}{where}"] += 1
        if not (outage and error.code in UNDER_OUTAGE) and not self.has_reason(error.code, began):
            self._note_wrong(f"{name}: {error.code} {error.message}")

    def has_reason(self, code: str, began: float) -> bool:
        """Tells whether a request for the file at hand may fail so, with nothing broken."""
        if code in EXPECTED or (code in HIDDEN and self._is_closed(self.at)):
            return True
        changed = self.changed_at[self.key(self.at)]
        return code == "unknown_document" and began - changed < ADMITTED

    def _note_wrong(self, line: str) -> None:
        self.wrong.append(line[:300])
        print(f"  {time.strftime('%X')} {line[:300]}", flush=True)

    def _is_closed(self, name: str) -> bool:
        """Tells whether the newest sidecar of a file closes it to users, who are in no group."""
        last = next(self.log.states(self.key(name) + SUFFIX, self.log.moment))
        return not meaning(last.body).admits(())

    # -- files -----------------------------------------------------------------------------------

    def key(self, name: str) -> str:
        return f"{self.tenant}/docs/{name}"

    def add_fees(self) -> None:
        """Adds what is asked for, and waits for it: before, there is no such collection."""
        self._put("fees.md", FEES.encode(), [FEE])
        while not any(one["status"] == "READY" for one in self.client.documents()):
            time.sleep(0.5)

    def change(self) -> None:
        name = self.at = self.chance.choice(self.names)
        self.changes += 1
        what = self.chance.random()
        if what < 0.15:
            self._put_sidecar(name)
        elif what < 0.4 and self.log.version_at(self.key(name)):
            self._remove(name)
        else:
            kind = name.rpartition(".")[2]
            said = lines(self.key(name), self.changes, self.chance.randint(1, 3))
            body = FORMATS[kind](said)
            if kind in BAD and BAD[kind] and self.chance.random() < 0.05:
                said, body = [], BAD[kind]
            self._put(name, body, said)

    def _put(self, name: str, body: bytes, said: list[str]) -> None:
        key, file = self.key(name), Path(self.folder.name) / name
        file.write_bytes(body)
        try:
            version = self.client.add(file, collection="docs", again=True)["version"]
        except FootnoteError:
            version = self._current(key)
            if version and version != self.log.version_at(key):
                self._note_put(key, version, body, said)
            raise
        self._note_put(key, version, body, said)

    def _note_put(self, key: str, version: str, body: bytes, said: list[str]) -> None:
        self.said[version] = frozenset(said)
        self.log.note_put(key, version, body)
        self.changed_at[key.removesuffix(SUFFIX)] = time.monotonic()

    def _note_mark(self, key: str, version: str) -> None:
        self.log.note_mark(key, version)
        self.changed_at[key.removesuffix(SUFFIX)] = time.monotonic()

    def _put_sidecar(self, name: str) -> None:
        """Puts or deletes a sidecar in the bucket itself, as other programs do."""
        key, s3 = self.key(name) + SUFFIX, self.stack.s3
        if self.log.version_at(key) and self.chance.random() < 0.4:
            gone = s3.delete_object(Bucket=self.stack.bucket, Key=key)
            self._note_mark(key, gone["VersionId"])
            return
        body = sidecar(self.chance)
        put = s3.put_object(Bucket=self.stack.bucket, Key=key, Body=body)
        self._note_put(key, put["VersionId"], body, [])

    def _remove(self, name: str) -> None:
        key = self.key(name)
        try:
            self.client.remove(name, "docs")
        finally:  # whether or not it was said to have worked
            if not self._current(key) and self.log.version_at(key):
                self._note_mark(key, f"marker-{self.changes}")
            if not self._current(key + SUFFIX) and self.log.version_at(key + SUFFIX):
                self._note_mark(key + SUFFIX, f"marker-{self.changes}-beside")

    def _current(self, key: str) -> str:
        with suppress(ClientError):
            found = self.stack.s3.head_object(Bucket=self.stack.bucket, Key=key)
            return str(found["VersionId"])
        return ""

    # -- reading ---------------------------------------------------------------------------------

    def read(self) -> None:
        name = self.at = self.chance.choice(self.names)
        if not self.log.version_at(self.key(name)):
            return
        how = self.chance.choice(["document", "text", "contents", "original"])
        getattr(self.client, how)(name, "docs")

    def search(self) -> None:
        found = self.client.search("which lighthouse", k=5, collection="docs")
        self.answers["hits"] += len(found["hits"])

    def list_all(self) -> None:
        for _ in self.client.documents():
            pass

    # -- questions -------------------------------------------------------------------------------

    def ask(self) -> None:
        asked = self.chance.choice(ASKED)
        self._ask(asked, collection="docs")

    def follow_up(self) -> None:
        session, asked = f"s-{uuid.uuid4().hex[:12]}", self.chance.choice(ASKED)
        first = self._ask(asked, session=session)
        self.sessions[session] = {first}
        self.sessions[session].add(self._ask(self.chance.choice(FOLLOWING), session=session))

    def _ask(self, asked: str, **options: object) -> str:
        try:
            record = self.client.start(asked, **options)
        except FootnoteError:
            self.unsure += 1
            raise
        self.questions.add(record["id"])
        for _ in self.client.follow(record["id"]):
            pass
        record = self.client.question(record["id"])
        self.answers[record["status"]] += 1
        if record["status"] == "FAILED":
            self.answers[f"failed: {record['error']['code']}"] += 1
        elif asked == ASKED[0]:
            self.answers["right" if "84 crowns" in record["answer"] else "not right"] += 1
        return str(record["id"])

    def make_grid(self) -> None:
        grid = self.client.start_grid(
            ["Which version is it?", "Is there a fee?"], collection="docs"
        )
        self.grids.add(grid["id"])
        for last in self.client.follow_grid(grid["id"]):
            self.answers[f"grid {last['status']}"] += last["status"] != "RUNNING"
        self.client.export_grid(grid["id"], "csv")
        if self.chance.random() < 0.5:
            self.client.delete_grid(grid["id"])
            self.grids.discard(grid["id"])

    def end_session(self) -> None:
        if len(self.sessions) > 3:
            session = next(iter(self.sessions))
            self.questions -= self.sessions.pop(session)
            self.client.delete_session(session)

    # -- the end ---------------------------------------------------------------------------------

    def _closed_late(self) -> set[str]:
        """Returns the keys whose upload was refused, as a sidecar closed them meanwhile.

        Their older version stays live, so they are not judged like the others.
        """
        records, _ = Service(self.stack.services, self.tenant, (ALL,)).documents.page(
            "FAILED", limit=1000
        )
        refused = {one.key for one in records if one.error and one.error.code == "acl_changed"}
        return {key for key in refused if self._is_closed(key.rpartition("/")[2])}

    def verdict(self) -> dict[str, int]:
        """Counts faults in what is left of this tenant; each count must be 0."""
        found = Counter(
            verdict(self.stack.services, self.tenant, self.said, self.log, self._closed_late())
        )
        listed = list(self.client.questions())
        found["questions not ended"] = sum(one["status"] == "RUNNING" for one in listed)
        ids = [one["id"] for one in listed if not one.get("grid")]
        found["questions lost"] = len(self.questions - set(ids))
        found["questions listed twice"] = len(ids) - len(set(ids))
        grids = [self.client.grid(one["id"]) for one in self.client.grids()]
        found["grids not ended"] = sum(one["status"] == "RUNNING" for one in grids)
        found["requests failed"] = len(self.wrong)
        return dict(found)


class Soak:
    """The load, the faults and the looks at one stack."""

    def __init__(self, stack: DeployedStack, state: Stack, seed: int, rate: float) -> None:
        self.stack, self.state, self.seed = stack, state, seed
        self.fates = Fates(seed, rate)
        self.proxy = Proxy(stack.stack["aws_url"], stack.search_url, stack.folder, self.fates)
        self.outages = Outages()
        self.users = [User(stack, n, seed, self.outages) for n in range(USERS)]
        self._tables = stack.aws("dynamodb")
        self.looks: list[Look] = []
        self.reindexed: list[str] = []
        self.dead: Counter[str] = Counter()
        self.busy = 0
        self.over = threading.Event()
        self.started = time.monotonic()

    def run(self, minutes: float) -> None:
        steps = (*QUEUE_NAMES, *ASKING, "sweep")
        reroute = {**self.proxy.variables, **HASTE}
        until = self.started + 60 * minutes
        with self.proxy, self.stack.hide_for(HIDDEN), self._model() as model:
            self.fates.calm = True
            for user in self.users:
                user.attempt(user.add_fees)
            with self.stack.given(reroute, steps), ThreadPoolExecutor(USERS + 4) as pool:
                self.fates.calm = False
                beside = [
                    pool.submit(work)
                    for work in (self._look_on, self._stop_search, lambda: self._refuse(model))
                ]
                beside.append(pool.submit(self._reindex, until - 30 * minutes))
                try:
                    for one in [pool.submit(user.work, until) for user in self.users]:
                        one.result()
                    self._rest()
                finally:
                    self.over.set()
                for one in beside:
                    one.result()
                self.fates.calm = True
                self._come_to_rest()

    @contextmanager
    def _model(self) -> Iterator[ScriptedServer]:
        """Has a model write the answers: one that `_refuse` makes refuse."""
        key = f"footnote-{self.stack.stack['name']}-soak-key"
        self.stack.aws("ssm").put_parameter(
            Name=key, Value="sk-test", Type="SecureString", Overwrite=True
        )
        functions = Reconfigured(self.stack.stack, self.stack.aws)
        with run_server() as server:
            url = f"http://127.0.0.1:{server.server_port}"
            given = {"AnthropicKeyParameter": key, "AnthropicBaseUrl": url}
            for step in ("Grade", "Synthesize"):
                functions.change(step, given)
            try:
                yield server
            finally:
                functions.restore()

    # -- faults ----------------------------------------------------------------------------------

    def _stop_search(self) -> None:
        """Stops OpenSearch's process for seconds, again and again."""
        chance, process = random.Random(f"{self.seed}/search"), self.state.pids["opensearch"]
        while not self.over.wait(chance.uniform(*PAUSES)):
            if not is_alive(process):
                raise RuntimeError("OpenSearch is gone")
            began = time.monotonic()
            seconds = chance.uniform(*STILL)
            self.outages.spans.append((began, began + seconds))
            self.outages.counts["OpenSearch stood still"] += 1
            os.kill(process.pid, signal.SIGSTOP)
            try:
                self.over.wait(seconds)
            finally:
                os.kill(process.pid, signal.SIGCONT)

    def _refuse(self, model: ScriptedServer) -> None:
        """Has the model refuse some requests in a row, again and again."""
        chance = random.Random(f"{self.seed}/model")
        while not self.over.wait(chance.uniform(*PAUSES)):
            status = chance.choice([Status(529, "overloaded_error"), Status(500, "api_error"),
                                    Status(429, "rate_limit_error")])  # fmt: skip
            refusals = chance.randint(*REFUSED)
            self.outages.counts["model refused"] += refusals
            model.script = [status] * refusals
            while model.script and not self.over.wait(0.1):
                pass
            model.script = None  # it answers again

    def _reindex(self, at: float) -> None:
        self.over.wait(max(0.0, at - time.monotonic()))
        client = self.users[0].client
        for force in (True, False):
            try:
                run = client.reindex(force=force)
                while run["status"] == "RUNNING" and not self.over.wait(2):
                    run = client.reindex_status(run["id"])
            except FootnoteError as error:
                self.reindexed.append(f"refused: {error.code}")
            else:
                self.reindexed.append(f"{run['status']} {run.get('outcome', '')}".strip())

    # -- looks -----------------------------------------------------------------------------------

    def _look_on(self) -> None:
        while not self.over.wait(LOOK_EVERY):
            self.look()

    def look(self) -> None:
        process = self.state.pids["localstack"]
        others = [one for name, one in self.state.pids.items() if name != "localstack"]
        done = sum(sum(user.done.values()) for user in self.users)
        seconds = time.monotonic() - self.started
        self.looks.append(look(process, done, seconds, others))
        print(f"{self.looks[-1].row()}   {self.sizes()}", flush=True)

    def sizes(self) -> str:
        """Describes what is stored: rows of tables, chunks of the index, artifacts, disk."""
        settings = self.stack.services.settings
        tables = {
            "documents": settings.documents_table,
            "questions": settings.questions_table,
            "vectors": settings.vectors_table,
            "counters": settings.counters_table,
        }
        sizes = {f"{name} rows": self._rows(table) for name, table in tables.items()}
        with suppress(FootnoteError):  # it may stand still
            health = self.stack.services.index.health()
            sizes |= {"chunks": health["chunks"], "generation": health["generation"]}
        sizes["artifacts"] = sum(1 for _ in self.stack.services.artifacts.keys(""))
        sizes["MiB of disk"] = sum(f.stat().st_size for f in files_under(self.stack.folder)) >> 20
        return format_counts(sizes | {"messages": self.stack.at_work()})

    def _rows(self, table: str) -> int:
        found = self._tables.describe_table(TableName=table)["Table"]
        return int(found["ItemCount"])

    # -- rest ------------------------------------------------------------------------------------

    def _rest(self) -> None:
        if not self.stack.wait_until_quiet(QUIET):
            self.busy += self.stack.at_work()
        for queue in QUEUE_NAMES:
            self.dead[queue] += len(self.stack.dead_letters(queue))

    def _sweep_round(self) -> None:
        for _ in range(SWEEPS):
            done = self.stack.invoke("sweep", {"reason": "soak"}) or {"died": 1}
            if not any(done.values()):
                return
            self._rest()

    def _come_to_rest(self) -> None:
        self._sweep_round()
        for user in self.users:
            service = Service(self.stack.services, user.tenant, (ALL,))
            for code in RETRIED:
                service.retries.retry_all(code)
        self._rest()
        self._sweep_round()

    def verdict(self) -> dict[str, int]:
        found: Counter[str] = Counter()
        for user in self.users:
            found.update(user.verdict())
        found["resurrected"] += self.proxy.traffic.resurrected
        found["side effects done twice"] += self.proxy.traffic.twice
        found["stuck"] += self.busy
        found.update(count_leftovers(self.stack.services))
        found.update(rises(self.looks))
        return dict(found)


def files_under(folder: Path) -> Iterator[Path]:
    for place, _, names in os.walk(folder, onerror=None):
        for name in names:
            file = Path(place) / name
            if file.is_file() and not file.is_symlink():
                yield file


def rises(looks: list[Look]) -> dict[str, int]:
    """Counts what rose by more than it may since the first fifth of the looks."""
    if len(looks) < 5:
        return {}
    first, last = looks[len(looks) // 5], looks[-1]
    gained = {
        "threads risen": (last.threads - first.threads, THREADS_MORE),
        "maps risen": (last.maps - first.maps, MAPS_MORE),
        "open files risen": (last.files - first.files, FILES_MORE),
    }
    return {name: max(0, more - most) for name, (more, most) in gained.items()}


def report(soak: Soak) -> Iterator[str]:
    done: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    answers: Counter[str] = Counter()
    for user in soak.users:
        done += user.done
        errors += user.errors
        answers += user.answers
    yield f"done: {format_counts(done)}"
    yield f"answers: {format_counts(answers)}"
    yield f"errors: {format_counts(errors)}"
    yield f"outages: {format_counts(soak.outages.counts)}; {soak.fates.calls:,} calls of steps"
    yield from soak.fates.told()
    yield f"dead letters: {format_counts(soak.dead)}; re-indexed: {', '.join(soak.reindexed)}"
    for user in soak.users:
        yield from user.wrong[:20]
    yield "lines of logs, by kind:"
    yield from kinds_of_lines(soak.stack.folder / "logs")


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.chaos.soak")
    parser.add_argument("--minutes", type=float, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=0.02)
    args = parser.parse_args()
    soak = Soak(reach_stack(), running_stack(os.environ["FOOTNOTE_STACK"]), args.seed, args.rate)
    soak.run(args.minutes)
    found = soak.verdict()
    for line in report(soak):
        print(f"  {line}", flush=True)
    print(f"seed {args.seed}, {args.minutes:.0f} minutes: {format_counts(found)}")
    return 1 if any(found.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
