"""Anthropic's models: how each is asked, and what its tokens cost."""

from collections.abc import Mapping
from typing import NamedTuple

from anthropic.types import Message, Usage

# of the input's price, for what is written to Anthropic's prompt cache (five minutes) and read from
# it: platform.claude.com/docs/en/build-with-claude/prompt-caching
CACHE_WRITE, CACHE_READ = 1.25, 0.1


class Model(NamedTuple):
    """Dollars per million tokens, and how to have it answer at once; None: it thinks first."""

    input_usd: float
    output_usd: float
    thinking: Mapping[str, str] | None = None


# platform.claude.com/docs/en/about-claude/pricing, November 2026; the dearer price that Haiku 5.5
# has for prompts over 100,000 tokens does not come up here. Forced tool use is refused by these
# models; structured outputs are not.
MODELS: Mapping[str, Model] = {
    "claude-haiku-5-5": Model(0.10, 0.50, {"type": "disabled"}),
    "claude-sonnet-5-5": Model(2.0, 10.0, {"type": "between_tools"}),
    "claude-opus-5-5": Model(4.0, 20.0),
    "claude-haiku-4-5": Model(1.0, 5.0, {"type": "disabled"}),
}


def price_of(message: Message, models: Mapping[str, Model]) -> Model | None:
    """By the name that was asked for or its dated form ("claude-haiku-4-5-20251001")."""
    return next((m for name, m in models.items() if message.model.startswith(name)), None)


def tokens_read(usage: Usage) -> int:
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return usage.input_tokens + cached


def cost(usage: Usage, price: Model) -> float:
    """In dollars."""
    cached = CACHE_WRITE * (usage.cache_creation_input_tokens or 0)
    cached += CACHE_READ * (usage.cache_read_input_tokens or 0)
    spent = (usage.input_tokens + cached) * price.input_usd + usage.output_tokens * price.output_usd
    return round(spent / 1_000_000, 6)
