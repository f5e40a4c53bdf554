"""Work for a child process (`footnote.wiring.child`) by a file that has taken it over.

The request is the name of what to do.
"""

import ctypes
import json
import os
import signal
import socket
from pathlib import Path

from footnote.errors import NotFoundError

LIBC = ctypes.CDLL(None, use_errno=True)


def prepare():
    pass


def work(request):
    name, _, given = request.decode().partition(" ")
    return WORK[name](given)


def echo(given):
    return f"{os.getpid()} {given}".encode()


def fail(_):
    raise NotFoundError("no page 9", code="no_page", action="Ask for another.")


def hang(_):
    signal.pause()


def take(given):
    return b"x" * len(bytearray(int(given)))


def die(_):
    os.kill(os.getpid(), signal.SIGKILL)


def break_down(_):
    raise ZeroDivisionError


def flood(_):
    return bytes(64_000_000)


def chatter(given):
    print("a library's own words", flush=True)
    return given.encode()


def environment(_):
    return json.dumps(dict(os.environ)).encode()


def refused(action):
    """Returns the name of the error that an action ends with."""
    try:
        action()
    except OSError as error:
        return type(error).__name__ + f" {error.errno}"
    return "nothing"


def reach_out(given):
    """Tries all ways to what was not given: network, files, another process's environment."""
    ways = {
        "socket": socket.socket,
        "file": lambda: Path(__file__).read_bytes(),
        "environment of the parent": lambda: Path(f"/proc/{given}/environ").read_bytes(),
        "pipe": os.pipe,
        "freed": lambda: (os.close(0), socket.socket()),
    }
    return json.dumps({way: refused(action) for way, action in ways.items()}).encode()


def open_files(_):
    found = [fd for fd in range(1_000) if refused(lambda fd=fd: os.fstat(fd)) == "nothing"]
    return json.dumps(found).encode()


class Span(ctypes.Structure):
    _fields_ = (("base", ctypes.c_void_p), ("size", ctypes.c_size_t))


def read_memory(given):
    """Reads another process's memory, which needs no open file: process_vm_readv(2)."""
    pid, address, size = map(int, given.split())
    room = ctypes.create_string_buffer(size)
    here, there = Span(ctypes.addressof(room), size), Span(address, size)
    read = LIBC.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0)
    return room.raw if read == size else f"refused {ctypes.get_errno()}".encode()


WORK = {
    one.__name__: one
    for one in (
        echo, fail, hang, take, die, break_down, flood, chatter, environment, reach_out, open_files,
        read_memory,
    )
}  # fmt: skip
