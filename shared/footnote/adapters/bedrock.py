"""Embedding models on Amazon Bedrock, by InvokeModel: the port Embedder.

https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-titan-embed-text.html
https://docs.aws.amazon.com/bedrock/latest/userguide/model-parameters-embed.html
"""

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

from footnote.adapters.aws_clients import translate_errors
from footnote.adapters.embedding_models import EmbeddingModel
from footnote.adapters.embedding_rules import check_vectors, split, to_input
from footnote.adapters.meter import Meter, cost_of
from footnote.errors import UnavailableError
from footnote.model import Fingerprint, Vector
from footnote.wire import Json

if TYPE_CHECKING:
    from mypy_boto3_bedrock_runtime import BedrockRuntimeClient

TOKENS = "x-amzn-bedrock-input-token-count"  # a header of each reply


class BedrockEmbedder:
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
        self._client = client
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
            found = json.loads(raw)
            vectors = [found["embedding"]] if is_titan else _cohere_vectors(found["embeddings"])
            told = reply["ResponseMetadata"]["HTTPHeaders"].get(TOKENS, 0)
            tokens = int(found["inputTextTokenCount"] if is_titan else told)
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError(f"{self._fingerprint.model} answered in another form") from error
        self._meter.add(tokens, cost_of(tokens, self._model.usd))
        return check_vectors(vectors, len(texts), self._fingerprint)

    def _titan_body(self, text: str) -> Json:
        return {"inputText": text, "dimensions": self.dimensions, "normalize": True}

    def _cohere_body(self, texts: list[str], kind: Literal["document", "query"]) -> Json:
        told = self._fingerprint.document if kind == "document" else self._fingerprint.query
        body: Json = {"texts": texts, "input_type": told, "embedding_types": ["float"]}
        if len(self._model.dimensions) > 1:  # version 4, which calls the end of a text its right
            return {**body, "output_dimension": self.dimensions, "truncate": "RIGHT"}
        return {**body, "truncate": "END"}


def _cohere_vectors(found: Any) -> list[list[float]]:
    """Returns the vectors of a reply that has them by type, or bare where there is one type."""
    vectors: list[list[float]] = found["float"] if isinstance(found, dict) else found
    return vectors
