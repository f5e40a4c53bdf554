"""Anthropic's models: how to ask each of them, and what its tokens cost."""

from collections.abc import Mapping
from typing import NamedTuple

from anthropic.types import Message, Usage

# Shares of the input's price, for tokens written to Anthropic's prompt cache (five minutes) and for
# tokens read from it: platform.claude.com/docs/en/build-with-claude/prompt-caching
CACHE_WRITE, CACHE_READ = 1.25, 0.1


class Model(NamedTuple):
    """Prices in dollars per million tokens, and the `thinking` that makes the model answer at once.

    Without `thinking` (None) the model thinks before it answers.
    """

    input_usd: float
    output_usd: float
    thinking: Mapping[str, str] | None = None


# Prices: platform.claude.com/docs/en/about-claude/pricing, November 2026. Haiku 5.5 costs more for
# prompts over 100,000 tokens, which do not occur here. These models refuse forced tool use, but not
# structured outputs.
MODELS: Mapping[str, Model] = {
    "claude-haiku-5-5": Model(0.10, 0.50, {"type": "disabled"}),
    "claude-sonnet-5-5": Model(2.0, 10.0, {"type": "between_tools"}),
    "claude-opus-5-5": Model(4.0, 20.0),
    "claude-haiku-4-5": Model(1.0, 5.0, {"type": "disabled"}),
}


def price_of(message: Message, models: Mapping[str, Model]) -> Model | None:
    """Finds the price by the model's name or its dated form ("claude-haiku-4-5-20251001")."""
    return next((m for name, m in models.items() if message.model.startswith(name)), None)


def count_input_tokens(usage: Usage) -> int:
    cached = (usage.cache_creation_input_tokens or 0) + (usage.cache_read_input_tokens or 0)
    return usage.input_tokens + cached


def cost(usage: Usage, price: Model) -> float:
    """Returns the cost in dollars, cached tokens at their own prices."""
    cached = CACHE_WRITE * (usage.cache_creation_input_tokens or 0)
    cached += CACHE_READ * (usage.cache_read_input_tokens or 0)
    spent = (usage.input_tokens + cached) * price.input_usd + usage.output_tokens * price.output_usd
    return round(spent / 1_000_000, 6)
