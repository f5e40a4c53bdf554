"""Runs work on a hostile file in its own process: bounded in time and memory, without secrets.

The libraries that open such files cannot be told to stop, and a file might take over the process
that opens it. So the process is a fresh interpreter (`wiring/child_main.py`) that has never held
credentials. It gets no environment. Before it looks at the file, it gives up the right to open
anything. Its reply is read as bytes of a fixed layout.
"""

import ctypes
import os
import select
import struct
import subprocess
import sys
import time
from collections import deque
from contextlib import suppress
from functools import cache

from footnote.errors import BadDocumentError, FootnoteError, NotFoundError

MOST_BYTES = 32_000_000  # of a reply: a picture has at most 2.5 million pixels of three bytes
KEPT = ("LD_LIBRARY_PATH",)  # Lambda's interpreter finds its own library by it
KINDS: tuple[type[FootnoteError], ...] = (BadDocumentError, NotFoundError)
"""The errors that a child may reply with, by their number in the reply."""
DONE = len(KINDS)
TEXTS = struct.Struct(">HHH")  # bytes of an error's code, message and action
PR_SET_DUMPABLE = 4  # prctl(2)


class Child:
    """Calls `work(request)` of a module, each time in a process of its own.

    One process is always ready, as its imports take longer than most work. It waits for a request,
    and ends when this process does.
    """

    def __init__(self, module: str, seconds: float, megabytes: int) -> None:
        self._module = module
        self._seconds = seconds
        self._megabytes = megabytes
        self._ready: deque[subprocess.Popen[bytes]] = deque()
        close_memory()
        self._ready.append(self._start())

    def run(self, request: bytes) -> bytes:
        """Returns what the work returns, or raises its error of `KINDS`.

        Raises BadDocumentError with the code `too_large` where the work takes more than `seconds`,
        or `megabytes` more than the process has.
        """
        until = time.monotonic() + self._seconds
        child = self._take()
        try:
            with suppress(BrokenPipeError):  # it has ended: its reply is empty, too
                send(child, request)
            return unpack(self._read(child, until))
        finally:
            child.kill()
            child.wait()
            close(child)
            self._ready.append(self._start())

    def end(self) -> None:
        """Ends the process that is ready."""
        while self._ready:
            child = self._ready.pop()
            child.kill()
            child.wait()
            close(child)

    def _take(self) -> subprocess.Popen[bytes]:
        with suppress(IndexError):
            child = self._ready.pop()
            if child.poll() is None:
                return child
            close(child)
        return self._start()

    def _start(self) -> subprocess.Popen[bytes]:
        path = os.pathsep.join(entry for entry in sys.path if entry)
        environment = {name: os.environ[name] for name in KEPT if name in os.environ}
        words = [sys.executable, "-m", "footnote.wiring.child_main", self._module]
        return subprocess.Popen(  # noqa: S603  # our own interpreter and module
            [*words, str(self._megabytes)],
            env={"PYTHONPATH": path, **environment},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,  # no other open file is passed on to it
        )

    def _read(self, child: subprocess.Popen[bytes], until: float) -> bytes:
        assert child.stdout  # noqa: S101  # a pipe, see `_start`
        pipe, reply = child.stdout.fileno(), bytearray()
        while len(reply) <= MOST_BYTES:
            if not select.select([pipe], [], [], max(0.0, until - time.monotonic()))[0]:
                raise too_much(f"it takes more than {self._seconds:.0f} s")
            if not (piece := os.read(pipe, 1 << 20)):
                return bytes(reply)
            reply += piece
        raise too_much("what was drawn is too large")


@cache
def child_for(module: str, seconds: float, megabytes: int) -> Child:
    """Returns the child for this work: the same one for the whole process."""
    return Child(module, seconds, megabytes)


def send(child: subprocess.Popen[bytes], request: bytes) -> None:
    """Gives a child its request. The child reads all of it first."""
    assert child.stdin  # noqa: S101  # a pipe, see `Child._start`
    child.stdin.write(request)
    child.stdin.close()


def close(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdin, child.stdout):
        with suppress(BrokenPipeError):
            if pipe:
                pipe.close()


def close_memory() -> None:
    """Forbids other processes of this user to read this one's memory and environment.

    A child runs as the same user. Without this it could read the credentials here.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)


def pack_error(error: FootnoteError) -> bytes:
    """Returns the reply for an error: its kind, the lengths of its texts, the texts."""
    kind = next((n for n, error_type in enumerate(KINDS) if isinstance(error, error_type)), 0)
    texts = [text.encode()[:1_000] for text in (error.code, error.message, error.action)]
    return bytes([kind]) + TEXTS.pack(*map(len, texts)) + b"".join(texts)


def unpack(reply: bytes) -> bytes:
    """Returns the result in a reply. Raises the error in it, or
    BadDocumentError for a broken reply.
    """
    if reply[:1] == bytes([DONE]):
        return reply[1:]
    try:
        kind, lengths = KINDS[reply[0]], TEXTS.unpack_from(reply, 1)
    except (IndexError, struct.error):  # the kernel ended it, or the library crashed
        raise too_much("it takes more memory than there is, or breaks what draws it") from None
    texts, begin = [], 1 + TEXTS.size
    for length in lengths:
        texts.append(reply[begin : begin + length].decode(errors="replace"))
        begin += length
    code, message, action = texts
    raise kind(message, code=code, action=action)


def too_much(why: str) -> BadDocumentError:
    return BadDocumentError(
        f"the page cannot be drawn: {why}.",
        code="too_large",
        action="Split it into smaller files and upload those.",
    )
