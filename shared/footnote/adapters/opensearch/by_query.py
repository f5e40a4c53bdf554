"""Deletes and annotates chunks by query: a bounded number a request, for a bounded time.

A request that changed everything at once would take too long: the load balancer of a managed domain
answers 504, and a function is killed. So each request changes a few chunks, and its query finds
only the chunks that are left. When time is up, the next try goes on from there.
"""

import time
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from opensearchpy import OpenSearch

from footnote.adapters.opensearch.client import translate_errors
from footnote.errors import NotFoundError, UnavailableError
from footnote.wire import Json

_CONFLICTS = 3  # requests in a row that may meet other writers of the same chunks
_PAUSE = 0.2  # seconds before the next of them


class Pace(NamedTuple):
    """How many chunks a request changes, and the seconds that a request and the whole may take."""

    chunks: int
    request: float
    total: float


# A chunk is annotated by writing it anew with its vector: some 100 a second on the smallest domain,
# where a request then takes 5 s. Deleting is ten times faster.
ANNOTATE = Pace(chunks=500, request=20, total=100)
DELETE = Pace(chunks=2000, request=20, total=25)


def annotate_chunks(
    client: OpenSearch, alias: str, body: Json, what: str, pace: Pace = ANNOTATE
) -> None:
    """Runs an update by query until it finds nothing more. Raises UnavailableError out of time."""
    _change(client, partial(client.update_by_query, index=alias, body=body), alias, what, pace)


def delete_chunks(
    client: OpenSearch, alias: str, body: Json, what: str, pace: Pace = DELETE
) -> None:
    """Runs a delete by query until it finds nothing more. Raises UnavailableError out of time."""
    _change(client, partial(client.delete_by_query, index=alias, body=body), alias, what, pace)


def _change(
    client: OpenSearch, call: Callable[..., Json], alias: str, what: str, pace: Pace
) -> None:
    until = time.monotonic() + pace.total
    troubled = 0
    stale = True  # chunks may be there that a query does not see yet
    while troubled < _CONFLICTS:
        try:
            if stale:
                with translate_errors(what):
                    client.indices.refresh(index=alias, request_timeout=_seconds(until, what, pace))
            with translate_errors(what):
                reply = call(
                    params={"conflicts": "proceed", "refresh": "true", "max_docs": pace.chunks},
                    request_timeout=_seconds(until, what, pace),
                )
        except NotFoundError:
            # A generation was dropped between two looks: the alias stands for the others by now.
            if (troubled := troubled + 1) == _CONFLICTS:
                raise
            continue
        if stale := bool(reply["version_conflicts"] or reply["failures"]):
            troubled += 1
            time.sleep(_PAUSE)
        elif reply["total"] < pace.chunks:
            return
        else:
            troubled = 0
    raise UnavailableError(f"{what}: its chunks are being written")


def _seconds(until: float, what: str, pace: Pace) -> float:
    """Returns how long the next request may take. Raises UnavailableError when time is up."""
    left = until - time.monotonic()
    if left <= 0:
        raise UnavailableError(
            f"{what}: not all of them in {pace.total:.0f} s; the next try goes on from here"
        )
    return min(pace.request, left)
