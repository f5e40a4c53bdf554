"""A question's trace in the questions table: a log to which several functions add at once.

A writer stores its event under the number after the last one that it has read, and only if that
number is free. So each number is used once, and none before its predecessor. A reader stops at the
first number that is missing.
"""

import json
import random
import secrets
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.values import DAY, attributes, names, plain_item, values
from footnote.adapters.rules.limits import PlainValue, is_key, must_be_key
from footnote.adapters.rules.questions import event_id, number_of
from footnote.errors import ConflictError, UnavailableError
from footnote.model import Event

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import AttributeValueTypeDef

TRIES = 50  # to add an event; a try fails only because another event was added
PAUSE = 0.02  # seconds at most before the next try

IF_NEW = "attribute_not_exists(#question_id)"


class QuestionItems:
    """Reads and writes items of the questions table. Each expires after `days`."""

    def __init__(
        self, client: "DynamoDBClient", table: str, days: int, clock: Callable[[], float]
    ) -> None:
        self.client = client
        self.table = table
        self.clock = clock
        self._days = days

    def put(
        self,
        question_id: str,
        stored: Mapping[str, PlainValue],
        condition: str,
        **operands: PlainValue,
    ) -> None:
        """Stores an item. Raises ConflictError when the stored one does not meet the condition."""
        options: Any = {"ExpressionAttributeValues": values(operands)} if operands else {}
        with translate_errors("put", f"{self.table}/{question_id}"):
            self.client.put_item(
                TableName=self.table,
                Item=self.expiring(question_id, stored),
                ConditionExpression=condition,
                ExpressionAttributeNames=names(condition),
                **options,
            )

    def expiring(
        self, question_id: str, stored: Mapping[str, PlainValue]
    ) -> dict[str, "AttributeValueTypeDef"]:
        """Returns an item as the table holds it, with the time when it expires."""
        expires = int(self.clock()) + self._days * DAY
        return attributes({**stored, "question_id": question_id, "expires": expires})

    def query(self, **query: Any) -> Iterator[dict[str, PlainValue]]:
        with translate_errors("query", self.table):
            pages = self.client.get_paginator("query").paginate(TableName=self.table, **query)
            for page in pages:
                yield from map(plain_item, page["Items"])


class TraceState(NamedTuple):
    """The part of a question's trace that was read. It stays true, as events never change."""

    question_id: str = ""
    number: int = 0
    names: frozenset[str] = frozenset()

    def with_event(self, name: str) -> "TraceState":
        return TraceState(self.question_id, self.number + 1, self.names | {name})


class Trace:
    """Adds and reads events. It remembers what it has read of the question it last added to."""

    def __init__(self, items: QuestionItems) -> None:
        self._items = items
        self._seen = TraceState()

    def add(self, question_id: str, kind: str, data: Mapping[str, object], name: str) -> None:
        must_be_key(f"{kind} of question {question_id[:100]}", question_id)
        # with a name of its own, a put that the SDK sends twice recognises itself
        name = name or secrets.token_hex(8)
        event: dict[str, PlainValue] = {"kind": kind, "data": json.dumps(data), "name": name}
        seen = self._seen
        if seen.question_id != question_id:
            seen = self._read_on(TraceState(question_id))
        for _ in range(TRIES):
            if name in seen.names:
                return
            try:
                self._items.put(question_id, {**event, "item": sort_key(seen.number + 1)}, IF_NEW)
            except ConflictError:
                time.sleep(random.uniform(0, PAUSE))  # noqa: S311 -- no secret
                seen = self._read_on(seen)
            else:
                self._seen = seen.with_event(name)
                return
        raise UnavailableError(f"{kind} of question {question_id}: {TRIES} others came before it")

    def after(self, question_id: str, after: str) -> list[Event]:
        number = number_of(after)
        if not is_key(question_id):
            return []
        return [event_of(stored) for stored in self._numbered(question_id, number)]

    def _read_on(self, seen: TraceState) -> TraceState:
        for stored in self._numbered(seen.question_id, seen.number):
            seen = seen.with_event(str(stored["name"]))
        self._seen = seen
        return seen

    def _numbered(self, question_id: str, after: int) -> Iterator[dict[str, PlainValue]]:
        """Yields the items of events after this number, up to the first gap.

        While it reads, a query may see a later put and miss an earlier one.
        """
        condition = "#question_id = :question_id AND #item BETWEEN :first AND :last"
        operands = {"question_id": question_id, "first": sort_key(after + 1), "last": "event#~"}
        items = self._items.query(
            KeyConditionExpression=condition,
            ExpressionAttributeNames=names(condition),
            ExpressionAttributeValues=values(operands),
            ConsistentRead=True,
        )
        for number, stored in enumerate(items, after + 1):
            if stored["item"] != sort_key(number):
                return
            yield stored


def sort_key(number: int) -> str:
    return f"event#{event_id(number)}"


def event_of(stored: Mapping[str, PlainValue]) -> Event:
    return Event(
        id=str(stored["item"]).removeprefix("event#"),
        kind=str(stored["kind"]),
        data=json.loads(str(stored["data"])),
    )
