"""Counters as items of a table, which DynamoDB adds to and compares in one step."""

from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.values import attributes, names, plain_item, values
from footnote.adapters.rules.limits import PlainValue, must_be_key
from footnote.errors import ConflictError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

CHANGE = "ADD #sum :amount SET #expires = :until"
IF_ROOM = "attribute_not_exists(#sum) OR #sum <= :room"


class DynamoCounters:
    """Implements the port Counters.

    Where DynamoDB's reply is lost, the SDK adds a second time. So a limit may be reached early, but
    never late.
    """

    def __init__(self, client: "DynamoDBClient", table: str) -> None:
        self._client = client
        self._table = table

    def add(self, name: str, amount: int, until: float, most: int | None = None) -> bool:
        must_be_key("counter", name)
        if most is None:
            self._add(name, amount, until)
            return True
        if amount > most:  # the condition lets the first addition pass
            return False
        try:
            self._add(name, amount, until, room=most - amount)
        except ConflictError:
            return False
        return True

    def _add(self, name: str, amount: int, until: float, room: int | None = None) -> None:
        operands: dict[str, PlainValue] = {"amount": amount, "until": int(until)}
        with translate_errors("add", f"{self._table}/{name}"):
            if room is None:
                self._client.update_item(
                    TableName=self._table,
                    Key=attributes({"counter": name}),
                    UpdateExpression=CHANGE,
                    ExpressionAttributeNames=names(CHANGE),
                    ExpressionAttributeValues=values(operands),
                )
                return
            self._client.update_item(
                TableName=self._table,
                Key=attributes({"counter": name}),
                UpdateExpression=CHANGE,
                ConditionExpression=IF_ROOM,
                ExpressionAttributeNames=names(CHANGE, IF_ROOM),
                ExpressionAttributeValues=values(operands | {"room": room}),
            )

    def read(self, name: str) -> int:
        must_be_key("counter", name)
        with translate_errors("get", f"{self._table}/{name}"):
            reply = self._client.get_item(
                TableName=self._table, Key=attributes({"counter": name}), ConsistentRead=True
            )
        total = plain_item(reply.get("Item", {})).get("sum", 0)
        return int(total) if isinstance(total, int | float) else 0
