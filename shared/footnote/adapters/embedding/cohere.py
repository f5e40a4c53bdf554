"""Cohere's own API: the port Reranker. https://docs.cohere.com/reference/rerank"""

from collections.abc import Sequence

from footnote.adapters.calls.http_json import Post
from footnote.adapters.calls.meter import Meter
from footnote.adapters.embedding.remote_reranker import RemoteReranker, Reply
from footnote.adapters.embedding.rerank_rules import RerankModel, cost_of_search
from footnote.errors import UnavailableError
from footnote.wire import Json

URL = "https://api.cohere.com/v2"


class CohereReranker(RemoteReranker):
    """Asks for the scores of all texts in one request. It is paid by search units."""

    maker = "cohere"

    def __init__(self, post: Post, model: RerankModel, meter: Meter) -> None:
        super().__init__(model, meter)
        self._post = post

    def _request(self, query: str, texts: Sequence[str]) -> Reply:
        body: Json = {"model": self._model.name, "query": query, "documents": list(texts)}
        reply = self._post("/rerank", body)
        try:
            scored = [
                (int(row["index"]), float(row["relevance_score"])) for row in reply["results"]
            ]
            units = int(reply["meta"]["billed_units"]["search_units"])
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError("Cohere answered in another form") from error
        return Reply(scored, 0, cost_of_search(self._model, units))
