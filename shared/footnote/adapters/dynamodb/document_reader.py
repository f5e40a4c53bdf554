"""The documents table as it is read: single items, the versions that serve, and lists.

Reads are consistent. A query that starts after a document was removed, or after a group lost the
right to read it, must not show it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.listing import (
    list_collections,
    query_tenant,
    query_unfinished,
    scan,
    scan_page,
)
from footnote.adapters.dynamodb.records import MARKS, acl_of, readable, record_of
from footnote.adapters.dynamodb.values import attributes, get_batches, plain_item
from footnote.adapters.rules.catalog import (
    EXAMINE,
    UNFINISHED,
    after_collection,
    before_collection,
    cut_page,
    decode_cursor,
)
from footnote.adapters.rules.limits import PlainValue, is_key
from footnote.errors import NotFoundError
from footnote.model import ALL, Record, Status, may_read

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient

QUERY = 1000  # documents that one query looks at; DynamoDB stops at 1 MB


class DocumentReader:
    """The methods of the port Catalog that change nothing.

    `examine` is the number of documents that one page of a list looks at.
    """

    def __init__(
        self,
        client: "DynamoDBClient",
        table: str,
        clock: Callable[[], float] = time.time,
        examine: int = EXAMINE,
    ) -> None:
        self._client = client
        self._table = table
        self._clock = clock
        self._examine = examine

    def get(self, document_id: str) -> Record:
        if not is_key(document_id):
            raise NotFoundError(f"no document {document_id[:100]!r}")
        with translate_errors("get", f"{self._table}/{document_id}"):
            reply = self._client.get_item(
                TableName=self._table,
                Key=attributes({"document_id": document_id}),
                ConsistentRead=True,
            )
        if "Item" not in reply:
            raise NotFoundError(f"no document {document_id}")
        return record_of(plain_item(reply["Item"]))

    def records(self, document_ids: Sequence[str]) -> list[Record]:
        return list(self._records(document_ids))

    def collections(self, tenant: str) -> Iterator[str]:
        if not is_key(tenant):
            return iter(())
        return list_collections(self._client, self._table, tenant)

    def live_versions(self, document_ids: Sequence[str]) -> dict[str, str]:
        items = self._items(document_ids, "#document_id, #live_version")
        return {
            str(item["document_id"]): str(item["live_version"])
            for item in items
            if "live_version" in item
        }

    def visible_versions(
        self, document_ids: Sequence[str], groups: Sequence[str]
    ) -> dict[str, str]:
        items = self._items(document_ids, "#document_id, #live_version, #acl")
        return {
            str(item["document_id"]): str(item["live_version"])
            for item in items
            if "live_version" in item and may_read(acl_of(item), groups)
        }

    def documents(
        self,
        tenant: str,
        status: Status | None = None,
        after: str = "",
        limit: int = 100,
        groups: Sequence[str] = (ALL,),
        *,
        collection: str | None = None,
    ) -> tuple[list[Record], str]:
        records: list[Record] = []
        left, end = self._examine if is_key(tenant) else 0, ""
        last = decode_cursor(after)
        if collection is not None:
            last = max(last, before_collection(tenant, collection))
            end = after_collection(tenant, collection)
        size = QUERY if status else limit + 1
        while len(records) <= limit and left > 0:
            listed, last, looked = query_tenant(
                self._client, self._table, tenant, status, after=last, size=min(size, left)
            )
            records += [
                record
                for record in listed
                if may_read(record.sidecar.acl, groups)
                and collection in {None, record.revision.collection}
            ]
            if not last or (end and last >= end):
                last = ""
                break
            left -= looked
            size = QUERY
        return cut_page(records, limit, last)

    def live(self) -> Iterator[Record]:
        items = scan(self._client, self._table, "#live_version > :none", {"none": ""})
        return map(record_of, items)

    def unfinished(self) -> Iterator[Record]:
        for mark in MARKS:
            marked = list(query_unfinished(self._client, self._table, mark))
            for record in self._records(marked):
                if record.status in UNFINISHED:  # an older release takes no mark away
                    yield record

    def page(self, after: str, limit: int, *, whole: bool = True) -> tuple[list[Record], str]:
        items, last = scan_page(self._client, self._table, after, limit)
        records = map(record_of, items) if whole else readable(record_of, items)
        return list(records), last

    def _records(self, document_ids: Sequence[str]) -> Iterator[Record]:
        items = self._items(document_ids, ", ".join(f"#{name}" for name in Record.model_fields))
        return readable(record_of, items)

    def _items(
        self, document_ids: Sequence[str], projection: str
    ) -> Iterator[dict[str, PlainValue]]:
        """Yields the attributes that `projection` names of each stored document, in no order."""
        keys = [
            attributes({"document_id": document_id})
            for document_id in dict.fromkeys(document_ids)
            if is_key(document_id)
        ]
        return get_batches(self._client, self._table, keys, projection, consistent=True)
