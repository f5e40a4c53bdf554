"""`Idempotency-Key`: a request that is sent again is done once.

The name of what it made is stored, not the reply. Each reply is written anew, by the caller's
rights now. So it shows nothing that was closed or deleted meanwhile. The key belongs to the
caller's tenant and groups.

Powertools' Idempotency does not ask who holds a key: a first request that fails late frees what a
second one has claimed, and a third would do the work again.
"""

import json
import uuid
from collections.abc import Callable
from contextlib import ExitStack
from typing import Annotated, NamedTuple

from aws_lambda_powertools.event_handler import Response
from aws_lambda_powertools.event_handler.openapi.params import Header

from footnote.errors import BadRequestError, ConflictError
from footnote.model import Kept, Value, digest
from footnote.ports import Repeats
from footnote.service import Service

LONGEST_KEY = 200
DONE = 200  # the status of a request that has ended
IdempotencyKey = Annotated[
    str,
    Header(
        alias="Idempotency-Key",
        description="The same key and body are done once in 24 hours: send it again safely",
    ),
]


class Made(NamedTuple):
    """The name of what a request made, and its reply if that is written already."""

    name: str
    reply: Response[str] | None = None


def once(
    me: Service,
    route: str,
    key: str,
    body: Value,
    *,
    begin: Callable[[], Made],
    show: Callable[[str], Response[str]],
) -> Response[str]:
    """Runs `begin` unless an earlier request with this key has run it.

    Returns the reply of `begin`. Where there is none, and each later time, `show` writes one from
    the name of what was made, with this caller's rights.

    Raises ConflictError where the key came with another body (`key_reused`), and while the first
    request with it is running (`request_running`). A request that fails leaves its key free.
    """
    if not key:
        return _shown(begin(), show)
    if len(key) > LONGEST_KEY or not key.isprintable():
        raise BadRequestError(
            f"the idempotency key has more than {LONGEST_KEY} characters, or odd ones",
            code="bad_idempotency_key",
            action="Send a new UUID with each new request.",
        )
    name, content = me.name_of_request(route, key), _meaning(body)
    holder = uuid.uuid4().hex
    earlier = me.repeats.claim(name, holder, content)
    if earlier is None:
        return _shown(_keep(me.repeats, name, holder, content, begin), show)
    if earlier.digest != content:
        raise ConflictError(
            "this idempotency key came with another body",
            code="key_reused",
            action="Send a new key with each new request.",
        )
    if not earlier.status:
        raise ConflictError(
            "the first request with this idempotency key is still worked on",
            code="request_running",
            action="Send it again in a moment.",
        )
    return show(_made(earlier))


def _shown(result: Made, show: Callable[[str], Response[str]]) -> Response[str]:
    return result.reply or show(result.name)


def _made(earlier: Kept) -> str:
    """Returns the name of what a request made. Older releases stored the whole reply, as JSON."""
    if earlier.body.startswith("{"):
        return str(json.loads(earlier.body).get("id", ""))
    return earlier.body


def _meaning(body: Value) -> str:
    """Returns a digest of a body's values, whatever the order and spacing of its JSON."""
    values = body.model_dump(mode="json", by_alias=True)
    return digest(json.dumps(values, sort_keys=True, default=str))


def _keep(
    repeats: Repeats, name: str, holder: str, content: str, begin: Callable[[], Made]
) -> Made:
    with ExitStack() as undo:  # whatever the work raises
        undo.callback(repeats.release, name, holder)
        result = begin()
        undo.pop_all()
    repeats.keep(name, holder, content, DONE, result.name)
    return result
