"""Counts the chunks in the index: by document, by event, by annotation."""

import json
from collections.abc import Iterator, Mapping, Sequence

from opensearchpy import OpenSearch

from footnote.adapters.opensearch.client import translate_errors
from footnote.adapters.opensearch.query import IS_CHUNK, chunks_of
from footnote.model import Revision
from footnote.wire import Json

_PAGE = 1000
_REVISION = ("document_id", "version", "sequencer", "tenant", "collection", "path")


def count_documents(
    client: OpenSearch, index: str, documents: Sequence[str] | None
) -> dict[tuple[str, str], int]:
    """Returns the number of chunks by (document id, version), of these documents or of all."""
    if documents is not None and not documents:
        return {}
    return {
        (bucket["key"]["document_id"], bucket["key"]["version"]): bucket["doc_count"]
        for bucket in _buckets(client, index, documents)
    }


def _buckets(client: OpenSearch, index: str, documents: Sequence[str] | None) -> Iterator[Json]:
    after: Json | None = None
    which = None if documents is None else {"terms": {"document_id": list(documents)}}
    while True:
        page = _page(client, index, ("document_id", "version"), _PAGE, after, which=which)
        yield from page["buckets"]
        if (after := page.get("after_key")) is None:
            return


def count_revisions(
    client: OpenSearch, index: str, after: str, limit: int
) -> tuple[list[tuple[Revision, int]], str]:
    """Returns a page of events with the number of chunks that each wrote, and the next cursor."""
    page = _page(client, index, _REVISION, limit, json.loads(after) if after else None)
    revisions = [(_revision_of(each["key"]), int(each["doc_count"])) for each in page["buckets"]]
    more = len(revisions) == limit and "after_key" in page
    return revisions, json.dumps(page["after_key"]) if more else ""


def count_chunks(client: OpenSearch, index: str, which: Json, document_id: str) -> int:
    """Returns the number of chunks of a document that a query chooses."""
    with translate_errors(f"counting the chunks of {document_id}"):
        reply = client.count(index=index, body=chunks_of(which))
    return int(reply["count"])


def _page(
    client: OpenSearch,
    index: str,
    names: Sequence[str],
    size: int,
    after: Json | None,
    *,
    which: Json | None = None,
) -> Json:
    """Counts chunks grouped by the fields in `names`: up to `size` groups after one group.

    `which` is a query that chooses chunks; without it all are counted.
    """
    sources = [{name: {"terms": {"field": name}}} for name in names]
    composite: Json = {"size": size, "sources": sources}
    if after is not None:
        composite["after"] = after
    body: Json = {"size": 0, "aggs": {"counts": {"composite": composite}}}
    body["query"] = {"bool": {"filter": [IS_CHUNK] if which is None else [IS_CHUNK, which]}}
    params = {"allow_partial_search_results": "false"}
    with translate_errors(f"counting the chunks of {index}"):
        reply = client.search(index=index, body=body, params=params)
    page: Json = reply["aggregations"]["counts"]
    return page


def _revision_of(fields: Mapping[str, str]) -> Revision:
    key = "/".join(fields[name] for name in ("tenant", "collection", "path"))
    return Revision(key=key, version=fields["version"], sequencer=fields["sequencer"])
