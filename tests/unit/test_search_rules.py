"""Both search indexes have a query for every strategy."""

import pytest

from footnote.adapters.memory_search import MemorySearchIndex
from footnote.adapters.opensearch_query import search_body
from footnote.model import STRATEGIES, Scope, SearchQuery

QUERY = SearchQuery(text="the notice period", scope=Scope(tenant="acme"), vector=[0.6, 0.8])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_opensearch_is_asked_with_each_leg_and_fuses_several(strategy):
    asked = QUERY.model_copy(update={"strategy": strategy})
    query = search_body(asked, "vector_x", dimensions=2)["query"]
    legs = query["hybrid"]["queries"] if "hybrid" in query else [query]
    assert len(legs) == len(STRATEGIES[strategy])


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_memory_index_knows_every_leg(strategy):
    assert MemorySearchIndex("m", 2).search(QUERY.model_copy(update={"strategy": strategy})) == []
