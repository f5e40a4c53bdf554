"""`Idempotency-Key`: a request that is sent again is done once.

What it made is kept, and no reply: each is written anew, by the rules of the moment. So nothing is
told of what was closed or deleted meanwhile. The key belongs to the caller's tenant and groups.

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
DONE = 200  # the status of a request that is not worked on any more
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
    """Has `begin` do what is asked, unless the same key has had it done before.

    Returns the reply of `begin`. Where it has none, and each later time, `show` writes one: it gets
    the name of what was made, and looks at that as whoever asks for it would.

    Raises ConflictError where the key came with another body (`key_reused`), and while the first
    request with it is worked on (`request_running`). A request that fails leaves its key free.
    """
    if not key:
        return _shown(begin(), show)
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
        return _shown(_keep(me.repeats, name, holder, meant, begin), show)
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
    return show(_made(kept))


def _shown(made: Made, show: Callable[[str], Response[str]]) -> Response[str]:
    return made.reply or show(made.name)


def _made(kept: Kept) -> str:
    """Returns the name of what a request made. Older releases kept the whole reply, as JSON."""
    if kept.body.startswith("{"):
        return str(json.loads(kept.body).get("id", ""))
    return kept.body


def _meaning(body: Value) -> str:
    """Returns a digest of what a body says, whatever the order and spacing of its JSON."""
    told = body.model_dump(mode="json", by_alias=True)
    return digest(json.dumps(told, sort_keys=True, default=str))


def _keep(repeats: Repeats, name: str, holder: str, meant: str, begin: Callable[[], Made]) -> Made:
    with ExitStack() as undo:  # whatever the work raises
        undo.callback(repeats.release, name, holder)
        made = begin()
        undo.pop_all()
    repeats.keep(name, holder, meant, DONE, made.name)
    return made
