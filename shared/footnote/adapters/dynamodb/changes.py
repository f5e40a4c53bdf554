"""Reads the changes that a stream of DynamoDB hands to a function."""

import base64
from collections.abc import Mapping
from typing import Any

from footnote.adapters.dynamodb.questions import record_of as question_of
from footnote.adapters.dynamodb.records import reading
from footnote.adapters.dynamodb.records import record_of as document_of
from footnote.adapters.dynamodb.values import plain_item
from footnote.model import Change, QuestionRecord, Record


def change_of(event: Mapping[str, Any]) -> Change | None:
    """Returns the change in an event of a stream; None where no document or question changed.

    An item's key tells its table. The questions table also holds events of traces, and feedback.
    """
    images = event["dynamodb"]
    keys = images["Keys"]
    if "document_id" not in keys and keys.get("item") != {"S": "record"}:
        return None
    return Change(
        id=event["eventID"],
        time=float(images["ApproximateCreationDateTime"]),
        before=_record_of(images.get("OldImage")),
        after=_record_of(images.get("NewImage")),
    )


def _record_of(image: Mapping[str, Any] | None) -> Record | QuestionRecord | None:
    if not image:
        return None
    with reading("the change"):
        item = plain_item({name: _with_bytes(value) for name, value in image.items()})
    return document_of(item) if "document_id" in item else question_of(item)


def _with_bytes(value: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns an attribute as DynamoDB's client returns it. In an event bytes are base64."""
    return {"B": base64.b64decode(value["B"])} if "B" in value else value
