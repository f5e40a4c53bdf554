"""Builds the settings' language models behind one port: a new provider is a case here."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import assert_never

from footnote.adapters.calls.chain import Chain
from footnote.adapters.llm.model_names import names_at
from footnote.adapters.llm.prices import Price, parse_prices
from footnote.adapters.llm.resilient_llm import (
    LONGEST_WAIT,
    SECONDS,
    WAITS,
    Provider,
    ResilientLLM,
)
from footnote.errors import ConfigurationError
from footnote.model import Measurement, Mode, ModelReply
from footnote.ports import LLM
from footnote.prompts.tasks import Role
from footnote.settings import Settings
from footnote.wiring.provider_keys import ProviderKeys
from footnote.wiring.providers import Put, report_failure, route_of

ASKING: Sequence[Role] = ("planner", "grader", "writer")
LINES: Sequence[Role] = ("context",)


def make_models(
    settings: Settings,
    roles: Sequence[Role],
    keys: ProviderKeys,
    clock: Callable[[], float],
    put: Put,
    *,
    seconds: float = SECONDS,
) -> LLM:
    """Returns the settings' providers in order, for tasks of these roles.

    `put` gets measurements, and `seconds` bound a request without a deadline. Raises
    ConfigurationError where a provider lacks a setting that it needs.
    """
    prices = parse_prices(settings.model_prices)
    routes = []
    for n, mode in enumerate(settings.providers):
        names = model_names(settings, roles)
        named = partial(names_at, mode, names, first=n == 0)
        provider = _provider(settings, mode, named, prices, keys, clock)
        routes.append(route_of(settings, mode, provider, weight=-n))
    tell = partial(report_failure, put)
    chain = Chain[Provider, ModelReply](routes, waits=WAITS, longest=LONGEST_WAIT, tell=tell)
    return ResilientLLM(chain, seconds, clock, partial(count_tokens, put))


def count_tokens(put: Put, reply: ModelReply) -> None:
    """Counts the tokens of a provider's reply."""
    tokens = reply.input_tokens + reply.output_tokens
    put([Measurement(name="ProviderTokens", value=tokens, of=reply.mode)])


def model_names(settings: Settings, roles: Sequence[Role]) -> Mapping[Role, str]:
    """Returns the settings' model names for these roles."""
    by_role: Mapping[Role, str] = {
        "planner": settings.planner_model,
        "grader": settings.grader_model,
        "writer": settings.writer_model,
        "context": settings.context_model,
    }
    return {role: by_role[role] for role in roles}


def _provider(  # noqa: PLR0917 - what a case may need
    settings: Settings,
    mode: Mode,
    named: Callable[[], Mapping[Role, str]],
    prices: Mapping[str, Price],
    keys: ProviderKeys,
    clock: Callable[[], float],
) -> Provider:
    match mode:
        case "extractive":
            raise ConfigurationError(
                "rules stand in behind all models: they are no provider among others",
                action="Take `extractive` out of ModelProvider, or leave it alone there.",
            )
        case "anthropic":
            from footnote.adapters.llm.anthropic import AnthropicLLM, anthropic_client

            at_anthropic = anthropic_client(keys.anthropic(), settings.anthropic_base_url)
            return AnthropicLLM(at_anthropic, named(), prices=prices, clock=clock)
        case "bedrock":
            from footnote.adapters.llm.anthropic import AnthropicLLM, bedrock_client

            if not (key := keys.bedrock()):
                must_have_credentials()
            at_bedrock = bedrock_client(settings.model_region, key)
            return AnthropicLLM(at_bedrock, named(), mode="bedrock", prices=prices, clock=clock)
        case "openai":
            from footnote.adapters.calls.http_json import HttpJson
            from footnote.adapters.llm.openai_chat import READ_SECONDS, URL, OpenAiChat

            url = settings.chat_base_url or URL
            api = HttpJson("the model's server", url, keys.chat(), READ_SECONDS)
            return OpenAiChat(api, named(), prices=prices, clock=clock)
        case other:
            assert_never(other)


def must_have_credentials() -> None:
    """Raises ConfigurationError without credentials to sign requests to Bedrock."""
    import boto3

    if boto3.Session().get_credentials() is None:
        raise ConfigurationError("no AWS credentials to sign requests to Bedrock with")
