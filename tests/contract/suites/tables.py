"""The tables that the DynamoDB adapters need, in the terms of CreateTable and the template."""

from collections.abc import Mapping


def attributes(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name, "AttributeType": "S"} for name in names]


def keys(partition: str, sort: str = "") -> list[dict[str, str]]:
    schema = [{"AttributeName": partition, "KeyType": "HASH"}]
    return [*schema, {"AttributeName": sort, "KeyType": "RANGE"}] if sort else schema


def index(name: str, partition: str, sort: str, *only: str) -> dict[str, object]:
    """Returns an index of all attributes, or of `only` these beside the keys."""
    some = {"ProjectionType": "INCLUDE", "NonKeyAttributes": [*only]}
    return {
        "IndexName": name,
        "KeySchema": keys(partition, sort),
        "Projection": some if only else {"ProjectionType": "ALL"},
    }


TABLES: Mapping[str, Mapping[str, object]] = {
    "DocumentsTable": {
        "AttributeDefinitions": attributes("document_id", "tenant", "key", "unfinished"),
        "KeySchema": keys("document_id"),
        "GlobalSecondaryIndexes": [
            index("by-tenant", "tenant", "key"),
            {
                "IndexName": "unfinished",
                "KeySchema": keys("unfinished"),
                "Projection": {"ProjectionType": "KEYS_ONLY"},
            },
        ],
    },
    "QuestionsTable": {
        "AttributeDefinitions": attributes(
            "question_id", "item", "session_key", "session_tenant", "created"
        ),
        "KeySchema": keys("question_id", "item"),
        "GlobalSecondaryIndexes": [
            index("by-session", "session_key", "created"),
            index("by-tenant", "session_tenant", "created", "turn", "status"),
        ],
    },
    "CountersTable": {
        "AttributeDefinitions": attributes("counter"),
        "KeySchema": keys("counter"),
    },
    "VectorsTable": {
        "AttributeDefinitions": attributes("key"),
        "KeySchema": keys("key"),
    },
}
"""Name in the template → table; all have BillingMode PAY_PER_REQUEST and a TTL on `expires`."""
