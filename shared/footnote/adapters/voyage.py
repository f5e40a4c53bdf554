"""Voyage AI: the ports Embedder and Reranker.

https://docs.voyageai.com/reference/embeddings-api
https://docs.voyageai.com/reference/reranker-api
"""

from collections.abc import Sequence
from typing import Literal

from footnote.adapters.embedding_models import EmbeddingModel
from footnote.adapters.embedding_rules import check_vectors, split, to_input
from footnote.adapters.http_json import Post
from footnote.adapters.meter import Meter, cost_of
from footnote.adapters.rerank_rules import RerankModel, check_scores, check_texts, cut_texts
from footnote.errors import UnavailableError
from footnote.model import Fingerprint, Vector
from footnote.wire import Json

URL = "https://api.voyageai.com/v1"


class VoyageEmbedder:
    """Embeds by `input_type`; dimensions are shortened by `output_dimension`."""

    def __init__(
        self, post: Post, fingerprint: Fingerprint, model: EmbeddingModel, meter: Meter
    ) -> None:
        self._post = post
        self._fingerprint = fingerprint
        self._model = model
        self._meter = meter

    @property
    def model(self) -> str:
        return self._fingerprint.name

    @property
    def dimensions(self) -> int:
        return self._fingerprint.dimensions

    def embed(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        return [
            vector for some in split(texts, self._model) for vector in self._request(some, kind)
        ]

    def _request(self, texts: Sequence[str], kind: Literal["document", "query"]) -> list[Vector]:
        told = self._fingerprint.document if kind == "document" else self._fingerprint.query
        body: Json = {
            "model": self._fingerprint.model,
            "input": [to_input(text, "", self._model.text_bytes) for text in texts],
            "input_type": told,
            "truncation": True,
            "output_dimension": self.dimensions,
            "output_dtype": "float",
        }
        reply = self._post("/embeddings", body)
        try:
            rows = sorted(reply["data"], key=lambda row: int(row["index"]))
            vectors = [row["embedding"] for row in rows]
            tokens = int(reply["usage"]["total_tokens"])
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError("Voyage answered in another form") from error
        self._meter.add(tokens, cost_of(tokens, self._model.usd))
        return check_vectors(vectors, len(texts), self._fingerprint)


class VoyageReranker:
    """Asks for the scores of all texts in one request."""

    def __init__(self, post: Post, model: RerankModel, meter: Meter) -> None:
        self._post = post
        self._model = model
        self._meter = meter

    @property
    def model(self) -> str:
        return f"voyage:{self._model.name}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        if not texts:
            return []
        asked, documents = cut_texts(query, texts, self._model)
        body: Json = {
            "model": self._model.name,
            "query": asked,
            "documents": documents,
            "truncation": True,
        }
        reply = self._post("/rerank", body)
        try:
            scored = [(int(row["index"]), float(row["relevance_score"])) for row in reply["data"]]
            tokens = int(reply["usage"]["total_tokens"])
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError("Voyage answered in another form") from error
        self._meter.add(tokens, cost_of(tokens, self._model.usd))
        return check_scores(scored, len(texts), self.model)
