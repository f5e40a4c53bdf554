"""Lists turns and feedback from the two indexes of the questions table, page by page.

Both indexes follow the table within moments: a question that was just asked may be missing. A
turn is deleted here, too.
"""

import json
from collections.abc import Callable, Mapping
from heapq import merge
from itertools import islice
from typing import TYPE_CHECKING, Any

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.records import readable, reading
from footnote.adapters.dynamodb.values import attributes, delete_batches, names, plain_item, values
from footnote.adapters.rules.catalog import encode_cursor
from footnote.adapters.rules.limits import PlainValue, is_key
from footnote.adapters.rules.questions import (
    alone_key,
    decode_cursors,
    decode_feedback_cursor,
    decode_turn_cursor,
    feedback_cursor_after,
    feedback_key,
    is_session,
    must_have_ended,
    session_key,
    turn_cursor_after,
)
from footnote.model import Feedback, Turn

if TYPE_CHECKING:
    from footnote.adapters.dynamodb.trace import QuestionItems

# The attributes that a list of a session reads. Older records have no `turn`.
OF_A_TURN = "#turn, #status, #question_id, #session, #question, #created, #scope, #tenant"


class Turns:
    """Lists turns and feedback, and deletes turns."""

    def __init__(self, items: "QuestionItems") -> None:
        self._items = items

    def of_session(
        self, tenant: str, session: str, after: str, limit: int
    ) -> tuple[list[Turn], str]:
        """Returns a page of a session's turns, oldest first, and the cursor of the next."""
        place = decode_turn_cursor(after) if after else None
        if not is_session(tenant, session):
            return [], ""
        key = {"session_key": session_key(tenant, session)}
        options = {
            "ProjectionExpression": OF_A_TURN,
            "ExpressionAttributeNames": names(OF_A_TURN, "#session_key"),
        }
        start = place and {"created": place[0], "question_id": place[1], "item": "record"}
        rows = self._read("by-session", key, start, limit, tenant=tenant, read=turn_of, **options)
        return cut_page(rows, limit, turn_cursor_after)

    def of_tenant(self, tenant: str, after: str, limit: int) -> tuple[list[Turn], str]:
        """Returns a page of the turns of all sessions, newest first, and the cursor of the next."""
        return cut_page(self._under(tenant, tenant, after, limit), limit, turn_cursor_after)

    def newest(self, tenant: str, after: str, limit: int) -> tuple[list[Turn], str]:
        """Returns a page of turns as `of_tenant` does, also those of no session.

        Two lists are merged by their moments. Each keeps its own order and its own cursor, as only
        DynamoDB knows which of two turns of one moment comes first.
        """
        cursors = list(decode_cursors(after)) if after else ["", ""]
        keys = (tenant, alone_key(tenant))
        lists = [
            [(turn, n) for turn in self._under(key, tenant, cursors[n], limit)]
            for n, key in enumerate(keys)
        ]
        page = list(islice(merge(*lists, key=lambda row: row[0].created, reverse=True), limit))
        for turn, n in page:
            cursors[n] = turn_cursor_after(turn)
        is_last = sum(map(len, lists)) <= limit
        return [turn for turn, _ in page], "" if is_last else encode_cursor(json.dumps(cursors))

    def _under(self, key: str, tenant: str, after: str, limit: int) -> list[Turn]:
        """Reads turns under a key of the index `by-tenant`: one more than `limit`."""
        place = decode_turn_cursor(after) if after else None
        if not is_key(key):
            return []
        options = {
            "ScanIndexForward": False,
            "ExpressionAttributeNames": names("#session_tenant"),
        }
        start = place and {"created": place[0], "question_id": place[1], "item": "record"}
        listing = {"session_tenant": key}
        return self._read(
            "by-tenant", listing, start, limit, tenant=tenant, read=turn_of, **options
        )

    def delete(self, tenant: str, question_id: str) -> None:
        """Deletes a question's items. The record goes last, so that a broken deletion can go on."""
        key = attributes({"question_id": question_id, "item": "record"})
        with translate_errors("get", f"{self._items.table}/{question_id}"):
            reply = self._items.client.get_item(
                TableName=self._items.table, Key=key, ConsistentRead=True
            )
        stored = plain_item(reply.get("Item", {}))
        if stored.get("tenant") != tenant:
            return
        must_have_ended(question_id, str(stored["status"]))
        condition, projection = "#question_id = :question_id", "#question_id, #item"
        items = self._items.query(
            KeyConditionExpression=condition,
            ProjectionExpression=projection,
            ExpressionAttributeNames=names(projection),
            ExpressionAttributeValues=values({"question_id": question_id}),
            ConsistentRead=True,
        )
        others = (item for item in items if item["item"] != "record")  # its events, and feedback
        delete_batches(self._items.client, self._items.table, map(attributes, others))
        delete_batches(self._items.client, self._items.table, [key])

    def feedback(self, tenant: str, after: str, limit: int) -> tuple[list[Feedback], str]:
        """Returns a page of the tenant's feedback, newest first, and the cursor of the next."""
        place = decode_feedback_cursor(after) if after else None
        key = {"session_key": session_key(tenant, "")}
        if not (tenant and is_key(key["session_key"])):
            return [], ""
        options = {
            "ScanIndexForward": False,
            "ExpressionAttributeNames": names("#session_key"),
        }
        start = place and {
            "created": place[0],
            "question_id": place[1],
            "item": feedback_key(place[2]),
        }
        rows = self._read(
            "by-session", key, start, limit, tenant=tenant, read=feedback_of, **options
        )
        return cut_page(rows, limit, feedback_cursor_after)

    def _read[Row](
        self,
        index: str,
        key: Mapping[str, str],
        start: Mapping[str, str] | None,
        limit: int,
        *,
        tenant: str,
        read: Callable[[Mapping[str, PlainValue]], Row],
        **options: Any,
    ) -> list[Row]:
        """Reads the tenant's items after `start` in an index: one more than `limit`.

        An older release gave two tenants the same session key, so each item's own tenant counts.
        """
        (name,) = key
        rows: list[Row] = []
        last: Any = attributes({**key, **start}) if start else None
        while True:
            with translate_errors("query", self._items.table):
                reply = self._items.client.query(
                    TableName=self._items.table,
                    IndexName=index,
                    KeyConditionExpression=f"#{name} = :{name}",
                    ExpressionAttributeValues=values(key),
                    Limit=limit + 1 - len(rows),
                    **({"ExclusiveStartKey": last} if last else {}),
                    **options,
                )
            items = map(plain_item, reply["Items"])
            mine = (item for item in items if item.get("tenant", tenant) == tenant)
            rows += readable(read, mine)
            last = reply.get("LastEvaluatedKey")
            if len(rows) > limit or not last:
                return rows


def cut_page[Row](
    rows: list[Row], limit: int, cursor_after: Callable[[Row], str]
) -> tuple[list[Row], str]:
    """Returns a page, and the cursor of the next one ("" if there is none)."""
    page = rows[:limit]
    return page, cursor_after(page[-1]) if len(rows) > limit else ""


def feedback_of(stored: Mapping[str, PlainValue]) -> Feedback:
    """Reads feedback. Raises UnreadableError for what this release cannot read."""
    fields = {name: value for name, value in stored.items() if name in Feedback.model_fields}
    with reading(f"feedback on question {stored.get('question_id')}"):
        return Feedback.model_validate(fields)


def turn_of(stored: Mapping[str, PlainValue]) -> Turn:
    """Reads a turn. Its status is the record's, which a state machine may have set.

    Raises UnreadableError for one that this release cannot read.
    """
    with reading(f"question {stored.get('question_id')}"):
        return _turn_of(stored)


def _turn_of(stored: Mapping[str, PlainValue]) -> Turn:
    turn = stored.get("turn")
    if isinstance(turn, Mapping):
        return Turn.model_validate({**turn, "status": stored["status"]})
    fields = {name: stored[name] for name in ("question_id", "session", "question", "created")}
    scope = stored.get("scope")
    groups = scope.get("groups", ()) if isinstance(scope, Mapping) else ()
    return Turn.model_validate({**fields, "status": stored["status"], "groups": groups})
