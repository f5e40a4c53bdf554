"""Voyage AI: the ports Embedder and Reranker.

https://docs.voyageai.com/reference/embeddings-api
https://docs.voyageai.com/reference/reranker-api
"""

from collections.abc import Sequence

from footnote.adapters.calls.http_json import Post
from footnote.adapters.calls.meter import Meter, cost_of
from footnote.adapters.embedding.models import EmbeddingModel
from footnote.adapters.embedding.remote_embedder import Kind, RemoteEmbedder, to_input
from footnote.adapters.embedding.remote_reranker import RemoteReranker, Reply
from footnote.adapters.embedding.rerank_rules import RerankModel
from footnote.errors import UnavailableError
from footnote.model import Fingerprint, Vector
from footnote.wire import Json

URL = "https://api.voyageai.com/v1"


class VoyageEmbedder(RemoteEmbedder):
    """Embeds by `input_type`; dimensions are shortened by `output_dimension`."""

    def __init__(
        self, post: Post, fingerprint: Fingerprint, model: EmbeddingModel, meter: Meter
    ) -> None:
        super().__init__(fingerprint, model, meter)
        self._post = post

    def _request(self, texts: Sequence[str], kind: Kind) -> tuple[list[Vector], int]:
        body: Json = {
            "model": self._fingerprint.model,
            "input": [to_input(text, "", self._model.text_bytes) for text in texts],
            "input_type": self._mark(kind),
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
        return vectors, tokens


class VoyageReranker(RemoteReranker):
    """Asks for the scores of all texts in one request."""

    maker = "voyage"

    def __init__(self, post: Post, model: RerankModel, meter: Meter) -> None:
        super().__init__(model, meter)
        self._post = post

    def _request(self, query: str, texts: Sequence[str]) -> Reply:
        body: Json = {
            "model": self._model.name,
            "query": query,
            "documents": list(texts),
            "truncation": True,
        }
        reply = self._post("/rerank", body)
        try:
            scored = [(int(row["index"]), float(row["relevance_score"])) for row in reply["data"]]
            tokens = int(reply["usage"]["total_tokens"])
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError("Voyage answered in another form") from error
        return Reply(scored, tokens, cost_of(tokens, self._model.usd))
