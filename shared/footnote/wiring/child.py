"""Runs work on a hostile file in a child process, bounded in time and memory.

The libraries that draw pages cannot be told to stop. A child that takes too long is killed, and one
that wants too much memory gets none: the function itself goes on.
"""

import resource
import warnings
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

from footnote.errors import BadDocumentError, FootnoteError

MEGABYTE = 1 << 20


def run_bounded[**P, R](work: Callable[P, R], seconds: float, megabytes: int) -> Callable[P, R]:
    """Returns a function that calls `work` in a child process of its own.

    It raises what `work` raises of ours. It raises BadDocumentError with the code `too_large` where
    the work takes more than `seconds`, or wants `megabytes` more than this process has.
    """

    def call(*args: P.args, **named: P.kwargs) -> R:
        fork = get_context("fork")  # a fresh interpreter would import for longer than it draws
        ours, theirs = fork.Pipe(duplex=False)
        limit = _size() + megabytes * MEGABYTE
        child = fork.Process(
            target=_work, args=(theirs, limit, lambda: work(*args, **named)), daemon=True
        )
        with warnings.catch_warnings():
            # of forks beside threads: a function of Lambda has none, and the child takes no lock
            warnings.simplefilter("ignore", DeprecationWarning)
            child.start()
        theirs.close()
        try:
            if not ours.poll(seconds):
                raise _too_much(f"it takes more than {seconds:.0f} s")
            told: R | FootnoteError = ours.recv()
        except EOFError:  # the kernel has ended it, or MuPDF itself
            raise _too_much("it takes more memory than there is, or breaks what draws it") from None
        finally:
            child.kill()
            child.join()
            ours.close()
        if isinstance(told, FootnoteError):
            raise told
        return told

    return call


def _work[R](pipe: Connection, limit: int, work: Callable[[], R]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    try:
        told: R | FootnoteError = work()
    except FootnoteError as error:
        told = error
    except MemoryError:
        told = _too_much("it takes more memory than there is")
    with suppress(BrokenPipeError):  # nobody waits any more
        pipe.send(told)


def _size() -> int:
    """Returns the bytes of memory that this process has addresses for."""
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    return pages * resource.getpagesize()


def _too_much(why: str) -> BadDocumentError:
    return BadDocumentError(
        f"the page cannot be drawn: {why}.",
        code="too_large",
        action="Split it into smaller files and upload those.",
    )
