"""The rules of both adapters of the questions table: ids of events, items, cursors, repeats."""

import gzip
import json
import re
from datetime import datetime

from footnote.adapters.rules.catalog import encode_cursor, no_cursor, open_cursor
from footnote.adapters.rules.limits import PlainValue, is_key, must_be_key, must_fit_item
from footnote.errors import BadRequestError, ConflictError
from footnote.model import Feedback, Kept, QuestionRecord, Turn

# Bytes; a longer answer is compressed. An item may have 400 KB, and the rest of a record (a
# question of 4,000 characters, its history, 100 names of documents) takes up to 300 KB of it.
PLAIN_BYTES = 60_000
LONGEST_ID = 200  # characters of the id of feedback, which is part of a sort key
DIGITS = 8  # a fixed width, so that ids sort as text
AT_WORK_SECONDS = 60
"""Seconds for which a request at work holds its key: twice the API function's time."""

MAX_PACKED = 300_000
"""Bytes of a reply, compressed. An item of DynamoDB may have 400 KB."""


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


def must_be_equal(stored: QuestionRecord, created: QuestionRecord) -> None:
    """Raises ConflictError where another question is stored under the id of a created one."""
    if _as_created(stored) != _as_created(created):
        raise ConflictError(
            f"there is another question {created.question_id}",
            action="Ask again: it gets a new id.",
        )


def _as_created(record: QuestionRecord) -> QuestionRecord:
    """Returns the record as it was when the question was created."""
    later = {"status": "RUNNING", "answer": None, "error": None, "session_name": ""}
    return record.model_copy(update=later)


def must_be_storable(record: QuestionRecord) -> None:
    """Raises ConfigurationError for a question whose item or keys DynamoDB refuses."""
    must_be_key(f"question {record.question_id[:100]}", record.question_id)
    must_be_key(f"tenant of question {record.question_id}", record.tenant)
    must_be_key(f"tenant of question {record.question_id}", alone_key(record.tenant))
    if record.session:
        session = session_key(record.tenant, record.session)
        must_be_key(f"session of question {record.question_id}", session)
    must_fit_item(f"question {record.question_id}", item_of(record))


def must_be_storable_feedback(feedback: Feedback) -> None:
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


def turn_order(turn: Turn) -> tuple[str, str]:
    """Returns the key by which turns are sorted: when they were asked, then their ids."""
    return turn.created, turn.question_id


def turn_cursor_after(turn: Turn) -> str:
    """Returns the cursor of the page that begins after a turn."""
    return encode_cursor(json.dumps(turn_order(turn)))


def feedback_order(feedback: Feedback) -> tuple[str, str, str]:
    """Returns the key by which feedback is sorted: when it was given, then its question and id."""
    return feedback.created, feedback.question_id, feedback.id


def feedback_cursor_after(feedback: Feedback) -> str:
    """Returns the cursor of the page that begins after this feedback."""
    return encode_cursor(json.dumps(feedback_order(feedback)))


def decode_turn_cursor(cursor: str) -> tuple[str, str]:
    """Reads a cursor of turns, which a client sent. Raises BadRequestError for a malformed one."""
    match _parts_of(cursor):
        case [str(created), str(question_id)] if _is_moment(created) and is_key(question_id):
            return created, question_id
    raise no_cursor(cursor)


def decode_cursors(cursor: str) -> tuple[str, str]:
    """Reads a cursor of two lists of turns: a cursor of each, "" where it has not begun.

    Raises BadRequestError for a malformed one.
    """
    match _parts_of(cursor):
        case [str(first), str(second)]:
            for each in filter(None, (first, second)):
                decode_turn_cursor(each)
            return first, second
    raise no_cursor(cursor)


def decode_feedback_cursor(cursor: str) -> tuple[str, str, str]:
    """Reads a cursor of feedback, as `decode_turn_cursor` does."""
    match _parts_of(cursor):
        case [str(created), str(question_id), str(feedback_id)] if (
            _is_moment(created)
            and is_key(question_id)
            and is_key(feedback_id)
            and len(feedback_id) <= LONGEST_ID
        ):
            return created, question_id, feedback_id
    raise no_cursor(cursor)


def _parts_of(cursor: str) -> object:
    try:
        return json.loads(open_cursor(cursor))
    except (ValueError, RecursionError):
        raise no_cursor(cursor) from None


def _is_moment(text: str) -> bool:
    try:
        datetime.fromisoformat(text)
    except ValueError:
        return False
    return text.isascii()


def session_key(tenant: str, session: str) -> str:
    """Returns the key of a tenant's session. No other tenant and session have the same key.

    The separator `#` may stand in both names. So the key of a tenant whose name has one begins
    with `#` and the length of that name, as no other key does.
    """
    if "#" in tenant:
        return f"#{len(tenant)}#{tenant}#{session}"
    return f"{tenant}#{session}"


def alone_key(tenant: str) -> str:
    """Returns the key under which the index `by-tenant` lists questions of no session.

    No tenant's name has a slash, so no session's question has this key.
    """
    return f"/{tenant}"


def is_session(tenant: str, session: str) -> bool:
    """Tells whether a table can hold this session. One that it cannot hold does not exist."""
    return is_key(tenant) and session != "" and is_key(session_key(tenant, session))


def feedback_key(feedback_id: str) -> str:
    return f"feedback#{feedback_id}"


def item_of(record: QuestionRecord) -> "dict[str, PlainValue]":
    fields = record.model_dump(mode="json", exclude={"answer"}, exclude_defaults=True)
    fields["session_tenant"] = alone_key(record.tenant)  # the key of the index by-tenant
    if record.session:
        fields["session_key"] = session_key(record.tenant, record.session)
        fields["session_tenant"] = record.tenant
    fields["turn"] = turn_item(record.turn)
    if record.answer:
        fields["answer"] = pack(record.answer.model_dump_json())
    return {**fields, "item": "record"}


def turn_item(turn: Turn) -> "dict[str, PlainValue]":
    return turn.model_dump(mode="json", exclude_defaults=True)


def feedback_item(feedback: Feedback) -> "dict[str, PlainValue]":
    """Returns the item of a feedback. The index `by-session` lists it under the session "".

    No question is listed there: a question without a session has no `session_key`.
    """
    fields = feedback.model_dump(mode="json", exclude_defaults=True)
    key = session_key(feedback.tenant, "")
    return {**fields, "session_key": key, "item": feedback_key(feedback.id)}


def pack(text: str) -> str | bytes:
    raw = text.encode()
    return gzip.compress(raw) if len(raw) > PLAIN_BYTES else text


def unpack(stored: "PlainValue") -> str:
    return gzip.decompress(stored).decode() if isinstance(stored, bytes) else str(stored)


# -- requests with an idempotency key --------------------------------------------------------------


def repeat_key(name: str) -> str:
    """Returns the key of a request. Raises ConfigurationError for a name that no key can have."""
    must_be_key("request", key := f"once#{name}")
    return key


def is_others(kept: Kept, holder: str) -> bool:
    """Tells whether a request has ended, or somebody else works on it.

    The SDK repeats a claim whose reply was lost. Such a claim is the holder's own.
    """
    return kept.status != 0 or kept.holder != holder


def must_be_small(body: str) -> None:
    """Raises BadRequestError for a reply that is too large to be kept."""
    if len(body) > MAX_PACKED and len(gzip.compress(body.encode("utf-8", "replace"))) > MAX_PACKED:
        raise BadRequestError("the reply is too large to be kept", code="reply_too_large")
