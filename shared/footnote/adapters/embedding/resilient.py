"""The ports Embedder and Reranker over a chain of providers."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Literal

from footnote.adapters.calls.chain import Chain
from footnote.adapters.embedding.models import EmbeddingModel
from footnote.adapters.embedding.remote_embedder import split
from footnote.adapters.embedding.rerank_rules import check_texts
from footnote.errors import ConfigurationError
from footnote.model import Vector, digest
from footnote.ports import Embedder, Reranker

# A question waits for its vector. Without one it is searched by words, and the answer says so.
QUERY_SECONDS = 8.0
# For one request with documents and all its retries. Two such requests fit into the index step's
# 300 s. After that the queue puts the message off.
DOCUMENT_SECONDS = 90.0
RERANK_SECONDS = 8.0  # without an answer the order of the strategy stays
_BYTES_A_TOKEN = 4  # of English; used only for the limit of tokens a minute

type Seconds = Callable[[float], float]
"""Bounds the seconds of a call by the time that its caller has left."""


def as_given(seconds: float) -> float:
    return seconds


def until(deadline: float | None, clock: Callable[[], float]) -> Seconds:
    """Returns the bound of calls by a step's deadline (epoch seconds)."""
    if deadline is None:
        return as_given
    return lambda seconds: max(0.0, min(seconds, deadline - clock()))


class ResilientEmbedder:
    """Embeds by the first place that answers. All places serve the same model.

    Vectors of two models cannot be compared. So where no place answers, the caller does without
    vectors.
    """

    def __init__(
        self,
        chain: Chain[Embedder, list[Vector]],
        model: EmbeddingModel,
        seconds: Seconds = as_given,
    ) -> None:
        served = {(r.provider.model, r.provider.dimensions): r.name for r in chain.routes}
        if len(served) > 1:
            names = ", ".join(f"'{model}' of {name}" for (model, _), name in served.items())
            raise ConfigurationError(
                f"one index cannot hold vectors of {names}",
                action="Name places that serve the same model, then deploy again.",
            )
        self._chain = chain
        self._model = model
        self._seconds = seconds
        [(self.model, self.dimensions)] = served

    def until(self, deadline: float | None, clock: Callable[[], float]) -> "ResilientEmbedder":
        """Returns this embedder for a step that must end by its deadline (epoch seconds)."""
        return ResilientEmbedder(self._chain, self._model, until(deadline, clock))

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        """Returns the vectors. As many requests run at once as the first place allows."""
        batches = list(split(texts, self._model))
        if len(batches) < 2:
            return [vector for some in batches for vector in self._request(some, kind)]
        with ThreadPoolExecutor(self._chain.routes[0].quota.concurrent, "embed") as pool:
            batches_of_vectors = list(pool.map(lambda some: self._request(some, kind), batches))
        return [vector for some in batches_of_vectors for vector in some]

    def _request(self, texts: list[str], kind: Literal["document", "query"]) -> list[Vector]:
        seconds = self._seconds(QUERY_SECONDS if kind == "query" else DOCUMENT_SECONDS)
        key = digest(self.model, kind, *texts)
        return self._chain.call(
            key,
            _tokens(texts),
            seconds,
            lambda one: _embed(one, texts, kind),
            remember=kind == "query",  # vectors of documents are kept beside them and in a table
        )


def _embed(
    embedder: Embedder, texts: Sequence[str], kind: Literal["document", "query"]
) -> list[Vector]:
    return embedder.embed(texts, kind)


class ResilientReranker:
    """Re-ranks by the first model that answers. All scores of one call come from one model."""

    def __init__(self, chain: Chain[Reranker, list[float]], seconds: Seconds = as_given) -> None:
        self._chain = chain
        self._seconds = seconds

    def until(self, deadline: float | None, clock: Callable[[], float]) -> "ResilientReranker":
        """Returns this re-ranker for a step that must end by its deadline (epoch seconds)."""
        return ResilientReranker(self._chain, until(deadline, clock))

    @property
    def model(self) -> str:
        """Names all that may answer, the first one first."""
        return ", ".join(route.provider.model for route in self._chain.routes)

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        if not texts:
            return []
        key = digest(query, *texts)
        tokens = _tokens([query, *texts])
        seconds = self._seconds(RERANK_SECONDS)
        return list(self._chain.call(key, tokens, seconds, lambda one: one.rerank(query, texts)))


def _tokens(texts: Sequence[str]) -> int:
    return sum(len(text) for text in texts) // _BYTES_A_TOKEN + 1
