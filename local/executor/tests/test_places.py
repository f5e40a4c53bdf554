"""The line of invocations for the few processes of a function."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from footnote_executor.functions.places import LONG, SOON, Places, idle_seconds


class Function:
    """Starts a process for a turn that finds none idle, as LocalStack does."""

    def __init__(self, most, idle=lambda: 0.0, clock=time.monotonic):
        self.processes, self.busy, self.most_busy = 0, 0, 0
        self.order = []
        self._lock = threading.Lock()
        self.places = Places(most, lambda: self.processes, idle, clock)

    def invoke(self, name, work=lambda: time.sleep(0.002)):
        with self.places.turn() as found:
            with self._lock:
                self.order.append(name)
                self.busy += 1
                self.most_busy = max(self.most_busy, self.busy)
                self.processes = max(self.processes, self.busy)
            found()
            work()
            with self._lock:
                self.busy -= 1


def test_no_more_invocations_go_on_than_there_are_places():
    function = Function(3, idle=time.monotonic)  # the machine is idle: others are started soon

    def hold_until_all_are_taken():
        while function.most_busy < 3:
            time.sleep(0.001)

    with ThreadPoolExecutor(12) as pool:
        list(pool.map(lambda n: function.invoke(n, hold_until_all_are_taken), range(12)))
    assert sorted(function.order) == list(range(12))
    assert (function.most_busy, function.processes) == (3, 3)


def test_short_invocations_share_a_warm_process_while_the_machine_is_busy():
    function = Function(16, clock=Clock())  # nobody waits long
    with ThreadPoolExecutor(50) as pool:
        list(pool.map(function.invoke, range(50)))
    assert sorted(function.order) == list(range(50))
    assert function.processes == 1


def test_who_came_first_goes_first():
    function, begun, held = Function(1), threading.Event(), threading.Event()

    def hold():
        with function.places.turn() as found:
            function.processes = 1
            found()
            begun.set()
            held.wait()

    threads = [threading.Thread(target=hold)]
    threads += [threading.Thread(target=function.invoke, args=(n,)) for n in range(8)]
    for n, thread in enumerate(threads):
        thread.start()
        assert begun.wait()  # the first holds the only place
        while len(function.places._line) < n:
            time.sleep(0.001)
    held.set()
    for thread in threads:
        thread.join()
    assert function.order == list(range(8))


def test_a_failed_start_gives_its_place_back():
    function = Function(1)
    with suppress(RuntimeError), function.places.turn():
        raise RuntimeError("no process")
    function.invoke("next")
    assert function.order == ["next"]


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


@pytest.mark.parametrize(
    ("idle", "waited", "starts"),
    [
        (1.0, SOON / 2, False),
        (1.0, SOON, True),
        (0.1, SOON, False),
        (0.1, LONG / 2, False),
        (0.0, LONG, True),
    ],
)
def test_another_process_is_started_where_the_machine_is_idle_or_the_first_waits_long(
    idle, waited, starts
):
    """`idle` is the share of the time in which the machine has nothing to do."""
    clock = Clock()
    places = Places(2, lambda: 1, lambda: idle * clock.now, clock)
    gone = threading.Event()

    def second():
        with places.turn():
            gone.set()

    with places.turn() as found:
        found()
        thread = threading.Thread(target=second)
        thread.start()
        while not places._line:  # until it stands in line
            time.sleep(0.001)
        time.sleep(0.1)
        clock.now = waited
        assert gone.wait(None if starts else 0.5) == starts
    thread.join()
    assert gone.is_set()


def test_the_idle_time_of_a_machine_is_read(tmp_path):
    stat = tmp_path / "stat"
    stat.write_text("cpu  10 0 10 4000 400 0 0 0 0 0\ncpu0 1 2 3\n")
    assert idle_seconds(stat) > 0
    assert idle_seconds(tmp_path / "none") == 0.0
    stat.write_text("nothing")
    assert idle_seconds(stat) == 0.0
