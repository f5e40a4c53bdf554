"""The program of a child (`wiring/child.py`). It takes one request, works on it and ends.

`python -m footnote.wiring.child_main MODULE MEGABYTES`. The module's `prepare()` imports all that
its `work(request)` needs.
"""

import os
import resource
import sys
from importlib import import_module
from pathlib import Path

from footnote.errors import FootnoteError
from footnote.wiring.child import DONE, pack_error, too_much

MEGABYTE = 1 << 20


def main(module: str, megabytes: int) -> None:
    work = import_module(module)
    work.prepare()
    replies = os.dup(1)
    os.dup2(2, 1)  # what libraries print goes to the log, not into the reply
    if not (request := sys.stdin.buffer.read()):
        return  # the parent process has ended
    give_up_rights(_size() + megabytes * MEGABYTE)
    try:
        reply = bytes([DONE]) + work.work(request)
    except FootnoteError as error:
        reply = pack_error(error)
    except MemoryError:
        reply = pack_error(too_much("it takes more memory than there is"))
    while reply:
        reply = reply[os.write(replies, reply) :]


def give_up_rights(memory: int) -> None:
    """Gives up rights that the work does not need. The limits are hard: only root could raise them.

    With no number left for an open file, it can open no socket, file or pipe.
    """
    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_NOFILE, 0),
        (resource.RLIMIT_NPROC, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(what, (most, most))


def _size() -> int:
    """Returns the bytes of this process's address space."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
