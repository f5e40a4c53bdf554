"""Lists of the documents table: by tenant through its index, or all of it."""

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
    """Looks at the tenant's next documents, at most `size`, and returns the wanted ones.

    Also returns the key of the last one it looked at ("" if none follows), and their number.
    DynamoDB filters after it has read, so what is not wanted counts.
    """
    wanted = "#tenant = :tenant" + (" AND #key > :after" if after else "")
    chosen = "#status = :status" if status else "#status <> :status"
    given = {"tenant": tenant, "status": status or "DELETED"} | ({"after": after} if after else {})
    with translate_errors("query", table):
        reply = client.query(
            TableName=table,
            IndexName="by-tenant",
            KeyConditionExpression=wanted,
            FilterExpression=chosen,
            ExpressionAttributeNames=names(wanted, chosen),
            ExpressionAttributeValues=values(given),
            Limit=size,
        )
    last = plain_item(reply.get("LastEvaluatedKey", {})).get("key", "")
    found = list(readable(record_of, map(plain_item, reply["Items"])))
    return found, str(last), reply["ScannedCount"]


def list_collections(client: "DynamoDBClient", table: str, tenant: str) -> Iterator[str]:
    """Yields the collections of a tenant. Their number counts, not that of their documents."""
    wanted = "#tenant = :tenant AND #key > :after"
    after = f"{tenant}/"
    while True:
        with translate_errors("query", table):
            reply = client.query(
                TableName=table,
                IndexName="by-tenant",
                KeyConditionExpression=wanted,
                ProjectionExpression="#key",
                ExpressionAttributeNames=names(wanted),
                ExpressionAttributeValues=values({"tenant": tenant, "after": after}),
                Limit=1,
            )
        if not reply["Items"]:
            return
        found = collection_of(str(plain_item(reply["Items"][0])["key"]))
        yield found
        after = after_collection(tenant, found)


def scan(
    client: "DynamoDBClient", table: str, chosen: str, given: Mapping[str, PlainValue]
) -> Iterator[dict[str, PlainValue]]:
    """Yields the items of the documents that a filter chooses, of all tenants."""
    with translate_errors("scan", table):
        for page in client.get_paginator("scan").paginate(
            TableName=table,
            FilterExpression=chosen,
            ExpressionAttributeNames=names(chosen),
            ExpressionAttributeValues=values(given),
        ):
            yield from map(plain_item, page["Items"])


def scan_page(
    client: "DynamoDBClient", table: str, after: str, limit: int
) -> tuple[list[dict[str, PlainValue]], str]:
    """Returns items of all documents, and the id after which the next begins ("" on the last)."""
    request: ScanInputTypeDef = {"TableName": table, "Limit": limit}
    if after:
        request["ExclusiveStartKey"] = attributes({"document_id": after})
    with translate_errors("scan", table):
        reply = client.scan(**request)
    last = plain_item(reply.get("LastEvaluatedKey", {})).get("document_id", "")
    return list(map(plain_item, reply["Items"])), str(last)
