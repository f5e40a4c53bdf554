"""The rules of all re-rankers: known models, limits of texts, checks of scores."""

import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from footnote.adapters.embedding.remote_embedder import to_input
from footnote.errors import BadRequestError, ConfigurationError, UnavailableError

type Maker = Literal["bedrock", "cohere", "voyage"]
MOST_TEXTS = 1_000  # the most that Bedrock and Voyage take; Cohere advises no more
_FEWEST_BYTES = 200  # of a text, however many there are


class RerankModel(NamedTuple):
    """The limits of a model, in bytes: a text has no more tokens or characters than bytes.

    `usd` is the price of a million tokens, `usd_a_search` that of a query with up to 100 texts.
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


def parse_choices(setting: str) -> list[Choice]:
    """Returns the re-rankers that a setting lists between commas, in the order to ask them.

    Raises ConfigurationError for one that is not known.
    """
    return [_parse(choice.strip()) for choice in setting.split(",") if choice.strip()]


def _parse(choice: str) -> Choice:
    named, _, region = choice.partition("@")
    name, _, model = named.partition(":")
    maker = next((known for known in MODELS if known == name), None)
    if maker is None or (region and maker != "bedrock"):
        raise ConfigurationError(
            f"no re-ranker '{choice}'; known: {', '.join(MODELS)}, and only bedrock has regions",
            action="Correct Rerankers and deploy again.",
        )
    models = {known.name: known for known in MODELS[maker]}
    if model and model not in models:
        raise ConfigurationError(
            f"{maker} has no re-ranker '{model}' that footnote knows; known: {', '.join(models)}",
            action="Correct Rerankers and deploy again.",
        )
    return Choice(maker, models[model] if model else MODELS[maker][0], region)


def check_texts(texts: Sequence[str]) -> None:
    """Raises BadRequestError for more than MOST_TEXTS."""
    if len(texts) > MOST_TEXTS:
        raise BadRequestError(f"{len(texts)} texts to re-rank; at most {MOST_TEXTS} are taken")


def cut_texts(query: str, texts: Sequence[str], model: RerankModel) -> tuple[str, list[str]]:
    """Returns the query and the texts, cut so that the request stays within the model's limits."""
    short_query = to_input(query, "", model.query_bytes)
    share = model.request_bytes // len(texts) - len(short_query.encode())
    most = min(model.text_bytes, max(share, _FEWEST_BYTES))
    return short_query, [to_input(text, "", most) for text in texts]


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
