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
from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.adapters.dynamodb.repeats import DynamoRepeats
from tests.contract.suites.catalog import CatalogSuite
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


class TestDynamoCatalog(CatalogSuite):
    @pytest.fixture
    def catalog(self, dynamodb):
        return DynamoCatalog(dynamodb, "DocumentsTable")

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
