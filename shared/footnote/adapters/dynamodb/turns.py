"""The turns of sessions in the questions table: read by page through its two indexes, and deleted.

Both indexes follow the table within moments: a question that was just asked may not be there yet.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.records import readable, reading
from footnote.adapters.dynamodb.values import (
    PlainValue,
    attributes,
    delete_batches,
    names,
    plain_item,
    values,
)
from footnote.adapters.rules.limits import is_key
from footnote.adapters.rules.questions import (
    decode_place,
    decode_said,
    encode_place,
    encode_said,
    feedback_key,
    is_session,
    must_have_ended,
    session_key,
)
from footnote.model import Feedback, Turn

if TYPE_CHECKING:
    from footnote.adapters.dynamodb.trace import QuestionItems

# What a list of a session reads of a record. One that was stored before there were turns has none.
OF_A_TURN = "#turn, #status, #question_id, #session, #question, #created, #scope, #tenant"


class Turns:
    """Reads and deletes turns."""

    def __init__(self, items: "QuestionItems") -> None:
        self._items = items

    def of_session(
        self, tenant: str, session: str, after: str, limit: int
    ) -> tuple[list[Turn], str]:
        """Returns a page of a session's turns, oldest first, and the cursor of the next."""
        place = decode_place(after) if after else None
        if not is_session(tenant, session):
            return [], ""
        key = {"session_key": session_key(tenant, session)}
        more = {
            "ProjectionExpression": OF_A_TURN,
            "ExpressionAttributeNames": names(OF_A_TURN, "#session_key"),
        }
        start = place and {"created": place[0], "question_id": place[1], "item": "record"}
        found = self._read("by-session", key, start, limit, tenant=tenant, read=turn_of, **more)
        return cut_page(found, limit, encode_place)

    def of_tenant(self, tenant: str, after: str, limit: int) -> tuple[list[Turn], str]:
        """Returns a page of the turns of all sessions, newest first, and the cursor of the next."""
        place = decode_place(after) if after else None
        if not is_key(tenant):
            return [], ""
        key = {"session_tenant": tenant}
        more = {
            "ScanIndexForward": False,
            "ExpressionAttributeNames": names("#session_tenant"),
        }
        start = place and {"created": place[0], "question_id": place[1], "item": "record"}
        found = self._read("by-tenant", key, start, limit, tenant=tenant, read=turn_of, **more)
        return cut_page(found, limit, encode_place)

    def delete(self, tenant: str, question_id: str) -> None:
        """Deletes a question's items, its record last: what is cut short can be done again."""
        key = attributes({"question_id": question_id, "item": "record"})
        with translate_errors("get", f"{self._items.table}/{question_id}"):
            reply = self._items.client.get_item(
                TableName=self._items.table, Key=key, ConsistentRead=True
            )
        stored = plain_item(reply.get("Item", {}))
        if stored.get("tenant") != tenant:
            return
        must_have_ended(question_id, str(stored["status"]))
        wanted, shown = "#question_id = :question_id", "#question_id, #item"
        items = self._items.query(
            KeyConditionExpression=wanted,
            ProjectionExpression=shown,
            ExpressionAttributeNames=names(shown),
            ExpressionAttributeValues=values({"question_id": question_id}),
            ConsistentRead=True,
        )
        others = (one for one in items if one["item"] != "record")  # its events, and feedback
        delete_batches(self._items.client, self._items.table, map(attributes, others))
        delete_batches(self._items.client, self._items.table, [key])

    def feedback(self, tenant: str, after: str, limit: int) -> tuple[list[Feedback], str]:
        """Returns a page of the tenant's feedback, newest first, and the cursor of the next."""
        place = decode_said(after) if after else None
        key = {"session_key": session_key(tenant, "")}
        if not (tenant and is_key(key["session_key"])):
            return [], ""
        more = {
            "ScanIndexForward": False,
            "ExpressionAttributeNames": names("#session_key"),
        }
        start = place and {
            "created": place[0],
            "question_id": place[1],
            "item": feedback_key(place[2]),
        }
        found = self._read("by-session", key, start, limit, tenant=tenant, read=feedback_of, **more)
        return cut_page(found, limit, encode_said)

    def _read[Found](
        self,
        index: str,
        key: Mapping[str, str],
        start: Mapping[str, str] | None,
        limit: int,
        *,
        tenant: str,
        read: Callable[[Mapping[str, PlainValue]], Found],
        **more: Any,
    ) -> list[Found]:
        """Reads the tenant's items that follow a place in an index: one more than `limit`.

        An older release gave the same session key to two tenants, so the item itself is asked.
        """
        (name,) = key
        found: list[Found] = []
        last: Any = attributes({**key, **start}) if start else None
        while True:
            with translate_errors("query", self._items.table):
                reply = self._items.client.query(
                    TableName=self._items.table,
                    IndexName=index,
                    KeyConditionExpression=f"#{name} = :{name}",
                    ExpressionAttributeValues=values(key),
                    Limit=limit + 1 - len(found),
                    **({"ExclusiveStartKey": last} if last else {}),
                    **more,
                )
            items = map(plain_item, reply["Items"])
            mine = (item for item in items if item.get("tenant", tenant) == tenant)
            found += readable(read, mine)
            last = reply.get("LastEvaluatedKey")
            if len(found) > limit or not last:
                return found


def cut_page[Found](
    found: list[Found], limit: int, encode: Callable[[Found], str]
) -> tuple[list[Found], str]:
    """Returns a page, and the cursor of the next where there is more."""
    page = found[:limit]
    return page, encode(page[-1]) if len(found) > limit else ""


def feedback_of(stored: Mapping[str, PlainValue]) -> Feedback:
    """Reads feedback. Raises UnreadableError for what this release cannot read."""
    fields = {name: value for name, value in stored.items() if name in Feedback.model_fields}
    with reading(f"feedback on question {stored.get('question_id')}"):
        return Feedback.model_validate(fields)


def turn_of(stored: Mapping[str, PlainValue]) -> Turn:
    """Reads a turn. The status is the record's own, which a state machine may have set.

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
