"""Runs the suites of searching on the memory index."""

import pytest

from footnote.adapters.memory.search import MemorySearchIndex
from tests.contract.language_suite import LanguageSuite
from tests.contract.node_suite import NodeSuite
from tests.contract.search_suite import DIMENSIONS, MODEL, SearchSuite
from tests.contract.strategy_suite import StrategySuite


class TestMemorySearchIndex(SearchSuite):
    @pytest.fixture
    def index(self) -> MemorySearchIndex:
        return MemorySearchIndex(MODEL, DIMENSIONS)


class TestNodesInMemory(NodeSuite):
    @pytest.fixture
    def index(self) -> MemorySearchIndex:
        return MemorySearchIndex(MODEL, DIMENSIONS)


class TestStrategiesInMemory(StrategySuite):
    @pytest.fixture
    def index(self) -> MemorySearchIndex:
        return MemorySearchIndex(MODEL, DIMENSIONS)


class TestMemoryLanguages(LanguageSuite):
    @pytest.fixture
    def index(self) -> MemorySearchIndex:
        return MemorySearchIndex(MODEL, DIMENSIONS)
