"""What tokens of language models cost: one table, each price with its source and its date.

A price that is not here is given by the setting `model_prices`, or the cost is not counted and the
answer says so.
"""

from collections.abc import Mapping
from typing import NamedTuple

from footnote.errors import ConfigurationError

MILLION = 1_000_000
MOST = 10**9  # tokens of a call; more than that is no number of tokens
ANTHROPIC = "platform.claude.com/docs/en/about-claude/pricing"
OWN = "the setting ModelPrices"


class Price(NamedTuple):
    """Dollars for a million tokens, where they are told (`source`) and when (`of`, year and month).

    `written` and `read` are the shares of the input's price for tokens that are written to the
    provider's prompt cache and read from it.
    """

    input_usd: float
    output_usd: float
    written: float = 1.0
    read: float = 1.0
    of: str = ""
    source: str = OWN


def _claude(input_usd: float, output_usd: float) -> Price:
    """Returns a price of Anthropic's list; its cache keeps what it read for five minutes.

    platform.claude.com/docs/en/build-with-claude/prompt-caching
    """
    return Price(input_usd, output_usd, 1.25, 0.1, "2026-11", ANTHROPIC)


# Haiku 5.5 costs more for prompts over 100,000 tokens, which do not occur here. On Bedrock the same
# prices are counted: AWS bills a region's own endpoint up to 10 % higher.
PRICES: Mapping[str, Price] = {
    "claude-haiku-5-5": _claude(0.10, 0.50),
    "claude-sonnet-5-5": _claude(2.0, 10.0),
    "claude-opus-5-5": _claude(4.0, 20.0),
    "claude-haiku-4-5": _claude(1.0, 5.0),
}


class Tokens(NamedTuple):
    """The tokens of a reply: `fresh` were read for the full price."""

    fresh: int
    written: int
    read: int
    output: int

    @property
    def input(self) -> int:
        return self.fresh + self.written + self.read


def to_count(told: object) -> int:
    """Returns a number of tokens that a server tells, 0 where it tells no such number."""
    return int(told) if isinstance(told, int | float) and 0 <= told <= MOST else 0


def price_of(model: str, prices: Mapping[str, Price] = PRICES) -> Price | None:
    """Finds a price by the model's name, its dated form ("claude-haiku-4-5-20251001") or Bedrock's.

    A longer name in the table goes before a shorter one.
    """
    bare = model.removeprefix("anthropic.")
    names = sorted((name for name in prices if bare.startswith(name)), key=len)
    return prices[names[-1]] if names else None


def cost(tokens: Tokens, price: Price) -> float:
    """Returns dollars, cached tokens at their own prices."""
    full_price = tokens.fresh + tokens.written * price.written + tokens.read * price.read
    spent = full_price * price.input_usd + tokens.output * price.output_usd
    return round(spent / MILLION, 6)


def counted(
    model: str, tokens: Tokens, prices: Mapping[str, Price], *, asked: str = ""
) -> tuple[float, str]:
    """Returns the cost in dollars, and what `degraded` says where no price is known.

    A server may have another name for the model than the one that it was `asked` by. The price of
    either counts.
    """
    if price := price_of(model, prices) or price_of(asked, prices):
        return cost(tokens, price), ""
    return 0.0, f"No price is known for {asked or model}: its cost is not counted."


def parse_prices(setting: str) -> Mapping[str, Price]:
    """Returns the table with the prices of a setting: `model=in/out`, with commas between them.

    Raises ConfigurationError for what is no such list.
    """
    own: dict[str, Price] = {}
    for entry in filter(None, (part.strip() for part in setting.split(","))):
        name, _, pair = entry.rpartition("=")
        input_usd, _, output_usd = pair.partition("/")
        try:
            own[name.strip()] = Price(float(input_usd), float(output_usd))
        except ValueError:
            name = ""
        if not name.strip():
            raise ConfigurationError(
                f"ModelPrices: '{entry}' is no price; say `model=in/out`, dollars a million tokens",
                action="Correct ModelPrices and deploy again.",
            )
    return {**PRICES, **own}
