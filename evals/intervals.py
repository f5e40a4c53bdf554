"""Bootstrap intervals of means and of paired differences: how far other questions might move them.

Questions are drawn again with replacement (Efron 1979), always with the same seed. Questions that
belong together, such as one asked in seven languages, are drawn together.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

SAMPLES = 2000
SEED = 0
TAILS = (2.5, 97.5)  # percentiles: the interval holds 95 % of the samples

type Values = Mapping[str, float]
"""A figure by question."""


class Estimate(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float

    @property
    def is_certain(self) -> bool:
        """Whether the whole interval lies on one side of 0, which counts for differences."""
        return self.low > 0 or self.high < 0

    @property
    def mark(self) -> str:
        """What a certain difference is called, where more is better; "" of an uncertain one."""
        if not self.is_certain:
            return ""
        return "better" if self.mean > 0 else "WORSE"


def estimate(values: Values, groups: Mapping[str, str]) -> Estimate:
    """Returns the mean over questions. `groups` names those that are drawn together.

    A question without a group is one of its own. Raises ValueError without values.
    """
    if not values:
        raise ValueError("a mean of no questions")
    held: dict[str, list[float]] = {}
    for question, value in values.items():
        held.setdefault(groups.get(question, question), []).append(value)
    sums = np.array([sum(each) for each in held.values()])
    counts = np.array([len(each) for each in held.values()])
    drawn = np.random.default_rng(SEED).integers(0, len(sums), (SAMPLES, len(sums)))
    means = sums[drawn].sum(1) / counts[drawn].sum(1)
    low, high = np.percentile(means, TAILS)
    return Estimate(float(sums.sum() / counts.sum()), float(low), float(high))


def difference(new: Values, old: Values, groups: Mapping[str, str]) -> Estimate:
    """Returns the mean of new less old over the questions of both. ValueError without any."""
    return estimate({name: new[name] - old[name] for name in new if name in old}, groups)


def medians(values: Sequence[float]) -> tuple[float, float]:
    """Returns the median and the 95th percentile."""
    middle, late = np.percentile(values, (50, 95)) if values else (0.0, 0.0)
    return float(middle), float(late)
