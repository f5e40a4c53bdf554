"""Re-ranking models on Amazon Bedrock, by Rerank: the port Reranker.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_Rerank.html
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from footnote.adapters.aws_clients import translate_errors
from footnote.adapters.meter import Meter
from footnote.adapters.rerank_rules import (
    RerankModel,
    check_scores,
    check_texts,
    cost_of_search,
    cut_texts,
)

if TYPE_CHECKING:
    from mypy_boto3_bedrock_agent_runtime import AgentsforBedrockRuntimeClient
    from mypy_boto3_bedrock_agent_runtime.type_defs import (
        RerankingConfigurationTypeDef,
        RerankSourceTypeDef,
    )

TEXTS_A_SEARCH = 100  # what one paid query may bring: https://aws.amazon.com/bedrock/pricing/


class BedrockReranker:
    """Asks for the scores of all texts in one request, or in more where the reply has pages.

    Its client does not retry: the chain does.
    """

    def __init__(
        self, client: "AgentsforBedrockRuntimeClient", model: RerankModel, meter: Meter
    ) -> None:
        self._client = client
        self._model = model
        self._meter = meter
        region = client.meta.region_name
        partition = client.meta.partition
        self._arn = f"arn:{partition}:bedrock:{region}::foundation-model/{model.name}"

    @property
    def model(self) -> str:
        return f"bedrock:{self._model.name}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        if not texts:
            return []
        asked, documents = cut_texts(query, texts, self._model)
        sources: list[RerankSourceTypeDef] = [
            {
                "type": "INLINE",
                "inlineDocumentSource": {"type": "TEXT", "textDocument": {"text": text}},
            }
            for text in documents
        ]
        scored: list[tuple[int, float]] = []
        token = ""
        with translate_errors("rerank", self._model.name):
            while True:
                reply = self._client.rerank(
                    queries=[{"type": "TEXT", "textQuery": {"text": asked}}],
                    sources=sources,
                    rerankingConfiguration=self._configuration(len(texts)),
                    **({"nextToken": token} if token else {}),
                )
                scored += [(one["index"], one["relevanceScore"]) for one in reply["results"]]
                if not (token := reply.get("nextToken", "")):
                    break
        searches = -(-len(texts) // TEXTS_A_SEARCH)
        self._meter.add(0, cost_of_search(self._model, searches))
        return check_scores(scored, len(texts), self.model)

    def _configuration(self, count: int) -> "RerankingConfigurationTypeDef":
        return {
            "type": "BEDROCK_RERANKING_MODEL",
            "bedrockRerankingConfiguration": {
                "numberOfResults": count,
                "modelConfiguration": {"modelArn": self._arn},
            },
        }
