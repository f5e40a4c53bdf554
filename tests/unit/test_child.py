"""Work on a hostile file runs in a process of its own, which has nothing and is stopped."""

import ctypes
import json
import os

import pytest

from footnote.errors import BadDocumentError, NotFoundError
from footnote.wiring import child as wiring
from footnote.wiring.child import Child, pack_error, unpack
from tests.stack import PATIENCE


@pytest.fixture
def run():
    """Runs hostile work (tests/hostile_work.py) in a child."""
    made = []

    def do(work, seconds=PATIENCE, megabytes=500):
        made.append(Child("tests.hostile_work", seconds, megabytes))
        return made[-1].run(work.encode())

    yield do
    for one in made:
        one.end()


def test_the_work_is_done_in_another_process_and_its_result_comes_back(run):
    pid, _, said = run("echo " + "x" * 5_000_000).partition(b" ")
    assert said == b"x" * 5_000_000
    assert int(pid) != os.getpid()


def test_each_request_has_a_process_of_its_own_and_the_next_is_ready():
    child = Child("tests.hostile_work", PATIENCE, 500)
    pids = [child.run(b"echo ").split()[0] for _ in range(3)]
    assert len({*pids}) == 3
    ready = child._ready[0]
    assert ready.poll() is None
    assert child.run(b"echo ").split()[0] == str(ready.pid).encode()
    child._ready[0].kill()  # one that has ended is not waited for
    child._ready[0].wait()
    assert child.run(b"echo ")
    ready = child._ready[0]
    child.end()
    assert ready.poll() is not None


def test_a_child_ends_with_whoever_started_it():
    child = Child("tests.hostile_work", PATIENCE, 500)
    ready = child._ready.pop()
    ready.stdin.close()
    assert ready.wait() == 0
    ready.stdout.close()


def test_an_error_of_ours_comes_back_with_its_code_and_action(run):
    with pytest.raises(NotFoundError, match="no page 9") as caught:
        run("fail")
    assert (caught.value.code, caught.value.action) == ("no_page", "Ask for another.")


def test_work_that_does_not_end_is_stopped(run):
    with pytest.raises(BadDocumentError, match="more than 0 s") as caught:
        run("hang", seconds=0.4)
    assert caught.value.code == "too_large"


def test_work_that_wants_too_much_memory_gets_none(run):
    with pytest.raises(BadDocumentError, match="memory") as caught:
        run(f"take {300 << 20}", megabytes=100)
    assert caught.value.code == "too_large"
    assert len(run(f"take {15 << 20}", megabytes=100)) == 15 << 20


@pytest.mark.parametrize("end", ["die", "break_down"])
def test_a_child_that_is_killed_or_breaks_is_an_error_and_not_the_end(run, end, capfd):
    with pytest.raises(BadDocumentError) as caught:
        run(end)
    assert caught.value.code == "too_large"
    assert ("ZeroDivisionError" in capfd.readouterr().err) == (end == "break_down")  # for the log


def test_a_reply_without_end_is_not_kept(run):
    with pytest.raises(BadDocumentError, match="too large"):
        run("flood")


def test_what_a_library_prints_is_no_part_of_the_reply(run, capfd):
    assert run("chatter done") == b"done"
    assert "own words" in capfd.readouterr().err


# -- what a file that has taken the child over finds -----------------------------------------------


def test_a_child_has_no_credentials_in_its_environment(run, monkeypatch):
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "secret-of-the-function")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/var/lang/lib")
    found = json.loads(run("environment"))
    assert set(found) - {"LC_CTYPE"} == {"PYTHONPATH", *wiring.KEPT}  # Python sets that one
    assert "secret-of-the-function" not in json.dumps(found)


def test_a_child_opens_nothing(run):
    """Too many open files: for a socket, a file, a pipe, and also when one of its own is closed."""
    found = json.loads(run(f"reach_out {os.getpid()}"))
    assert set(found.values()) == {"OSError 24"}
    assert len(found) == 5


def test_nothing_that_is_open_here_is_open_there(run):
    with open(__file__, "rb") as held:  # noqa: PTH123  # the descriptor is what counts
        os.set_inheritable(held.fileno(), False)
        found = json.loads(run("open_files"))
    assert len(found) == 4  # the request, the log twice, the reply


def test_a_child_cannot_read_the_memory_of_whoever_started_it(run):
    """As root it could: then the kernel asks for nothing else."""
    secret = ctypes.create_string_buffer(b"secret-of-the-function")
    said = run(f"read_memory {os.getpid()} {ctypes.addressof(secret)} 22")
    assert ctypes.CDLL(None).prctl(3, 0, 0, 0, 0) == 0  # PR_GET_DUMPABLE
    assert said.startswith(b"refused") or os.getuid() == 0


@pytest.mark.parametrize(
    "reply", [b"", b"\x00", b"\x07", b"\x00\xff\xff", b"\xff" * 9, b"\x80\x04\x95cos\nsystem\n"]
)
def test_a_reply_that_is_none_is_an_error_and_is_not_believed(reply):
    with pytest.raises(BadDocumentError):
        unpack(reply)


def test_no_text_of_an_error_is_longer_than_a_thousand_bytes():
    with pytest.raises(BadDocumentError) as caught:
        unpack(pack_error(BadDocumentError("ü" * 90_000, code="c" * 90_000, action="a" * 90_000)))
    error = caught.value
    assert max(map(len, (error.code, error.message, error.action))) <= 1_000
