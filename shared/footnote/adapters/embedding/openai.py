"""Any server with OpenAI's form of embeddings: the port Embedder.

https://platform.openai.com/docs/api-reference/embeddings/create
"""

from collections.abc import Sequence

from footnote.adapters.calls.http_json import Post
from footnote.adapters.calls.meter import Meter
from footnote.adapters.embedding.models import EmbeddingModel
from footnote.adapters.embedding.remote_embedder import Kind, RemoteEmbedder, to_input
from footnote.errors import UnavailableError
from footnote.model import Fingerprint, Vector
from footnote.wire import Json

URL = "https://api.openai.com/v1"


class OpenAiEmbedder(RemoteEmbedder):
    """Embeds with the model's prefixes.

    `dimensions` is sent only where vectors are shortened: most servers of others refuse it.
    """

    def __init__(
        self, post: Post, fingerprint: Fingerprint, model: EmbeddingModel, meter: Meter
    ) -> None:
        super().__init__(fingerprint, model, meter)
        self._post = post

    def _request(self, texts: Sequence[str], kind: Kind) -> tuple[list[Vector], int]:
        body: Json = {
            "model": self._fingerprint.model,
            "input": [to_input(text, self._mark(kind), self._model.text_bytes) for text in texts],
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
        return vectors, tokens
