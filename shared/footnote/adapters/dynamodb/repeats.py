"""Replies to requests with an idempotency key, in the questions table, for a day."""

import time
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.trace import QuestionItems
from footnote.adapters.dynamodb.values import attributes, plain_item
from footnote.adapters.rules.limits import PlainValue
from footnote.adapters.rules.questions import (
    AT_WORK_SECONDS,
    is_others,
    must_be_small,
    pack,
    repeat_key,
    unpack,
)
from footnote.errors import ConflictError
from footnote.model import Kept

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

IF_FREE = (
    "attribute_not_exists(#question_id) OR #expires <= :now"
    " OR (#reply_status = :none AND #at_work_until <= :now)"
)
IF_HELD = (
    "attribute_exists(#question_id)"
    " AND (#holder = :holder OR attribute_not_exists(#holder))"  # of a release without holders
)


class DynamoRepeats:
    """Implements the port Repeats. An item's `question_id` is `once#` and the request's name."""

    def __init__(
        self, client: "DynamoDBClient", table: str, clock: Callable[[], float] = time.time
    ) -> None:
        self._items = QuestionItems(client, table, 1, clock)

    def claim(self, name: str, holder: str, digest: str) -> Kept | None:
        until = self._items.clock() + AT_WORK_SECONDS
        try:
            free = {"now": self._items.clock(), "none": 0}
            self._put(name, Kept(digest=digest, holder=holder), IF_FREE, until, **free)
        except ConflictError:
            stored = self._stored(name)
            return stored if is_others(stored, holder) else None
        return None

    def keep(self, name: str, holder: str, digest: str, status: int, body: str) -> None:
        must_be_small(body)
        kept = Kept(digest=digest, status=status, body=body, holder=holder)
        with suppress(ConflictError):  # the claim had ended, and another has it
            self._put(name, kept, IF_HELD, holder=holder)

    def release(self, name: str, holder: str) -> None:
        with suppress(ConflictError):  # another has claimed it since
            self._put(name, Kept(digest=""), IF_HELD, holder=holder)

    def _put(
        self, name: str, kept: Kept, condition: str, until: float = 0.0, **operands: PlainValue
    ) -> None:
        stored: dict[str, PlainValue] = {
            "item": "request",
            "digest": kept.digest,
            "reply_status": kept.status,
            "body": pack(kept.body),
            "at_work_until": until,
            "holder": kept.holder,
        }
        self._items.put(repeat_key(name), stored, condition, **operands)

    def _stored(self, name: str) -> Kept:
        key = {"question_id": repeat_key(name), "item": "request"}
        with translate_errors("get", f"{self._items.table}/{name}"):
            reply = self._items.client.get_item(
                TableName=self._items.table, Key=attributes(key), ConsistentRead=True
            )
        item = plain_item(reply.get("Item", {}))
        if not item:  # it expired between the two calls
            return Kept(digest="")
        return Kept.model_validate(
            {
                "digest": item["digest"],
                "status": item["reply_status"],
                "body": unpack(item["body"]),
                "holder": item.get("holder", ""),
            }
        )
