"""The rubric: what each figure weighs, below what a run fails, and the score of a run."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, model_validator

from footnote.evaluation.judging import Depth, FigureName
from footnote.evaluation.yaml_files import read_yaml
from footnote.model import StrictValue

type CostName = Literal["search_p95_ms", "ask_p50_ms", "ask_p95_ms", "tokens", "usd"]
"""What a run takes. Less is better, and nothing of it enters the score."""


class Measure(StrictValue):
    """What a figure weighs in the score, and its floor: below it a run fails."""

    weight: float = Field(default=0.0, ge=0)
    floor: float | None = Field(default=None, ge=0, le=1)


DEFAULT: Mapping[FigureName, Measure] = {
    "faithfulness": Measure(weight=0.30, floor=0.70),
    "precision_at_k": Measure(weight=0.25),
    "recall_at_k": Measure(weight=0.25),
    "context_relevance": Measure(weight=0.20),
}


class Rubric(StrictValue):
    """How a run is judged.

    `score` is the least score, `passed` the least share of cases without a fault. `fall` is how far
    the score and each figure with a weight or a floor may fall below the baseline's. `ceilings`
    bound what a run takes: tokens and dollars in all, milliseconds a question.
    """

    precision_k: int = Field(default=1, ge=1, le=50)
    k: int = Field(default=5, ge=1, le=50)
    figures: Mapping[FigureName, Measure] = Field(default=DEFAULT)
    score: float = Field(default=0.0, ge=0, le=1)
    passed: float = Field(default=0.0, ge=0, le=1)
    fall: float = Field(default=0.02, ge=0, le=1)
    ceilings: Mapping[CostName, float] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _weighs_something(self) -> Self:
        if not sum(one.weight for one in self.figures.values()):
            raise ValueError("no figure has a weight, so there is no score")
        return self

    @property
    def depth(self) -> Depth:
        return Depth(self.precision_k, self.k)


def read_rubric(path: Path | None) -> Rubric:
    """Reads a rubric, the default one without a file. Raises BadRequestError for a wrong one."""
    return read_yaml(path, Rubric) if path else Rubric()


def score(rubric: Rubric, figures: Mapping[FigureName, float]) -> float:
    """Returns the weighted mean of the figures that were measured, 0 if none was."""
    weighed = [
        (one.weight, figures[name])
        for name, one in rubric.figures.items()
        if one.weight and name in figures
    ]
    total = sum(weight for weight, _ in weighed)
    return sum(weight * value for weight, value in weighed) / total if total else 0.0


class Totals(StrictValue):
    """The figures of a run over all its cases, with what it took."""

    score: float
    passed: float
    figures: Mapping[FigureName, float]
    costs: Mapping[CostName, float] = Field(default_factory=dict)


def failures(rubric: Rubric, run: Totals, baseline: Totals | None) -> Iterator[str]:
    """Yields why a run fails: a floor, a ceiling, or a fall below the baseline."""
    for name, measure in rubric.figures.items():
        value = run.figures.get(name)
        if measure.floor is None:
            continue
        if value is None:
            yield f"{name}: has a floor, but no case measured it"
        elif value < measure.floor:
            yield f"{name}: {value:.3f} is below its floor {measure.floor:.3f}"
    if run.score < rubric.score:
        yield f"score: {run.score:.3f} is below {rubric.score:.3f}"
    if run.passed < rubric.passed:
        yield f"passed: {run.passed:.3f} of the cases, less than {rubric.passed:.3f}"
    for cost, most in rubric.ceilings.items():
        if (spent := run.costs.get(cost, 0.0)) > most:
            yield f"{cost}: {spent:g} is above its ceiling {most:g}"
    if baseline:
        yield from _falls(rubric, run, baseline)


def _falls(rubric: Rubric, run: Totals, baseline: Totals) -> Iterator[str]:
    if run.score < baseline.score - rubric.fall:
        yield f"score: {run.score:.3f}, the baseline has {baseline.score:.3f}"
    for name in rubric.figures:
        before, now = baseline.figures.get(name), run.figures.get(name)
        if before is not None and (now is None or now < before - rubric.fall):
            shown = "not measured" if now is None else f"{now:.3f}"
            yield f"{name}: {shown}, the baseline has {before:.3f}"
