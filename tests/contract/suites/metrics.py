"""The suite of the port Metrics."""

from collections.abc import Callable

import pytest

from footnote.model import Measurement
from footnote.ports import Metrics

READY = Measurement(name="DocumentsEnded", of="READY")
SECONDS = Measurement(name="SecondsToReady", value=12.5)
DOLLARS = Measurement(name="DocumentUsd", value=0.0)
TWO_EXACT = Measurement(name="Sentences", value=2, of="exact")
REMOVED = Measurement(name="Sentences", value=1, of="removed")


class MetricsSuite:
    @pytest.fixture
    def metrics(self) -> Metrics:
        raise NotImplementedError

    @pytest.fixture
    def measured(self) -> Callable[[], list[Measurement]]:
        """Returns what has come so far, in any order."""
        raise NotImplementedError

    def test_what_is_put_comes_with_its_value_and_dimension(self, metrics, measured):
        sent = [READY, SECONDS, DOLLARS, TWO_EXACT, REMOVED]
        metrics.put(sent)
        assert sorted(measured(), key=repr) == sorted(sent, key=repr)

    def test_the_same_twice_comes_twice(self, metrics, measured):
        metrics.put([READY, READY])
        metrics.put([READY])
        assert measured() == [READY] * 3

    def test_nothing_is_nothing(self, metrics, measured):
        metrics.put([])
        assert measured() == []
