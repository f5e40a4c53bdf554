"""Parses files that nobody trusts, each in a process of its own that is limited and watched.

usage: python -m tests.watched FILE…    prints one JSON object per file: see `Outcome`.

The kernel limits memory, processor time and file sizes. The network is taken away where the machine
allows it. An audit hook sees what Python opens, connects and starts. It does not see C libraries:
a write of theirs ends the process, as no file may grow. What they may have read must not be in the
text, so the callers look there for this machine's users.
"""

import gc
import json
import os
import resource
import sys
import sysconfig
import time
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import TypedDict

import footnote.ingest.parse
from footnote.errors import FootnoteError
from footnote.ingest.parse import parse
from footnote.ingest.parse.ocr import tessdata

MEMORY = 3 << 30  # bytes of address space; a function has less memory, but that is not the same
SECONDS = 60  # of processor time; `parse` has 300
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_CHANGES = ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.chmod")
_STARTS = ("subprocess.", "os.exec", "os.posix_spawn", "os.system", "os.fork", "pty.")


class Outcome(TypedDict, total=False):
    """The result of parsing one file: its `text`, or `code` and `action` of a refusal.

    `signal` is the signal that killed the process, else 0. `seen` lists what the process opened,
    wrote, called or started although parsing has no need of it.
    """

    file: str
    text: str
    code: str
    action: str
    crash: str
    signal: int
    seen: list[str]
    seconds: float
    megabytes: int


class Watch:
    """An audit hook: it cannot be removed, so it belongs in a process that ends."""

    def __init__(self) -> None:
        ours = [sys.prefix, sys.base_prefix, sysconfig.get_path("stdlib"), *sys.path]
        data = tessdata.folder()
        self._ours = tuple(os.path.realpath(each) for each in [*ours, str(data or "")] if each)
        self.seen: list[str] = []

    def __call__(self, event: str, details: tuple[object, ...]) -> None:
        if event == "open":
            self._opened(details[0], details[2])
        elif event.startswith(("socket.", *_STARTS, *_CHANGES)):
            self.seen.append(f"{event} {details}"[:200])

    def _opened(self, path: object, flags: object) -> None:
        if not isinstance(path, str | bytes):  # an open file's descriptor
            return
        name = os.path.realpath(os.fsdecode(path))
        if isinstance(flags, int) and flags & _WRITING:
            self.seen.append(f"write {name}")
        elif not name.startswith((*self._ours, "/dev/null")):
            self.seen.append(f"read {name}")


def attempt(path: Path) -> Outcome:
    """Parses the file, in the child process, and returns the outcome."""
    body = path.read_bytes()
    _limit()
    watch = Watch()
    sys.addaudithook(watch)
    found: Outcome = {}
    try:
        found["text"] = parse(body, path.name).document.text
    except FootnoteError as error:
        found = {"code": error.code, "action": error.action}
    except Exception as error:  # noqa: BLE001 - a crash is what we look for
        found["crash"] = f"{type(error).__name__}: {error}"[:200]
    found["seen"] = watch.seen
    return found


def _limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 5))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        os.unshare(os.CLONE_NEWUSER | os.CLONE_NEWNET)
    except OSError:  # not every machine allows it; the hook still sees connections
        return


def run_watched(path: Path) -> Outcome:
    """Forks, parses in the child, and measures its time and memory."""
    reading, writing = os.pipe()
    started = time.perf_counter()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as answer:
            json.dump(attempt(path), answer)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    _, status, usage = os.wait4(child, 0)
    outcome: Outcome = json.loads(told or "{}")
    outcome["file"] = path.name
    outcome["signal"] = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
    outcome["seconds"] = round(time.perf_counter() - started, 3)
    outcome["megabytes"] = usage.ru_maxrss >> 10
    return outcome


def main() -> int:
    sys.dont_write_bytecode = True
    for module in walk_packages(footnote.ingest.parse.__path__, "footnote.ingest.parse."):
        import_module(module.name)  # once here, not in every child
    gc.freeze()
    for name in sys.argv[1:]:
        print(json.dumps(run_watched(Path(name))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
