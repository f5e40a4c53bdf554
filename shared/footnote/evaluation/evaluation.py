"""One evaluation: cases asked with one or two settings, judged, and reported as JSON."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from footnote import __version__
from footnote.client import Client
from footnote.evaluation.asking import ask_all
from footnote.evaluation.cases import Case, Label
from footnote.evaluation.judge import ModelJudge
from footnote.evaluation.judging import Asked, Judged, judge
from footnote.evaluation.results import run_results, totals_of
from footnote.evaluation.rubric import Rubric
from footnote.evaluation.settings import Setting
from footnote.evaluation.words import rests_on
from footnote.wire import Json

type ClientOf = Callable[[Setting], Client]
"""Returns the client of the footnote that a setting names."""
type Seen = Callable[[str, Asked, Judged], None]
"""Is told of each case when it has ended: setting, what came, how good it is."""


class Task(NamedTuple):
    """What is asked and by what it is judged."""

    file: str
    cases: Sequence[Case]
    labels: Sequence[Label]
    drafts: int
    rubric: Rubric
    settings: Mapping[str, Setting]
    baseline: Json | None = None


def evaluate(task: Task, client_of: ClientOf, model: ModelJudge | None, seen: Seen) -> Json:
    """Asks all cases with each setting and returns the report."""
    supports = model.supports if model else rests_on
    runs = []
    for name, setting in task.settings.items():
        by_id: dict[str, Judged] = {}

        def note(asked: Asked, name: str = name, by_id: dict[str, Judged] = by_id) -> None:
            by_id[asked.case.id] = judge(asked, task.rubric.depth, supports)
            seen(name, asked, by_id[asked.case.id])

        with client_of(setting) as client:
            asked = ask_all(client, task.cases, setting, note)
        judged = [by_id[one.case.id] for one in asked]
        run = run_results(name, asked, judged, task.rubric, totals_of(task.baseline, name))
        runs.append(run | {"setting": setting.model_dump(mode="json", exclude_defaults=True)})
    return {
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "footnote": __version__,
        "file": task.file,
        "drafts": task.drafts,
        "rubric": task.rubric.model_dump(mode="json", exclude_none=True),
        "judge": model.results(task.labels) if model else None,
        "passed": not any(run["failures"] for run in runs),
        "runs": runs,
    }
