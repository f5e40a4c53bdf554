"""An OpenSearch of its own for an eval, from the local stack's tools, without the rest of it."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from local import lifecycle, opensearch
from local.java import require_java
from local.paths import LOGS, READABLE, STACKS, stack_folder
from local.process import start_time, unwinding

GIVEN = "FOOTNOTE_OPENSEARCH_URL"
STEM = "evalnode-"  # of the node's name; the pid of the eval follows, as several may run at once


@contextmanager
def start_node() -> Iterator[str]:
    """Yields the URL of a fresh node, which is ended and deleted afterwards; its log is kept.

    With FOOTNOTE_OPENSEARCH_URL in the environment that one is used, and stays.
    """
    if given := os.environ.get(GIVEN):
        yield given
        return
    os.umask(READABLE)
    end_orphans()
    name = f"{STEM}{os.getpid()}"
    state = stack_folder(name)
    (state / "logs").mkdir(parents=True)
    with unwinding():
        try:
            with lifecycle.lock("start or stop"):  # a port is taken only once its server runs
                _, http, transport, _ = lifecycle.choose_ports()
                process = opensearch.start_opensearch(name, state, require_java(), http, transport)
                url = f"http://127.0.0.1:{http}"
                ready = partial(opensearch.is_ready, url, process.pid)
                lifecycle.wait_for("opensearch", process, ready, state / "logs")
            yield url
        finally:
            shutil.copytree(state / "logs", LOGS / "eval", dirs_exist_ok=True)
            lifecycle.down(name)


def end_orphans() -> None:
    """Ends the nodes of evals that were killed."""
    for folder in STACKS.glob(f"{STEM}*"):
        pid = folder.name.removeprefix(STEM)
        if pid.isdecimal() and start_time(int(pid)) is None:
            lifecycle.down(folder.name)
