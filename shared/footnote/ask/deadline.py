"""One deadline for a question: how much of what is left each step may spend on its model.

A step's function has a fixed time, so a share also has a ceiling; tests/contract/test_deadlines.py
holds these figures against the template and the state machine.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from footnote.errors import DeadlineError

type Step = Literal["plan", "retrieve", "grade", "synthesize"]


class Allotment(NamedTuple):
    """What a model may have: a share of what is left, and at most so many seconds."""

    share: float
    most: float


MODEL: Mapping[Step, Allotment] = {
    # two thirds are left for searching and writing, whatever becomes of the planner
    "plan": Allotment(1 / 3, 20.0),
    # may come once a round: a second one has a third of what the first one left
    "grade": Allotment(1 / 3, 20.0),
    # nothing follows but what RESERVE is for
    "synthesize": Allotment(1.0, 70.0),
}
RESERVE = 15.0
"""Seconds no model gets: rules stand in for it, citations are checked, the answer is stored."""

LATE: Mapping[Step, float] = {
    "plan": 0.0,
    "retrieve": 0.0,
    # what has been found is worth an answer by rule, a little after the deadline too
    "grade": 10.0,
    "synthesize": 10.0,
}
"""Seconds after the deadline until which a step may begin."""

ROUND = 20.0
"""Seconds that another round of retrieval is worth beginning for."""


def allotted(step: Step, deadline: float | None, now: float) -> float:
    """Until when (epoch seconds) the step's model may work. Half of little time stays reserved."""
    share, most = MODEL[step]
    if deadline is None:  # a question that was asked before questions had deadlines
        return now + most
    left = max(deadline - now, 0.0)
    return now + min((left - min(RESERVE, left / 2)) * share, most)


def begin(step: Step, deadline: float | None, now: float) -> None:
    """Raises DeadlineError when it is too late to begin this step."""
    if deadline is not None and now > deadline + LATE[step]:
        raise DeadlineError(f"the question's time was over before its step {step!r} could begin")


def rounds(most: int, done: int, deadline: float | None, now: float) -> int:
    """How many rounds of retrieval there may be: those that are done when time is short."""
    return most if deadline is None or deadline - now > ROUND else min(most, done)
