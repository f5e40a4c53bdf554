"""Runs the ports' suites on the DynamoDB adapters over a table in this process.

`tests/integration` runs them on the local stack. Here they run each time, and the stand-in keeps
DynamoDB's own rules of keys, which `test_ids.py` tries.
"""

import time

import pytest

from footnote.adapters.dynamodb.cache import DynamoCache, DynamoReplies, DynamoVectors
from footnote.adapters.dynamodb.catalog import DynamoCatalog
from footnote.adapters.dynamodb.counters import DynamoCounters
from footnote.adapters.dynamodb.grids import DynamoGrids
from footnote.adapters.dynamodb.listing import query_unfinished
from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.adapters.dynamodb.records import MARKS
from footnote.adapters.dynamodb.repeats import DynamoRepeats
from footnote.model import Facts
from tests.contract.suites.catalog import CatalogSuite, make_ready, revision_at
from tests.contract.suites.counters import CountersSuite
from tests.contract.suites.grids import GridsSuite
from tests.contract.suites.questions import QuestionsSuite
from tests.contract.suites.repeats import RepeatsSuite
from tests.contract.suites.replies import ReplyCacheSuite
from tests.contract.suites.vectors import VectorCacheSuite
from tests.dynamo import Dynamo


@pytest.fixture
def dynamodb():
    return Dynamo()


def indexed(dynamodb):
    return {
        document_id
        for mark in MARKS
        for document_id in query_unfinished(dynamodb, "DocumentsTable", mark)
    }


class TestDynamoCatalog(CatalogSuite):
    @pytest.fixture
    def catalog(self, dynamodb):
        return DynamoCatalog(dynamodb, "DocumentsTable")

    def test_the_index_of_unfinished_documents_holds_no_others(self, dynamodb, catalog, tenant):
        revisions = [revision_at(f"{tenant}/docs/{n}", "10") for n in range(40)]
        for revision in revisions:
            catalog.receive(revision, 5)
        assert indexed(dynamodb) >= {one.document_id for one in revisions}
        make_ready(catalog, revisions[0])
        catalog.advance(revisions[1], "FAILED", Facts())
        catalog.remove(revision_at(revisions[2].key, "20"))
        ended = {one.document_id for one in revisions[:3]}
        assert not indexed(dynamodb) & ended
        catalog.reopen(revisions[0])
        catalog.receive(revisions[1], 5)  # a retry
        assert indexed(dynamodb) & ended == {one.document_id for one in revisions[:2]}

    def test_a_mark_that_an_older_release_has_left_is_passed_over(self, dynamodb, catalog, tenant):
        revision = revision_at(f"{tenant}/docs/old", "10")
        make_ready(catalog, revision)
        dynamodb.update_item(
            TableName="DocumentsTable",
            Key={"document_id": {"S": revision.document_id}},
            UpdateExpression="SET #unfinished = :mark",
            ExpressionAttributeNames={"#unfinished": "unfinished"},
            ExpressionAttributeValues={":mark": {"S": revision.document_id[0]}},
        )
        assert revision.document_id in indexed(dynamodb)
        assert all(one.document_id != revision.document_id for one in catalog.unfinished())

    @pytest.fixture
    def short_sighted(self, dynamodb):
        return DynamoCatalog(dynamodb, "DocumentsTable", examine=10)


class TestDynamoQuestions(QuestionsSuite):
    @pytest.fixture
    def questions(self, dynamodb):
        return DynamoQuestions(dynamodb, "QuestionsTable")

    @pytest.fixture
    def another(self, dynamodb):
        return DynamoQuestions(dynamodb, "QuestionsTable", clock=lambda: time.time() - 3600)


class TestDynamoGrids(GridsSuite):
    @pytest.fixture
    def grids(self, dynamodb):
        return DynamoGrids(dynamodb, "QuestionsTable")


class TestDynamoRepeats(RepeatsSuite):
    @pytest.fixture
    def repeats(self, dynamodb, now):
        return DynamoRepeats(dynamodb, "QuestionsTable", lambda: now[0])


class TestDynamoCounters(CountersSuite):
    @pytest.fixture
    def counters(self, dynamodb):
        return DynamoCounters(dynamodb, "CountersTable")


class TestDynamoVectors(VectorCacheSuite):
    @pytest.fixture
    def vectors(self, dynamodb):
        return DynamoVectors(DynamoCache(dynamodb, "VectorsTable"))


class TestDynamoReplies(ReplyCacheSuite):
    @pytest.fixture
    def replies(self, dynamodb):
        return DynamoReplies(DynamoCache(dynamodb, "VectorsTable"))
