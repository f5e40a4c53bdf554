"""Processes that outlive the command that started them: start, recognise again, end."""

import os
import signal
import subprocess
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
POLL_SECONDS = 0.05

# Every process of a stack, and each of its children, carries this variable with the stack's
# folder: what is left of a crashed stack is found by it, whoever its parent is by then.
# Its name does not begin with FOOTNOTE_, as those of the functions' settings do.
MARKER = "LOCAL_STACK_FOLDER"

# Kept: a Popen that goes away while its process lives takes that for a mistake.
STARTED: list[subprocess.Popen[bytes]] = []


@dataclass(frozen=True)
class ProcessId:
    """A pid and when its process began: a pid alone may have been given to another since."""

    pid: int
    born: str


def born(pid: int) -> str | None:
    """Boot and clock tick of a process's start; None when it is gone or only a zombie."""
    try:
        # The command name stands in parentheses and may itself hold spaces and parentheses.
        fields = (PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()
        boot = (PROC / "sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return None
    state, started = fields[0], fields[19]
    return None if state in "ZX" else f"{boot}:{started}"


def is_alive(process: ProcessId) -> bool:
    return born(process.pid) == process.born


def start(
    command: Sequence[str | Path],
    *,
    cwd: Path,
    log: Path,
    environ: Mapping[str, str],
    uid: int | None = None,
) -> ProcessId:
    """Start in a session of its own, so that Ctrl-C in this terminal does not reach it."""
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
    return ProcessId(process.pid, born(process.pid) or "")


def marked(folder: Path) -> list[ProcessId]:
    """Every living process that belongs to the stack of this folder."""
    wanted = f"{MARKER}={folder}".encode()
    found = []
    for entry in PROC.iterdir():
        if not entry.name.isdigit():
            continue
        with suppress(OSError):  # ended meanwhile, or somebody else's
            environ = (entry / "environ").read_bytes().split(b"\0")
            if wanted in environ and (since := born(int(entry.name))):
                found.append(ProcessId(int(entry.name), since))
    return found


def end(processes: Iterable[ProcessId], *, grace_seconds: float) -> None:
    """Ask the processes to end; kill those that have not after the grace."""
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
    """Resident memory; 0 when the process is gone."""
    with suppress(OSError):
        for line in (PROC / str(process.pid) / "status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) // 1024
    return 0
