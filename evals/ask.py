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
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import NamedTuple

from evals.ask_cases import (
    Case,
    FollowUp,
    dialogue_cases,
    dialogue_sets,
    documents,
    follow_ups,
    has_qa,
    passages,
    qa_cases,
    talk_cases,
)
from evals.ask_figures import carried, judge
from evals.ask_report import show
from evals.caches import FileCache
from evals.intervals import SAMPLES, SEED
from evals.library import TENANT, Library, open_library
from evals.node import start_node
from evals.originals import Originals
from evals.questions import File
from evals.retrieval import CACHE, words
from footnote.adapters.extractive import Extractive
from footnote.ask.plan import MAX_HISTORY, plan
from footnote.ask.sessions import History, history_after
from footnote.errors import FootnoteError
from footnote.model import ModelReply, ModelRequest, QuestionRecord, Scope, Wishes
from footnote.ports import LLM
from footnote.wire import Json
from footnote.wiring.pipeline import Pipeline
from local.state import StackError


class Row(NamedTuple):
    """A way of asking: rounds, whether a question is split, and the least confidence.

    `alone`: turns of conversations in words that need no other turn.
    """

    rounds: int = 2
    splits: bool = True
    least: float = 0.0
    alone: bool = False


ROWS = {
    "loop": Row(),
    "single": Row(rounds=1),
    "whole": Row(splits=False),
    "sure": Row(least=0.7),
    "alone": Row(alone=True),
}
REWRITES = "follow-ups"
TALKS = "talks"

type Ask = Callable[[Case], Json]


class Whole:
    """A language model without one that never splits a question."""

    def __init__(self, llm: LLM) -> None:
        self._llm = llm

    def complete(self, request: ModelRequest) -> ModelReply:
        reply = self._llm.complete(request)
        made = json.loads(reply.text) if request.task == "plan" else {}
        if len(made.get("sub_questions", ())) < 2:
            return reply
        asked = {"text": request.material["question"], "strategy": "auto"}
        text = json.dumps({**made, "sub_questions": [asked]})
        return reply.model_copy(update={"text": text})

    def stream(self, request: ModelRequest) -> Iterator[str | ModelReply]:
        return self._llm.stream(request)


def main() -> int:
    """Measures a folder or reads a report, shows it, and returns the exit status."""
    options = parse_options()
    earlier = json.loads(options.against.read_text(encoding="utf-8")) if options.against else None
    if options.folder.is_file():
        report: Json = json.loads(options.folder.read_text(encoding="utf-8"))
    else:
        report = measured(options)
    if not report["parts"]:
        print(f"nothing to ask in {options.folder}: it has no docs/ with qa.jsonl, no dialogue/")
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


def rows_of(part: str, wanted: Sequence[str]) -> list[str]:
    """Returns the rows of a part: those that are wanted, or all. Only a turn can stand alone."""
    return [row for row in wanted or ROWS if part == TALKS or not ROWS[row].alone]


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
    if any(talk_cases(folder)):
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


def asker(pipeline: Pipeline, row: str) -> Ask:
    """Returns what asks a case by the deployed steps, in one of the ways of `ROWS`.

    A turn of a conversation is asked after the turn that it follows has been.
    """
    rounds, splits, least, alone = ROWS[row]
    last: dict[str, QuestionRecord] = {}  # what was asked before, by its case

    def ask(case: Case) -> Json:
        pipeline.settings = pipeline.settings.model_copy(update={"max_rounds": rounds})
        vars(pipeline)["llm"] = Extractive() if splits else Whole(Extractive())
        record = QuestionRecord(
            question_id=uuid.uuid4().hex,
            tenant=TENANT,
            status="RUNNING",
            question=case.alone if alone else case.text,
            scope=Scope(tenant=TENANT, collection=case.collection, documents=case.documents),
            history=case.history if alone or not case.follows else earlier(case.follows),
            wishes=Wishes(min_confidence=least),
            created=datetime.now(UTC).isoformat(),
        )
        pipeline.questions.create(record)
        pipeline.workflow.ask(TENANT, record.question_id)
        done = pipeline.questions.get(TENANT, record.question_id)
        if done.answer is None:
            problem = done.error.message if done.error else done.status
            raise LookupError(f"{case.id} was not answered: {problem}")
        last.clear()
        last[case.id] = done
        reply: Json = json.loads(done.answer.model_dump_json())
        return reply

    def earlier(turn: str) -> History:
        return history_after(last[turn], MAX_HISTORY)

    return ask


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
        made = plan(one.text, one.history, Scope(tenant=TENANT), Extractive()).plan
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
