"""Runs the suite of ids on the adapters in memory, and on those of DynamoDB.

What DynamoDB would confuse, the adapters in memory refuse as well: else no other test sees it.
"""

from collections import defaultdict
from itertools import product
from types import SimpleNamespace

import pytest

from footnote.adapters.dynamodb.cache import DynamoCache, DynamoReplies, DynamoVectors
from footnote.adapters.dynamodb.catalog import DynamoCatalog
from footnote.adapters.dynamodb.counters import DynamoCounters
from footnote.adapters.dynamodb.questions import DynamoQuestions
from footnote.adapters.dynamodb.repeats import DynamoRepeats
from footnote.adapters.memory.catalog import MemoryCatalog
from footnote.adapters.memory.questions import MemoryQuestions
from footnote.adapters.memory.repeats import MemoryRepeats
from footnote.adapters.memory.small import MemoryCounters, MemoryReplies, MemoryVectors
from footnote.adapters.rules.limits import is_key
from footnote.adapters.rules.questions import feedback_key, repeat_key, session_key
from footnote.adapters.rules.queues import group_id
from footnote.model import digest
from footnote.service import Service
from tests.contract.suites.ids import ODD, SEPARATED, IdsSuite
from tests.dynamo import Dynamo


def memory():
    return SimpleNamespace(
        questions=MemoryQuestions(),
        repeats=MemoryRepeats(),
        counters=MemoryCounters(),
        vectors=MemoryVectors(),
        replies=MemoryReplies(),
        catalog=MemoryCatalog(),
    )


def dynamo():
    client = Dynamo()
    cache = DynamoCache(client, "VectorsTable")
    return SimpleNamespace(
        questions=DynamoQuestions(client, "QuestionsTable"),
        repeats=DynamoRepeats(client, "QuestionsTable"),
        counters=DynamoCounters(client, "CountersTable"),
        vectors=DynamoVectors(cache),
        replies=DynamoReplies(cache),
        catalog=DynamoCatalog(client, "DocumentsTable"),
    )


COMPOSED = {
    "a session": (session_key, SEPARATED, 2),
    "feedback": (feedback_key, ODD, 1),
    "a request": (repeat_key, [one for one in ODD if is_key(one) and len(one) < 1000], 1),
    "a group of a queue": (group_id, ODD, 1),
    "a digest of two": (digest, ODD, 2),
    "a digest of three": (digest, [*SEPARATED, "\0", "\1", "\0\0", "\0a", "a\0", "a\0b"], 3),
    "a request of a caller": (
        lambda tenant, groups, key: Service(None, tenant, groups).name_of_request("/r", key),
        [("t", groups, "k") for groups in [(), ("a",), ("a", "b"), ("a\0b",), ("b\0/r\0k",)]],
        0,
    ),
}
"""What makes one key of several names: the function, the names it is tried with, and how many."""


@pytest.mark.parametrize(("compose", "names", "many"), COMPOSED.values(), ids=COMPOSED)
def test_a_composed_key_stands_for_one_set_of_names(compose, names, many):
    given = list(product(names, repeat=many)) if many else names
    if compose is session_key:  # no tenant is without a name
        given = [one for one in given if one[0]]
    made = defaultdict(list)
    for one in given:
        made[compose(*one)].append(one)
    assert [those for those in made.values() if len(those) > 1] == []


class TestMemoryIds(IdsSuite):
    @pytest.fixture
    def stores(self):
        return memory()

    in_memory = stores


class TestDynamoIds(IdsSuite):
    @pytest.fixture
    def stores(self):
        return dynamo()

    @pytest.fixture
    def in_memory(self):
        return memory()
