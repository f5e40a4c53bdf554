"""A table is copied into another, and what is there stays."""

import pytest

from local.copy_table import copy_table
from tests.dynamo import Dynamo


class Tables(Dynamo):
    """Has a table of before, as a restore makes one."""

    def describe_table(self, TableName):  # noqa: N803 -- boto3's
        keys = {"Before": "document_id", "DocumentsTable": "document_id"}
        return {"Table": {"KeySchema": [{"AttributeName": keys[TableName], "KeyType": "HASH"}]}}

    def get_paginator(self, operation):
        return Before(self.before) if operation == "scan" else super().get_paginator(operation)


class Before:
    def __init__(self, items):
        self._items = items

    def paginate(self, *, TableName, ConsistentRead):  # noqa: N803 -- boto3's
        assert (TableName, ConsistentRead) == ("Before", True)
        yield {"Items": self._items[:2]}
        yield {"Items": self._items[2:]}


def item(name, status):
    return {"document_id": {"S": name}, "status": {"S": status}}


@pytest.fixture
def tables():
    tables = Tables()
    tables.before = [item(name, "READY") for name in "abc"]
    tables.put_item(TableName="DocumentsTable", Item=item("b", "FAILED"))
    return tables


def statuses(tables):
    found = tables.scan(TableName="DocumentsTable")["Items"]
    return {one["document_id"]["S"]: one["status"]["S"] for one in found}


def test_what_is_there_stays(tables):
    assert copy_table(tables, "Before", "DocumentsTable") == {"copied": 2, "there": 1}
    assert statuses(tables) == {"a": "READY", "b": "FAILED", "c": "READY"}
    assert copy_table(tables, "Before", "DocumentsTable") == {"copied": 0, "there": 3}


def test_what_is_there_is_replaced_where_that_is_asked_for(tables):
    told = copy_table(tables, "Before", "DocumentsTable", replace=True)
    assert told == {"copied": 3, "there": 0}
    assert statuses(tables) == dict.fromkeys("abc", "READY")
