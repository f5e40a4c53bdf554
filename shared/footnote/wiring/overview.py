"""What a deployment is at now, over all tenants: for operators, with AWS credentials.

All figures come from queues, tables and executions, so they are true for all processes together.
"""

from collections import defaultdict
from collections.abc import Callable
from datetime import datetime
from itertools import islice
from typing import TYPE_CHECKING

from footnote.ask.question.usage_limits import Today, used_by_all
from footnote.model import QUEUE_NAMES, Status, Value
from footnote.wiring.found_stack import find_stack
from footnote.wiring.overview_figures import Figures

if TYPE_CHECKING:
    from footnote.adapters.aws.stack_look import StackLook
    from footnote.ports import Catalog, Counters
    from footnote.wiring.stack_figures import StackFigures

MOST_DOCUMENTS = 5_000  # that are not ended and are looked at: some 5 MB of the table's index
MACHINES = {"reindex": "ReindexMachine", "grid": "GridMachine"}
"""Runs of questions are Express executions, which AWS does not list."""


class QueueState(Value):
    """`dead` counts what was given up and nobody has taken out since."""

    waiting: int
    at_work: int
    put_off: int
    dead: int


class AtWork(Value):
    """Documents of a status, and the seconds since the oldest of them came."""

    documents: int = 0
    oldest_seconds: float = 0.0


class Overview(Value):
    """`more` tells that there are more documents at work than were counted."""

    moment: float
    queues: dict[str, QueueState]
    documents: dict[str, AtWork]
    more: bool
    runs: dict[str, int]
    today: Today
    figures: Figures | None = None  # of CloudWatch, where they are asked for


class Deployment:
    """What an operator looks at, again and again."""

    def __init__(
        self,
        look: "StackLook",
        catalog: "Catalog",
        counters: "Counters",
        clock: Callable[[], float],
        figures: "StackFigures | None" = None,
    ) -> None:
        self._figures = figures
        self._look = look
        self._catalog = catalog
        self._counters = counters
        self._clock = clock

    def overview(self) -> Overview:
        now = self._clock()
        documents, more = self._at_work(now)
        return Overview(
            moment=now,
            queues={name: self._queue(name) for name in QUEUE_NAMES},
            documents=documents,
            more=more,
            runs={name: self._look.runs(machine) for name, machine in MACHINES.items()},
            today=used_by_all(self._counters, now),
            figures=self._figures.now() if self._figures else None,
        )

    def _queue(self, name: str) -> QueueState:
        at = self._look.depth(f"{name.capitalize()}Queue")
        dead = self._look.depth(f"{name.capitalize()}DeadLetters")
        return QueueState(**at._asdict(), dead=dead.waiting)

    def _at_work(self, now: float) -> tuple[dict[str, AtWork], bool]:
        came: dict[Status, list[float]] = defaultdict(list)
        records = islice(self._catalog.unfinished(), MOST_DOCUMENTS + 1)
        for record in islice(records, MOST_DOCUMENTS):
            begun = datetime.fromisoformat(record.received).timestamp() if record.received else now
            came[record.status].append(begun)
        counted: dict[str, AtWork] = {
            status: AtWork(documents=len(each), oldest_seconds=round(max(0.0, now - min(each)), 1))
            for status, each in sorted(came.items())
        }
        return counted, next(records, None) is not None


def find_deployment(
    stack: str, clock: Callable[[], float], *, with_figures: bool = False
) -> Deployment:
    """Returns the deployment with this name of a CloudFormation stack, else the local one.

    With figures it asks CloudWatch, too, which is paid for. Raises ConfigurationError where boto3
    is not installed, or there is no stack.
    """
    found = find_stack(stack)
    from footnote.adapters.aws.stack_metrics import StackMetrics
    from footnote.adapters.dynamodb.catalog import DynamoCatalog
    from footnote.adapters.dynamodb.counters import DynamoCounters

    look, table = found.look, found.client("dynamodb")
    catalog = DynamoCatalog(table, look.resource("DocumentsTable"))
    counters = DynamoCounters(table, look.resource("CountersTable"))
    figures = None
    if with_figures:
        from footnote.wiring.stack_figures import StackFigures

        figures = StackFigures(look, StackMetrics(found.client("cloudwatch")), clock)
    return Deployment(look, catalog, counters, clock, figures)
