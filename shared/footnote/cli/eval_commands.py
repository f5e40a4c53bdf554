"""The command `footnote eval`: asks a team's own cases, judges, reports, and gates by exit code."""

from pathlib import Path
from typing import Annotated

import typer

from footnote.cli import terminal
from footnote.cli.connect import connect
from footnote.cli.options import AsJson, Documents, InCollection
from footnote.cli.plain_text import PlainText
from footnote.errors import BadRequestError


def evaluate(
    cases: Annotated[Path, typer.Argument(help="The file of cases, in YAML.")] = Path("cases.yaml"),
    make: Annotated[
        bool, typer.Option("--make", help="Write that file: drafts from documents and feedback.")
    ] = False,
    by_model: Annotated[str, typer.Option(help="Let this model draft.", metavar="MODEL")] = "",
    rubric: Annotated[
        Path | None, typer.Option(help="What figures weigh and their floors, in YAML.")
    ] = None,
    settings: Annotated[
        Path | None, typer.Option(help="Named settings of requests, in YAML.")
    ] = None,
    compare: Annotated[
        tuple[str, str] | None,
        typer.Option(help="Two named settings to run side by side.", metavar="A B"),
    ] = None,
    baseline: Annotated[
        Path | None, typer.Option(help="An earlier report.json, below which nothing may fall.")
    ] = None,
    tag: Annotated[
        list[str] | None, typer.Option(help="Only cases with this tag; repeat for more.")
    ] = None,
    judge: Annotated[
        str, typer.Option(help="Let this model judge sentences.", metavar="MODEL")
    ] = "",
    folder: Annotated[
        Path, typer.Option("--report", help="The folder for report.html and report.json.")
    ] = Path("footnote-eval"),
    most: Annotated[int, typer.Option(help="How many drafts to make.", min=1, max=1000)] = 40,
    collection: InCollection = None,
    document: Documents = None,
    as_json: AsJson = False,
) -> None:
    """Ask your own cases and say how good the answers are. Exits with 1 where a gate fails."""
    if make:
        _make(cases, (collection or "", document or [], most), by_model=by_model, as_json=as_json)
        return
    if collection or document:
        raise BadRequestError(
            "--collection and --document are for --make",
            action="Write `collection` and `documents` into the cases.",
        )
    from footnote.cli.evaluating import Wishes, run_evaluation

    wishes = Wishes(cases, rubric, settings, compare, baseline, tuple(tag or ()), folder)
    report = run_evaluation(wishes, judge=judge, quiet=as_json)
    if as_json:
        terminal.print_json(report)
    raise typer.Exit(0 if report["passed"] else 1)


def _make(path: Path, which: tuple[str, list[str], int], *, by_model: str, as_json: bool) -> None:
    from footnote.cli.evaluating import named_model
    from footnote.evaluation import drafts as drafting
    from footnote.evaluation.cases import write_cases
    from footnote.evaluation.draft_rules import RULES

    rules = [drafting.by_model(named_model(by_model))] if by_model else RULES
    with connect() as client:
        drafts = drafting.draft_cases(client, *which, rules)
        labels = list(drafting.feedback_labels(client))
    write_cases(path, drafts, labels)
    if as_json:
        counts = {"drafts": len(drafts), "labels": len(labels)}
        terminal.print_json({"file": str(path), **counts})
    else:
        told = f"wrote {len(drafts)} drafts to {path}: correct each, then remove `draft: true`"
        terminal.err.print(PlainText(told))
