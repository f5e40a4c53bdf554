"""Parses changed files for some minutes, in processes with a function's limits; keeps what breaks.

usage: python -m tests.fuzz.run [--minutes 5] [--seed N] [--workers 2]

Prints what it did by format, and each finding. A file that broke something is made smaller as long
as it still does, and written to `tests/fuzz/cases/`; `tests/unit/test_fuzz.py` parses all that lie
there. Ends with 1 if there was a finding.
"""

import argparse
import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.conftest import ROOT
from tests.fuzz.attempts import SECONDS, Finding, judge, make

CASES = Path(__file__).parent / "cases"
_PATIENCE = 4 * SECONDS  # of processor time without a word
_LONGEST_TO_SHRINK = 100_000


class Worker:
    """A process that parses one changed file after another, and what it said of them."""

    def __init__(self, seed: int, number: int, step: int) -> None:
        self.seed, self.number, self.step = seed, number, step
        self.folder = tempfile.TemporaryDirectory()
        self.counts: Counter[str] = Counter()
        self.peak = 0
        self.cpu = self._cpu_before = 0.0
        self.findings: list[Finding] = []
        self._start()

    def _start(self) -> None:
        self._now = Path(self.folder.name) / "now"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.fuzz.attempts", self.folder.name,
             str(self.seed), str(self.number), str(self.step)],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT,
            env={"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}"}, text=True,
        )  # fmt: skip
        self._heard = 0.0

    def _worked(self) -> float:
        """Returns the processor time of the process so far; the machine may be busy otherwise."""
        try:
            fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return self._heard
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def read(self) -> None:
        """Takes a line of what the process says; starts another where it has died."""
        line = self.process.stdout.readline()
        self._heard = self._worked()
        if not line:
            self._bury(f"signal {-self.process.wait()}")
            return
        said = json.loads(line)
        if "what" in said:
            self.findings.append(said)
            return
        self.counts.update(said["counts"])
        self.peak = max(self.peak, said["peak"])
        self.cpu = self._cpu_before + said["cpu"]

    def check(self) -> None:
        """Kills a process that has worked without a word for too long: its file takes for ever."""
        if self._worked() - self._heard > _PATIENCE:
            self.process.kill()
            self.process.wait()
            self._bury("hangs")

    def _bury(self, why: str) -> None:
        if not self._now.is_file():
            raise RuntimeError(f"the process that parses does not start: {why}")
        number, name = self._now.read_text().split("\n", 1)
        self.findings.append({"name": name, "number": int(number), "what": why})
        self._now.unlink()
        self.number, self._cpu_before = int(number) + self.step, self.cpu
        self._start()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()
        self.folder.cleanup()


def shrink(body: bytes, name: str, what: str) -> bytes:
    """Returns a smaller file of which the same is wrong; `body` if it is long, slow or deadly."""
    if len(body) > _LONGEST_TO_SHRINK or " at " not in what:
        return body
    size = len(body) // 2
    while size:
        at = 0
        while at < len(body):
            smaller = body[:at] + body[at + size :]
            if judge(smaller, name)[1] == what:
                body = smaller
            else:
                at += size
        size //= 2
    return body


def keep(seed: int, finding: Finding) -> Path:
    """Writes the file of a finding among the cases, and returns its path."""
    name, body = make(seed, finding["number"])
    CASES.mkdir(exist_ok=True)
    path = CASES / f"{seed}-{finding['number']}.{name.rpartition('.')[2]}"
    path.write_bytes(shrink(body, name, finding["what"]))
    return path


def run(minutes: float, seed: int, workers: int) -> list[Worker]:
    """Lets so many processes work for so long."""
    end = time.monotonic() + 60 * minutes
    working = [Worker(seed, number, workers) for number in range(workers)]
    try:
        while time.monotonic() < end:
            with selectors.DefaultSelector() as ready:
                for worker in working:
                    ready.register(worker.process.stdout, selectors.EVENT_READ, worker)
                for key, _ in ready.select(timeout=1):
                    key.data.read()
            for worker in working:
                worker.check()
    finally:
        for worker in working:
            worker.stop()
    return working


def report(workers: list[Worker], seed: int) -> int:
    """Prints what was done and found, keeps the files of findings; returns how many there are."""
    counts = sum((worker.counts for worker in workers), Counter())
    formats = sorted({kind.split()[0] for kind in counts})
    for kind in formats:
        ends = {key.split()[1]: n for key, n in counts.items() if key.split()[0] == kind}
        shown = ", ".join(f"{end} {n:,}" for end, n in sorted(ends.items()))
        print(f"{kind:10} {sum(ends.values()):9,}  {shown}")
    cpu, peak = sum(worker.cpu for worker in workers), max(worker.peak for worker in workers)
    print(f"{counts.total():,} files, {cpu / 60:.1f} minutes of processor time, at most {peak} MB")
    seen: dict[tuple[str, str], Finding] = {}
    for finding in (found for worker in workers for found in worker.findings):
        kind = finding["name"].rpartition(".")[2]
        seen.setdefault(
            (
                kind,
                finding["what"].partition(":")[0] if "slow" in finding["what"] else finding["what"],
            ),
            finding,
        )
    for finding in seen.values():
        print(f"FOUND {finding['name']} number {finding['number']}: {finding['what']}", flush=True)
    for finding in seen.values():
        print(f"kept {keep(seed, finding).relative_to(ROOT)}", flush=True)
    print(f"{len(seen)} kinds of findings")
    return len(seen)


def main() -> int:
    wanted = argparse.ArgumentParser(description=__doc__)
    wanted.add_argument("--minutes", type=float, default=5.0)
    wanted.add_argument("--seed", type=int, default=int(time.time()))
    wanted.add_argument("--workers", type=int, default=2)
    given = wanted.parse_args()
    print(f"seed {given.seed}", flush=True)
    return 1 if report(run(given.minutes, given.seed, given.workers), given.seed) else 0


if __name__ == "__main__":
    sys.exit(main())
