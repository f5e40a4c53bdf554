"""`make bench-peers`: what LangChain, LlamaIndex and Haystack find of the same questions.

usage: python -m tests.bench.search_peers FOLDER [--beside report.json] [--output peers.json]
           [--peers langchain,haystack] [--only docs,cranfield]

They answer what `evals.retrieval` asks, are judged by the same code, and embed with the same model.
Of documents they get the PDFs, and the questions whose gold lies there. With a report of
`make eval-retrieval` beside them, each row is compared with our `hybrid` question by question.
"""

import argparse
import dataclasses
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from evals.questions import File, Question, Shelf, Task, shelves
from evals.report import show
from evals.retrieval import CACHE, ask_all, empty_report, empty_task, words
from footnote.wire import Json
from local.paths import HOME, ROOT, TOOLS

PYTHON = HOME / "peers-venv" / "bin" / "python"
SCRIPT = ROOT / "tests" / "bench" / "peers" / "retrievers.py"
MODEL = TOOLS / "model"
PEERS = ("langchain", "llamaindex", "haystack")


class Worker:
    """A peer in a process of its own: files or texts in, hits out."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def _ask(self, request: Json) -> Json:
        print(json.dumps(request), file=self._process.stdin, flush=True)
        if self._process.stdout is None or not (line := self._process.stdout.readline()):
            raise RuntimeError("the peer ended; its message is above")
        reply: Json = json.loads(line)
        return reply

    def add(self, shelf: Shelf) -> Json:
        """Adds a shelf's files: PDFs as they are, others as the texts that they hold."""
        files = list(shelf.files())
        if shelf.name != "docs":
            return self._ask({"texts": [[file.name, plain_text(file)] for file in files]})
        with tempfile.TemporaryDirectory() as folder:
            return self._ask({"files": [str(one) for one in write_pdfs(files, Path(folder))]})

    def search(self, question: Question, k: int) -> tuple[Sequence[Json], float]:
        started = time.perf_counter()
        asked = {"query": question.text, "k": k, "document": question.document}
        hits = self._ask(asked)["hits"][:k]  # fused lists of k may be longer
        return hits, (time.perf_counter() - started) * 1000

    def take_cost(self) -> tuple[list[float], int]:
        return [], 1  # all of them embed the question


def plain_text(file: File) -> str:
    """Returns title and text as one text, as one field of BM25 gets them."""
    return " ".join(file.body.decode().removeprefix("# ").split())


def write_pdfs(files: Iterable[File], folder: Path) -> Iterator[Path]:
    for file in files:
        if file.name.endswith(".pdf"):
            (folder / file.name).write_bytes(file.body)
            yield folder / file.name


@contextmanager
def start_peer(name: str) -> Iterator[Worker]:
    environ = os.environ | {"PYTHONPATH": f"{ROOT / 'shared'}:{ROOT}"}
    command = [PYTHON, SCRIPT, name, MODEL, CACHE]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environ
    ) as process:
        try:
            yield Worker(process)
        finally:
            process.terminate()


def asked_of_peers(shelf: Shelf) -> Shelf:
    """Leaves the tasks whose gold is in PDFs or texts."""
    kept = []
    for task in shelf.tasks:
        mine = tuple(one for one in task.questions if one.grades or is_of_pdfs(one))
        if mine:
            kept.append(Task(task.name, task.judge, mine))
    return dataclasses.replace(shelf, tasks=tuple(kept))


def is_of_pdfs(question: Question) -> bool:
    named = {document for document, _ in question.places}
    return bool(named) and all(name.endswith(".pdf") for name in named)


def measure_peers(wanted: Iterable[Shelf], peers: Sequence[str]) -> Json:
    """Returns a report as `evals.retrieval.measure` makes it, with a row for each peer."""
    report = empty_report()
    for shelf in map(asked_of_peers, wanted):
        report["cost"][shelf.name] = cost = {}
        for task in shelf.tasks:
            report["tasks"][task.name] = empty_task(task)
        for name in peers:
            with start_peer(name) as worker:
                made = worker.add(shelf)
                print(f"{shelf.name}: {name} {made}", file=sys.stderr, flush=True)
                cost[name] = ask_all(shelf, name, worker.search, worker, report["tasks"])
    return report


def put_beside(report: Json, ours: Json) -> None:
    """Adds our rows to the peers' tasks, for the same questions."""
    for name, task in report["tasks"].items():
        asked = next(iter(task["scores"].values())).keys()
        for row, scores in ours["tasks"].get(name, {"scores": {}})["scores"].items():
            task["scores"][row] = {one: scores[one] for one in asked if one in scores}
    for shelf, cost in report["cost"].items():
        cost.update(ours["cost"].get(shelf, {}))


def main() -> int:
    """Measures the peers and shows them; exits with 1 where they are not installed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--peers", type=words, default=PEERS)
    parser.add_argument("--only", type=words, default=())
    parser.add_argument("--beside", type=Path, help="a report of evals.retrieval")
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    if not PYTHON.is_file():
        print("the peers are not installed: `make bench-peers` does it", file=sys.stderr)
        return 1
    found = (shelf for shelf in shelves(options.folder) if shelf.english)
    wanted = [shelf for shelf in found if not options.only or shelf.name in options.only]
    report = measure_peers(wanted, options.peers)
    if options.output:
        options.output.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if options.beside and options.beside.is_file():
        put_beside(report, json.loads(options.beside.read_text(encoding="utf-8")))
    show(report, None, "hybrid")
    return 0


if __name__ == "__main__":
    sys.exit(main())
