"""Re-ranking models on Amazon Bedrock, by Rerank: the port Reranker.

https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_Rerank.html
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from footnote.adapters.aws.clients import translate_errors
from footnote.adapters.calls.meter import Meter
from footnote.adapters.embedding.remote_reranker import RemoteReranker, Reply
from footnote.adapters.embedding.rerank_rules import RerankModel, cost_of_search

if TYPE_CHECKING:
    from mypy_boto3_bedrock_agent_runtime import AgentsforBedrockRuntimeClient
    from mypy_boto3_bedrock_agent_runtime.type_defs import (
        RerankingConfigurationTypeDef,
        RerankSourceTypeDef,
    )

TEXTS_A_SEARCH = 100  # what one paid query may bring: https://aws.amazon.com/bedrock/pricing/


class BedrockReranker(RemoteReranker):
    """Asks for the scores of all texts in one request, or in more where the reply has pages.

    Its client does not retry: the chain does.
    """

    maker = "bedrock"

    def __init__(
        self, client: "AgentsforBedrockRuntimeClient", model: RerankModel, meter: Meter
    ) -> None:
        super().__init__(model, meter)
        self._client = client
        region = client.meta.region_name
        partition = client.meta.partition
        self._arn = f"arn:{partition}:bedrock:{region}::foundation-model/{model.name}"

    def _request(self, query: str, texts: Sequence[str]) -> Reply:
        sources: list[RerankSourceTypeDef] = [
            {
                "type": "INLINE",
                "inlineDocumentSource": {"type": "TEXT", "textDocument": {"text": text}},
            }
            for text in texts
        ]
        scored: list[tuple[int, float]] = []
        token = ""
        with translate_errors("rerank", self._model.name):
            while True:
                reply = self._client.rerank(
                    queries=[{"type": "TEXT", "textQuery": {"text": query}}],
                    sources=sources,
                    rerankingConfiguration=self._configuration(len(texts)),
                    **({"nextToken": token} if token else {}),
                )
                scored += [
                    (result["index"], result["relevanceScore"]) for result in reply["results"]
                ]
                if not (token := reply.get("nextToken", "")):
                    break
        searches = -(-len(texts) // TEXTS_A_SEARCH)
        return Reply(scored, 0, cost_of_search(self._model, searches))

    def _configuration(self, count: int) -> "RerankingConfigurationTypeDef":
        return {
            "type": "BEDROCK_RERANKING_MODEL",
            "bedrockRerankingConfiguration": {
                "numberOfResults": count,
                "modelConfiguration": {"modelArn": self._arn},
            },
        }
