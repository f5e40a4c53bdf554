"""Fits the confidence of `extractive` and reports how well it tells found from not found.

The cases are the questions with answers and the questions that the documents do not answer. Some
of the first are asked again without their documents. Folds never share a question.

    python -m evals.calibrate_extractive ../shared/data
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from footnote.adapters.extractive import Extractive
from footnote.adapters.extractive.features import NAMES, candidates, features
from footnote.adapters.extractive.grade import BIAS, FOUND, WEIGHTS
from footnote.ask.plan import plan
from footnote.ask.retrieve import retrieve
from footnote.model import Evidence, Scope
from footnote.text.quotes import normalise
from footnote.wiring.pipeline import Pipeline

type Array = npt.NDArray[np.float64]

FOLDS = 5
# Every fifth question is asked again without its documents. Those searches look in all others.
HIDDEN = 5
RIDGE = 0.001  # keeps the weights of nearly idle features small
TENANT = "eval"


@dataclass(frozen=True)
class Question:
    """A question of the set, the documents that it may look in, and the passages that answer it."""

    id: str
    text: str
    documents: tuple[str, ...]
    gold: tuple[str, ...]  # passages; for some questions none are known
    answerable: bool
    made_up: bool = False  # asked again with its documents hidden


@dataclass(frozen=True)
class Case:
    """A question with the evidence of its first sub-question after one round."""

    question: Question
    asked: str
    evidence: Evidence

    @property
    def inputs(self) -> tuple[float, ...]:
        return features(self.asked, self.evidence)

    def hit(self, most: int) -> bool:
        """Tells whether one of the `most` best candidates stands in a gold passage."""
        gold = [normalise(passage).text for passage in self.question.gold]
        best = [normalise(c.text).text for c in candidates(self.asked, self.evidence)[:most]]
        return any(text in passage or passage in text for text in best for passage in gold)


def questions(path: Path, names: Sequence[str]) -> Iterator[Question]:
    """Yields the question of each line, some once more with their documents hidden."""
    for line in path.read_text().splitlines():
        raw = json.loads(line)
        docs = raw.get("docs", raw.get("documents", []))
        inside = (raw["doc"],) if raw.get("scope") == "document" else ()
        gold = tuple(raw["passages"])
        yield Question(raw["id"], raw["question"], inside, gold, raw["answerable"])
        others = tuple(name for name in names if name not in docs)
        if raw["answerable"] and sum(map(ord, raw["id"])) % HIDDEN == 0:
            yield Question(raw["id"], raw["question"], others, (), answerable=False, made_up=True)


def case(question: Question, services: Pipeline) -> Case:
    """Plans and searches as the ask flow does, for the first sub-question only."""
    scope = Scope(tenant=TENANT, documents=question.documents)
    sub = plan(question.text, (), scope, Extractive()).plan.sub_questions[0]
    ports = (services.index, services.embedder, services.catalog)
    return Case(question, sub.text, retrieve(sub, scope, (), *ports))


def fit(inputs: Array, labels: Array) -> Array:
    """Fits a logistic regression by Newton's method. Both classes weigh the same.

    `inputs` has a row a case and a column a feature. Returns a weight for each feature, then the
    bias.
    """
    x = np.hstack([inputs, np.ones((len(inputs), 1))])
    weight = np.where(labels == 1, 0.5 / labels.mean(), 0.5 / (1 - labels.mean()))
    theta = np.zeros(x.shape[1])
    penalty = RIDGE * len(x) * np.diag([*[1.0] * inputs.shape[1], 0.0])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ theta))
        gradient = x.T @ (weight * (p - labels)) + penalty @ theta
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + penalty
        theta -= np.linalg.solve(hessian, gradient)
    return theta


def predict(theta: Array, inputs: Array) -> Array:
    return np.asarray(1 / (1 + np.exp(-(inputs @ theta[:-1] + theta[-1]))))


def cross_validate(inputs: Array, labels: Array, groups: Sequence[str]) -> Array:
    """Returns the confidence in each case by weights that were fitted without its question."""
    fold = np.array([sum(map(ord, group)) % FOLDS for group in groups])
    sure = np.zeros(len(labels))
    for n in range(FOLDS):
        theta = fit(inputs[fold != n], labels[fold != n])
        sure[fold == n] = predict(theta, inputs[fold == n])
    return sure


def report(cases: Sequence[Case], sure: Array, name: str) -> None:
    """Prints the share of right decisions for each kind of question."""
    kinds: dict[str, Callable[[Question], bool]] = {
        "answerable: found": lambda q: q.answerable,
        "documents hidden: not found": lambda q: q.made_up,
        "not answerable: not found": lambda q: not q.answerable and not q.made_up,
    }
    print(name)
    for kind, belongs in kinds.items():
        right = [
            (s >= FOUND) == c.question.answerable
            for c, s in zip(cases, sure, strict=True)
            if belongs(c.question)
        ]
        print(f"  {kind:30} {sum(right):4} of {len(right):4} = {np.mean(right):.3f}")


def calibrate(cases: Sequence[Case]) -> None:
    inputs = np.array([case.inputs for case in cases])
    labels = np.array([float(case.question.answerable) for case in cases])
    report(cases, predict(np.array([*WEIGHTS, BIAS]), inputs), "as it is")
    groups = [case.question.id for case in cases]
    report(cases, cross_validate(inputs, labels, groups), f"fitted, {FOLDS}-fold")
    theta = fit(inputs, labels)
    for feature, weight in zip((*NAMES, "bias"), theta, strict=True):
        print(f"  {feature:12} {weight:7.2f}")
    gold = [case for case in cases if case.question.gold]
    for most in (1, 3):
        hits = np.mean([case.hit(most) for case in gold])
        print(f"a gold passage among the best {most}: {hits:.3f} of {len(gold)}")


def main(data: Path) -> None:
    services = Pipeline()
    files = sorted((data / "docs").iterdir())
    for file in files:
        record = services.upload(f"{TENANT}/default/{file.name}", file.read_bytes())
        print(record.status, file.name, record.chunks)
    names = [file.name for file in files]
    calibrate([case(question, services) for question in questions(data / "qa.jsonl", names)])


if __name__ == "__main__":
    main(Path(sys.argv[1]))
