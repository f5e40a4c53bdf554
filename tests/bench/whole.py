"""Reads scopes of growing size whole on a running stack: seconds, tokens, and how far was read.

`make bench-whole` runs it on a stack of its own (SIZES=10,100,1000 documents, made by a seed, each
size in a collection of its own, so that nothing read for one serves another):

- a list, a count, a summary and a comparison at each size, without a model and with a scripted one:
  seconds, the processor's by function, tokens, tokens beside the estimate;
- a list with a model that may take half of the tokens that it was estimated to;
- a list whose workers are killed when the first batch is read;
- a list with too little time, asked again until all is read.

It fails where a count is not exact or a statement of how far was read is not true. Times are
printed, not judged: these are the machine's.
"""

import json
import os
import re
import signal
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

import pytest

from footnote.client import Client
from footnote.model import TERMINAL
from footnote.text.tokens import estimate_tokens
from footnote.wire import Json
from local.deploy import session
from local.process import find_marked
from local.state import Stack, running_stack
from tests.bench.ingest import Processes, function_name
from tests.bench.test_whole_scope import EVERY, make_document, numbers_of_keepers
from tests.chaos.deployed import DeployedStack
from tests.scripted_forms import Form
from tests.scripted_server import Scripted, ScriptedServer, sensible_reply
from tests.serving import serving
from tests.stack import local_credentials

SIZES = [int(size) for size in os.environ.get("SIZES", "10,100,1000").split(",")]
RUN = uuid.uuid4().hex[:6]  # what an earlier run has read on this stack serves this one nothing
PARAGRAPHS = 3  # of a document: a chunk or two, so that adding a thousand ends in time
UPLOADERS = 8
SAMPLE_SECONDS = 0.5
GIVE_UP = 3_600.0
TENANT = "main"
ASKING = ("api", "plan", "read", "grade", "synthesize")
ROOM = {"FOOTNOTE_MAX_TOKENS": "100000000", "FOOTNOTE_MAX_USD": "1000"}
TIME = {"FOOTNOTE_QUESTION_SECONDS": "280"}  # an Express execution ends after 300
KEYLESS = TIME | {"FOOTNOTE_ANTHROPIC_KEY_PARAMETER": ""}
KINDS = {
    "list": "List all keepers of the lamp.",
    "count": "How many documents mention basalt?",
    "summary": "Summarise all documents.",
    "comparison": "Compare log-0001 and log-0002.",
}
ASKED = {
    "count": KINDS["count"],
    "document": KINDS["summary"],
    "comparison": KINDS["comparison"],
}
HALF_PAID = "List the keepers of the lamp that there are."
KILLED = "List every keeper of the lamp."
IN_PARTS = "How many documents mention a mole?"
MOST_OF_A_SUMMARY, COMPARED = 50, 2


class Reader(ScriptedServer):
    """Plans each kind of question, chooses the keepers' lines, and does all else by rule.

    It is charged for the characters that it is sent and sends.
    """

    def next(self, form: Form, body: dict[str, Any]) -> Scripted:
        wanted, prompt = form.schema_of(body).get("properties", {}), form.prompt_of(body)
        reply = sensible_reply(form, body)
        text = reply.text
        if "items" in wanted:
            text = json.dumps({"items": self._chosen(prompt)})
        elif "question_kind" in wanted:
            kind = next((kind for kind, asked in ASKED.items() if asked in prompt), "list")
            text = json.dumps(json.loads(text) | {"question_kind": kind})
        read = estimate_tokens(f"{json.dumps(body.get('system', ''))}{prompt}")
        return replace(reply, text=text, input_tokens=read, output_tokens=estimate_tokens(text))

    def _chosen(self, prompt: str) -> list[Json]:
        if KINDS["count"] in prompt:
            chosen = [int(n) for n in re.findall(r"^(\d+) .*of basalt", prompt, re.MULTILINE)]
        elif KINDS["summary"] in prompt or KINDS["comparison"] in prompt:
            chosen = [int(n) for n in re.findall(r"^(\d+) Part 0 of", prompt, re.MULTILINE)]
        else:
            chosen = numbers_of_keepers(prompt)
        return [{"lines": [n], "name": ""} for n in chosen]


@dataclass
class Bench:
    """Asks, prints what it took, and keeps what was not as it should be."""

    stack: Stack
    client: Client
    processes: Processes
    wrong: list[str] = field(default_factory=list)

    def ask(self, name: str, ask: Callable[[], Json]) -> Json:
        """Returns the answer, and prints seconds, the processor's and tokens."""
        done = threading.Event()
        self.processes.begin()
        looking = threading.Thread(target=self._look, args=[done])
        looking.start()
        started = time.monotonic()
        try:
            answer = ask()
        finally:
            seconds = time.monotonic() - started
            done.set()
            looking.join()
        spent = self.processes.by_name()
        most = sorted(spent.items(), key=lambda item: -item[1])[:4]
        told = ", ".join(f"{verb} {cpu:.1f}" for verb, cpu in most)
        print(
            f"{name:<28}{seconds:7.1f} s  {sum(spent.values()):7.1f} CPU s ({told})"
            f"  {answer['usage']['tokens']:>9,} tokens",
            flush=True,
        )
        print(f"  {json.dumps(answer['coverage'])} {answer['degraded']} {told_steps(answer)}")
        return answer

    def _look(self, done: threading.Event) -> None:
        while not done.wait(SAMPLE_SECONDS):
            self.processes.look()
        self.processes.look()

    def hold(self, name: str, **pairs: tuple[object, object]) -> None:
        """Notes each pair that is not alike: what is, and what should be."""
        for what, (found, wanted) in pairs.items():
            if found != wanted:
                self.wrong.append(f"{name}: {what} is {found!r}, not {wanted!r}")
                print(f"  WRONG {self.wrong[-1]}", flush=True)


def told_steps(answer: Json) -> str:
    return " ".join(f"{step} {ms / 1000:.1f}" for step, ms in answer["timings_ms"].items())


def keepers(size: int) -> int:
    return len(range(0, size, EVERY))


def collection_of(size: int) -> str:
    return f"of-{size}-{RUN}"


def add(bench: Bench, size: int) -> None:
    """Puts the documents of one size into the bucket, and waits until all can be read."""
    s3 = session(bench.stack).client("s3", endpoint_url=bench.stack.aws_url)
    bucket, started = bench.stack.outputs["UploadsBucket"], time.monotonic()

    def put(n: int) -> None:
        key = f"{TENANT}/{collection_of(size)}/log-{n:04}.md"
        s3.put_object(Bucket=bucket, Key=key, Body=make_document(n, PARAGRAPHS))

    with ThreadPoolExecutor(UPLOADERS) as pool:
        list(pool.map(put, range(size)))
    ready: list[str] = []
    while time.monotonic() - started < GIVE_UP:
        records = [r for r in bench.client.documents() if r["collection"] == collection_of(size)]
        ready = [record["status"] for record in records if record["status"] in TERMINAL]
        if len(ready) == size:
            break
        time.sleep(min(10, 1 + size / 100))
    bench.hold(f"{size} documents", ready=(ready.count("READY"), size))
    print(f"\n{size:,} documents were added in {time.monotonic() - started:.0f} s", flush=True)


def each_kind(bench: Bench, size: int, kinds: Sequence[str], *, with_model: bool) -> None:
    collection = collection_of(size)
    for kind in kinds:
        name = f"{kind}, {size:,}" + (", model" if with_model else "")
        text, options = KINDS[kind], {"collection": collection}
        answer = bench.ask(name, lambda t=text, o=options: bench.client.ask(t, **o))  # type: ignore[misc]
        if with_model:
            estimate = bench.client.estimate(text, **options)
            expected = estimate["tokens"]
            print(f"  estimated {expected:,}: {answer['usage']['tokens'] / expected:.2f} of it")
        read = {"summary": min(size, MOST_OF_A_SUMMARY), "comparison": COMPARED}.get(kind, size)
        in_scope = COMPARED if kind == "comparison" else size
        bench.hold(name, coverage=(how_far(answer), (read, in_scope)))
        if kind in ("list", "count"):
            bench.hold(name, count=(first_number(answer), keepers(size)))


def how_far(answer: Json) -> tuple[int, int]:
    coverage = answer["coverage"] or {"documents": 0, "of": 0}
    return coverage["documents"], coverage["of"]


def first_number(answer: Json) -> int:
    first = (
        answer["sentences"][0]["text"].split()[0].replace(",", "") if answer["sentences"] else ""
    )
    return int(first) if first.isdigit() else -1


def half_paid(bench: Bench, size: int) -> None:
    """Asks a list with half of the tokens: rules read what a model cannot be paid for."""
    options = {"collection": collection_of(size)}
    tokens = bench.client.estimate(HALF_PAID, **options)["tokens"] // 2
    name = f"half of the tokens, {size:,}"
    budget = {"tokens": tokens}
    answer = bench.ask(name, lambda: bench.client.ask(HALF_PAID, budget=budget, **options))
    by_rule = (answer["coverage"] or {}).get("by_rule", 0)
    print(f"  allowed {tokens:,}; a model has read {size - by_rule:,}")
    bench.hold(
        name,
        coverage=(how_far(answer), (size, size)),
        some_by_rule=(0 < by_rule < size, True),
        within=(answer["usage"]["tokens"] <= tokens, True),
        count=(first_number(answer), keepers(size)),
    )


def killed(bench: Bench, size: int) -> None:
    """Kills each worker that reads when the first batch has been read."""
    victims: list[int] = []

    def ask() -> Json:
        started = bench.client.start(KILLED, collection=collection_of(size))
        for event in bench.client.follow(started["id"]):
            if event["kind"] == "read" and not victims:
                victims.extend(kill(bench.stack, "read"))
        return dict(bench.client.question(started["id"]))

    name = f"workers killed, {size:,}"
    answer = bench.ask(name, ask)
    print(f"  {len(victims)} workers were killed")
    bench.hold(
        name,
        killed=(bool(victims), True),
        coverage=(how_far(answer), (size, size)),
        count=(first_number(answer), keepers(size)),
    )


def kill(stack: Stack, verb: str) -> list[int]:
    """Kills the processes of a function of this stack, and returns which."""
    pids = []
    for process in find_marked(stack.folder):
        with suppress(OSError, LookupError):
            if function_name(process.pid) == verb:
                os.kill(process.pid, signal.SIGKILL)
                pids.append(process.pid)
    return pids


def in_parts(bench: Bench, size: int, seconds: int = 22) -> None:
    """Asks with time for a part, again and again: what was read is not read again."""
    far, times = 0, 0
    while far < size and times < 40:
        times += 1
        name = f"{seconds} s, time {times}, {size:,}"
        budget = {"seconds": seconds}
        options = {"collection": collection_of(size), "budget": budget}
        try:
            answer = bench.ask(name, lambda o=options: bench.client.ask(IN_PARTS, **o))  # type: ignore[misc]
        except Exception as error:  # noqa: BLE001 - a question that had no time at all says so
            print(f"  {error}")
            seconds += 5
            continue
        read, of = how_far(answer)
        bench.hold(name, of=(of, size), no_less=(read >= far, True))
        seconds += 5 if read == far else 0
        far = read
    bench.hold(
        f"asked {times} times", read=(far, size), count=(first_number(answer), keepers(size))
    )


@contextmanager
def serving_model(deployed: DeployedStack, key: str) -> Iterator[None]:
    """Has the steps of a question ask a scripted model, with room for a thousand documents."""
    server = Reader()
    given = {
        "FOOTNOTE_ANTHROPIC_KEY_PARAMETER": key,
        "FOOTNOTE_ANTHROPIC_BASE_URL": f"http://127.0.0.1:{server.server_port}",
    }
    with serving(server, server.ended), deployed.given(TIME | ROOM | given, ASKING):
        yield


def main() -> int:
    with pytest.MonkeyPatch.context() as patch:
        local_credentials(patch)
        return measure()


def measure() -> int:
    """Measures all sizes, and returns the exit status: 1 where something was not as it should."""
    stack = running_stack(os.environ.get("FOOTNOTE_STACK", "dev"))
    state = json.loads((stack.folder / "stack.json").read_text())
    deployed = DeployedStack(state)
    key = f"/footnote-{stack.name}/bench-key"
    deployed.aws("ssm").put_parameter(Name=key, Value="sk", Type="SecureString", Overwrite=True)
    with Client(str(stack.api_url), str(stack.api_key), timeout=300) as client:
        bench = Bench(stack, client, Processes(stack))
        for size in SIZES:
            add(bench, size)
            with deployed.given(KEYLESS, ASKING):
                each_kind(bench, size, list(KINDS), with_model=False)
            with serving_model(deployed, key):
                each_kind(bench, size, list(KINDS), with_model=True)
                if size == max(SIZES):
                    half_paid(bench, size)
        largest = max(SIZES)
        with deployed.given(KEYLESS, ASKING):
            killed(bench, largest)
            in_parts(bench, largest)
    print("\n" + ("\n".join(bench.wrong) or "all as it should be"))
    return 1 if bench.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
