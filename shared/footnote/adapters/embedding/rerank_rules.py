"""What all re-ranking providers have in common: models, texts that they take, scores checked."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.adapters.embedding.remote_embedder import to_input
from footnote.errors import BadRequestError, ConfigurationError, UnavailableError

type Maker = Literal["bedrock", "cohere", "voyage"]
MOST_TEXTS = 1_000  # the most that Bedrock and Voyage take; Cohere advises no more
_FEWEST_BYTES = 200  # of a text, however many there are


class RerankModel(NamedTuple):
    """What a model takes, in bytes, of which there are no fewer than tokens or characters.

    `usd` is for a million tokens, `usd_a_search` for a query with up to 100 texts.
    """

    name: str
    query_bytes: int
    text_bytes: int
    request_bytes: int
    usd: float | None = None
    usd_a_search: float | None = None


# 32,000 characters a query and a text, 1,000 texts:
# https://docs.aws.amazon.com/bedrock/latest/APIReference/API_agent-runtime_Rerank.html
# A query of 2,048 tokens: https://docs.cohere.com/docs/reranking-best-practices
# 8,000 tokens a query, 32,000 with a text, 600,000 in all, where the query counts for each text:
# https://docs.voyageai.com/reference/reranker-api
MODELS: Mapping[Maker, tuple[RerankModel, ...]] = {
    "bedrock": (
        RerankModel("cohere.rerank-v3-5:0", 2_048, 32_000, 5_000_000, usd_a_search=0.002),
        RerankModel("amazon.rerank-v1:0", 2_048, 32_000, 5_000_000, usd_a_search=0.001),
    ),
    "cohere": (
        RerankModel("rerank-v3.5", 2_048, 16_000, 5_000_000, usd_a_search=0.002),
        RerankModel("rerank-v4.0-fast", 2_048, 32_000, 5_000_000),
        RerankModel("rerank-v4.0-pro", 2_048, 32_000, 5_000_000),
    ),
    "voyage": (
        RerankModel("rerank-2.5", 8_000, 24_000, 600_000, usd=0.05),
        RerankModel("rerank-2.5-lite", 8_000, 24_000, 600_000, usd=0.02),
    ),
}
"""The first one of a provider is its default."""


class Choice(NamedTuple):
    """A re-ranker as settings name it: `provider[:model][@region]`."""

    maker: Maker
    model: RerankModel
    region: str


def parse_choices(told: str) -> list[Choice]:
    """Returns the re-rankers that a setting names, with commas between them, best first.

    Raises ConfigurationError for one that is not known.
    """
    return [_parse(one.strip()) for one in told.split(",") if one.strip()]


def _parse(told: str) -> Choice:
    named, _, region = told.partition("@")
    name, _, model = named.partition(":")
    maker = next((one for one in MODELS if one == name), None)
    if maker is None or (region and maker != "bedrock"):
        raise ConfigurationError(
            f"no re-ranker '{told}'; known: {', '.join(MODELS)}, and only bedrock has regions",
            action="Correct Rerankers and deploy again.",
        )
    known = {one.name: one for one in MODELS[maker]}
    if model and model not in known:
        raise ConfigurationError(
            f"{maker} has no re-ranker '{model}' that footnote knows; known: {', '.join(known)}",
            action="Correct Rerankers and deploy again.",
        )
    return Choice(maker, known[model] if model else MODELS[maker][0], region)


def check_texts(texts: Sequence[str]) -> None:
    """Raises BadRequestError for more than MOST_TEXTS."""
    if len(texts) > MOST_TEXTS:
        raise BadRequestError(f"{len(texts)} texts to re-rank; at most {MOST_TEXTS} are taken")


def cut_texts(query: str, texts: Sequence[str], model: RerankModel) -> tuple[str, list[str]]:
    """Returns query and texts as the model takes them, each text with its share of the request."""
    asked = to_input(query, "", model.query_bytes)
    share = model.request_bytes // len(texts) - len(asked.encode())
    most = min(model.text_bytes, max(share, _FEWEST_BYTES))
    return asked, [to_input(text, "", most) for text in texts]


def cost_of_search(model: RerankModel, searches: int) -> float | None:
    return None if model.usd_a_search is None else searches * model.usd_a_search


def check_scores(scored: Sequence[tuple[int, float]], count: int, model: str) -> list[float]:
    """Returns the scores in the order of the texts.

    Raises UnavailableError unless each text has one.
    """
    by_index = dict(scored)
    if len(scored) != count or by_index.keys() != set(range(count)):
        raise UnavailableError(f"{model} returned {len(scored)} scores for {count} texts")
    if not all(map(math.isfinite, by_index.values())):
        raise UnavailableError(f"{model} returned a score that is no number")
    return [by_index[n] for n in range(count)]
