"""Lists the items of the documents table: a tenant's through an index, or all of them."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.dynamodb.records import readable, record_of
from footnote.adapters.dynamodb.values import attributes, names, plain_item, values
from footnote.adapters.rules.catalog import after_collection, collection_of
from footnote.adapters.rules.limits import PlainValue
from footnote.model import Record, Status

if TYPE_CHECKING:
    from mypy_boto3_dynamodb import DynamoDBClient
    from mypy_boto3_dynamodb.type_defs import ScanInputTypeDef


def query_tenant(
    client: "DynamoDBClient",
    table: str,
    tenant: str,
    status: Status | None,
    *,
    after: str,
    size: int,
) -> tuple[list[Record], str, int]:
    """Reads up to `size` of the tenant's documents that follow `after`.

    Returns those with the status, the key of the last one that it read ("" if none follows), and
    how many it read: DynamoDB filters only then.
    """
    condition = "#tenant = :tenant" + (" AND #key > :after" if after else "")
    kept = "#status = :status" if status else "#status <> :status"
    operands = {"tenant": tenant, "status": status or "DELETED"}
    operands |= {"after": after} if after else {}
    with translate_errors("query", table):
        reply = client.query(
            TableName=table,
            IndexName="by-tenant",
            KeyConditionExpression=condition,
            FilterExpression=kept,
            ExpressionAttributeNames=names(condition, kept),
            ExpressionAttributeValues=values(operands),
            Limit=size,
        )
    last = plain_item(reply.get("LastEvaluatedKey", {})).get("key", "")
    records = list(readable(record_of, map(plain_item, reply["Items"])))
    return records, str(last), reply["ScannedCount"]


def list_collections(client: "DynamoDBClient", table: str, tenant: str) -> Iterator[str]:
    """Yields the collections of a tenant. It sends one query for each, whatever they hold."""
    condition = "#tenant = :tenant AND #key > :after"
    after = f"{tenant}/"
    while True:
        with translate_errors("query", table):
            reply = client.query(
                TableName=table,
                IndexName="by-tenant",
                KeyConditionExpression=condition,
                ProjectionExpression="#key",
                ExpressionAttributeNames=names(condition),
                ExpressionAttributeValues=values({"tenant": tenant, "after": after}),
                Limit=1,
            )
        if not reply["Items"]:
            return
        collection = collection_of(str(plain_item(reply["Items"][0])["key"]))
        yield collection
        after = after_collection(tenant, collection)


def query_unfinished(client: "DynamoDBClient", table: str, mark: str) -> Iterator[str]:
    """Yields the ids of the documents that the index `unfinished` has under this mark."""
    condition = "#unfinished = :unfinished"
    with translate_errors("query", table):
        for page in client.get_paginator("query").paginate(
            TableName=table,
            IndexName="unfinished",
            KeyConditionExpression=condition,
            ExpressionAttributeNames=names(condition),
            ExpressionAttributeValues=values({"unfinished": mark}),
        ):
            for item in page["Items"]:
                yield str(plain_item(item)["document_id"])


def scan(
    client: "DynamoDBClient", table: str, kept: str, operands: Mapping[str, PlainValue]
) -> Iterator[dict[str, PlainValue]]:
    """Yields the items of all tenants' documents that meet the filter `kept`."""
    with translate_errors("scan", table):
        for page in client.get_paginator("scan").paginate(
            TableName=table,
            FilterExpression=kept,
            ExpressionAttributeNames=names(kept),
            ExpressionAttributeValues=values(operands),
        ):
            yield from map(plain_item, page["Items"])


def scan_page(
    client: "DynamoDBClient", table: str, after: str, limit: int
) -> tuple[list[dict[str, PlainValue]], str]:
    """Returns a page of all items, and the id after which the next begins ("" on the last)."""
    request: ScanInputTypeDef = {"TableName": table, "Limit": limit}
    if after:
        request["ExclusiveStartKey"] = attributes({"document_id": after})
    with translate_errors("scan", table):
        reply = client.scan(**request)
    last = plain_item(reply.get("LastEvaluatedKey", {})).get("document_id", "")
    return list(map(plain_item, reply["Items"])), str(last)
