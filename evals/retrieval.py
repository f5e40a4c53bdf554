"""Ask `/search` the questions of a folder, and report how well it finds what is known to be right.

usage: python -m evals.retrieval FOLDER [--strategies a,b] [--only docs,cranfield]
           [--output report.json] [--against earlier.json] [--than bm25]
           [--deployed | --ablate]
       python -m evals.retrieval report.json [--against earlier.json] [--than hybrid]

FOLDER has the form of ../shared/data/README.md; parts that it lacks are named and left out. Each
part is added to an index of its own by the steps that are deployed, and asked through the API's
function. OpenSearch is started for it. `--deployed` asks the footnote that the environment names.
`--ablate` also asks `hybrid` with one thing changed at a time, all through `/search`; show such a
report with `--than hybrid`. A report in place of the folder is only shown.

Exits with 1 if a headline figure is worse than the earlier report's and its interval says so (or if
OpenSearch does not start), with 2 if there was nothing to ask.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from evals import ablation
from evals.caches import FileCache
from evals.intervals import SAMPLES, SEED, medians
from evals.judge import DEPTH, JUDGES, WIDE, Figures, recall_of_texts
from evals.library import Asked, Counted, Deployed, open_library
from evals.node import start_node
from evals.plain import ANALYZERS, PlainIndex, Unit, units
from evals.questions import File, Question, Shelf, Task, missing, shelves
from evals.report import show
from footnote.client import Client
from footnote.errors import FootnoteError
from footnote.model import STRATEGIES, Document, Recipe
from footnote.wire import Json
from local.paths import HOME
from local.state import StackError

CACHE = HOME / "bench" / "vectors.sqlite"
UNITS = 1000  # that are sent to the plain index at once
TIMED = 200  # questions of a part, at most
TIMED_HITS = 10  # as many as `/search` gives unless told otherwise

type Open = Callable[[Shelf], tuple[Asked, PlainIndex | None]]


def main() -> int:
    """Measures a folder or reads a report, shows it, and returns the exit status."""
    options = parse_options()
    # before the output is written, which may be the same file
    earlier = json.loads(options.against.read_text(encoding="utf-8")) if options.against else None
    if options.folder.is_file():
        report: Json = json.loads(options.folder.read_text(encoding="utf-8"))
    else:
        report = measured(options)  # which writes it to the output
    if not report["tasks"]:
        print(f"nothing to ask in {options.folder}: no part of ../shared/data/README.md is there")
        return 2
    return 1 if show(report, earlier, options.than) else 0


def parse_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="questions and documents, or a report to show")
    parser.add_argument("--strategies", type=words, default=(), help="default: all there are")
    parser.add_argument("--only", type=words, default=(), help="parts: docs, cranfield, xquad, …")
    parser.add_argument("--output", type=Path, help="where to write the report as JSON")
    parser.add_argument("--against", type=Path, help="an earlier report: what has changed")
    parser.add_argument("--than", default="bm25", help="the row that others are compared with")
    parser.add_argument("--ablate", action="store_true", help="hybrid with one thing changed")
    parser.add_argument("--deployed", action="store_true", help="ask a running footnote")
    options = parser.parse_args()
    if options.ablate and options.deployed:
        parser.error(
            "--ablate changes recipes in its own process, not those of a deployed footnote"
        )
    return options


def words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",") if word.strip())


def measured(options: argparse.Namespace) -> Json:
    """Measures the parts of a folder, and says which it lacks."""
    for name in missing(options.folder):
        print(f"{name}: not there, left out")
    wanted = [
        each for each in shelves(options.folder) if not options.only or each.name in options.only
    ]
    strategies = options.strategies or tuple(STRATEGIES)

    def save(report: Json) -> None:
        if options.output:
            options.output.parent.mkdir(parents=True, exist_ok=True)
            options.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")

    with ExitStack() as stack:
        if options.deployed:
            client = stack.enter_context(Client.connect())
            return measure(wanted, lambda _: (Deployed(client), None), strategies, save)
        if not wanted:
            return empty_report()
        url = stack.enter_context(start_node())
        cache = FileCache(CACHE)
        stack.callback(cache.close)

        def opened(shelf: Shelf) -> tuple[Asked, PlainIndex | None]:
            library = open_library(cache, url, f"eval-{shelf.name}")
            return library, PlainIndex(url, f"evalplain-{shelf.name}")

        return measure(wanted, opened, strategies, save, ablation.rows() if options.ablate else {})


def empty_report() -> Json:
    return {
        "about": {
            "made": datetime.now(UTC).isoformat(timespec="seconds"),
            "hits": DEPTH,
            "bootstrap": {"samples": SAMPLES, "seed": SEED},
        },
        "added": {},
        "cost": {},
        "tasks": {},
    }


def empty_task(task: Task) -> Json:
    return {
        "judge": task.judge,
        "questions": len(task.questions),
        "groups": {one.id: one.group for one in task.questions if one.group},
        "scores": {},
    }


def measure(
    wanted: Iterable[Shelf],
    opened: Open,
    strategies: Sequence[str],
    save: Callable[[Json], object] = bool,
    recipes: Mapping[str, Recipe] | None = None,
) -> Json:
    """Adds each shelf to a place of its own and asks its questions: the report.

    `recipes` are rows too, by name: what `hybrid` is meanwhile.
    `save` gets the report so far after each shelf: a whole run takes its time.
    """
    report = empty_report()
    for shelf in wanted:
        asked, plain = opened(shelf)
        report["added"][shelf.name] = add(shelf, asked, plain)
        report["cost"][shelf.name] = cost = {}
        rows = {name: ask_search(asked.client, name) for name in strategies}
        if plain:
            rows = {name: ask_plain(plain, name) for name in analyzers(shelf)} | rows
        rows |= {name: ask_recipe(asked.client, recipe) for name, recipe in (recipes or {}).items()}
        for task in shelf.tasks:
            report["tasks"][task.name] = empty_task(task)
        for name, search in rows.items():
            cost[name] = ask_all(shelf, name, search, asked, report["tasks"])
        if plain:
            plain.drop()
        save(report)
    return report


def analyzers(shelf: Shelf) -> Iterator[str]:
    return (name for name in ANALYZERS if shelf.english or name == "bm25")


def add(shelf: Shelf, asked: Asked, plain: PlainIndex | None) -> Json:
    """Adds the shelf's files, to the plain index too. Returns how they ended and what it took."""
    waiting: list[Unit] = []

    def seen(file: File, document: Document) -> None:
        waiting.extend(units(file, document))
        if plain and len(waiting) >= UNITS:
            plain.add(waiting)
            waiting.clear()

    started, cpu = time.perf_counter(), time.process_time()
    ended = asked.add(shelf.files(), seen)
    if plain:
        plain.add(waiting)
    took = {
        "seconds": round(time.perf_counter() - started, 1),
        "cpu_seconds": round(time.process_time() - cpu, 1),
    }
    print(f"{shelf.name}: {dict(ended)}, {took['seconds']} s", file=sys.stderr, flush=True)
    asked.take_cost()
    return {"ended": dict(ended), **took}


# -- asking --------------------------------------------------------------------------------------

type Search = Callable[[Question, int], tuple[Sequence[Json], float]]
"""Returns hits and the milliseconds that the server says it took."""


def ask_search(client: Client, strategy: str) -> Search:
    def search(question: Question, k: int) -> tuple[Sequence[Json], float]:
        scope: Json = {"documents": [question.document]} if question.document else {}
        scope |= {"collection": question.collection}
        reply = client.search(question.text, strategy=strategy, k=k, **scope)
        return reply["hits"], reply["took_ms"]

    return search


def ask_recipe(client: Client, recipe: Recipe) -> Search:
    ask = ask_search(client, ablation.CHANGED)

    def search(question: Question, k: int) -> tuple[Sequence[Json], float]:
        with ablation.standing_in(recipe):
            return ask(question, k)

    return search


def ask_plain(plain: PlainIndex, name: str) -> Search:
    def search(question: Question, k: int) -> tuple[Sequence[Json], float]:
        started = time.perf_counter()
        hits = plain.search(
            ANALYZERS[name], question.text, question.collection, question.document, k
        )
        return hits, (time.perf_counter() - started) * 1000

    return search


def ask_all(shelf: Shelf, name: str, search: Search, asked: Counted, tasks: Json) -> Json:
    """Asks a shelf's questions in one way; puts the figures into `tasks`, returns the cost."""
    embedded = 0
    for task in shelf.tasks:
        if name in ANALYZERS and task.judge == "spans":
            continue  # its units are five times as long as chunks: no fair comparison
        scores: dict[str, Figures] = {}
        for question in task.questions:
            hits, _ = search(question, DEPTH)
            _, queries = asked.take_cost()
            embedded += queries
            scores[question.id] = JUDGES[task.judge](question, hits)
            if task.judge == "texts":
                wide, _ = search(question, WIDE)
                asked.take_cost()
                scores[question.id]["recall@100"] = recall_of_texts(question, wide)
        tasks[task.name]["scores"][name] = rounded(scores)
    print(f"{shelf.name}: {name} asked", file=sys.stderr, flush=True)
    return {"embedded": embedded, **time_some(shelf, search, asked)}


def time_some(shelf: Shelf, search: Search, asked: Counted) -> Json:
    """Asks some of a shelf's questions again and returns what that took.

    So the server has compiled what is asked often, and the hits are as many as most callers want.
    """
    questions = [one for task in shelf.tasks for one in task.questions]
    some = questions[:: -(-len(questions) // TIMED) or 1]
    took = [search(question, TIMED_HITS)[1] for question in some]
    cpu, _ = asked.take_cost()
    return {
        "searches": len(took),
        "took_ms": [round(value, 2) for value in medians(took)],
        "cpu_ms": [round(value, 2) for value in medians(cpu)] if cpu else None,
    }


def rounded(scores: dict[str, Figures]) -> dict[str, Figures]:
    return {
        question: {figure: round(value, 5) for figure, value in figures.items()}
        for question, figures in scores.items()
    }


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (StackError, FootnoteError) as error:  # no OpenSearch, no footnote to ask
        print(error, file=sys.stderr)
        sys.exit(1)
