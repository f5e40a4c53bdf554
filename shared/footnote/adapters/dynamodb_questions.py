"""The questions table: a question's record, and its trace beside it, under one partition key.

Of a record, `item` is "record"; of an event "event#" and its id, so that a range reads the trace.
"""

import gzip
import json
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import TYPE_CHECKING, Any

from footnote.adapters.aws import translated
from footnote.adapters.dynamodb import DAY, Plain, attributes, names, plain_item, values
from footnote.errors import NotFoundError
from footnote.model import Answer, Event, QuestionRecord

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

PLAIN_BYTES = 300_000  # an item may have 400 KB; answers above this are compressed


class DynamoQuestions:
    """Questions are forgotten after `days`."""

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        days: int = 30,
        clock: Callable[[], int] = time.time_ns,
    ) -> None:
        self._client = client
        self._table = table
        self._days = days
        self._clock = clock

    def create(self, record: QuestionRecord) -> None:
        self.finish(record)

    def finish(self, record: QuestionRecord) -> None:
        self._put(record.question_id, item_of(record))

    def get(self, tenant: str, question_id: str) -> QuestionRecord:
        with translated("get", f"{self._table}/{question_id}"):
            reply = self._client.get_item(
                TableName=self._table,
                Key=attributes({"question_id": question_id, "item": "record"}),
                ConsistentRead=True,
            )
        stored = plain_item(reply.get("Item", {}))
        if stored.get("tenant") != tenant:
            raise NotFoundError(f"no question {question_id}")
        return record_of(stored)

    def session(self, tenant: str, session: str, limit: int) -> list[QuestionRecord]:
        wanted, chosen = "#session_key = :session_key", "#status = :status"
        pages = self._query(
            IndexName="by-session",
            KeyConditionExpression=wanted,
            FilterExpression=chosen,
            ExpressionAttributeNames=names(wanted, chosen),
            ExpressionAttributeValues=values(
                {"session_key": session_key(tenant, session), "status": "DONE"}
            ),
            ScanIndexForward=False,
        )
        latest = [record_of(stored) for stored in islice(pages, limit)]
        return latest[::-1]

    def add_event(self, question_id: str, kind: str, data: Mapping[str, object]) -> None:
        # the random end keeps two events of the same moment apart
        event_id = f"{self._clock():020d}-{secrets.token_hex(2)}"
        event: dict[str, Plain] = {"kind": kind, "data": json.dumps(data)}
        self._put(question_id, {**event, "item": f"event#{event_id}"})

    def events(self, question_id: str, after: str = "") -> list[Event]:
        wanted = "#question_id = :question_id AND #item BETWEEN :after AND :last"
        found = self._query(
            KeyConditionExpression=wanted,
            ExpressionAttributeNames=names(wanted),
            ExpressionAttributeValues=values(
                {"question_id": question_id, "after": f"event#{after}", "last": "event#~"}
            ),
            ConsistentRead=True,
        )
        events = [event_of(stored) for stored in found]
        return [event for event in events if event.id != after]  # BETWEEN takes its ends in

    def _put(self, question_id: str, stored: Mapping[str, Plain]) -> None:
        expires = self._clock() // 1_000_000_000 + self._days * DAY
        with translated("put", f"{self._table}/{question_id}"):
            self._client.put_item(
                TableName=self._table,
                Item=attributes({**stored, "question_id": question_id, "expires": expires}),
            )

    def _query(self, **query: Any) -> Iterator[dict[str, Plain]]:
        with translated("query", self._table):
            pages = self._client.get_paginator("query").paginate(TableName=self._table, **query)
            for page in pages:
                yield from map(plain_item, page["Items"])


def session_key(tenant: str, session: str) -> str:
    return f"{tenant}#{session}"


def item_of(record: QuestionRecord) -> dict[str, Plain]:
    fields = record.model_dump(mode="json", exclude={"answer"}, exclude_defaults=True)
    if record.session:
        fields["session_key"] = session_key(record.tenant, record.session)
    if record.answer:
        fields["answer"] = packed(record.answer.model_dump_json())
    return {**fields, "item": "record"}


def record_of(stored: Mapping[str, Plain]) -> QuestionRecord:
    fields = {name: value for name, value in stored.items() if name in QuestionRecord.model_fields}
    if answer := fields.pop("answer", None):
        return QuestionRecord.model_validate(
            {**fields, "answer": Answer.model_validate_json(unpacked(answer))}
        )
    return QuestionRecord.model_validate(fields)


def event_of(stored: Mapping[str, Plain]) -> Event:
    return Event(
        id=str(stored["item"]).removeprefix("event#"),
        kind=str(stored["kind"]),
        data=json.loads(str(stored["data"])),
    )


def packed(text: str) -> str | bytes:
    raw = text.encode()
    return gzip.compress(raw) if len(raw) > PLAIN_BYTES else text


def unpacked(stored: Plain) -> str:
    return gzip.decompress(stored).decode() if isinstance(stored, bytes) else str(stored)
