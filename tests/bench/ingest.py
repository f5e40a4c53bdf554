"""Adds a folder of real documents on a running stack: seconds, and whose processor time they were.

`make bench-ingest` runs it on a stack of its own (DOCS=../shared/data/docs). It says how many of
the seconds are the index step's and how many its model's, and what of the time is the local
stack's own: LocalStack and DynamoDB Local stand for services of AWS.
"""

import os
import sys
import time
from collections import Counter, defaultdict
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from footnote.client import Client
from footnote.model import TERMINAL
from footnote.wire import Json
from local.deploy import session
from local.paths import ROOT
from local.process import PROC, ProcessId, find_marked
from local.state import Stack, running_stack

SAMPLE_SECONDS = 1.0
POLL_SECONDS = 3.0
GIVE_UP = float(os.environ.get("ADD_SECONDS", "1800"))
COLLECTION = "bench"
DOCS = Path(os.environ.get("DOCS") or ROOT.parent / "shared" / "data" / "docs").expanduser()


@dataclass
class Processes:
    """The processor time of a stack's processes by what they run, also of those that have ended."""

    stack: Stack
    spent: dict[ProcessId, tuple[str, float]] = field(default_factory=dict)
    before: dict[ProcessId, float] = field(default_factory=dict)

    def look(self) -> None:
        servers = {process.pid: name for name, process in self.stack.pids.items()}
        for process in find_marked(self.stack.folder):
            with suppress(OSError, LookupError):
                name = servers.get(process.pid) or function_name(process.pid)
                self.spent[process] = (name, cpu_seconds(process.pid))

    def begin(self) -> None:
        self.look()
        self.before = {process: cpu for process, (_, cpu) in self.spent.items()}

    def by_name(self) -> dict[str, float]:
        found: defaultdict[str, float] = defaultdict(float)
        for process, (name, cpu) in self.spent.items():
            found[name] += cpu - self.before.get(process, 0.0)
        return found


def function_name(pid: int) -> str:
    """Returns the step that a function's process works for; "other" for any other process."""
    for entry in (PROC / str(pid) / "environ").read_bytes().split(b"\0"):
        name, _, value = entry.decode(errors="replace").partition("=")
        if name == "AWS_LAMBDA_FUNCTION_NAME":
            verbs = [part for part in value.split("-") if part.endswith("Function")]
            return verbs[0].removesuffix("Function").lower() if verbs else value
    return "other"


def cpu_seconds(pid: int) -> float:
    """Returns the time of a process and of its threads."""
    fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def put_files(stack: Stack, tenant: str) -> int:
    s3 = session(stack).client("s3", endpoint_url=stack.aws_url)
    files = sorted(file for file in DOCS.iterdir() if file.is_file())
    for file in files:
        with file.open("rb") as body:
            key = f"{tenant}/{COLLECTION}/{file.name}"
            s3.put_object(Bucket=stack.outputs["UploadsBucket"], Key=key, Body=body)
    return len(files)


def wait(stack: Stack, processes: Processes, count: int, started: float) -> list[Json]:
    """Returns the records when all files have ended, or what there is after GIVE_UP seconds."""
    records: list[Json] = []
    asked = 0.0
    with Client(str(stack.api_url), str(stack.api_key)) as client:
        while time.monotonic() - started < GIVE_UP:
            time.sleep(SAMPLE_SECONDS)
            processes.look()
            if time.monotonic() - asked < POLL_SECONDS:
                continue
            asked = time.monotonic()
            records = [each for each in client.documents() if each["collection"] == COLLECTION]
            if len(records) == count and all(each["status"] in TERMINAL for each in records):
                break
    return records


def main() -> int:
    stack = running_stack(os.environ.get("FOOTNOTE_STACK", "dev"))
    processes = Processes(stack)
    processes.begin()
    started = time.monotonic()
    count = put_files(stack, "main")
    records = wait(stack, processes, count, started)
    seconds = time.monotonic() - started
    processes.look()
    states = Counter(each["status"] for each in records)
    chunks = sum(each["chunks"] for each in records)
    print(f"\n{count} files, {chunks:,} chunks in {seconds:.0f} s: {dict(states)}")
    spent = processes.by_name()
    total = sum(spent.values())
    print(f"  {total:.0f} CPU s, {chunks / total:.1f} chunks a CPU second")
    for name, cpu in sorted(spent.items(), key=lambda item: -item[1]):
        print(f"  {name:<20} {cpu:6.1f} CPU s  {cpu / total:4.0%}")
    return 0 if len(records) == count and not set(states) - set(TERMINAL) else 1


if __name__ == "__main__":
    sys.exit(main())
