"""The table of tasks for language models: a new task is a row here and a prompt.

The prompt of a task is `prompts/<task>.md`.
"""

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.model import Block, Citable, Message, ModelRequest, Task
from footnote.prompts import load
from footnote.prompts.shapes import (
    CondenseReply,
    DraftReply,
    ExtractReply,
    GradeReply,
    JudgeReply,
    PlanReply,
    ReadReply,
    Shape,
)

type Role = Literal["planner", "grader", "writer", "context"]
"""Who does a task. The setting `<role>_model` names the model."""


class TaskRow(NamedTuple):
    """How a task is asked for. Without a `shape` the reply is prose; `max_tokens` bounds it.

    `temperature` is 0 where the same evidence should get the same verdict. Without one the server's
    own counts.
    """

    role: Role
    shape: type[Shape] | None = None
    max_tokens: int = 2000
    temperature: float | None = None


TASKS: Mapping[Task, TaskRow] = {
    "plan": TaskRow("planner", PlanReply, temperature=0.0),
    "condense": TaskRow("planner", CondenseReply, max_tokens=1000, temperature=0.0),
    "read": TaskRow("grader", ReadReply, temperature=0.0),
    "work": TaskRow("planner", max_tokens=1000, temperature=0.0),
    "grade": TaskRow("grader", GradeReply, temperature=0.0),
    "extract": TaskRow("writer", ExtractReply, max_tokens=4000, temperature=0.0),
    "judge": TaskRow("grader", JudgeReply, max_tokens=300, temperature=0.0),
    "synthesize": TaskRow("writer"),
    "repair": TaskRow("writer", max_tokens=400),
    "context": TaskRow("context", max_tokens=100),
    "draft": TaskRow("planner", DraftReply, max_tokens=500, temperature=0.0),
}


def request_for(task: Task, *, citable: Sequence[Citable] = (), **texts: str) -> ModelRequest:
    """Returns what a model is asked; `texts` fill the prompt. `citable` is its evidence again."""
    row, filled = TASKS[task], load(task, **texts)
    blocks = [Block(text=filled.prompt)]
    if filled.evidence:
        blocks.append(Block(text=f"\n\n{filled.evidence}", citable=tuple(citable)))
    return ModelRequest(
        task=task,
        system=filled.system,
        messages=(Message(role="user", blocks=tuple(blocks)),),
        shape=row.shape.model_json_schema() if row.shape else None,
        max_tokens=row.max_tokens,
    )
