"""Embedding models on Amazon Bedrock, by InvokeModel: the port Embedder.

https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.calls.meter import Meter
from footnote.adapters.embedding.models import EmbeddingModel
from footnote.adapters.embedding.remote_embedder import Kind, RemoteEmbedder, to_input
from footnote.errors import UnavailableError
from footnote.model import Fingerprint, Vector
from footnote.wire import Json

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

TOKENS = "x-amzn-bedrock-input-token-count"  # a header of each reply


class BedrockEmbedder(RemoteEmbedder):
    """Embeds with Titan, a text a request, or with Cohere by `input_type`.

    Its client does not retry: the chain does.
    """

    def __init__(
        self,
        client: "BedrockRuntimeClient",
        fingerprint: Fingerprint,
        model: EmbeddingModel,
        meter: Meter,
    ) -> None:
        super().__init__(fingerprint, model, meter)
        self._client = client

    def _request(self, texts: Sequence[str], kind: Kind) -> tuple[list[Vector], int]:
        inputs = [to_input(text, "", self._model.text_bytes) for text in texts]
        is_titan = "titan" in self._fingerprint.model
        body = self._titan_body(inputs[0]) if is_titan else self._cohere_body(inputs, kind)
        with translate_errors("invoke model", self._fingerprint.model):
            reply = self._client.invoke_model(
                modelId=self._fingerprint.model,
                body=json.dumps(body).encode(),
                contentType="application/json",
                accept="application/json",
            )
            raw = reply["body"].read()
        try:
            content = json.loads(raw)
            vectors = [content["embedding"]] if is_titan else _cohere_vectors(content["embeddings"])
            counted = reply["ResponseMetadata"]["HTTPHeaders"].get(TOKENS, 0)
            tokens = int(content["inputTextTokenCount"] if is_titan else counted)
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError(f"{self._fingerprint.model} answered in another form") from error
        return vectors, tokens

    def _titan_body(self, text: str) -> Json:
        return {"inputText": text, "dimensions": self.dimensions, "normalize": True}

    def _cohere_body(self, texts: list[str], kind: Kind) -> Json:
        body: Json = {"texts": texts, "input_type": self._mark(kind), "embedding_types": ["float"]}
        if len(self._model.dimensions) > 1:  # version 4, which calls the end of a text its right
            return {**body, "output_dimension": self.dimensions, "truncate": "RIGHT"}
        return {**body, "truncate": "END"}


def _cohere_vectors(embeddings: Any) -> list[list[float]]:
    """Returns the vectors of a reply that has them by type, or bare where there is one type."""
    vectors: list[list[float]] = embeddings["float"] if isinstance(embeddings, dict) else embeddings
    return vectors
