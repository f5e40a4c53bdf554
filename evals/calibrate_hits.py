"""Fits the probability of a hit by strategy, and reports how reliable it is.

Asked are the questions of folders whose gold is pages. Each question is judged by weights that were
fitted without any question about the same document. A hit is right if it lies on a gold page. Parts
whose gold is whole documents are left out: nearly every hit of theirs is right, whatever it says.

    python -m evals.calibrate_hits ../shared/data [FOLDER …]
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import numpy as np

from evals.caches import FileCache
from evals.calibrate_extractive import FOLDS, Array, fit, predict
from evals.library import open_library
from evals.metrics import Place
from evals.node import start_node
from evals.questions import Task, shelves
from evals.retrieval import CACHE, ask_search
from footnote.ask.find.hit_probability import HIT_PROBABILITIES, inputs
from footnote.model import Strategy
from footnote.wire import Json

DOCS = "docs"  # the shelf of English documents; others are in languages or have no pages
DEPTH = 10  # hits of a question
BINS = 5


class Judged(NamedTuple):
    """A hit: whose question it answers, what its probability goes by, and whether it is right."""

    part: str
    document: str  # that the question is about
    strategy: Strategy
    inputs: tuple[float, ...]
    is_right: bool


def collect(folders: Sequence[Path]) -> Iterator[Judged]:
    """Yields the first hits of each question by each strategy."""
    with ExitStack() as stack:
        url = stack.enter_context(start_node())
        cache = FileCache(CACHE)
        stack.callback(cache.close)
        for n, folder in enumerate(folders):
            for shelf in shelves(folder):
                tasks = [task for task in shelf.tasks if shelf.name == DOCS and _has_pages(task)]
                if not tasks:
                    continue
                library = open_library(cache, url, f"calibrate-{n}-{shelf.name}")
                library.add(shelf.files(), lambda *_: None)
                for task in tasks:
                    for strategy in HIT_PROBABILITIES:
                        ask = ask_search(library.client, strategy)
                        for question in task.questions:
                            hits, _ = ask(question, DEPTH)
                            yield from _judge(task.name, strategy, question.places, hits)


def _has_pages(task: Task) -> bool:
    return task.judge == "pages" and all(
        page for question in task.questions for _, page in question.places
    )


def _judge(
    part: str, strategy: Strategy, gold: frozenset[Place], hits: Sequence[Json]
) -> Iterator[Judged]:
    for hit in hits:
        given = inputs(hit["rank"], hit["score"])
        is_right = any((hit["document"], page) in gold for page in hit["pages"])
        yield Judged(part, min(document for document, _ in gold), strategy, given, is_right)


def report(strategy: Strategy, made: Sequence[Judged]) -> None:
    """Prints the weights of a strategy, and what its probability would have said of each part."""
    x = np.array([one.inputs for one in made])
    right = np.array([float(one.is_right) for one in made])
    part = np.array([one.part for one in made])
    fold = np.array([sum(map(ord, one.document)) % FOLDS for one in made])
    nothing = np.zeros(len(made))
    said, usual = np.zeros(len(made)), np.zeros(len(made))
    for n in np.unique(fold):
        rest, here = fold != n, fold == n
        said[here] = predict(fit(x[rest], right[rest], nothing[rest]), x[here], nothing[here])
        usual[here] = right[rest].mean()
    print(f"{strategy}: {len(made)} hits, weights {np.round(fit(x, right, nothing), 2)}")
    print(f"  Brier {_brier(said, right):.3f}, of the mean of the others", end=" ")
    print(f"{_brier(usual, right):.3f}; area under the curve {_area(said, right):.3f}")
    for name in dict.fromkeys(part):
        here = part == name
        print(f"  {name:34} said {said[here].mean():.2f}  right {right[here].mean():.2f}")
    for n in range(BINS):
        here = (said >= n / BINS) & (said < (n + 1) / BINS)
        if here.any():
            told = f"said {said[here].mean():.2f}  right {right[here].mean():.2f}"
            print(f"  {told}  of {here.sum()}")


def _brier(said: Array, right: Array) -> float:
    return float(np.mean((said - right) ** 2))


def _area(said: Array, right: Array) -> float:
    """Returns how often a right hit is said to be likelier than a wrong one; ties count half."""
    yes, no = said[right == 1], said[right == 0]
    above = (yes[:, None] > no).mean() + (yes[:, None] == no).mean() / 2
    return float(above)


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python -m evals.calibrate_hits FOLDER …")
    found = list(collect([Path(one) for one in sys.argv[1:]]))
    for each in HIT_PROBABILITIES:
        report(each, [one for one in found if one.strategy == each])
