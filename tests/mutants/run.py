"""`make mutants`: does something small wrong to a copy, and sees who notices: chaos, tests, nobody.

python -m tests.mutants.run [--only WORDS] [--jobs 2] [--seeds 2] [--judges chaos tests]
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

from tests.mutants.wrongs import WRONGS, Wrong

ROOT = Path(__file__).resolve().parents[2]
JUDGES = ("chaos", "tests")
SECONDS = 900  # a wrong that makes a judge run for ever is noticed, too
BY_EITHER, BY_CHAOS = 0.9, 0.6  # shares of the wrongs that must be noticed
TESTS = ("tests/unit", "tests/contract", "--ignore=tests/contract/test_wrongs.py")


class Outcome(NamedTuple):
    wrong: Wrong
    by_chaos: bool
    by_tests: bool
    first: str  # what the judges said first


def main() -> int:
    parser = argparse.ArgumentParser(prog="tests.mutants.run")
    parser.add_argument("--only", default="", help="wrongs whose file or text has these words")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seeds", type=int, default=2, help="chaos histories of each kind")
    parser.add_argument("--judges", nargs="+", choices=JUDGES, default=JUDGES)
    args = parser.parse_args()
    chosen = [one for one in WRONGS if args.only in f"{one.path} {one.right}"]
    started = time.perf_counter()
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(args.jobs) as pool:
        places = [Path(folder) / str(number) for number in range(len(chosen) + 1)]
        if (sane := try_out(None, places[0], args.seeds, args.judges)).by_chaos or sane.by_tests:
            print(f"without any wrong there is a failure already: {sane.first}")
            return 1
        jobs = [
            pool.submit(try_out, wrong, place, args.seeds, args.judges)
            for wrong, place in zip(chosen, places[1:], strict=True)
        ]
        outcomes = []
        for job in jobs:
            outcomes.append(job.result())
            print(told(outcomes[-1]), flush=True)
    print(f"{time.perf_counter() - started:,.0f} s")
    return 0 if is_enough(outcomes) else 1


def is_enough(outcomes: Sequence[Outcome]) -> bool:
    """Prints the shares; tells whether enough wrongs were noticed."""
    count = len(outcomes)
    chaos = sum(one.by_chaos for one in outcomes)
    tests = sum(one.by_tests for one in outcomes)
    either = sum(one.by_chaos or one.by_tests for one in outcomes)
    print(f"{count} wrongs: {chaos} noticed by chaos, {tests} by tests, {either} by either")
    return either >= BY_EITHER * count and chaos >= BY_CHAOS * count


def try_out(
    wrong: Wrong | None, place: Path, seeds: int, judges: Sequence[str] = JUDGES
) -> Outcome:
    """Makes a copy at `place`, does the wrong to it, and runs the judges there."""
    copy_to(place)
    if wrong:
        commit(wrong, place)
    python = str(ROOT / ".venv/bin/python")
    histories = ["--seeds", str(seeds), "--events", "400", "--keys", "60", "--until-fault"]
    commands = {
        "chaos": [python, "-m", "tests.chaos.run", *histories],
        "tests": [
            *(python, "-m", "pytest", "-x", "-q", "-m", "not slow", "-p", "no:cacheprovider"),
            *TESTS,
        ],
    }
    chaos, tests = (failure(commands[one], place) if one in judges else "" for one in JUDGES)
    shutil.rmtree(place)
    first = chaos or tests
    return Outcome(wrong or WRONGS[0], bool(chaos), bool(tests), first)


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


def failure(command: Sequence[str], place: Path) -> str:
    """Runs a judge; returns "" where it is content, else the line that tells what it found."""
    path = os.pathsep.join([str(place / "shared"), str(place)])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=place, env=environment, timeout=SECONDS, capture_output=True, text=True
        )
    except subprocess.TimeoutExpired:
        return f"no end in {SECONDS} s"
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
