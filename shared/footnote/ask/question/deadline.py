"""The deadline of a question, and the part of the time left that each step's model may use.

A step's function has a fixed time, so that part has a ceiling. tests/contract/test_deadlines.py
compares these figures with the template and the state machine.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from footnote.errors import DeadlineError

type Step = Literal["plan", "read", "work", "retrieve", "grade", "synthesize"]


class Allotment(NamedTuple):
    """The time of a model: a share of the time left, and `most` seconds."""

    share: float
    most: float


ALLOTMENTS: Mapping[Step, Allotment] = {
    # leaves two thirds for searching and writing, even if the planner does not answer
    "plan": Allotment(1 / 3, 20.0),
    # runs for several batches at once, and again for others
    "read": Allotment(1 / 2, 30.0),
    # runs once a turn, and each has a share of what the last one left
    "work": Allotment(1 / 4, 15.0),
    # runs once a wave: the second time it gets a third of what the first time left
    "grade": Allotment(1 / 3, 20.0),
    # takes all that is left: nothing follows but the work for which RESERVE is kept
    "synthesize": Allotment(1.0, 70.0),
}
RESERVE = 15.0
"""Seconds kept from all models: for answering by rule, checking citations, storing the answer."""

GRACE: Mapping[Step, float] = {
    "plan": 0.0,
    "read": 0.0,
    "work": 0.0,
    "retrieve": 0.0,
    # evidence is worth an answer by rule, even a little after the deadline
    "grade": 10.0,
    "synthesize": 10.0,
}
"""Seconds after the deadline within which a step may still begin."""

READING_SECONDS = 30.0
"""Seconds after which a call that reads documents begins no other one."""

WAVE_SECONDS = 20.0
"""Seconds that must be left for another wave of searches to begin."""


def model_deadline(step: Step, deadline: float | None, now: float) -> float:
    """Returns the moment (epoch seconds) until which the step's model may work.

    Where little time is left, half of it is kept instead of RESERVE.
    """
    share, most = ALLOTMENTS[step]
    if deadline is None:  # the question was asked before questions had deadlines
        return now + most
    left = max(deadline - now, 0.0)
    return now + min((left - min(RESERVE, left / 2)) * share, most)


def check_deadline(step: Step, deadline: float | None, now: float) -> None:
    """Raises DeadlineError when it is too late to begin this step."""
    if deadline is not None and now > deadline + GRACE[step]:
        raise DeadlineError(f"the question's time was over before its step {step!r} could begin")


def has_time(deadline: float | None, now: float) -> bool:
    """Tells whether another wave of searches may begin."""
    return deadline is None or deadline - now > WAVE_SECONDS
