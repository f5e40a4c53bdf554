"""Work on a hostile file runs in a process of its own, which is stopped where it takes too much."""

import os
import signal
import time

import pytest

from footnote.errors import BadDocumentError, NotFoundError
from footnote.wiring.child import run_bounded


def echo(value):
    return value, os.getpid()


def test_the_work_is_done_in_another_process_and_its_result_comes_back():
    value, pid = run_bounded(echo, 5, 500)(b"x" * 5_000_000)
    assert value == b"x" * 5_000_000
    assert pid != os.getpid()


def test_an_error_of_ours_comes_back_with_its_code_and_action():
    def fail():
        raise NotFoundError("no page 9", code="no_page", action="Ask for another.")

    with pytest.raises(NotFoundError, match="no page 9") as caught:
        run_bounded(fail, 5, 500)()
    assert (caught.value.code, caught.value.action) == ("no_page", "Ask for another.")


def test_work_that_does_not_end_is_stopped():
    def hang():
        time.sleep(60)

    started = time.monotonic()
    with pytest.raises(BadDocumentError, match="more than 0 s") as caught:
        run_bounded(hang, 0.4, 500)()
    assert caught.value.code == "too_large"
    assert time.monotonic() - started < 5


def test_work_that_wants_too_much_memory_gets_none():
    with pytest.raises(BadDocumentError, match="memory") as caught:
        run_bounded(bytearray, 5, 100)(300 << 20)
    assert caught.value.code == "too_large"
    assert len(run_bounded(bytearray, 5, 100)(30 << 20)) == 30 << 20


def test_a_child_that_is_killed_or_breaks_is_an_error_and_not_the_end():
    def die():
        os.kill(os.getpid(), signal.SIGKILL)

    with pytest.raises(BadDocumentError) as caught:
        run_bounded(die, 5, 500)()
    assert caught.value.code == "too_large"


def test_an_error_that_is_not_ours_stops_only_the_child(capfd):
    def break_down():
        raise ZeroDivisionError

    with pytest.raises(BadDocumentError):
        run_bounded(break_down, 5, 500)()
    assert "ZeroDivisionError" in capfd.readouterr().err  # the function's log has it
