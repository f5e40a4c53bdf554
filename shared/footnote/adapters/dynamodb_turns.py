"""The turns of sessions in the questions table: read by page through its two indexes, and deleted.

Both indexes follow the table within moments: a question that was just asked may not be there yet.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from footnote.adapters.aws_clients import translate_errors
from footnote.adapters.dynamodb import (
    PlainValue,
    attributes,
    delete_batches,
    names,
    plain_item,
    values,
)
from footnote.adapters.question_rules import (
    decode_place,
    encode_place,
    encode_said,
    must_have_ended,
    session_key,
)
from footnote.model import Feedback, Turn

if TYPE_CHECKING:
    from footnote.adapters.dynamodb_trace import QuestionItems

# What a list of a session reads of a record. One that was stored before there were turns has none.
OF_A_TURN = "#turn, #status, #question_id, #session, #question, #created, #scope"


class Turns:
    """Reads and deletes turns."""

    def __init__(self, items: "QuestionItems") -> None:
        self._items = items

    def of_session(
        self, tenant: str, session: str, after: str, limit: int
    ) -> tuple[list[Turn], str]:
        """Returns a page of a session's turns, oldest first, and the cursor of the next."""
        key = {"session_key": session_key(tenant, session)}
        more = {
            "ProjectionExpression": OF_A_TURN,
            "ExpressionAttributeNames": names(OF_A_TURN, "#session_key"),
        }
        return self._page("by-session", key, after, limit, **more)

    def of_tenant(self, tenant: str, after: str, limit: int) -> tuple[list[Turn], str]:
        """Returns a page of the turns of all sessions, newest first, and the cursor of the next."""
        key = {"session_tenant": tenant}
        more = {
            "ScanIndexForward": False,
            "ExpressionAttributeNames": names("#session_tenant"),
        }
        return self._page("by-tenant", key, after, limit, **more)

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
        key = session_key(tenant, "")
        start: dict[str, Any] = {}
        if after:
            created, of = decode_place(after)
            question_id, _, said = of.rpartition("#")
            place = {"question_id": question_id, "item": f"feedback#{said}"}
            place |= {"session_key": key, "created": created}
            start = {"ExclusiveStartKey": attributes(place)}
        with translate_errors("query", self._items.table):
            reply = self._items.client.query(
                TableName=self._items.table,
                IndexName="by-session",
                KeyConditionExpression="#session_key = :session_key",
                ExpressionAttributeNames=names("#session_key"),
                ExpressionAttributeValues=values({"session_key": key}),
                ScanIndexForward=False,
                Limit=limit + 1,
                **start,
            )
        found = [feedback_of(plain_item(item)) for item in reply["Items"]]
        more = len(found) > limit or "LastEvaluatedKey" in reply  # of a page larger than 1 MB
        found = found[:limit]
        return found, encode_said(found[-1]) if more and found else ""

    def _page(
        self, index: str, key: Mapping[str, str], after: str, limit: int, **more: Any
    ) -> tuple[list[Turn], str]:
        (name,) = key
        start: dict[str, Any] = {}
        if after:
            created, question_id = decode_place(after)
            place = {**key, "created": created, "question_id": question_id, "item": "record"}
            start = {"ExclusiveStartKey": attributes(place)}
        turns: list[Turn] = []
        while True:
            with translate_errors("query", self._items.table):
                reply = self._items.client.query(
                    TableName=self._items.table,
                    IndexName=index,
                    KeyConditionExpression=f"#{name} = :{name}",
                    ExpressionAttributeValues=values(key),
                    Limit=limit + 1 - len(turns),
                    **start,
                    **more,
                )
            turns += [turn_of(plain_item(item)) for item in reply["Items"]]
            if len(turns) > limit:
                return turns[:limit], encode_place(turns[limit - 1])
            if not (last := reply.get("LastEvaluatedKey")):
                return turns, ""
            start = {"ExclusiveStartKey": last}


def feedback_of(stored: Mapping[str, PlainValue]) -> Feedback:
    fields = {name: value for name, value in stored.items() if name in Feedback.model_fields}
    return Feedback.model_validate(fields)


def turn_of(stored: Mapping[str, PlainValue]) -> Turn:
    """Reads a turn. The status is the record's own, which a state machine may have set."""
    turn = stored.get("turn")
    if isinstance(turn, Mapping):
        return Turn.model_validate({**turn, "status": stored["status"]})
    fields = {name: stored[name] for name in ("question_id", "session", "question", "created")}
    scope = stored.get("scope")
    groups = scope.get("groups", ()) if isinstance(scope, Mapping) else ()
    return Turn.model_validate({**fields, "status": stored["status"], "groups": groups})
