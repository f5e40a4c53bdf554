"""Reads the messages of a queue, our own and S3's events, and groups messages to send."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import unquote, unquote_plus

from footnote.contracts import QUEUES, Message, RemoveRequest
from footnote.metadata.sidecar import document_of
from footnote.model import Revision, name_version


def receives_of(record: dict[str, Any]) -> int:
    return int(record["attributes"]["ApproximateReceiveCount"])


def named_documents(body: str) -> list[Message]:
    """Returns the document that a malformed message names, or nothing."""
    with suppress(ValueError, LookupError, TypeError):
        message = json.loads(body)
        return [Message(**{name: message[name] for name in ("key", "version", "sequencer")})]
    return []


def from_s3(record: dict[str, Any], request_type: type[Revision]) -> dict[str, Any]:
    """Returns a request's fields from an S3 event record.

    Keys arrive URL-encoded, with + for a space. The ETag of a removal belongs to no file.
    """
    thing = record["s3"]["object"]
    is_removal = issubclass(request_type, RemoveRequest)
    fields = {
        "key": unquote_plus(thing["key"]),
        "version": name_version(
            thing.get("versionId"), "" if is_removal else thing.get("eTag", "")
        ),
        "sequencer": thing["sequencer"],
        "correlation_id": record.get("responseElements", {}).get("x-amz-request-id", ""),
    }
    if "size" in request_type.model_fields:
        fields["size"] = thing.get("size", 0)
    return fields


def from_sidecar_rule(detail: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields a request's fields from the detail of EventBridge's event of a sidecar.

    The request is about the sidecar's document; a file named `.metadata.json` alone has none. AWS
    sends the key as it is, LocalStack URL-encoded. So it yields both readings: a request for the
    wrong document changes nothing.
    """
    thing = detail["object"]
    for key in dict.fromkeys((thing["key"], unquote(thing["key"]))):
        if document := document_of(key):
            yield {
                "key": document,
                "version": name_version(thing.get("version-id"), thing.get("etag", "")),
                "sequencer": thing["sequencer"],
                "correlation_id": detail.get("request-id", ""),
            }


def group_by_queue(messages: Sequence[Revision]) -> Iterator[tuple[str, list[Revision]]]:
    """Groups messages by the queue that carries their type."""
    for kind, queue in QUEUES.items():
        if mine := [message for message in messages if type(message) is kind]:
            yield queue, mine
