"""Lets go of threads that have ended; stock LocalStack keeps each one it started in a list.

A kept thread keeps its stack mapped: at 65,530 mappings (vm.max_map_count) no thread can start and
every request fails. One came with every Lambda invocation, several with every question.
"""

import threading
from typing import SupportsIndex

from localstack.runtime import hooks

from footnote_executor.patching import original_of, replace_everywhere

SMALLEST = 64  # ended threads are looked for when the list has doubled, and at least this long


class ThreadList(list[threading.Thread]):
    """A list that forgets threads that have ended; the time it takes for each is constant."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.Lock()
        self._limit = SMALLEST

    def append(self, thread: threading.Thread) -> None:
        with self._lock:
            super().append(thread)
            if len(self) >= self._limit:
                self[:] = [one for one in self if not has_ended(one)]
                self._limit = max(SMALLEST, 2 * len(self))

    def pop(self, index: SupportsIndex = -1) -> threading.Thread:
        with self._lock:
            return super().pop(index)


def has_ended(thread: object) -> bool:
    """Returns whether a thread ran and is over; one that was not started yet has not ended.

    LocalStack keeps its pool of threads in the list, too. That never ends.
    """
    return (
        isinstance(thread, threading.Thread) and thread.ident is not None and not thread.is_alive()
    )


@hooks.on_infra_start(priority=90)  # before threads are started
def install_thread_list() -> None:
    from localstack.utils import threads  # noqa: PLC0415

    original_of(threads, "start_thread", "4e137a7a3269")
    kept = ThreadList()
    for thread in threads.TMP_THREADS:
        kept.append(thread)
    replace_everywhere(threads.TMP_THREADS, kept)
