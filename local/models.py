"""Language models for the local stack: `MODEL=… make demo`. What is set up, what is missing.

MODEL is `anthropic`, `bedrock`, `ollama:NAME` or `openai:NAME`, the first two with `:NAME` too.
MODEL_PROFILE=small has a small, slow model only write.
"""

import os
from collections.abc import Mapping
from typing import NamedTuple

import httpx

from local.model_checks import PATIENCE, Finding, check_model
from local.state import StackError

OLLAMA = "http://localhost:11434"
OPENAI = "https://api.openai.com/v1"
KNOWN = "anthropic, bedrock, ollama:NAME, openai:NAME, extractive"


class Chosen(NamedTuple):
    """What MODEL says: the provider's mode, the model's name, its server, the key and its name."""

    mode: str
    model: str = ""
    url: str = ""
    key: str = ""
    key_name: str = ""
    region: str = ""
    free: bool = False
    profile: str = "full"


def choose(environ: Mapping[str, str] = os.environ) -> Chosen:
    """Reads MODEL and MODEL_PROFILE. Without MODEL, ANTHROPIC_API_KEY decides.

    Raises StackError for what is unknown.
    """
    profile = environ.get("MODEL_PROFILE") or "full"
    if profile not in {"full", "small"}:
        raise StackError(f"MODEL_PROFILE={profile} is none that footnote knows: full, small")
    return _choose_provider(environ)._replace(profile=profile)


def _choose_provider(environ: Mapping[str, str]) -> Chosen:
    key = environ.get("ANTHROPIC_API_KEY", "")
    told = environ.get("MODEL") or ("anthropic" if key else "extractive")
    provider, _, model = told.partition(":")
    match provider:
        case "extractive":
            return Chosen("extractive")
        case "anthropic":
            url = environ.get("ANTHROPIC_BASE_URL", "")
            return Chosen("anthropic", model, url, key, "ANTHROPIC_API_KEY")
        case "bedrock":
            region = environ.get("AWS_REGION") or environ.get("AWS_DEFAULT_REGION") or "us-east-1"
            name = "AWS_BEARER_TOKEN_BEDROCK"
            return Chosen("bedrock", model, "", environ.get(name, ""), name, region)
        case "ollama" if model:
            host = environ.get("OLLAMA_HOST") or OLLAMA
            url = host if "://" in host else f"http://{host}"
            return Chosen("openai", model, f"{url.rstrip('/')}/v1", free=True)
        case "openai" if model:
            url = environ.get("OPENAI_BASE_URL") or OPENAI
            name = "OPENAI_API_KEY" if url == OPENAI else ""
            return Chosen("openai", model, url, environ.get("OPENAI_API_KEY", ""), name)
    raise StackError(f"MODEL={told} is none that footnote knows: {KNOWN}")


def parameters(chosen: Chosen, stored: str) -> dict[str, str]:
    """Returns the template's parameters for a choice whose key is `stored` under that name.

    All are given even when empty: a parameter that is left out keeps its last value.
    """
    at, bedrock, chat = (chosen.mode == one for one in ("anthropic", "bedrock", "openai"))
    return {
        "ModelProvider": "" if chosen.mode == "extractive" else chosen.mode,
        "AnthropicKeyParameter": stored if at else "",
        "AnthropicBaseUrl": chosen.url if at else "",
        "ModelRegion": chosen.region,
        "BedrockKeyParameter": stored if bedrock else "",
        "ChatBaseUrl": chosen.url if chat else "",
        "ChatKeyParameter": stored if chat else "",
        "PlannerModel": chosen.model,
        "WriterModel": chosen.model,
        "ContextModel": chosen.model or "claude-haiku-5-5",
        "ModelPrices": f"{chosen.model}=0/0" if chosen.free else "",
        "ModelProfile": chosen.profile,
    }


def findings(chosen: Chosen) -> list[Finding]:
    """Returns what is missing for a choice, and what its server cannot do."""
    if chosen.mode == "extractive":
        return [Finding("model", True, "none: answers are the documents' own sentences", "")]
    if chosen.key_name and not chosen.key:
        return [
            Finding("model", False, f"{chosen.key_name} is not set", f"{chosen.key_name}=… MODEL=…")
        ]
    if chosen.mode != "openai":
        name = chosen.model or "its default models"
        return [Finding("model", True, f"{chosen.mode}, {name}; not called", "")]
    listed = _listed_models(chosen)
    if not listed.ok:
        return [listed]
    return [listed, *check_model(chosen.url, chosen.key, chosen.model)]


def _listed_models(chosen: Chosen) -> Finding:
    headers = {"authorization": f"Bearer {chosen.key}"} if chosen.key else {}
    start = "start the server" + (" (`ollama serve`)" if chosen.free else "")
    try:
        reply = httpx.get(f"{chosen.url}/models", headers=headers, timeout=PATIENCE)
        known = {str(one["id"]) for one in reply.json()["data"]}
    except (httpx.HTTPError, KeyError, TypeError, ValueError) as error:
        why = f"{chosen.url} lists no models: {type(error).__name__}"
        return Finding("model", False, why, start)
    has = bool(known & {chosen.model, f"{chosen.model}:latest"})
    said = f"{chosen.model} {'is' if has else 'is not'} at {chosen.url}, which has {len(known)}"
    get = f"`ollama pull {chosen.model}`" if chosen.free else "a name that the server lists"
    return Finding("model", has, said, get)
