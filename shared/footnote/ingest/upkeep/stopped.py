"""Tells work that has stopped from work that waits."""

from collections.abc import Mapping
from math import inf

from footnote.ingest.upkeep.compare import STAGE
from footnote.model import Problem, Record
from footnote.ports import Queues


def patience(
    queues: Queues, bounds: Mapping[str, float], backlog: float, *, is_paused: bool = False
) -> dict[str, float]:
    """Returns the seconds that work may take, by queue: its bound, or
    `backlog` while messages wait.

    Files that have not reached the parse step yet wait in two queues. `is_paused`: nothing is
    parsed for now, so those files may wait for ever.
    """
    upstream = {"parse": ("admit", "parse")}
    bounds = {**bounds, "parse": inf} if is_paused else bounds
    return {
        queue: max(backlog, bound)
        if any(queues.waiting(waiting) for waiting in upstream.get(queue, (queue,)))
        else bound
        for queue, bound in bounds.items()
    }


def stuck_problem(record: Record) -> Problem:
    """Returns the problem of a document that stopped again after it was queued again."""
    stage = STAGE[record.status]
    return Problem(
        code="stuck",
        message=f"{record.revision.path} is {record.status} since {record.updated}, although it "
        f"was queued again: the {stage} step was stopped each time (out of time or memory), or "
        "its messages were lost",
        action=f"Look at the log of the {stage} step, give it more time or memory or split the "
        "file, then run `footnote retry`.",
    )
