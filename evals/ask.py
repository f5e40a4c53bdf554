"""Ask the questions of a folder without a model, and report how good the answers are.

usage: python -m evals.ask FOLDER [--rows loop,single,whole,sure,alone] [--only qa,talks,…] [--core]
           [--output report.json] [--against earlier.json]
       python -m evals.ask report.json [--against earlier.json]

FOLDER has the form of ../shared/data/README.md: docs/ with qa.jsonl, dialogue/. It may also have
talks.jsonl: conversations about docs/ (`talk_cases` in evals/ask_cases.py), in which each turn is
asked after those before it. Parts that it lacks are left out. The files are added to an OpenSearch
of its own, once, and asked by the steps that are deployed, in this process. Rows: `loop` as
deployed, `single` with one round, `whole` with questions never split, `sure` with a least
confidence of .7, `alone` each turn of a conversation in words that need no other turn. A report in
place of the folder is only shown.

Exits with 1 if a figure is certainly worse than the earlier report's (or if OpenSearch does not
start), with 2 if there was nothing to ask.
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from evals.ask_cases import (
    Case,
    FollowUp,
    dialogue_cases,
    dialogue_sets,
    documents,
    follow_ups,
    has_qa,
    has_talks,
    passages,
    qa_cases,
    talk_cases,
)
from evals.ask_figures import carried, judge
from evals.ask_report import show
from evals.asking import ROWS, TALKS, Ask, asker, rows_of
from evals.caches import FileCache
from evals.intervals import SAMPLES, SEED
from evals.library import TENANT, Library, open_library
from evals.node import start_node
from evals.originals import Originals
from evals.questions import File
from evals.retrieval import CACHE, words
from footnote.ask.plan import plan
from footnote.errors import FootnoteError
from footnote.model import Scope
from footnote.wire import Json
from local.state import StackError

REWRITES = "follow-ups"


def main() -> int:
    """Measures a folder or reads a report, shows it, and returns the exit status."""
    options = parse_options()
    earlier = json.loads(options.against.read_text(encoding="utf-8")) if options.against else None
    if options.folder.is_file():
        report: Json = json.loads(options.folder.read_text(encoding="utf-8"))
    else:
        report = measured(options)
    if not report["parts"]:
        print(
            f"nothing to ask in {options.folder}: it has no docs/ with qa.jsonl"
            " or talks.jsonl, no dialogue/"
        )
        return 2
    return 1 if show(report, earlier) else 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="documents and questions, or a report to show")
    parser.add_argument("--rows", type=words, default=(), help=f"default: {','.join(ROWS)}")
    parser.add_argument("--only", type=words, default=(), help="parts: qa, clapnq, follow-ups, …")
    parser.add_argument("--core", action="store_true", help="of qa.jsonl the core alone")
    parser.add_argument("--output", type=Path, help="where to write the report as JSON")
    parser.add_argument("--against", type=Path, help="an earlier report: what has changed")
    return parser.parse_args()


def measured(options: argparse.Namespace) -> Json:
    """Measures the parts of a folder, one after the other."""
    report = empty_report()
    wanted = {
        name: part
        for name, part in parts(options.folder, core=options.core).items()
        if not options.only or name in options.only
    }
    with ExitStack() as stack:
        if not wanted:
            return report
        url = stack.enter_context(start_node())
        cache = FileCache(CACHE)
        stack.callback(cache.close)
        for name, (files, cases, follows) in wanted.items():
            library = open_library(cache, url, f"eval-ask-{name}")
            bodies = add(library, files())
            asks = {row: asker(library.pipeline, row) for row in rows_of(name, options.rows)}
            measure(report, name, asks, cases(), Originals(bodies))
            if found := list(follows()):
                report["parts"][name] = resolve_all(found)
            if options.output:
                options.output.parent.mkdir(parents=True, exist_ok=True)
                text = json.dumps(report, indent=1, ensure_ascii=False)
                options.output.write_text(text + "\n", encoding="utf-8")
    return report


type Part = tuple[
    Callable[[], Iterator[File]], Callable[[], Iterator[Case]], Callable[[], Iterator[FollowUp]]
]
"""The files of a part, its cases, its follow-ups."""


def parts(folder: Path, *, core: bool) -> dict[str, Part]:
    """Returns what there is to ask in a folder."""
    found: dict[str, Part] = {}
    if has_qa(folder):
        found["qa"] = (
            lambda: iter(documents(folder)),
            lambda: qa_cases(folder, core=core),
            lambda: iter(()),
        )
    if has_talks(folder):
        found[TALKS] = (
            lambda: iter(documents(folder)),
            lambda: talk_cases(folder),
            lambda: iter(()),
        )
    for path in dialogue_sets(folder):
        found[path.stem] = (
            partial(_passages_of, path),
            partial(dialogue_cases, path),
            lambda: iter(()),
        )
    if any(follow_ups(folder)):
        found[REWRITES] = (lambda: iter(()), lambda: iter(()), lambda: follow_ups(folder))
    return found


def _passages_of(path: Path) -> Iterator[File]:
    return passages([path])


def empty_report() -> Json:
    made = datetime.now(UTC).isoformat(timespec="seconds")
    return {
        "about": {"made": made, "bootstrap": {"samples": SAMPLES, "seed": SEED}},
        "parts": {},
    }


def add(library: Library, files: Iterator[File]) -> dict[str, bytes]:
    """Adds files and returns them by name."""
    started = time.perf_counter()
    bodies: dict[str, bytes] = {}

    def kept() -> Iterator[File]:
        for file in files:
            bodies[file.name] = file.body
            yield file

    ended = library.add(kept(), lambda *_: None)
    if bodies:
        took = round(time.perf_counter() - started)
        print(f"{dict(ended)} added, {took} s", file=sys.stderr, flush=True)
    return bodies


# -- asking --------------------------------------------------------------------------------------


def measure(
    report: Json,
    name: str,
    asks: dict[str, Ask],
    cases: Iterator[Case],
    originals: Originals,
) -> None:
    """Asks the cases of a part in each way, and puts figures and replies into the report."""
    asked = list(cases)
    if not asked:
        return
    part: Json = {"sources": {}, "groups": {}, "rows": {}, "replies": {}}
    report["parts"][name] = part
    for case in asked:
        part["sources"].setdefault(case.source, []).append(case.id)
    for row, ask in asks.items():
        figures: Json = {}
        replies: Json = {}
        started = time.process_time()
        for case in asked:
            reply = ask(case)
            for figure, units in judge(case, reply, originals).items():
                figures.setdefault(figure, {}).update(units)
                part["groups"].update({unit: case.id for unit in units if unit != case.id})
            replies[case.id] = brief(case, reply)
        part["rows"][row] = figures
        part["replies"][row] = replies
        spent = round((time.process_time() - started) * 1000 / len(asked))
        print(f"{name}: {row} asked, {spent} ms of processor each", file=sys.stderr, flush=True)


def brief(case: Case, reply: Json) -> Json:
    """Returns what is kept of a reply, with the probability of the gate before it decided."""
    subs = reply["plan"]["sub_questions"]
    sure = [sub["verdict"]["confidence"] for sub in subs if sub["verdict"]]
    return {
        "question": case.text,
        "right": case.right,
        "kind": reply["kind"],
        "found": reply["found"],
        "outcome": reply["outcome"],
        "confidence": reply["confidence"],
        "gate": round(sum(sure) / len(sure), 4) if sure else None,
        "answer": reply["answer"],
        "sub_questions": [sub["text"] for sub in subs],
        "rounds": reply["rounds"],
        "cited": [[one["document"], one["pages"], one["quote"]] for one in reply["citations"]],
        "removed": len(reply["removed"]),
    }


def resolve_all(asked: Sequence[FollowUp]) -> Json:
    """Plans each follow-up, and compares what is looked up with what people wrote."""
    figures: Json = {}
    replies: Json = {}
    for one in asked:
        made = plan(one.text, one.history, Scope(tenant=TENANT), None).plan
        told = " ".join(sub.text for sub in made.sub_questions)
        for figure, value in carried(one.text, told or one.text, one.alone).items():
            figures.setdefault(figure, {})[one.id] = value
        kind = "asks back" if made.kind == "clarify" else "goes on"
        figures.setdefault("looked up", {})[one.id] = float(kind == "goes on")
        replies[one.id] = {"question": one.text, "resolved": told, "alone": one.alone}
    ids = [one.id for one in asked]
    return {
        "sources": {REWRITES: ids},
        "groups": {},
        "rows": {"loop": figures},
        "replies": {"loop": replies},
    }


if __name__ == "__main__":
    os.environ.setdefault("FOOTNOTE_BACKEND", "memory")
    try:
        sys.exit(main())
    except (StackError, FootnoteError) as error:  # no OpenSearch, or a file that nobody can add
        print(error, file=sys.stderr)
        sys.exit(1)
