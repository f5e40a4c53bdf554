"""Timers that share one thread."""

import threading
import time

from footnote_executor.functions.shared_timer import SharedTimer, TimerThread


def test_timers_call_when_they_are_due_whatever_order_they_start_in() -> None:
    thread, over = TimerThread(), threading.Event()
    SharedTimer(600, int, thread=thread).start()
    SharedTimer(0.05, over.set, thread=thread).start()
    assert over.wait()


def test_a_cancelled_timer_does_not_call_and_one_that_fails_ends_no_other() -> None:
    thread, called = TimerThread(), []
    over = threading.Event()
    cancelled = SharedTimer(0.1, called.append, ["cancelled"], thread=thread)
    with thread._changed:  # it is not due before it is cancelled, however slow the machine is
        cancelled.start()
        cancelled.cancel()
    SharedTimer(0.05, int, ["no number"], thread=thread).start()
    SharedTimer(0.5, lambda: (called.append("other"), over.set()), thread=thread).start()
    assert over.wait()
    assert called == ["other"]


def test_a_thousand_timers_that_are_set_and_cancelled_need_one_thread() -> None:
    thread = TimerThread()
    before = threading.active_count()
    for _ in range(1_000):
        timer = SharedTimer(600, time.time, thread=thread)
        timer.start()
        timer.cancel()
    assert threading.active_count() <= before + 1
