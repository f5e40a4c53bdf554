"""Stops a question: its record ends, and each step that begins after that does nothing.

A step that has begun goes on to its end, and changes nothing by it: a record that has ended stays
as it is (`Questions.finish`).
"""

from footnote.model import Problem, QuestionRecord
from footnote.ports import Questions

STOPPED = Problem(
    code="stopped",
    message="the question was stopped by its caller",
    action="Ask again if you still want to know.",
)


def stop(questions: Questions, record: QuestionRecord) -> QuestionRecord:
    """Ends a question that is RUNNING. Returns the record that is there now."""
    if record.status != "RUNNING":
        return record
    return questions.finish(record.model_copy(update={"status": "FAILED", "error": STOPPED}))
