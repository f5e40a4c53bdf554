"""Builds the chains of paid providers from settings: a new provider is a case here."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, assert_never

from footnote.adapters.calls.breaker import Breaker, State
from footnote.adapters.calls.chain import Chain, Route
from footnote.adapters.calls.meter import Meter
from footnote.adapters.calls.quota import Quota
from footnote.adapters.embedding.models import EmbeddingModel, find_model
from footnote.adapters.embedding.rerank_rules import Choice, parse_choices
from footnote.adapters.embedding.resilient import ResilientEmbedder, ResilientReranker
from footnote.errors import ConfigurationError, FootnoteError
from footnote.model import Fingerprint, Measurement, Vector
from footnote.ports import Embedder, Reranker
from footnote.settings import Settings

if TYPE_CHECKING:
    from footnote.adapters.calls.http_json import HttpJson

KEPT = 500  # questions whose vectors or scores a process remembers: some 30 MB at most

type Key = Callable[[], str]
type Put = Callable[[Sequence[Measurement]], None]
"""Takes measurements, as the port Metrics does."""


def make_embedder(  # noqa: PLR0917 - what a case may need
    settings: Settings,
    fingerprint: Fingerprint,
    meter: Meter,
    put: Put,
    voyage_key: Key,
    openai_key: Key,
) -> Embedder:
    """Returns the settings' embedding model, in all places of `embedding_places`."""
    model = find_model(
        settings.embedding_provider, settings.embedding_model, settings.embedding_dimensions
    )
    keys = {"voyage": voyage_key, "openai": openai_key}
    key = keys[settings.embedding_provider]() if settings.embedding_provider in keys else ""
    places = _listed(settings.embedding_places) or [""]
    routes = [
        route_of(
            settings,
            f"{settings.embedding_provider} {place}".strip(),
            _embedder_at(settings, place, fingerprint, model, meter=meter, key=key),
            weight=-n,
        )
        for n, place in enumerate(places)
    ]
    chain = Chain[Embedder, list[Vector]](routes, keep=KEPT, tell=partial(report_failure, put))
    return ResilientEmbedder(chain, model)


def _embedder_at(
    settings: Settings,
    place: str,
    fingerprint: Fingerprint,
    model: EmbeddingModel,
    *,
    meter: Meter,
    key: str,
) -> Embedder:
    match settings.embedding_provider:
        case "bedrock":
            from footnote.adapters.aws.clients import client
            from footnote.adapters.embedding.bedrock import BedrockEmbedder

            runtime = client("bedrock-runtime", None, place)
            return BedrockEmbedder(runtime, fingerprint, model, meter)
        case "voyage":
            from footnote.adapters.embedding.voyage import URL as VOYAGE_URL
            from footnote.adapters.embedding.voyage import VoyageEmbedder

            api = _api("Voyage", place or VOYAGE_URL, key)
            return VoyageEmbedder(api.post, fingerprint, model, meter)
        case "openai":
            from footnote.adapters.embedding.openai import URL as OPENAI_URL
            from footnote.adapters.embedding.openai import OpenAiEmbedder

            api = _api("the embedding server", place or OPENAI_URL, key)
            return OpenAiEmbedder(api.post, fingerprint, model, meter)
        case "local":
            raise ConfigurationError("the local embedding model is no provider's")
        case other:
            assert_never(other)


def make_reranker(
    settings: Settings, meter: Meter, put: Put, cohere_key: Key, voyage_key: Key
) -> Reranker:
    """Returns the settings' re-rankers behind one port, in order."""
    routes = []
    for n, choice in enumerate(parse_choices(settings.rerankers)):
        reranker = _reranker(choice, meter, cohere_key, voyage_key)
        name = f"{reranker.model}@{choice.region}" if choice.region else reranker.model
        routes.append(route_of(settings, name, reranker, weight=-n))
    chain = Chain[Reranker, list[float]](routes, keep=KEPT, tell=partial(report_failure, put))
    return ResilientReranker(chain)


def _reranker(choice: Choice, meter: Meter, cohere_key: Key, voyage_key: Key) -> Reranker:
    match choice.maker:
        case "bedrock":
            from footnote.adapters.aws.clients import client
            from footnote.adapters.embedding.bedrock_rerank import BedrockReranker

            agent = client("bedrock-agent-runtime", None, choice.region)
            return BedrockReranker(agent, choice.model, meter)
        case "cohere":
            from footnote.adapters.embedding.cohere import URL as COHERE_URL
            from footnote.adapters.embedding.cohere import CohereReranker

            api = _api("Cohere", COHERE_URL, cohere_key())
            return CohereReranker(api.post, choice.model, meter)
        case "voyage":
            from footnote.adapters.embedding.voyage import URL as VOYAGE_URL
            from footnote.adapters.embedding.voyage import VoyageReranker

            return VoyageReranker(
                _api("Voyage", VOYAGE_URL, voyage_key()).post, choice.model, meter
            )
        case other:
            assert_never(other)


def report_failure(put: Put, route: str, error: FootnoteError, state: State) -> None:
    """Logs and counts that a provider failed, with the exception's name.

    It logs no words of the provider, as they may quote our input.
    """
    from footnote.wiring.logs import logger

    cause = type(error.__cause__ or error).__name__
    logger.warning("provider failed", provider=route, error=error.code, cause=cause, breaker=state)
    put([Measurement(name="ProviderFailures", of=state)])


def route_of[T](settings: Settings, name: str, provider: T, weight: int) -> Route[T]:
    """Returns a place in a chain, with the settings' limits for each provider."""
    from footnote.adapters.calls.http_json import retry_after

    return Route(
        name=name,
        provider=provider,
        quota=Quota(settings.provider_calls, settings.provider_tokens),
        breaker=Breaker(),
        weight=weight,
        retry_after=retry_after,
    )


def _api(name: str, url: str, key: str) -> "HttpJson":
    from footnote.adapters.calls.http_json import HttpJson

    return HttpJson(name, url, key)


def _listed(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]
