"""`Idempotency-Key`: a request that is sent again is done once, and has the same reply.

The key belongs to the caller's tenant and groups: others' replies are not there for them.
"""

import json
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from typing import Annotated

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Header

from footnote.api.reply import OF_ALL
from footnote.errors import BadRequestError, ConflictError
from footnote.model import Value, digest
from footnote.ports import Repeats
from footnote.service import Service

LONGEST_KEY = 200
TOO_LARGE = ConflictError(
    "this request was done, but its reply was too large to be kept",
    code="reply_not_kept",
    action="Look at what it made: GET /sessions and GET /documents list it.",
)
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        description="The same key and body have the same reply for 24 hours: send it again safely",
    ),
]


def once(
    me: Service,
    route: str,
    key: str,
    body: Value,
    work: Callable[[], Response[str]],
) -> Response[str]:
    """Returns what `work` replies, or what it replied to the same key before.

    Raises ConflictError where the key came with another body (`key_reused`), and while the first
    request with it is worked on (`request_running`). A request that fails leaves its key free.
    """
    if not key:
        return work()
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise BadRequestError(
            f"the idempotency key has more than {LONGEST_KEY} characters, or odd ones",
            code="bad_idempotency_key",
            action="Send a new UUID with each new request.",
        )
    name, meant = me.name_of_request(route, key), _meaning(body)
    holder = uuid.uuid4().hex
    kept = me.repeats.claim(name, holder, meant)
    if kept is None:
        return _keep(me.repeats, name, holder, meant, work)
    if kept.digest != meant:
        raise ConflictError(
            "this idempotency key came with another body",
            code="key_reused",
            action="Send a new key with each new request.",
        )
    if not kept.status:
        raise ConflictError(
            "the first request with this idempotency key is still worked on",
            code="request_running",
            action="Send it again in a moment.",
        )
    headers: dict[str, str | list[str]] = {**OF_ALL, "Cache-Control": "no-store"}
    return Response(kept.status, "application/json", kept.body, headers)


def _meaning(body: Value) -> str:
    """Returns a digest of what a body says, whatever the order and spacing of its JSON."""
    told = body.model_dump(mode="json", by_alias=True)
    return digest(json.dumps(told, sort_keys=True, default=str))


def _keep(
    repeats: Repeats, name: str, holder: str, meant: str, work: Callable[[], Response[str]]
) -> Response[str]:
    with ExitStack() as undo:  # whatever the work raises
        undo.callback(repeats.release, name, holder)
        done = work()
        undo.pop_all()
    try:
        repeats.keep(name, holder, meant, done.status_code, str(done.body or ""))
    except BadRequestError:
        told = json.dumps({"error": TOO_LARGE.problem.model_dump()})
        repeats.keep(name, holder, meant, TOO_LARGE.http_status, told)
    return done
