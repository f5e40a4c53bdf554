"""The forms of DynamoDB: values as attributes, the names and values in expressions, batches."""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import batched
from typing import TYPE_CHECKING, Any

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.rules.limits import PlainValue, must_be_text
from footnote.errors import UnavailableError

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import (
        AttributeValueTypeDef,
        KeysAndAttributesOutputTypeDef,
        KeysAndAttributesTypeDef,
        WriteRequestOutputTypeDef,
        WriteRequestTypeDef,
    )

    type KeysAndAttributes = KeysAndAttributesTypeDef | KeysAndAttributesOutputTypeDef
    type WriteRequest = WriteRequestTypeDef | WriteRequestOutputTypeDef

type Attribute = "AttributeValueTypeDef"

DAY = 86_400
_LEAST = 1e-130  # the least number that DynamoDB holds; a lesser one is stored as 0
GET_BATCH = 100  # keys, the most that BatchGetItem takes
WRITE_BATCH = 25  # items, the most that BatchWriteItem takes
ATTEMPTS = 6  # calls for one batch, as a call may leave items over; 1.5 s of waiting in all


def attribute(value: PlainValue) -> Attribute:  # noqa: PLR0911 -- one return a type is the clearest
    """Converts a value to DynamoDB's form. Numbers become their shortest exact text."""
    match value:
        case None:
            return {"NULL": True}
        case bool():
            return {"BOOL": value}
        case int() | float():
            return {"N": repr(0 if 0 < abs(value) < _LEAST else value)}
        case str():
            must_be_text(value)
            return {"S": value}
        case bytes():
            return {"B": value}
        case frozenset():
            return {"NS": [repr(number) for number in value]}
        case Mapping():
            return {"M": attributes(value)}
        case _:
            return {"L": [attribute(element) for element in value]}


def attributes(item: Mapping[str, PlainValue]) -> dict[str, Attribute]:
    return {name: attribute(value) for name, value in item.items()}


def values(operands: Mapping[str, PlainValue]) -> dict[str, Attribute]:
    """Returns the value that each `:name` stands for in an expression."""
    return {f":{name}": attribute(value) for name, value in operands.items()}


def plain_value(value: Mapping[str, Any]) -> PlainValue:
    """Converts an attribute of a reply back to its value."""
    ((kind, content),) = value.items()
    return CONVERTERS[kind](content)


def plain_item(item: Mapping[str, Mapping[str, Any]]) -> dict[str, PlainValue]:
    return {name: plain_value(value) for name, value in item.items()}


def number(text: str) -> int | float:
    return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


CONVERTERS: dict[str, Callable[[Any], PlainValue]] = {
    "NULL": lambda _: None,
    "BOOL": bool,
    "N": number,
    "S": str,
    "B": bytes,
    "NS": lambda texts: frozenset(map(int, texts)),
    "M": plain_item,
    "L": lambda elements: [plain_value(element) for element in elements],
}
"""DynamoDB's name of a type → how its content becomes a value."""


def names(*expressions: str) -> dict[str, str]:
    """Maps each `#field` in the expressions to `field`. Many of our names are reserved words."""
    return {f"#{name}": name for text in expressions for name in re.findall(r"#(\w+)", text)}


def get_batches(
    client: "DynamoDBClient",
    table: str,
    keys: Iterable[Mapping[str, Attribute]],
    projection: str,
    *,
    consistent: bool,
) -> Iterator[dict[str, PlainValue]]:
    """Yields the existing items of these keys, in no order. Keys must be distinct.

    Raises UnavailableError when some keys stay unprocessed after `ATTEMPTS` calls.
    """
    for batch in batched(keys, GET_BATCH, strict=False):
        waiting: Mapping[str, KeysAndAttributes] = {
            table: {
                "Keys": list(batch),
                "ProjectionExpression": projection,
                "ExpressionAttributeNames": names(projection),
                "ConsistentRead": consistent,
            }
        }
        for _ in attempts(f"get {len(batch)} items of {table}"):
            with translate_errors("get", table):
                reply = client.batch_get_item(RequestItems=waiting)
            yield from map(plain_item, reply["Responses"].get(table, []))
            waiting = reply["UnprocessedKeys"]
            if not waiting:
                break


def put_batches(
    client: "DynamoDBClient", table: str, items: Iterable[Mapping[str, Attribute]]
) -> None:
    for batch in batched(items, WRITE_BATCH, strict=False):
        requests: Sequence[WriteRequest] = [{"PutRequest": {"Item": item}} for item in batch]
        waiting: Mapping[str, Sequence[WriteRequest]] = {table: requests}
        for _ in attempts(f"put {len(batch)} items in {table}"):
            with translate_errors("put", table):
                waiting = client.batch_write_item(RequestItems=waiting)["UnprocessedItems"]
            if not waiting:
                break


def delete_batches(
    client: "DynamoDBClient", table: str, keys: Iterable[Mapping[str, Attribute]]
) -> None:
    for batch in batched(keys, WRITE_BATCH, strict=False):
        requests: Sequence[WriteRequest] = [{"DeleteRequest": {"Key": key}} for key in batch]
        waiting: Mapping[str, Sequence[WriteRequest]] = {table: requests}
        for _ in attempts(f"delete {len(batch)} items of {table}"):
            with translate_errors("delete", table):
                waiting = client.batch_write_item(RequestItems=waiting)["UnprocessedItems"]
            if not waiting:
                break


def attempts(what: str) -> Iterator[int]:
    """Yields the number of each attempt, and waits before each but the first.

    The caller leaves the loop when nothing is left over. A loop that runs to its end raises
    UnavailableError, as DynamoDB is throttling.
    """
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(0.05 * 2 ** (attempt - 1))
        yield attempt
    raise UnavailableError(f"{what}: some were not processed in {ATTEMPTS} attempts")
