"""DynamoDB in this process, as far as the adapters use it, under the rules of the real one.

It refuses what DynamoDB refuses: keys that are empty, too long or no text, items that are too
large, values that no expression uses, places of a list that are not in it.
"""

import re
import threading
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from botocore.exceptions import ClientError

from tests.contract.suites.tables import TABLES
from tests.dynamo_expressions import Attribute, Expression, Given, Item, comparable

PARTITION = re.compile(r"(#?\w+) = (:\w+)")
PARTITION_BYTES, SORT_BYTES, ITEM_BYTES, PAGE_BYTES = 2048, 1024, 409_600, 1_048_576


class Dynamo:
    """A client of DynamoDB with the tables of `TABLES`, by their names in the template."""

    def __init__(self) -> None:
        self._items: dict[str, dict[tuple[bytes, ...], Item]] = {name: {} for name in TABLES}
        self._one = threading.RLock()

    def put_item(self, **given: Any) -> Mapping[str, Any]:
        table, item = given["TableName"], dict(given["Item"])
        with self._one:
            place = key_of(table, item)
            self._must_hold(given, self._items[table].get(place, {}))
            self._store(table, place, item)
        return {}

    def get_item(self, **given: Any) -> Mapping[str, Any]:
        found = self._items[given["TableName"]].get(key_of(given["TableName"], given["Key"]))
        return {"Item": found} if found else {}

    def update_item(self, **given: Any) -> Mapping[str, Any]:
        table = given["TableName"]
        with self._one:
            place = key_of(table, given["Key"])
            stored = self._items[table].get(place, {})
            self._must_hold(given, stored)
            begun = stored or given["Key"]
            new = Expression(given["UpdateExpression"], given, begun).change()
            self._store(table, place, new)
        return {"Attributes": new}

    def batch_get_item(self, RequestItems: Given) -> Mapping[str, Any]:  # noqa: N803 -- boto3's
        ((table, asked),) = RequestItems.items()
        places = [key_of(table, key) for key in asked["Keys"]]
        if len(places) != len(set(places)):
            raise refusal("Provided list of item keys contains duplicates")
        known = [found for one in places if (found := self._items[table].get(one))]
        shown = [projected(item, asked) for item in known]
        return {"Responses": {table: shown}, "UnprocessedKeys": {}}

    def batch_write_item(self, RequestItems: Given) -> Mapping[str, Any]:  # noqa: N803 -- boto3's
        ((table, requests),) = RequestItems.items()
        with self._one:
            for request in requests:
                if "PutRequest" in request:
                    item = request["PutRequest"]["Item"]
                    self._store(table, key_of(table, item), dict(item))
                else:
                    self._items[table].pop(key_of(table, request["DeleteRequest"]["Key"]), None)
        return {"UnprocessedItems": {}}

    def query(self, **given: Any) -> Mapping[str, Any]:
        name, value = PARTITION.match(given["KeyConditionExpression"]).groups()
        name = given.get("ExpressionAttributeNames", {}).get(name, name)
        partition = given["ExpressionAttributeValues"][value]
        return self._read(given, lambda item: item.get(name) == partition and Expression(
            given["KeyConditionExpression"], given, item).holds())  # fmt: skip

    def scan(self, **given: Any) -> Mapping[str, Any]:
        return self._read(given, lambda _: True)

    def get_paginator(self, operation: str) -> "Pages":
        return Pages({"query": self.query, "scan": self.scan}[operation])

    def _must_hold(self, given: Given, stored: Item) -> None:
        check_values(given)
        condition = given.get("ConditionExpression")
        if condition and not Expression(condition, given, stored).holds():
            raise refusal("The conditional request failed", "ConditionalCheckFailedException")

    def _store(self, table: str, place: tuple[bytes, ...], item: Item) -> None:
        check_item(item)
        for index in TABLES[table].get("GlobalSecondaryIndexes", ()):
            if all(part["AttributeName"] in item for part in index["KeySchema"]):
                must_be_key(index["KeySchema"], item)
        self._items[table][place] = item

    def _read(self, given: Given, wanted: Callable[[Item], bool]) -> Mapping[str, Any]:
        check_values(given)
        table = given["TableName"]
        schema = schema_of(table, given.get("IndexName"))
        names = [part["AttributeName"] for part in schema]
        with self._one:
            every = list(self._items[table].values())
        inside = [item for item in every if all(name in item for name in names) and wanted(item)]
        order = [*names[1:], *(n["AttributeName"] for n in schema_of(table, None))]
        backwards = given.get("ScanIndexForward") is False

        def place(item: Mapping[str, Attribute]) -> list[object]:
            return [comparable(item[name]) for name in order]

        inside.sort(key=place, reverse=backwards)
        if start := given.get("ExclusiveStartKey"):
            check_start(start, schema, schema_of(table, None))
            last = place(start)
            inside = [
                one for one in inside if (place(one) < last if backwards else place(one) > last)
            ]
        page = page_of(inside, given.get("Limit"))
        text = given.get("FilterExpression")
        found = [one for one in page if not text or Expression(text, given, one).holds()]
        answer = {"Items": [projected(one, given) for one in found], "ScannedCount": len(page)}
        if len(page) == len(inside):
            return answer
        keys = {*names, *order}
        return answer | {"LastEvaluatedKey": {name: page[-1][name] for name in keys}}


class Pages:
    def __init__(self, read: Callable[..., Mapping[str, Any]]) -> None:
        self._read = read

    def paginate(self, **given: Any) -> Iterator[Mapping[str, Any]]:
        while True:
            page = self._read(**given)
            yield page
            if "LastEvaluatedKey" not in page:
                return
            given["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def page_of(items: list[Item], limit: int | None) -> list[Item]:
    """Returns as many items as one reply has: so many, of 1 MB together."""
    page, left = [], PAGE_BYTES
    for item in items[:limit]:
        page.append(item)
        left -= size_of({"M": item})
        if left < 0:
            break
    return page


def schema_of(table: str, index: str | None) -> list[Mapping[str, str]]:
    if index is None:
        return TABLES[table]["KeySchema"]
    known = {one["IndexName"]: one for one in TABLES[table]["GlobalSecondaryIndexes"]}
    return known[index]["KeySchema"]


def key_of(table: str, item: Item) -> tuple[bytes, ...]:
    return must_be_key(schema_of(table, None), item)


def must_be_key(schema: list[Mapping[str, str]], item: Item) -> tuple[bytes, ...]:
    """Returns the values of a key as bytes: two are one key only where all bytes are the same."""
    found = [as_bytes(item[part["AttributeName"]]["S"]) for part in schema]
    for value, most in zip(found, (PARTITION_BYTES, SORT_BYTES), strict=False):
        if not 0 < len(value) <= most:
            raise refusal("One or more parameter values are not valid: a key is empty or too long")
    return tuple(found)


def as_bytes(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise refusal("half of a surrogate pair", "SerializationException") from None


def check_item(item: Item) -> None:
    if size_of({"M": item}) > ITEM_BYTES:
        raise refusal("Item size has exceeded the maximum allowed size")


def size_of(value: Attribute) -> int:
    ((kind, content),) = value.items()
    if kind == "S":
        return len(as_bytes(content))
    if kind == "M":
        return sum(len(as_bytes(name)) + size_of(one) for name, one in content.items())
    if kind == "L":
        return sum(map(size_of, content))
    if kind == "N":
        check_number(content)
    return len(content) if kind in {"B", "N"} else 1


def check_number(text: str) -> None:
    """Refuses what DynamoDB cannot hold: more than 38 digits, too large, too near to 0."""
    number = Decimal(text)
    digits = number.normalize().as_tuple().digits
    if (
        not number.is_finite()
        or len(digits) > 38
        or (number and not -130 <= number.adjusted() <= 125)
    ):
        raise refusal(f"{text[:50]} is no number of an item")


def check_values(given: Given) -> None:
    """Refuses values that are no text or too large, and those that no expression uses."""
    told = " ".join(str(given[name]) for name in given if name.endswith("Expression"))
    for name, value in given.get("ExpressionAttributeValues", {}).items():
        size_of(value)
        if f"{name} " not in told.replace(",", " ").replace(")", " ") + " ":
            raise refusal(f"Value provided in ExpressionAttributeValues unused: {name}")


def check_start(
    start: Item, schema: list[Mapping[str, str]], table: list[Mapping[str, str]]
) -> None:
    wanted = {part["AttributeName"] for part in (*schema, *table)}
    if set(start) != wanted:
        raise refusal("The provided starting key is invalid")
    must_be_key(schema, start)
    must_be_key(table, start)


def projected(item: Item, given: Given) -> Item:
    shown = given.get("ProjectionExpression")
    if not shown:
        return dict(item)
    names = {given["ExpressionAttributeNames"][one.strip()] for one in shown.split(",")}
    return {name: value for name, value in item.items() if name in names}


def refusal(message: str, code: str = "ValidationException") -> ClientError:
    return ClientError(
        {
            "Error": {"Code": code, "Message": message},
            "ResponseMetadata": {"HTTPStatusCode": 400},
        },
        "an operation",
    )
