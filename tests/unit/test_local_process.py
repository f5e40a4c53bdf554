"""Processes of the local stack are known by pid and start time, and end with their children."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from local.paths import ROOT
from local.process import (
    MARKER,
    STARTED,
    ProcessId,
    end,
    find_marked,
    is_alive,
    start,
    start_time,
    unwinding,
)

SLEEPER = "import time; time.sleep(60)"
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(60)"
UNWINDING = f"""
import pathlib, subprocess, sys, time
from local.process import unwinding
with unwinding():
    child = subprocess.Popen([sys.executable, "-c", {SLEEPER!r}])
    try:
        pathlib.Path("begun").touch()
        time.sleep(60)
    finally:
        child.kill()
        child.wait()
"""
PARENT = f"import subprocess, sys; subprocess.Popen([sys.executable, '-c', {SLEEPER!r}]).wait()"


def start_python(code: str, folder: Path) -> ProcessId:
    environ = {**os.environ, MARKER: str(folder), "PYTHONPATH": str(ROOT)}
    return start((sys.executable, "-c", code), cwd=folder, log=folder / "log", environ=environ)


def wait_for_marked(folder: Path, count: int) -> list[ProcessId]:
    while len(found := find_marked(folder)) < count:
        time.sleep(0.01)
    return found


def test_a_running_process_is_alive_and_an_ended_one_is_not(tmp_path: Path) -> None:
    process = start_python(SLEEPER, tmp_path)
    assert is_alive(process)
    end([process], grace_seconds=5)
    assert not is_alive(process)


def test_a_pid_that_another_process_has_by_now_is_not_alive() -> None:
    assert not is_alive(ProcessId(os.getpid(), "another boot:1"))


def test_a_zombie_is_not_alive() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    while start_time(child.pid) is not None:
        time.sleep(0.01)
    assert not is_alive(ProcessId(child.pid, ""))
    child.wait()


def test_children_are_found_by_the_mark_and_not_those_of_other_stacks(tmp_path: Path) -> None:
    mine, other = tmp_path / "mine", tmp_path / "other"
    mine.mkdir()
    other.mkdir()
    parent, stranger = start_python(PARENT, mine), start_python(SLEEPER, other)
    family = wait_for_marked(mine, 2)
    try:
        assert parent in family
        assert stranger not in family
        end([parent], grace_seconds=5)
        assert [process for process in family if is_alive(process)] == find_marked(mine)
    finally:
        end([*family, stranger], grace_seconds=5)
    assert (find_marked(mine), find_marked(other)) == ([], [])


def test_a_process_that_ignores_the_request_is_killed(tmp_path: Path) -> None:
    process = start_python(STUBBORN, tmp_path)
    end([process], grace_seconds=0.3)
    assert not is_alive(process)


def test_a_process_that_is_told_to_end_ends_first_what_it_started(tmp_path: Path) -> None:
    parent = start_python(UNWINDING, tmp_path)
    family = wait_for_marked(tmp_path, 2)
    try:
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        os.kill(parent.pid, signal.SIGTERM)
        assert STARTED[-1].wait() == 128 + signal.SIGTERM
        assert find_marked(tmp_path) == []
    finally:
        end(family, grace_seconds=5)


def test_outside_of_it_sigterm_does_what_it_did() -> None:
    before = signal.getsignal(signal.SIGTERM)
    with unwinding():
        assert signal.getsignal(signal.SIGTERM) is not before
    assert signal.getsignal(signal.SIGTERM) is before
