"""The questions table: a question's record and its trace, under one partition key.

The sort key `item` is "record" for the record, and "event#" with the event's id for an event. So
one query reads the trace.
"""

import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.records import readable, reading
from footnote.adapters.dynamodb.trace import IF_NEW, QuestionItems, Trace
from footnote.adapters.dynamodb.turns import Turns
from footnote.adapters.dynamodb.values import attributes, names, plain_item, values
from footnote.adapters.rules.limits import PlainValue, is_key
from footnote.adapters.rules.questions import (
    feedback_item,
    is_session,
    item_of,
    must_be_equal,
    must_be_storable,
    must_be_storable_feedback,
    must_have_ended,
    session_key,
    turn_item,
    unpack,
)
from footnote.errors import ConflictError, NotFoundError
from footnote.model import Answer, Event, Feedback, QuestionRecord, Turn

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

IF_RUNNING = "#status = :running"
IF_THERE = "attribute_exists(#status)"
IF_FREE = (
    "#status = :running"
    " AND (attribute_not_exists(#claimed) OR #claimed = :run OR #claimed_until <= :now)"
)


class DynamoQuestions:
    """Implements the port Questions. Questions expire after `days`."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        days: int = 30,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._items = QuestionItems(client, table, days, clock)
        self._trace = Trace(self._items)
        self._turns = Turns(self._items)

    def create(self, record: QuestionRecord) -> None:
        must_be_storable(record)
        try:
            self._items.put(record.question_id, item_of(record), IF_NEW)
        except ConflictError:  # also when the SDK retried because a reply was lost
            must_be_equal(record_of(self._stored(record.question_id)), record)

    def claim(self, question_id: str, run: str, seconds: float) -> bool:
        if not (is_key(question_id) and is_key(run)):
            return False
        now = self._items.clock()
        operands: dict[str, PlainValue] = {"run": run, "now": now, "until": now + seconds}
        change = "SET #claimed = :run, #claimed_until = :until"
        try:
            with translate_errors("claim", f"{self._items.table}/{question_id}"):
                self._items.client.update_item(
                    TableName=self._items.table,
                    Key=attributes({"question_id": question_id, "item": "record"}),
                    UpdateExpression=change,
                    ConditionExpression=IF_FREE,
                    ExpressionAttributeNames=names(change, IF_FREE),
                    ExpressionAttributeValues=values(operands | {"running": "RUNNING"}),
                )
        except ConflictError:
            return False
        return True

    def finish(self, record: QuestionRecord) -> QuestionRecord:
        must_be_storable(record)
        try:
            self._items.put(record.question_id, item_of(record), IF_RUNNING, running="RUNNING")
        except ConflictError:
            return self.get(record.tenant, record.question_id)
        return record

    def get(self, tenant: str, question_id: str) -> QuestionRecord:
        stored = self._stored(question_id)
        if stored.get("tenant") != tenant:
            raise NotFoundError(f"no question {question_id}")
        return record_of(stored)

    def _stored(self, question_id: str) -> dict[str, PlainValue]:
        if not is_key(question_id):
            return {}
        with translate_errors("get", f"{self._items.table}/{question_id}"):
            reply = self._items.client.get_item(
                TableName=self._items.table,
                Key=attributes({"question_id": question_id, "item": "record"}),
                ConsistentRead=True,
            )
        return plain_item(reply.get("Item", {}))

    def session(self, tenant: str, session: str, limit: int) -> list[QuestionRecord]:
        if not is_session(tenant, session):
            return []
        condition, kept = "#session_key = :session_key", "#status = :status AND #tenant = :tenant"
        pages = self._items.query(
            IndexName="by-session",
            KeyConditionExpression=condition,
            FilterExpression=kept,
            ExpressionAttributeNames=names(condition, kept),
            ExpressionAttributeValues=values(
                {"session_key": session_key(tenant, session), "status": "DONE", "tenant": tenant}
            ),
            ScanIndexForward=False,
        )
        latest = list(islice(readable(record_of, pages), limit))
        return latest[::-1]

    def turns(
        self, tenant: str, session: str, after: str = "", limit: int = 50
    ) -> tuple[list[Turn], str]:
        return self._turns.of_session(tenant, session, after, limit)

    def latest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Turn], str]:
        return self._turns.of_tenant(tenant, after, limit)

    def newest(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Turn], str]:
        return self._turns.newest(tenant, after, limit)

    def name_session(self, tenant: str, question_id: str, name: str) -> None:
        record = self.get(tenant, question_id)
        must_have_ended(question_id, record.status)
        turn = record.turn.model_copy(update={"session_name": name})
        change = "SET #session_name = :name, #turn = :turn"
        try:
            with translate_errors("name", f"{self._items.table}/{question_id}"):
                self._items.client.update_item(
                    TableName=self._items.table,
                    Key=attributes({"question_id": question_id, "item": "record"}),
                    UpdateExpression=change,
                    ConditionExpression=IF_THERE,
                    ExpressionAttributeNames=names(change, IF_THERE),
                    ExpressionAttributeValues=values({"name": name, "turn": turn_item(turn)}),
                )
        except ConflictError:  # it was deleted meanwhile
            raise NotFoundError(f"no question {question_id}") from None

    def delete(self, tenant: str, question_id: str) -> None:
        if is_key(question_id):
            self._turns.delete(tenant, question_id)

    def add_feedback(self, feedback: Feedback) -> None:
        must_be_storable_feedback(feedback)
        with suppress(ConflictError):  # the SDK has sent it twice
            self._items.put(feedback.question_id, feedback_item(feedback), IF_NEW)

    def feedback(self, tenant: str, after: str = "", limit: int = 50) -> tuple[list[Feedback], str]:
        return self._turns.feedback(tenant, after, limit)

    def add_event(
        self, question_id: str, kind: str, data: Mapping[str, object], name: str = ""
    ) -> None:
        self._trace.add(question_id, kind, data, name)

    def events(self, question_id: str, after: str = "") -> list[Event]:
        return self._trace.after(question_id, after)


def record_of(stored: Mapping[str, PlainValue]) -> QuestionRecord:
    """Reads an item. Raises UnreadableError for one that this release cannot read."""
    with reading(f"question {stored.get('question_id')}"):
        return _record_of(stored)


def _record_of(stored: Mapping[str, PlainValue]) -> QuestionRecord:
    fields = {name: value for name, value in stored.items() if name in QuestionRecord.model_fields}
    if answer := fields.pop("answer", None):
        return QuestionRecord.model_validate(
            {**fields, "answer": Answer.model_validate_json(unpack(answer))}
        )
    return QuestionRecord.model_validate(fields)
