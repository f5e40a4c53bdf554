"""Bulk writes that drop nothing: a refused item is sent again or ends in an error."""

import json
import random
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from opensearchpy import OpenSearch, exceptions

from footnote.adapters.opensearch.client import TRANSIENT, translate_errors
from footnote.errors import ConfigurationError, NotFoundError, UnavailableError
from footnote.text.characters import replace_surrogates
from footnote.wire import Json

_TIMEOUT = 60
# The server waits so long for a primary that is on no node, each of the attempts; by default it is
# a minute, and six of them outlive the function. Together they cover the half minute in which a
# cluster notices that a node is lost, and gives its shards another primary.
PRIMARY_SECONDS = 5
_BATCH_BYTES = 4_000_000  # small Amazon domains take no more than 10 MB a request
_ATTEMPTS = 6
_NOT_FOUND = 404
_TOO_MANY = 429
# Seconds, doubled by each attempt, plus or minus half: 6 s in all. Meanwhile one invocation fewer
# sends anything, which is what the index asks for. After that the queue waits longer.
PAUSE = 0.2


class Item(NamedTuple):
    """A document to store: the index alias, its id, and its line of the request."""

    alias: str
    id: str
    line: str


class Refusal(NamedTuple):
    item: Item
    status: int
    reason: str


def item(alias: str, chunk_id: str, source: Json) -> Item:
    line = json.dumps(source, ensure_ascii=False, separators=(",", ":"))
    return Item(alias, chunk_id, replace_surrogates(line))


def deliver(client: OpenSearch, items: Iterable[Item], pause: float = PAUSE) -> None:
    """Stores all items or raises.

    Raises NotFoundError when a generation is gone, UnavailableError when the index stays too busy,
    and ConfigurationError when the index does not take an item.
    """
    for batch in _batches(items):
        _deliver_batch(client, batch, pause)


def _batches(items: Iterable[Item]) -> Iterator[list[Item]]:
    batch: list[Item] = []
    size = 0
    for each in items:
        if batch and size + len(each.line) > _BATCH_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(each)
        size += len(each.line)
    if batch:
        yield batch


def _deliver_batch(client: OpenSearch, batch: Sequence[Item], pause: float) -> None:
    refusals = _send(client, batch)
    for attempt in range(_ATTEMPTS - 1):
        if not refusals:
            return
        _refuse_for_good(refusals)
        time.sleep(pause * 2**attempt * random.uniform(0.5, 1.5))  # noqa: S311 - no secret
        refusals = _send(client, [refusal.item for refusal in refusals])
    if refusals:
        _refuse_for_good(refusals)
        is_busy = all(refusal.status == _TOO_MANY for refusal in refusals)
        what = "is too busy" if is_busy else "takes no writes"  # a shard may be on no node
        raise UnavailableError(
            f"the index {what} now", detail=_name(f"the index {what} for", refusals)
        )


def _refuse_for_good(refusals: Sequence[Refusal]) -> None:
    """Raises an error when a refusal will not pass by itself."""
    lasting = [refusal for refusal in refusals if refusal.status not in TRANSIENT]
    if not lasting:
        return
    if all(refusal.status == _NOT_FOUND for refusal in lasting):
        raise NotFoundError(
            "there is no such generation of the index",
            detail=_name("there is no such index generation for", lasting),
        )
    raise ConfigurationError(
        "the index does not take a part of the document",
        detail=_name("the index does not take", lasting),
        action="Compare the chunk with the mapping; `footnote reindex` makes a new generation.",
    )


def _send(client: OpenSearch, batch: Sequence[Item]) -> list[Refusal]:
    body = "".join(
        f"{json.dumps({'index': {'_index': each.alias, '_id': each.id}})}\n{each.line}\n"
        for each in batch
    )
    # Aliases only: a write to a dropped index's name would make a new index.
    options = {"require_alias": "true", "timeout": f"{PRIMARY_SECONDS}s"}
    with translate_errors(f"writing {len(batch)} chunks"):
        try:
            reply = client.bulk(body=body, params=options, request_timeout=_TIMEOUT)
        except exceptions.TransportError as exc:
            if exc.status_code != _TOO_MANY:
                raise
            # A breaker or indexing pressure refused the whole request, as it may refuse an item.
            return [Refusal(each, _TOO_MANY, str(exc)[:300]) for each in batch]
    if not reply["errors"]:
        return []
    outcomes = (outcome["index"] for outcome in reply["items"])
    return [
        Refusal(each, outcome["status"], _reason(outcome["error"]))
        for each, outcome in zip(batch, outcomes, strict=True)
        if "error" in outcome
    ]


def _reason(error: Json) -> str:
    cause = error.get("caused_by", {}).get("reason", "")
    return f"{error['type']}: {error['reason']} {cause}".strip()[:300]


def _name(what: str, refusals: Sequence[Refusal]) -> str:
    """Names the first refused chunk for the log, with the reason of the index."""
    first = refusals[0]
    others = f" and {len(refusals) - 1} more" if len(refusals) > 1 else ""
    return f"{what} chunk {first.item.id}{others}: {first.status} {first.reason}"
