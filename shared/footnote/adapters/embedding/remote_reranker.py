"""What all re-rankers of providers share: texts cut to fit, scores checked, cost counted."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from footnote.adapters.calls.meter import Meter
from footnote.adapters.embedding.rerank_rules import (
    Maker,
    RerankModel,
    check_scores,
    check_texts,
    cut_texts,
)


class Reply(NamedTuple):
    """A provider's reply: the index and the score of each text, and what it charges for."""

    scored: Sequence[tuple[int, float]]
    tokens: int
    usd: float | None  # None: nobody knows the price


class RemoteReranker(ABC):
    """Implements the port Reranker. A provider's own class makes the request."""

    maker: ClassVar[Maker]

    def __init__(self, model: RerankModel, meter: Meter) -> None:
        self._model = model
        self._meter = meter

    @property
    def model(self) -> str:
        return f"{self.maker}:{self._model.name}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Returns a score for each text, in order. Raises what the checks raise."""
        check_texts(texts)
        if not texts:
            return []
        reply = self._request(*cut_texts(query, texts, self._model))
        self._meter.add(reply.tokens, reply.usd)
        return check_scores(reply.scored, len(texts), self.model)

    @abstractmethod
    def _request(self, query: str, texts: Sequence[str]) -> Reply:
        """Sends all texts. Raises UnavailableError for a reply in another form."""
