"""What both adapters of the questions table go by: numbers of events, which question is which."""

import re

from footnote.errors import BadRequestError, ConflictError
from footnote.model import QuestionRecord

DIGITS = 8  # so that ids sort as text


def event_id(number: int) -> str:
    """The id of a question's first event is that of 1; there are no gaps."""
    return f"{number:0{DIGITS}d}"


def number_of(after: str) -> int:
    """The number in an event's id, 0 for none. Raises BadRequestError: a client sent it."""
    if not after:
        return 0
    if not re.fullmatch(rf"[0-9]{{{DIGITS}}}", after):
        raise BadRequestError(
            f"{after[:50]!r} is not the id of an event",
            action="Give `after` the id of the last event that you have, or leave it out.",
        )
    return int(after)


def must_be_the_same(stored: QuestionRecord, given: QuestionRecord) -> None:
    """Raises ConflictError when a question of this id is there and is not the one given."""
    if _asked(stored) != _asked(given):
        raise ConflictError(
            f"there is another question {given.question_id}", action="Ask again: it gets a new id."
        )


def _asked(record: QuestionRecord) -> QuestionRecord:
    """The record as it was when it was asked."""
    return record.model_copy(update={"status": "RUNNING", "answer": None, "error": None})
