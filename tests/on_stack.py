"""Runs the tests that need a stack, on the one that FOOTNOTE_STACK names: `make test` does so.

What would disturb other tests runs in turn, and beside that what it cannot disturb. All phases run,
also after one that failed; of that the stack's warnings are printed. Exits with 1 where any failed.
The trials, which need no stack, run meanwhile on what the phases leave of the processor.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path

OPTIONS = ("--no-skips", "--cov", "--cov-append", "--cov-report=")
SERVERS = "tests/integration/test_local_stack.py"
AGAIN = "tests/integration/test_deploy_again.py"
REFUSING = (
    "tests/integration/test_opensearch.py::test_a_write_waits_while_the_server_refuses_everything"
)
GOLDEN = "tests/e2e/test_eval.py"
ALONE = "tests/e2e/alone"
REINDEXING = "tests/e2e/reindexing"
PAGES = tuple(
    f"tests/e2e/test_page_{each}.py"
    for each in ("answers", "grids", "home", "manners", "options", "sign_in", "states")
)
"""Tests of the page in a browser that need no stack."""
PHASES = (
    # while the index holds nothing else: other documents change how rare a word is
    (GOLDEN,),
    # servers are stopped for seconds, or refuse everything
    (SERVERS, REFUSING),
    # one worker for what changes the functions; beside it what does not use them, and a second
    # stack that is deployed, with functions of its own
    (
        *(ALONE, "tests/integration", *PAGES),
        *(f"--deselect={each}" for each in (SERVERS, REFUSING)),
        *("-n2", f"--in-turn={ALONE}", f"--in-turn={AGAIN}"),
    ),
    # users, who may well do so at the same time; one worker begins re-indexes, one at a time
    (
        "tests/e2e",
        *(f"--ignore={each}" for each in (ALONE, GOLDEN, *PAGES)),
        *("-n2", f"--in-turn={REINDEXING}"),
    ),
)
TYPESCRIPT = "tests/e2e/test_typescript.py"
NODE_MODULES = Path("clients/typescript/node_modules/ready")
TRIALS = "tests/trials"
NICE = 19  # how far the trials stand back: they take what the phases leave


LOGS = Path(".footnote/stacks") / os.environ.get("FOOTNOTE_STACK", "-") / "logs"
WARNING = re.compile(r'"level":"(?:WARNING|ERROR|CRITICAL)"| (?:WARN|ERROR) |^Traceback')
SHOWN = 1  # warning of a log, the last: CI keeps few lines of what is printed
WIDTH = 300  # characters of a warning


def main() -> int:
    with tempfile.TemporaryFile() as printed:
        trials = subprocess.Popen(
            ("nice", f"-n{NICE}", sys.executable, "-m", "pytest", TRIALS),
            env=without_stack(os.environ),
            stdout=printed,
            stderr=subprocess.STDOUT,
        )
        with trials:  # ends when they have
            failed = [phase for phase in PHASES if not passes(phase)]
        printed.seek(0)
        print(printed.read().decode(errors="replace"))
    if trials.returncode:
        failed.append((TRIALS,))
    if not NODE_MODULES.exists():
        print("npm installed nothing: the TypeScript client was not tested", file=sys.stderr)
    for phase in failed:
        print("FAILED:", *phase, file=sys.stderr)
    return 1 if failed else 0


def without_stack(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns an environment as it was before a stack ran."""
    return {
        name: value
        for name, value in environment.items()
        if not name.startswith(("FOOTNOTE_", "AWS_"))
    }


def passes(phase: tuple[str, ...]) -> bool:
    """Runs a phase; if it fails, prints what the stack warned of meanwhile."""
    before = {log: log.stat().st_size for log in LOGS.glob("*.log")}
    left_out = () if NODE_MODULES.exists() else (f"--ignore={TYPESCRIPT}",)
    if not pytest(*phase, *left_out):
        return True
    for log in sorted(LOGS.glob("*.log")):
        for line in deque(warnings_in(log, before.get(log, 0)), SHOWN):
            print(f"{log.name}: {line[:WIDTH]}", file=sys.stderr)
    return False


def warnings_in(log: Path, since: int) -> Iterator[str]:
    """Yields the lines of a log, from a position in bytes on, that tell of something wrong."""
    with log.open("rb") as lines:
        lines.seek(since)
        for line in lines:
            if WARNING.search(text := line.decode(errors="replace").rstrip()):
                yield text


def pytest(*arguments: str) -> int:
    command = (sys.executable, "-m", "pytest", *arguments, *OPTIONS)
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
