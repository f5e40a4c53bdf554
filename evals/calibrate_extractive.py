"""Fits the confidence of `extractive` and reports how well it tells found from not found.

The cases are those of `evals.ask`: questions with an answer in their documents and without. They
are judged by weights that were fitted without any question of the same documents.

    python -m evals.calibrate_extractive ../shared/data [FOLDER …]
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from evals.ask import add, parts
from evals.ask_cases import Case
from evals.asking import TALKS
from evals.caches import FileCache
from evals.library import TENANT, open_library
from evals.node import start_node
from evals.retrieval import CACHE
from footnote.ask.find.ports import Ports
from footnote.ask.plan import plan
from footnote.ask.quote.confidence import FOUND, NAMES, UNKNOWN, confidence, doubts, features
from footnote.ask.quote.doubts import decisive_unknown_words
from footnote.ask.retrieve import retrieve
from footnote.model import Evidence, Scope
from footnote.wiring.pipeline import Pipeline

type Array = npt.NDArray[np.float64]

FOLDS = 10
RIDGE = 0.01  # keeps the weights of nearly idle features small


@dataclass(frozen=True)
class Graded:
    """A case with the evidence for its first sub-question after one round."""

    case: Case
    asked: str
    evidence: Evidence

    @property
    def inputs(self) -> tuple[float, ...]:
        return features(self.asked, self.evidence)

    @property
    def lacks(self) -> bool:
        return bool(decisive_unknown_words(self.asked, self.evidence))

    @property
    def group(self) -> str:
        """The document that the case is about; hidden ones go with their question's source."""
        if self.case.places:
            return min(document for document, _ in self.case.places)
        return self.case.documents[0] if self.case.documents else self.case.source


def collect(folders: Sequence[Path]) -> Iterator[Graded]:
    """Yields the cases of folders whose right reply is an answer or a refusal, with evidence.

    Turns of conversations are left out: what is graded there hangs on how they are resolved.
    """
    with ExitStack() as stack:
        url = stack.enter_context(start_node())
        cache = FileCache(CACHE)
        stack.callback(cache.close)
        for n, folder in enumerate(folders):
            for name, (files, cases, _) in parts(folder, core=False).items():
                if name == TALKS:
                    continue
                library = open_library(cache, url, f"calibrate-{n}-{name}")
                add(library, files())
                asked = (case for case in cases() if case.right != "clarify")
                made = (graded(case, library.pipeline) for case in asked)
                yield from (one for one in made if one)


def graded(case: Case, services: Pipeline) -> Graded | None:
    """Plans and searches as the ask flow does, for the first sub-question only."""
    scope = Scope(tenant=TENANT, collection=case.collection, documents=case.documents)
    made = plan(case.text, case.history, scope, None).plan
    if not made.sub_questions:
        return None
    sub = made.sub_questions[0]
    judge = services.reader
    ports = Ports(services.index, services.embedder, services.catalog, line_judge=judge)
    found = retrieve(sub, scope, (), ports)
    return Graded(case, sub.text, found)


def fit(inputs: Array, labels: Array, doubted: Array) -> Array:
    """Fits a logistic regression by Newton's method.

    `inputs` has a row a case and a column a feature, `doubted` what is taken off each case's
    log-odds. Returns a weight for each feature, then the bias. The penalty is on weights of
    features that all have the same spread.
    """
    middle, spread = inputs.mean(0), inputs.std(0) + 1e-9
    x = np.hstack([(inputs - middle) / spread, np.ones((len(inputs), 1))])
    theta = np.zeros(x.shape[1])
    penalty = RIDGE * len(x) * np.diag([*[1.0] * inputs.shape[1], 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(doubted - x @ theta))
        gradient = x.T @ (p - labels) + penalty @ theta
        hessian = (x * (p * (1 - p))[:, None]).T @ x + penalty
        theta -= np.linalg.solve(hessian, gradient)
    weights = theta[:-1] / spread
    return np.array([*weights, theta[-1] - (weights * middle).sum()])


def predict(theta: Array, inputs: Array, doubted: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(doubted - inputs @ theta[:-1] - theta[-1])))


def cross_validate(
    inputs: Array, labels: Array, doubted: Array, lacks: Array, groups: Sequence[str]
) -> Array:
    """Returns the confidence in each case by weights that were fitted without its documents."""
    fold = np.array([sum(map(ord, group)) % FOLDS for group in groups])
    sure = np.zeros(len(labels))
    for n in range(FOLDS):
        known, left_out = (fold != n) & ~lacks.astype(bool), fold == n
        theta = fit(inputs[known], labels[known], doubted[known])
        sure[left_out] = predict(theta, inputs[left_out], doubted[left_out])
    return sure


def report(made: Sequence[Graded], sure: Array, name: str) -> None:
    """Prints the share of right decisions for each source, and how reliable the confidence is."""
    labels = np.array([one.case.right == "found" for one in made])
    print(f"{name}: Brier {np.mean((sure - labels) ** 2):.3f}")
    for source in dict.fromkeys(one.case.source for one in made):
        here = np.array([one.case.source == source for one in made])
        for right, said in ((True, sure >= FOUND), (False, sure < FOUND)):
            mine = said[here & (labels == right)]
            kind = "found" if right else "refused"
            if len(mine):
                print(f"  {source:24} {kind:8} {mine.sum():4} of {len(mine):4} = {mine.mean():.3f}")


def calibrate(made: Sequence[Graded]) -> None:
    inputs = np.array([one.inputs for one in made])
    labels = np.array([float(one.case.right == "found") for one in made])
    lacks = np.array([float(one.lacks) for one in made])
    doubted = np.array([doubts(one.asked, one.evidence) for one in made])

    report(made, np.array([confidence(one.asked, one.evidence) for one in made]), "as it is")
    fitted = cross_validate(inputs, labels, doubted, lacks, [one.group for one in made])
    capped = np.where(lacks > 0, np.minimum(fitted, UNKNOWN), fitted)
    report(made, capped, f"fitted, {FOLDS}-fold by document")
    stated = lacks == 0
    theta = fit(inputs[stated], labels[stated], doubted[stated])
    for feature, weight in zip((*NAMES, "bias"), theta, strict=True):
        print(f"  {feature:12} {weight:7.2f}")
    if lacks.any():
        print(f"  answers in spite of absent words: {labels[lacks > 0].mean():.2f}")


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit("usage: python -m evals.calibrate_extractive FOLDER …")
    calibrate(list(collect([Path(one) for one in sys.argv[1:]])))
