"""What footnote announces outside: changes of records, and the events made of them."""

from collections.abc import Mapping
from typing import Literal

from footnote.model.identity import Scalar, Value
from footnote.model.records import QuestionRecord, Record

type AnnouncementName = Literal[
    "Document Ready", "Document Failed", "Document Deleted", "Question Answered"
]


class Change(Value):
    """A change of one record. `before` is None for a new one, `after` for a deleted one.

    `id` is the same each time the change is delivered. `time` is in seconds since 1970.
    """

    id: str
    time: float
    before: Record | QuestionRecord | None
    after: Record | QuestionRecord | None


class Announcement(Value):
    """An event for the bus. `detail` has ids, counts and codes, never a
    caller's or document's text.
    """

    name: AnnouncementName
    time: float
    detail: Mapping[str, Scalar]
