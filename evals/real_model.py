"""Connects to the model that MODEL names, as the local stack reads it.

An eval asks slow models too, so no deadline, breaker or chain stands between.
"""

from collections.abc import Mapping
from typing import get_args

from footnote.adapters.calls.http_json import HttpJson
from footnote.adapters.llm.anthropic import AnthropicLLM, anthropic_client, bedrock_client
from footnote.adapters.llm.model_names import names_at
from footnote.adapters.llm.openai_chat import OpenAiChat
from footnote.adapters.llm.prices import PRICES, parse_prices
from footnote.ports import LLM
from footnote.prompts.tasks import Role
from local.models import Chosen, choose
from local.state import StackError

READ_SECONDS = 900.0  # of silence: a small machine may read a prompt that long


def connect(environ: Mapping[str, str]) -> LLM | None:
    """Returns the model that the environment names, or None where MODEL names none.

    Raises StackError where its key is missing.
    """
    if environ.get("MODEL") in {None, "", "extractive"}:
        return None
    return model_of(chosen_in(environ))


def chosen_in(environ: Mapping[str, str]) -> Chosen:
    """Returns what MODEL says. Raises StackError where it is no model, or its key is missing."""
    chosen = choose(environ)
    if chosen.mode == "extractive":
        raise StackError("MODEL=extractive is no model: `make eval-ask` asks without one")
    if chosen.key_name and not chosen.key:
        raise StackError(f"{chosen.key_name} is not set")
    return chosen


def model_of(chosen: Chosen) -> LLM:
    """Returns a chosen model, which does every task. Without a name, the provider's defaults do."""
    told: dict[Role, str] = dict.fromkeys(get_args(Role.__value__), chosen.model)
    if chosen.mode == "bedrock":
        client = bedrock_client(chosen.region, chosen.key)
        return AnthropicLLM(client, names_at("bedrock", told, first=True), mode="bedrock")
    if chosen.mode == "anthropic":
        client = anthropic_client(chosen.key, chosen.url)
        return AnthropicLLM(client, names_at("anthropic", told, first=True))
    api = HttpJson("the model's server", chosen.url, chosen.key, READ_SECONDS)
    prices = parse_prices(f"{chosen.model}=0/0") if chosen.free else PRICES
    return OpenAiChat(api, names_at("openai", told, first=True), prices=prices)
