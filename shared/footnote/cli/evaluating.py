"""Runs an evaluation for the command line: reads files, shows progress, writes the report."""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from footnote.cli import terminal
from footnote.cli.connect import connect, transport
from footnote.cli.plain_text import PlainText
from footnote.client import Client
from footnote.errors import BadRequestError, ConfigurationError
from footnote.evaluation.cases import read_cases
from footnote.evaluation.evaluation import Task, evaluate
from footnote.evaluation.judge import ModelJudge
from footnote.evaluation.judging import Asked, Judged
from footnote.evaluation.page import agreement, render
from footnote.evaluation.rubric import Totals, read_rubric
from footnote.evaluation.settings import Setting, read_settings
from footnote.wire import Json

if TYPE_CHECKING:
    from footnote.ports import LLM

PAGE, DATA = "report.html", "report.json"
AS_IT_IS = "default"  # the setting without any options
MODEL_URL, MODEL_KEY = "FOOTNOTE_JUDGE_URL", "FOOTNOTE_JUDGE_KEY"


class Wishes(NamedTuple):
    """The files and names that the command was given."""

    cases: Path
    rubric: Path | None
    settings: Path | None
    compare: tuple[str, str] | None
    baseline: Path | None
    tags: tuple[str, ...]
    folder: Path


def run_evaluation(wishes: Wishes, *, judge: str, quiet: bool) -> Json:
    """Asks, judges, writes report.html and report.json, and returns the report.

    `judge` names a model; without one rules judge.

    Everything that can be wrong with the files is found before the first question is asked.
    """
    file = read_cases(wishes.cases)
    task = Task(
        file=str(wishes.cases),
        cases=file.with_tags(wishes.tags),
        labels=file.labels,
        drafts=len(file.cases) - len(file.reviewed),
        rubric=read_rubric(wishes.rubric),
        settings=chosen_settings(wishes),
        baseline=read_report(wishes.baseline) if wishes.baseline else None,
    )
    if not task.cases:
        raise BadRequestError(
            f"{wishes.cases} has no reviewed case"
            + (f" with the tags {', '.join(wishes.tags)}" if wishes.tags else ""),
            code="bad_file",
            action="Remove `draft: true` from the cases that are right, or name other tags.",
        )
    before = wishes.folder / DATA
    last = read_report(before) if before.is_file() else None
    model = ModelJudge(named_model(judge)) if judge else None
    report = evaluate(task, connect_to, model, _show_nothing if quiet else _show_case)
    _write(wishes.folder, report, last, task.baseline)
    if not quiet:
        for line in report_lines(report, wishes.folder):
            terminal.out.print(PlainText(line))
    return report


def chosen_settings(wishes: Wishes) -> Mapping[str, Setting]:
    """Returns the settings to run: both that are compared, else the one without options."""
    if not wishes.compare:
        if wishes.settings:
            raise BadRequestError(
                "--settings names settings, but none is chosen",
                action="Choose two of them: --compare A B.",
            )
        return {AS_IT_IS: Setting()}
    known = {AS_IT_IS: Setting()}
    if wishes.settings:
        known |= read_settings(wishes.settings)
    if missing := [name for name in wishes.compare if name not in known]:
        raise BadRequestError(
            f"no setting is named {missing[0]!r}; known: {', '.join(known)}",
            action="Name two settings of the file that --settings gives.",
        )
    return {name: known[name] for name in wishes.compare}


def connect_to(setting: Setting) -> Client:
    """Returns a client of the setting's own deployment, or of the one that commands talk to."""
    if not setting.url:
        return connect()
    key = os.environ.get(setting.key_variable, "")
    if not key:
        raise ConfigurationError(
            f"the variable {setting.key_variable or 'key_variable'} has no key for {setting.url}",
            action="Export the API key of that deployment, and name its variable in key_variable.",
        )
    return Client(setting.url, key, transport=transport.get())


def read_report(path: Path) -> Json:
    """Reads an earlier report. Raises BadRequestError where the file is none of ours."""
    try:
        report: Json = json.loads(path.read_text(encoding="utf-8"))
        for run in report["runs"]:
            Totals.model_validate({name: run[name] for name in Totals.model_fields})
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise BadRequestError(
            f"{path} is no report of `footnote eval`, or cannot be read",
            code="bad_file",
            action="Name a report.json that this release has written.",
        ) from None
    return report


def named_model(name: str) -> "LLM":
    """Returns the model that drafts cases or judges sentences. Two variables say where it is."""
    from footnote.wiring import own_model

    url, key = (os.environ.get(variable, "") for variable in (MODEL_URL, MODEL_KEY))
    return own_model.own_model(name, url, key)


def _show_nothing(_setting: str, _asked: Asked, _judged: Judged) -> None:
    """Shows no progress: JSON is wanted."""


def _show_case(setting: str, asked: Asked, judged: Judged) -> None:
    told = "passed" if not judged.faults else f"failed: {judged.faults[0]}"
    style = "red" if judged.faults else "dim"
    terminal.err.print(PlainText(f"  {setting} {asked.case.id} {told}", style=style))


def report_lines(report: Json, folder: Path) -> Iterator[str]:
    """Yields what a person wants to know first: figures, gates, and where all of it stands."""
    for run in report["runs"]:
        of = len(run["cases"])
        yield f"{run['name']}: score {run['score']:.3f}, {round(run['passed'] * of)} of {of} cases"
        for name, value in (*run["figures"].items(), *run["costs"].items()):
            yield f"  {name:<20}{value:.3f}" if name in run["figures"] else f"  {name:<20}{value:g}"
        for why in run["failures"]:
            yield f"  FAILED {why}"
    if report["judge"]:
        yield agreement(report["judge"])
    yield f"{'passed' if report['passed'] else 'FAILED'}; see {folder / PAGE}"


def _write(folder: Path, report: Json, last: Json | None, baseline: Json | None) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report, ensure_ascii=False, indent=1)
        (folder / DATA).write_text(f"{text}\n", encoding="utf-8")
        (folder / PAGE).write_text(render(report, last, baseline), encoding="utf-8")
    except OSError as error:
        raise BadRequestError(
            f"{folder} cannot be written: {error.strerror or error}",
            code="unwritable_file",
            action="Name another folder with --report.",
        ) from None
