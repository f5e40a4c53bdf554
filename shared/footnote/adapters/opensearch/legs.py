"""Sends several searches in one request. Raises where one of them failed or is incomplete."""

from collections.abc import Sequence

from opensearchpy import OpenSearch, exceptions

from footnote.errors import UnavailableError
from footnote.wire import Json


def search_all(
    client: OpenSearch, index: str, bodies: Sequence[Json], preference: str
) -> list[Json]:
    """Returns the reply to each search, in order. `preference` chooses the copies of the shards.

    Raises the client's exception for a search that failed, as if it had been sent alone, and
    UnavailableError for one that only a part of the shards, or not all in time, answered.
    """
    lines: list[Json] = []
    for body in bodies:
        # Hits from part of an index are no answer: one failed shard fails the search.
        lines += [{"allow_partial_search_results": False, "preference": preference}, body]
    replies: list[Json] = client.msearch(body=lines, index=index)["responses"]
    for reply in replies:
        _must_be_whole(reply)
    return replies


def _must_be_whole(reply: Json) -> None:
    if "error" in reply:
        status, error = int(reply.get("status", 500)), reply["error"]
        kind = exceptions.HTTP_EXCEPTIONS.get(status, exceptions.TransportError)
        raise kind(status, error.get("type", "unknown"), reply)
    if reply.get("timed_out") or reply.get("_shards", {}).get("failed"):
        raise UnavailableError("searching: OpenSearch answered from a part of the index only")
