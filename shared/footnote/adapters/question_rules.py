"""The rules that both adapters of the questions table follow: event ids and equal questions."""

import re

from footnote.errors import BadRequestError, ConflictError
from footnote.model import QuestionRecord

DIGITS = 8  # a fixed width, so that ids sort as text


def event_id(number: int) -> str:
    """Returns the id of an event. A question's events are numbered from 1 without gaps."""
    return f"{number:0{DIGITS}d}"


def number_of(after: str) -> int:
    """Returns the number in an event's id, 0 for none.

    The id comes from a client, so one that is malformed raises BadRequestError.
    """
    if not after:
        return 0
    if not re.fullmatch(rf"[0-9]{{{DIGITS}}}", after):
        raise BadRequestError(
            f"{after[:50]!r} is not the id of an event",
            action="Give `after` the id of the last event that you have, or leave it out.",
        )
    return int(after)


def must_be_the_same(stored: QuestionRecord, given: QuestionRecord) -> None:
    """Raises ConflictError when the stored question of this id is not the one given."""
    if _as_asked(stored) != _as_asked(given):
        raise ConflictError(
            f"there is another question {given.question_id}", action="Ask again: it gets a new id."
        )


def _as_asked(record: QuestionRecord) -> QuestionRecord:
    """Returns the record as it was when the question was asked, to compare records at any time."""
    return record.model_copy(update={"status": "RUNNING", "answer": None, "error": None})
