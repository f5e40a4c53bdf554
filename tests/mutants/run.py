"""`make mutants`: does something small wrong to a copy, and sees who notices: chaos, tests, nobody.

python -m tests.mutants.run [--only WORDS,WORDS] [--jobs 2] [--seeds 1] [--judges chaos tests]
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tests.mutants.reach import OPTIONS, Reach
from tests.mutants.wrongs import PIPELINE, WRONGS, Wrong

ROOT = Path(__file__).resolve().parents[2]
JUDGES = ("chaos", "tests")
FEW = 4  # histories of few documents for one of many: they take a quarter of its time
PATIENCE = 6  # times a judge's time without any wrong; one that then runs on has noticed
BY_EITHER, BY_CHAOS = 0.9, 0.6  # shares of the wrongs that must be noticed
TESTS = ("tests/unit", "tests/contract", "--ignore=tests/contract/test_wrongs.py")


class Outcome(NamedTuple):
    wrong: Wrong
    by_chaos: bool
    by_tests: bool
    first: str  # what the judges said first


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.mutants.run")
    parser.add_argument("--only", default="", help="whose file or text has one of these")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=1, help="chaos histories of each kind")
    parser.add_argument("--judges", nargs="+", choices=JUDGES, default=JUDGES)
    args = parser.parse_args()
    words = args.only.split(",")
    chosen = [one for one in WRONGS if any(word in f"{one.path} {one.right}" for word in words)]
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        trial = Trial(Path(folder), args.seeds, args.judges)
        if failed := trial.failure_without_wrong():
            print(f"without any wrong there is a failure already: {failed}")
            return 1
        jobs = [pool.submit(trial.outcome, wrong) for wrong in chosen]
        outcomes = []
        for job in jobs:
            outcomes.append(job.result())
            print(told(outcomes[-1]), flush=True)
    print(f"{time.perf_counter() - started:,.0f} s")
    return 0 if is_enough(outcomes) else 1


def is_enough(outcomes: Sequence[Outcome]) -> bool:
    """Prints the shares; tells whether enough wrongs were noticed."""
    count = len(outcomes)
    pipeline = [one for one in outcomes if one.wrong in PIPELINE]
    chaos = sum(one.by_chaos for one in pipeline)
    tests = sum(one.by_tests for one in outcomes)
    either = sum(one.by_chaos or one.by_tests for one in outcomes)
    print(f"{count} wrongs: {tests} noticed by tests, {either} by tests or chaos")
    print(f"{len(pipeline)} of them in the adding path: {chaos} noticed by chaos")
    return either >= BY_EITHER * count and chaos >= BY_CHAOS * len(pipeline)


class Trial:
    """Runs the judges on copies in `folder`: without any wrong first, then with one each."""

    def __init__(self, folder: Path, seeds: int, judges: Sequence[str]) -> None:
        self._folder = folder
        self._judges = judges
        self._sane = folder / "sane"
        self._seconds: dict[str, float] = {}
        chaos = ["-m", "tests.chaos.run", "--events", "400", "--keys", "60", "--until-fault"]
        few = [*chaos, "--seeds", str(FEW * seeds), "--only", "rivals", "crowd"]
        many = [*chaos, "--seeds", str(seeds), "--only", "unswept", "stormy", "long", "calm"]
        self._chaos = [few, many]  # quick ones first
        self._tests = ["-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider"]
        self._reach: Reach | None = None

    def failure_without_wrong(self) -> str:
        """Tells what fails without any wrong. Learns what the judges take, and tests reach."""
        copy_to(self._sane)
        commands = {"chaos": self._chaos, "tests": [[*self._tests, "-n", "auto", *OPTIONS, *TESTS]]}
        for judge in self._judges:
            started = time.perf_counter()
            for command in commands[judge]:
                if failed := failure(command, self._sane):
                    return failed
            self._seconds[judge] = time.perf_counter() - started
        if "tests" in self._judges:
            self._reach = Reach(self._sane)
        return ""

    def outcome(self, wrong: Wrong) -> Outcome:
        """Makes a copy, does the wrong to it, and runs the judges there."""
        place = Path(tempfile.mkdtemp(dir=self._folder))
        copy_to(place)
        commit(wrong, place)
        histories = self._chaos if wrong in PIPELINE else []
        chaos = next(filter(None, (self._verdict("chaos", one, place) for one in histories)), "")
        tests = ""
        if self._reach:
            (place / "tests.txt").write_text("\n".join(self._reach.tests(wrong)))
            tests = self._verdict("tests", [*self._tests, "-p", "no:randomly", "@tests.txt"], place)
        shutil.rmtree(place)
        return Outcome(wrong, bool(chaos), bool(tests), chaos or tests)

    def _verdict(self, judge: str, command: Sequence[str], place: Path) -> str:
        if judge not in self._judges:
            return ""
        return failure(command, place, PATIENCE * self._seconds[judge])


def copy_to(place: Path) -> None:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True
    ).stdout
    for name in filter(None, listed.split("\0")):
        target = place / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, target, follow_symlinks=False)
    for tool in (".venv", ".footnote"):
        (place / tool).symlink_to((ROOT / tool).resolve())


def commit(wrong: Wrong, place: Path) -> None:
    """Does the wrong. Raises ValueError when the text does not stand once in its file."""
    file = place / wrong.file
    text = file.read_text()
    if text.count(wrong.right) != 1:
        raise ValueError(f"{wrong.file} has {text.count(wrong.right)} times: {wrong.right}")
    file.write_text(text.replace(wrong.right, wrong.wrong))


def failure(command: Sequence[str], place: Path, seconds: float | None = None) -> str:
    """Runs a judge; returns "" where it is content, else the line that tells what it found."""
    path = os.pathsep.join([str(place / "shared"), str(place)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    environment["COVERAGE_CORE"] = "ctrace"  # sys.monitoring does not tell which test reached what
    python = str(ROOT / ".venv/bin/python")
    try:
        done = subprocess.run(
            [python, *command],
            cwd=place,
            env=environment,
            timeout=seconds,
            capture_output=True,
            text=True,
        )
    except subprocess.TimeoutExpired:
        return f"no end in {seconds:.0f} s"
    if done.returncode == 0:
        return ""
    lines = [line for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    named = [line for line in lines if line.startswith(("all:", "FAILED", "ERROR"))]
    return (named or lines or ["?"])[-1][:200]


def told(outcome: Outcome) -> str:
    who = [
        name
        for name, noticed in (("chaos", outcome.by_chaos), ("tests", outcome.by_tests))
        if noticed
    ]
    wrong = outcome.wrong
    right, made = (" ".join(text.split())[:90] for text in (wrong.right, wrong.wrong))
    line = f"{' and '.join(who) or 'NOBODY':16} {wrong.path}: {right} -> {made or 'nothing'}"
    return f"{line}\n{'':17}{outcome.first}" if outcome.first else line


if __name__ == "__main__":
    sys.exit(main())
