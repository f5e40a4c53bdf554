"""Any server with OpenAI's form of embeddings: the port Embedder.

https://platform.openai.com/docs/api-reference/embeddings/create
"""

from collections.abc import Sequence
from typing import Literal

from footnote.adapters.embedding_models import EmbeddingModel
from footnote.adapters.embedding_rules import check_vectors, split, to_input
from footnote.adapters.http_json import Post
from footnote.adapters.meter import Meter, cost_of
from footnote.errors import UnavailableError
from footnote.model import Fingerprint, Vector
from footnote.wire import Json

URL = "https://api.openai.com/v1"


class OpenAiEmbedder:
    """Embeds with the model's prefixes.

    `dimensions` is sent only where vectors are shortened: most servers of others refuse it.
    """

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
        prefix = self._fingerprint.document if kind == "document" else self._fingerprint.query
        body: Json = {
            "model": self._fingerprint.model,
            "input": [to_input(text, prefix, self._model.text_bytes) for text in texts],
            "encoding_format": "float",
        }
        if self._fingerprint.short:
            body["dimensions"] = self.dimensions
        reply = self._post("/embeddings", body)
        try:
            rows = sorted(reply["data"], key=lambda row: int(row["index"]))
            vectors = [row["embedding"] for row in rows]
            tokens = int(reply.get("usage", {}).get("total_tokens", 0))
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise UnavailableError("the embedding server answered in another form") from error
        self._meter.add(tokens, cost_of(tokens, self._model.usd))
        return check_vectors(vectors, len(texts), self._fingerprint)
