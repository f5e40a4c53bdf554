"""Have sentences as models write them checked by the deployed step, and report which survive.

usage: python -m evals.wording FOLDER [--documents samples/documents] [--rows none,no,yes,mended]
           [--cite sentences|passages] [--why] [--output report.json] [--against earlier.json]
       python -m evals.wording report.json [--why] [--against earlier.json]

FOLDER has the form of ../shared/data/wording/README.md. The documents are added to a pipeline in
this process, and `synthesize` writes each answer from what is found in them. Its writer is given.
Rows say who judges: nobody (`none`), a judge that always says `no` or `yes`, and with MODEL in the
environment that `model`. In `mended` nobody judges, and what is refused is written once more in the
words of its passage.

Exits with 1 if a figure is certainly worse than the earlier report's, with 2 if there was nothing
to write.
"""

import argparse
import json
import os
import time
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from evals.questions import File
from evals.real_model import connect
from evals.retrieval import words
from evals.wording_cases import Case, Cite, Shelf, form_cases, sentence_cases
from evals.wording_fates import fates_of, form_of, says_nothing
from evals.wording_report import show
from evals.wording_writer import ROWS, Row, judge_by, writer_of
from footnote.ask.answer.material import Material
from footnote.ask.synthesize import synthesize
from footnote.model import Answer
from footnote.wire import Json
from footnote.wiring import logs
from footnote.wiring.pipeline import Pipeline
from local.paths import ROOT
from local.state import StackError

SENTENCES, FORMS = "sentences.jsonl", "forms.jsonl"
MODEL = "model"  # the row of the model that the environment names


def main() -> int:
    """Measures a folder or reads a report, shows it, and returns the exit status."""
    options = parse_options()
    earlier = json.loads(options.against.read_text(encoding="utf-8")) if options.against else None
    if options.folder.is_file():
        report: Json = json.loads(options.folder.read_text(encoding="utf-8"))
    else:
        rows = rows_of(options.rows)
        report = measured(options.folder, options.documents, rows, Pipeline(), cite=options.cite)
    if not report["rows"]:
        print(f"nothing to write in {options.folder}: it has no {SENTENCES}, no {FORMS}")
        return 2
    if options.output:
        options.output.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(report, indent=1, ensure_ascii=False)
        options.output.write_text(text + "\n", encoding="utf-8")
    return 1 if show(report, earlier, why=options.why) else 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="sentences and forms, or a report to show")
    parser.add_argument("--documents", type=Path, default=ROOT / "samples" / "documents")
    parser.add_argument(
        "--rows", type=words, default=(), help=f"default: {','.join(ROWS)}, {MODEL}"
    )
    parser.add_argument(
        "--cite", choices=("sentences", "passages"), default="sentences", help="what markers name"
    )
    parser.add_argument("--why", action="store_true", help="print what goes against its label")
    parser.add_argument("--output", type=Path, help="where to write the report as JSON")
    parser.add_argument("--against", type=Path, help="an earlier report: what has changed")
    return parser.parse_args()


def rows_of(wanted: tuple[str, ...]) -> dict[str, Row]:
    """Returns the wanted rows, or all. The model's row is there where the environment names one."""
    rows = dict(ROWS)
    if llm := connect(os.environ):
        rows[MODEL] = Row(judge_by(llm))
    return {name: rows[name] for name in wanted or rows}


def measured(
    folder: Path,
    documents: Path,
    rows: Mapping[str, Row],
    pipeline: Pipeline,
    limit: int | None = None,
    *,
    cite: Cite = "sentences",
) -> Json:
    """Has the answers of a folder written in each row: all, or the first ones of each file."""
    logs.logger.setLevel("ERROR")  # the steps share it, and log each document
    made = datetime.now(UTC).isoformat(timespec="seconds")
    report: Json = {"about": {"made": made, "cite": cite}, "rows": {}}
    answers, forms = folder / SENTENCES, folder / FORMS
    if not answers.is_file() and not forms.is_file():
        return report
    shelf = Shelf(pipeline, files(documents))
    cases = list(sentence_cases(answers, shelf, cite))[:limit] if answers.is_file() else []
    replies = list(form_cases(forms, shelf, cite))[:limit] if forms.is_file() else []
    report["sentences"] = {
        f"{case.id}/{n}": {"text": claim, "true": case.true}
        for case in cases
        for n, claim in enumerate(case.claims)
    }
    for name, row in rows.items():
        report["rows"][name] = _row(cases, replies, shelf, row)
    return report


def _row(cases: list[Case], replies: list[Case], shelf: Shelf, row: Row) -> Json:
    fates: dict[str, str] = {}
    nothing: dict[str, bool] = {}
    shown: dict[str, str] = {}
    spent = 0.0
    for case in cases:
        started = time.process_time()
        answer = written(case, shelf, row)
        spent += time.process_time() - started
        fates |= fates_of(case, answer)
        shown[case.id] = answer.answer
        if case.true:
            nothing[case.id] = says_nothing(answer)
    forms = {case.id: form_of(case, written(case, shelf, row)) for case in replies}
    pace = len(fates) / spent if spent else 0.0
    return {
        "fates": fates,
        "says_nothing": nothing,
        "forms": forms,
        "shown": shown,
        "pace": round(pace, 1),
    }


def written(case: Case, shelf: Shelf, row: Row) -> Answer:
    """Has the deployed step write a case's answer from its evidence."""
    return synthesize(
        Material(
            case.id,
            case.progress,
            {case.evidence.sub_question: case.evidence},
            shelf.stored.document,
            shelf.stored.words,
            writer_of(case, row),
            lambda _kind, _data: None,
        )
    )


def files(folder: Path) -> Iterator[File]:
    for path in sorted(folder.iterdir()):
        yield File("default", path.name, path.read_bytes())


if __name__ == "__main__":
    try:
        raise SystemExit(main())
    except StackError as error:
        raise SystemExit(str(error)) from None
