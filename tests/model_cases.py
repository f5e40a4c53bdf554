"""Real adapters of models on scripted servers, behind the chain that deployments have."""

import time

from footnote.adapters.calls.breaker import Breaker
from footnote.adapters.calls.chain import Chain, Route
from footnote.adapters.calls.http_json import HttpJson, retry_after
from footnote.adapters.calls.quota import Quota
from footnote.adapters.llm.anthropic import AnthropicLLM, anthropic_client, bedrock_client
from footnote.adapters.llm.openai_chat import OpenAiChat
from footnote.adapters.llm.resilient_llm import LONGEST_WAIT, WAITS, ResilientLLM
from footnote.model import ModelRequest, user_says
from footnote.prompts.tasks import Role

CLAUDE: dict[Role, str] = {
    "planner": "claude-haiku-5-5",
    "grader": "claude-haiku-5-5",
    "writer": "claude-sonnet-5-5",
    "context": "claude-haiku-5-5",
}
ON_BEDROCK: dict[Role, str] = {role: f"anthropic.{name}" for role, name in CLAUDE.items()}
OWN: dict[Role, str] = {
    "planner": "small",
    "grader": "small",
    "writer": "large:3b",
    "context": "small",
}
KINDS = ("anthropic", "bedrock", "openai")

PLAN = ModelRequest(
    task="plan",
    system="You plan.",
    messages=user_says("What?"),
    shape={"type": "object", "properties": {"kind": {"type": "string"}}},
)
WRITE = ModelRequest(task="synthesize", system="You write.", messages=user_says("Passages."))


def provider(server, kind="anthropic", names=None, key="test-key", **settings):
    """Makes the adapter itself, which asks once."""
    if kind == "openai":
        api = HttpJson("the model's server", f"{server.url}/v1", key, 60.0)
        return OpenAiChat(api, {**OWN, **(names or {})}, **settings)
    if kind == "bedrock":
        client = bedrock_client("eu-central-1", "", f"{server.url}/anthropic")
        return AnthropicLLM(client, {**ON_BEDROCK, **(names or {})}, mode="bedrock", **settings)
    client = anthropic_client(key, server.url)
    return AnthropicLLM(client, {**CLAUDE, **(names or {})}, **settings)


def in_chain(*providers, sleep=time.sleep, clock=time.monotonic, now=time.time, seconds=60.0):
    """Puts adapters behind the chain in this order."""
    routes = [
        Route(f"place {n}", one, Quota(4), Breaker(clock), weight=-n, retry_after=retry_after)
        for n, one in enumerate(providers)
    ]
    chain = Chain(routes, waits=WAITS, longest=LONGEST_WAIT, sleep=sleep, clock=clock)
    return ResilientLLM(chain, seconds, now)


class Case:
    """An adapter in its chain on a scripted server; it remembers how long the chain waited."""

    def __init__(self, server, kind="anthropic", **settings):
        self.server = server
        self.waits = []
        self.provider = provider(server, kind, **settings)
        self.llm = in_chain(self.provider, sleep=self.waits.append)

    def streamed(self):
        pieces = list(self.llm.stream(WRITE))
        return pieces[:-1], pieces[-1]
