"""The rules of both adapters of the questions table: event ids, equal questions, items, places."""

import gzip
import json
import re
from datetime import datetime

from footnote.adapters.rules.catalog import encode_cursor, no_cursor, open_cursor
from footnote.adapters.rules.limits import PlainValue, is_key, must_be_key, must_fit_item
from footnote.errors import BadRequestError, ConflictError
from footnote.model import Feedback, QuestionRecord, Turn

# Longer answers are compressed: an item may have 400 KB, and all else that a record can hold (a
# question of 4,000 characters, three exchanges, 100 names of documents) makes up to 260 KB of it.
PLAIN_BYTES = 60_000
LONGEST_ID = 200  # characters of the id of feedback, which is part of a sort key
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


def must_be_storable(record: QuestionRecord) -> None:
    """Raises ConfigurationError for a question whose item or keys DynamoDB refuses."""
    must_be_key(f"question {record.question_id[:100]}", record.question_id)
    must_be_key(f"tenant of question {record.question_id}", record.tenant)
    if record.session:
        session = session_key(record.tenant, record.session)
        must_be_key(f"session of question {record.question_id}", session)
    must_fit_item(f"question {record.question_id}", item_of(record))


def must_be_sayable(feedback: Feedback) -> None:
    """Raises ConfigurationError for feedback whose item or keys DynamoDB refuses."""
    what = f"feedback on {feedback.question_id[:100]}"
    for key in (feedback.tenant, session_key(feedback.tenant, "")):
        must_be_key(f"tenant of {what}", key)
    must_be_key(what, feedback.question_id, feedback_key(feedback.id))
    must_fit_item(what, feedback_item(feedback))


def must_have_ended(question_id: str, status: str) -> None:
    """Raises ConflictError for a question that is still being answered."""
    if status == "RUNNING":
        raise ConflictError(
            f"question {question_id} is still being answered",
            code="question_running",
            action="Wait until it has ended, then try again.",
        )


def place_of(turn: Turn) -> tuple[str, str]:
    """Returns by what turns are in order: when they were asked, then their ids."""
    return turn.created, turn.question_id


def encode_place(turn: Turn) -> str:
    """Returns the cursor of what comes after a turn."""
    return encode_cursor(json.dumps(place_of(turn)))


def said_at(feedback: Feedback) -> tuple[str, str, str]:
    """Returns by what feedback is in order: when it was given, then its question and id."""
    return feedback.created, feedback.question_id, feedback.id


def encode_said(feedback: Feedback) -> str:
    """Returns the cursor of the feedback that comes after."""
    return encode_cursor(json.dumps(said_at(feedback)))


def decode_place(given: str) -> tuple[str, str]:
    """Reads a cursor. It comes from a client: one that is malformed raises BadRequestError."""
    match _parts_of(given):
        case [str(created), str(question_id)] if _is_moment(created) and is_key(question_id):
            return created, question_id
    raise no_cursor(given)


def decode_said(given: str) -> tuple[str, str, str]:
    """Reads a cursor of feedback, as `decode_place` does."""
    match _parts_of(given):
        case [str(created), str(question_id), str(said)] if (
            _is_moment(created) and is_key(question_id) and is_key(said) and len(said) <= LONGEST_ID
        ):
            return created, question_id, said
    raise no_cursor(given)


def _parts_of(given: str) -> object:
    try:
        return json.loads(open_cursor(given))
    except (ValueError, RecursionError):
        raise no_cursor(given) from None


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return text.isascii()


def session_key(tenant: str, session: str) -> str:
    """Returns the key of a session. No other tenant and session have the same.

    The mark between them may be in both names. So where a tenant's name has it, the key begins with
    it and with the length of that name: no other key begins so. All others are as they always were.
    """
    if "#" in tenant:
        return f"#{len(tenant)}#{tenant}#{session}"
    return f"{tenant}#{session}"


def is_session(tenant: str, session: str) -> bool:
    """Tells whether a table can have this session: what cannot be is not there."""
    return is_key(tenant) and session != "" and is_key(session_key(tenant, session))


def feedback_key(feedback_id: str) -> str:
    return f"feedback#{feedback_id}"


def item_of(record: QuestionRecord) -> "dict[str, PlainValue]":
    fields = record.model_dump(mode="json", exclude={"answer"}, exclude_defaults=True)
    if record.session:
        fields["session_key"] = session_key(record.tenant, record.session)
        fields["session_tenant"] = record.tenant  # the key of the index by-tenant: sessions only
        fields["turn"] = record.turn.model_dump(mode="json", exclude_defaults=True)
    if record.answer:
        fields["answer"] = pack(record.answer.model_dump_json())
    return {**fields, "item": "record"}


def feedback_item(feedback: Feedback) -> "dict[str, PlainValue]":
    """Returns the item of a feedback. It is listed as a turn of the session without a name.

    No question is in that session: a question without a session has no `session_key`.
    """
    fields = feedback.model_dump(mode="json", exclude_defaults=True)
    key = session_key(feedback.tenant, "")
    return {**fields, "session_key": key, "item": feedback_key(feedback.id)}


def pack(text: str) -> str | bytes:
    raw = text.encode()
    return gzip.compress(raw) if len(raw) > PLAIN_BYTES else text


def unpack(stored: "PlainValue") -> str:
    return gzip.decompress(stored).decode() if isinstance(stored, bytes) else str(stored)
