"""Starts processes that outlive the command, recognises them later, and ends them."""

import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
POLL_SECONDS = 0.05

# Every process of a stack and each of their children carries this variable with the stack's
# folder. It finds what a crashed stack left behind, whatever the parent is by then. The name does
# not begin with FOOTNOTE_, since that prefix belongs to the functions' settings.
MARKER = "LOCAL_STACK_FOLDER"

# Keeps each Popen: one that is collected while its process lives warns about it.
STARTED: list[subprocess.Popen[bytes]] = []


@contextmanager
def unwinding() -> Iterator[None]:
    """Has SIGTERM raise SystemExit inside, so that what was started is ended as by Ctrl-C."""

    def leave(number: int, _frame: object) -> None:
        raise SystemExit(128 + number)

    before = signal.signal(signal.SIGTERM, leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@dataclass(frozen=True)
class ProcessId:
    """A pid and its process's start time: the pid alone may belong to another process by now."""

    pid: int
    born: str


def start_time(pid: int) -> str | None:
    """Returns the boot and clock tick at which a process began; None when gone or a zombie."""
    try:
        # The command's name is in parentheses and may itself contain spaces and parentheses.
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    state, started = fields[0], fields[19]
    return None if state in "ZX" else f"{boot}:{started}"


def is_alive(process: ProcessId) -> bool:
    return start_time(process.pid) == process.born


def start(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    log: Path,
    environ: Mapping[str, str],
    uid: int | None = None,
) -> ProcessId:
    """Starts a process in a session of its own, which Ctrl-C in this terminal does not reach."""
    with log.open("ab") as output:
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd,
            env=dict(environ),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            user=uid,
            group=uid,
            extra_groups=None if uid is None else [],
        )
    STARTED.append(process)
    return ProcessId(process.pid, start_time(process.pid) or "")


def find_marked(folder: Path) -> list[ProcessId]:
    """Finds every living process that belongs to the stack of this folder."""
    wanted = f"{MARKER}={folder}".encode()
    found = []
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # it ended meanwhile, or belongs to another user
            environ = (entry / "environ").read_bytes().split(b"\0")
            if wanted in environ and (since := start_time(int(entry.name))):
                found.append(ProcessId(int(entry.name), since))
    return found


def end(processes: Iterable[ProcessId], *, grace_seconds: float) -> None:
    """Asks the processes to end; kills those that still live after the grace period."""
    alive = list(processes)
    for number, seconds in ((signal.SIGTERM, grace_seconds), (signal.SIGKILL, 5.0)):
        alive = [process for process in alive if is_alive(process)]
        for process in alive:
            with suppress(ProcessLookupError):
                os.kill(process.pid, number)
        until = time.monotonic() + seconds
        while any(map(is_alive, alive)) and time.monotonic() < until:
            time.sleep(POLL_SECONDS)
    STARTED[:] = [process for process in STARTED if process.poll() is None]  # reaps the others


def memory_mib(process: ProcessId) -> int:
    """Returns the process's resident memory in MiB; 0 when it is gone."""
    with suppress(OSError):
        for line in (PROC / str(process.pid) / "status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) // 1024
    return 0
