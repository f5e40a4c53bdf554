"""The memory index keeps the SearchIndex contract."""

import pytest

from footnote.adapters.memory_search import MemorySearchIndex
from tests.contract.search_suite import DIMENSIONS, MODEL, SearchSuite


class TestMemorySearch(SearchSuite):
    @pytest.fixture
    def index(self) -> MemorySearchIndex:
        return MemorySearchIndex(MODEL, DIMENSIONS)
