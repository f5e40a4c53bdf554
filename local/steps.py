"""The set-up's steps: runs those whose inputs changed, in parallel, in the order they need."""

import hashlib
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from local.paths import LOGS, ROOT, STAMPS

PRINTING = threading.Lock()


class StepError(Exception):
    """Raised when a set-up step failed; the message names the command, the reason and the log."""


@dataclass(frozen=True)
class Step:
    """A piece of set-up; it is done again when a file or a word in `made_of` changes."""

    name: str
    work: Callable[[], None]
    made_of: tuple[Path | str, ...]
    makes: Path
    after: tuple[str, ...] = ()


def fingerprint(made_of: Sequence[Path | str], root: Path = ROOT) -> str:
    """Hashes words, file contents, the checkout's path and the Python.

    The path counts because installed tools contain it.
    """
    python = Path(sys.executable).resolve()  # resolved: the same inside a virtual environment
    digest = hashlib.sha256(f"{root}\n{python}\n".encode())
    for part in made_of:
        content = part.encode() if isinstance(part, str) else read_tree(part)
        digest.update(hashlib.sha256(content).digest())
    return digest.hexdigest()


def read_tree(path: Path) -> bytes:
    if path.is_file():
        return path.read_bytes()
    files = sorted(file for file in path.rglob("*") if file.is_file() and file.suffix != ".pyc")
    return b"".join(f"{file.relative_to(path)}\n".encode() + file.read_bytes() for file in files)


def is_done(step: Step, stamps: Path = STAMPS) -> bool:
    stamp = stamps / step.name
    return (
        stamp.is_file()
        and step.makes.exists()
        and stamp.read_text(encoding="ascii") == fingerprint(step.made_of)
    )


def perform(step: Step, stamps: Path) -> None:
    """Does the work, then writes the stamp, so that an interrupted step is done again."""
    started = time.monotonic()
    say(f"  {step.name:<12} ...")
    (stamps / step.name).unlink(missing_ok=True)
    made_of = fingerprint(step.made_of)  # taken first: an edit during the work causes another run
    try:
        step.work()
    except StepError:
        say(f"  {step.name:<12} failed; waiting for the others")
        raise
    stamps.mkdir(parents=True, exist_ok=True)
    (stamps / step.name).write_text(made_of, encoding="ascii")
    say(f"  {step.name:<12} done {time.monotonic() - started:5.0f} s")


def run_steps(steps: Sequence[Step], stamps: Path = STAMPS) -> list[str]:
    """Performs every step that is due, each as soon as it can; returns the names of those."""
    waiting = [step for step in steps if not is_done(step, stamps)]
    todo = [step.name for step in waiting]
    finished = {step.name for step in steps} - set(todo)
    running: dict[Future[None], Step] = {}
    with ThreadPoolExecutor(max_workers=len(steps)) as pool:
        while waiting or running:
            ready = [step for step in waiting if finished.issuperset(step.after)]
            waiting = [step for step in waiting if step not in ready]
            running |= {pool.submit(perform, step, stamps): step for step in ready}
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                step = running.pop(future)
                future.result()
                finished.add(step.name)
    return todo


def call(step: str, *command: str | Path, logs: Path = LOGS) -> None:
    """Runs a command with its output in the step's log.

    Raises StepError with the end of the log when it fails.
    """
    logs.mkdir(parents=True, exist_ok=True)
    log = logs / f"setup-{step}.log"
    words = [str(word) for word in command]
    with log.open("a", encoding="utf-8") as output:
        output.write(f"$ {' '.join(words)}\n")
        output.flush()
        code = subprocess.call(words, cwd=ROOT, stdout=output, stderr=output)
    if code:
        last = "\n".join(log.read_text(errors="replace").splitlines()[-12:])
        failed = f"set-up step {step} failed: `{' '.join(words)}` exited {code}"
        raise StepError(f"{failed}\n{last}\nAll of it: {log}")


def say(line: str) -> None:
    with PRINTING:
        print(line, flush=True)
