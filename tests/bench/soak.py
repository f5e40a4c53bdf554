"""Works a local stack for long and shows whether it keeps what it should let go.

`make bench-soak` runs it on a stack of its own (MINUTES=60 INVOCATIONS=100000). One thread adds a
small file and asks a question again and again, for MINUTES. Meanwhile ASKERS threads invoke a
function that only prints a line and a metric, until INVOCATIONS are reached. A row for each STEP
invocations shows what LocalStack holds: it fails when threads, maps or memory still rise.
"""

import io
import json
import os
import sys
import threading
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from botocore.config import Config
from botocore.exceptions import ClientError

from footnote.client import Client
from footnote.errors import FootnoteError
from local.deploy import session
from local.process import ProcessId, find_marked, memory_mib
from local.state import Stack, running_stack

ASKERS = 4
STEP = 1_000
FUNCTION = "soak"
ROLE = "arn:aws:iam::000000000000:role/soak"
CODE = """
import json, time
METRIC = {"Namespace": "soak", "Dimensions": [["step"]], "Metrics": [{"Name": "count"}]}
def handler(event, context):
    stamp = {"Timestamp": int(time.time() * 1000), "CloudWatchMetrics": [METRIC]}
    print(json.dumps({"_aws": stamp, "step": "soak", "count": 1}))
    return event
"""
QUESTIONS = (
    "Which colour has the lantern of harbour {n}?",
    "List all harbours",  # reads every document in scope
    "How many documents are there?",  # asks their table
)

# What may be gained from the first fifth of the rows to the last row. A thread kept for each
# invocation would add one thread's stack, two maps, for each; LocalStack before its plugins gained
# 1 MiB for each 16 invocations.
THREADS_MORE = 40
MAPS_MORE = 300
MIB_A_THOUSAND = 2.0


@dataclass(frozen=True)
class Look:
    """What LocalStack holds, and the memory of its companions, after so many invocations."""

    invocations: int
    seconds: float
    cpu: float
    mib: int
    threads: int
    maps: int
    files: int
    others: int

    def row(self) -> str:
        return (
            f"{self.invocations:8,} {self.seconds:7.0f} {self.cpu:8.0f} {self.mib:6} "
            f"{self.threads:8} {self.maps:6} {self.files:6} {self.others:8}"
        )


HEAD = "invoked   seconds  CPU s    MiB  threads   maps  files   others"


class Soak:
    """The load on one stack, and what was seen of it."""

    def __init__(self, stack: Stack, invocations: int, minutes: float) -> None:
        self.stack, self.wanted = stack, invocations
        self.started = time.monotonic()
        self.until = self.started + 60 * minutes
        self.process = stack.pids["localstack"]
        settings = Config(max_pool_connections=ASKERS, retries={"total_max_attempts": 1})
        self.functions = session(stack).client(
            "lambda", endpoint_url=stack.aws_url, config=settings
        )
        self.numbers = count(1)
        self.looks: list[Look] = []
        self.errors: list[str] = []
        self.asked = 0
        self.lock = threading.Lock()

    def run(self) -> None:
        make_function(session(self.stack).client("lambda", endpoint_url=self.stack.aws_url))
        print(HEAD, flush=True)
        with ThreadPoolExecutor(ASKERS + 1) as pool:
            work = [pool.submit(self.invoke) for _ in range(ASKERS)]
            work.append(pool.submit(self.add_and_ask))
            for one in work:
                one.result()
        self.look(self.wanted)

    def invoke(self) -> None:
        while (number := next(self.numbers)) <= self.wanted:
            body = json.dumps({"n": number})
            try:
                reply = self.functions.invoke(FunctionName=FUNCTION, Payload=body)
                if json.load(reply["Payload"]) != {"n": number}:
                    self.errors.append(f"invocation {number} got another's answer")
            except ClientError as error:
                self.errors.append(f"invocation {number}: {error}")
            if number % STEP == 0:
                self.look(number)

    def add_and_ask(self) -> None:
        """Adds a file and asks about it until the minutes are over."""
        with (
            TemporaryDirectory() as folder,
            Client(self.stack.api_url or "", self.stack.api_key or "") as client,
        ):
            for n in count():
                if time.monotonic() > self.until:
                    return
                file = Path(folder) / f"harbour-{n % 50}.md"  # 50 names: the rest are overwrites
                file.write_text(f"# Harbour {n}\n\nThe lantern of harbour {n} is copper.\n")
                try:
                    client.wait([client.add(file, collection="soak")], lambda _: None, 120)
                    asked = QUESTIONS[n % len(QUESTIONS)].format(n=n)
                    client.ask(asked, collection="soak")
                except FootnoteError as error:
                    self.errors.append(f"question {n}: {error.code} {error.message}")
                self.asked += 1

    def look(self, invocations: int) -> None:
        with self.lock:
            others = [one for one in find_marked(self.stack.folder) if one != self.process]
            seconds = time.monotonic() - self.started
            self.looks.append(look(self.process, invocations, seconds, others))
            print(f"{self.looks[-1].row()}   asked {self.asked}", flush=True)


def make_function(functions: Any) -> None:
    code = io.BytesIO()
    with zipfile.ZipFile(code, "w") as archive:
        archive.writestr("app.py", CODE)
    with suppress(functions.exceptions.ResourceNotFoundException):
        functions.delete_function(FunctionName=FUNCTION)
    functions.create_function(
        FunctionName=FUNCTION,
        Runtime="python3.13",
        Handler="app.handler",
        Role=ROLE,
        Code={"ZipFile": code.getvalue()},
    )
    functions.get_waiter("function_active_v2").wait(FunctionName=FUNCTION)


def look(process: ProcessId, invocations: int, seconds: float, others: list[ProcessId]) -> Look:
    place = Path(f"/proc/{process.pid}")
    fields = (place / "stat").read_text().rpartition(")")[2].split()
    ticks = os.sysconf("SC_CLK_TCK")
    return Look(
        invocations,
        seconds,
        (int(fields[11]) + int(fields[12])) / ticks,
        memory_mib(process),
        int(fields[17]),
        len((place / "maps").read_text().splitlines()),
        len(list((place / "fd").iterdir())),
        sum(map(memory_mib, others)),
    )


def rises(looks: list[Look]) -> list[str]:
    """Returns what rose by more than it may since the first fifth of the looks."""
    first, last = looks[len(looks) // 5], looks[-1]
    thousands = max(1.0, (last.invocations - first.invocations) / 1_000)
    found = {
        "threads": (last.threads - first.threads, THREADS_MORE),
        "maps": (last.maps - first.maps, MAPS_MORE),
        "MiB of LocalStack": (last.mib - first.mib, MIB_A_THOUSAND * thousands),
    }
    return [
        f"{name} rose by {more} from {first.invocations:,} to {last.invocations:,} invocations; "
        f"it may by {most:.0f}"
        for name, (more, most) in found.items()
        if more > most
    ]


def main() -> int:
    invocations = int(os.environ.get("INVOCATIONS", "100000"))
    minutes = float(os.environ.get("MINUTES", "60"))
    soak = Soak(running_stack(os.environ.get("FOOTNOTE_STACK", "dev")), invocations, minutes)
    soak.run()
    wrong = [*soak.errors[:5], *rises(soak.looks)]
    print(f"{invocations:,} invocations, {soak.asked} files and questions, "
          f"{len(soak.errors)} errors")  # fmt: skip
    for line in wrong:
        print(f"  {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
