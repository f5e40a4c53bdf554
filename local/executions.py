"""Adds files and asks questions all at once: what is lost, what is throttled, how long it takes.

usage: python -m local.executions [--name dev] [--files 20] [--questions 20]

The stack was started with CONCURRENT_EXECUTIONS=10, which is what a new account has for all
functions together. Each file and each question has a client of its own; all share one key. Before
that, a file and a question come alone: twice, and the first time most functions start cold.
"""

import argparse
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import httpx

from footnote.client import Client
from footnote.errors import FootnoteError
from local.state import Stack, StackError, check_name, running_stack
from local.steps import say

PATIENCE = 600.0  # seconds without a change after which a file counts as lost
FARE = "The ferry to Sandholm costs 12 crowns for an adult."
FUNCTION = re.compile(r"-(\w+)Function-")
INIT = re.compile(r"Init Duration: ([\d.]+) ms")
THROTTLED = re.compile(r"^THROTTLED ", re.MULTILINE)  # a line of the executor's own


class Counted(httpx.HTTPTransport):
    """Counts replies by status."""

    def __init__(self, statuses: Counter[int]) -> None:
        super().__init__()
        self._statuses = statuses

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        reply = super().handle_request(request)
        self._statuses[reply.status_code] += 1
        return reply


class Ended(NamedTuple):
    """What became of a file or a question: its seconds, and why it is lost or ""."""

    seconds: float
    problem: str


def add(client: Client, n: int) -> str:
    """Adds a text and waits until it is READY. Returns why it is not, or ""."""
    text = f"Harbour {n} has {100 + n} brass lanterns." if n else FARE
    added = client.add_text(f"burst/{n}.txt", text)
    [record] = client.wait([added], lambda _: None, PATIENCE)
    return "" if record["status"] == "READY" else str(record["error"]["code"])


def ask(client: Client, _: int) -> str:
    """Asks about the text that came first. Returns why it is not answered, or ""."""
    record = client.ask("What does the ferry to Sandholm cost for an adult?")
    return "" if record["found"] else "not found"


class Load:
    """The clients of one run, and the statuses of the replies that they got."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        self.statuses: Counter[int] = Counter()

    def do(self, work: Callable[[Client, int], str], n: int) -> Ended:
        began = time.monotonic()
        try:
            url, key = str(self._stack.api_url), str(self._stack.api_key)
            with Client(url, key, transport=Counted(self.statuses)) as client:
                problem = work(client, n)
        except FootnoteError as error:
            problem = error.code or type(error).__name__
        return Ended(time.monotonic() - began, problem)

    def burst(self, files: int, questions: int) -> tuple[list[Ended], list[Ended]]:
        """Adds and asks so many at once. Returns what became of the files and of the questions."""
        with ThreadPoolExecutor(files + questions) as pool:
            added = [pool.submit(self.do, add, n) for n in range(1, files + 1)]
            asked = [pool.submit(self.do, ask, n) for n in range(1, questions + 1)]
            return [one.result() for one in added], [one.result() for one in asked]


def look(logs: Path) -> dict[str, tuple[int, list[float]]]:
    """Returns for each function how many invocations found no place, and the ms of its starts."""
    found: dict[str, tuple[int, list[float]]] = {}
    for file in logs.glob("*Function-*.log"):
        if named := FUNCTION.search(file.name):
            text = file.read_text(errors="replace")
            starts = [float(ms) for ms in INIT.findall(text)]
            found[named[1]] = (len(THROTTLED.findall(text)), starts)
    return found


def report(what: str, ended: list[Ended]) -> int:
    """Prints what became of the files or questions. Returns how many are lost."""
    problems = Counter(one.problem for one in ended if one.problem)
    seconds = sorted(one.seconds for one in ended)
    why = f" ({', '.join(f'{code}: {n}' for code, n in problems.most_common())})"
    lost = problems.total()
    say(f"  {what:<10} {len(ended):3}  lost {lost:3}{why if lost else ''}"
        f"   median {statistics.median(seconds):6.1f} s, last {seconds[-1]:6.1f} s")  # fmt: skip
    return lost


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--name", type=check_name, default="dev")
    options.add_argument("--files", type=int, default=20)
    options.add_argument("--questions", type=int, default=20)
    given = options.parse_args()
    try:
        stack = running_stack(given.name)
    except StackError as error:
        say(str(error))
        return 1
    load = Load(stack)
    for kind in ("cold", "warm"):
        file, question = load.do(add, 0), load.do(ask, 0)
        problem = file.problem or question.problem
        say(f"{kind}: file {file.seconds:.1f} s, question {question.seconds:.1f} s {problem}")
    before = look(stack.folder / "logs")
    load.statuses.clear()
    say(f"{given.files} files and {given.questions} questions at once:")
    files, questions = load.burst(given.files, given.questions)
    lost = report("files", files) + report("questions", questions)
    refused = {status: n for status, n in sorted(load.statuses.items()) if status >= 400}
    say(f"  requests {load.statuses.total()}, refused by status: {refused or 'none'}")
    say("function     starts  ms alone  ms median  throttled")
    for name, (throttled, starts) in sorted(look(stack.folder / "logs").items()):
        alone = before.get(name, (0, []))[1][:1]
        if starts:
            say(f"{name.lower():<12} {len(starts):6}  {f'{alone[0]:.0f}' if alone else '':>8}"
                f"  {statistics.median(starts):9.0f}  {throttled:9}")  # fmt: skip
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
