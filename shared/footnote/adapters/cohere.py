"""Cohere's own API: the port Reranker. https://docs.cohere.com/reference/rerank"""

from collections.abc import Sequence

from footnote.adapters.http_json import Post
from footnote.adapters.meter import Meter
from footnote.adapters.rerank_rules import (
    RerankModel,
    check_scores,
    check_texts,
    cost_of_search,
    cut_texts,
)
from footnote.errors import UnavailableError
from footnote.wire import Json

URL = "https://api.cohere.com/v2"


class CohereReranker:
    """Asks for the scores of all texts in one request. It is paid by search units."""

    def __init__(self, post: Post, model: RerankModel, meter: Meter) -> None:
        self._post = post
        self._model = model
        self._meter = meter

    @property
    def model(self) -> str:
        return f"cohere:{self._model.name}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        check_texts(texts)
        if not texts:
            return []
        asked, documents = cut_texts(query, texts, self._model)
        body: Json = {"model": self._model.name, "query": asked, "documents": documents}
        reply = self._post("/rerank", body)
        try:
            scored = [
                (int(row["index"]), float(row["relevance_score"])) for row in reply["results"]
            ]
            units = int(reply["meta"]["billed_units"]["search_units"])
        except (KeyError, TypeError, ValueError) as error:
            raise UnavailableError("Cohere answered in another form") from error
        self._meter.add(0, cost_of_search(self._model, units))
        return check_scores(scored, len(texts), self.model)
