"""Estimates a question's cost from the settings and the prices of their models."""

from collections.abc import Mapping

from footnote.adapters.llm.model_names import names_at
from footnote.adapters.llm.prices import parse_prices, price_of
from footnote.ask.question.expected_cost import (
    EVIDENCE,
    NUMBERED,
    ONE_SEARCH,
    OPENED_TOKENS,
    SYNTHESIZE,
    Reading,
    Searching,
    estimate,
)
from footnote.ask.question.history import exchange_tokens, is_long
from footnote.model import AnswerOptions, Cap, Caps, Estimate, History
from footnote.prompts.tasks import TASKS, Role
from footnote.settings import Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.models import ASKING, model_names

READING_SHARE = 0.8  # of the tokens and dollars that are left: the rest is for writing


def estimate_question(
    settings: Settings,
    question: str,
    history: History,
    options: AnswerOptions,
    caps: Caps,
    *,
    work: Reading | Searching = ONE_SEARCH,
) -> Estimate:
    """Returns the expected cost at the first provider, within the request's caps.

    `work` is what a model reads whole, or what is searched for.

    Raises ConfigurationError where the provider has no model for a task.
    """
    mode = settings.mode
    budget = settings.budget.lowered(caps)
    if mode == "extractive":
        return estimate(mode, {}, budget)
    prices = parse_prices(settings.model_prices)
    names = names_at(mode, model_names(settings, ASKING), first=True)
    models: dict[Role, tuple[str, tuple[float, float] | None]] = {}
    for role, name in names.items():
        price = price_of(name, prices)
        models[role] = (name, (price.input_usd, price.output_usd) if price else None)
    return estimate(
        mode,
        models,
        budget,
        own=estimate_tokens(question) + estimate_tokens(str(options.context or "")),
        history=sum(map(exchange_tokens, history)),
        condenses=is_long(history),
        only_writes=settings.model_profile == "small",
        work=work,
    )


def affordable_tokens(settings: Settings, left: Mapping[Cap, float]) -> float | None:
    """Returns how many tokens a model may read of all documents in scope, None where rules read.

    `left` are the question's tokens and dollars. Writing keeps a share. Dollars bound the tokens
    where the model's price is known.
    """
    if settings.model_profile == "small":
        return None
    price = reading_price(settings)
    by_usd = left["usd"] / price * 1_000_000 if price else float("inf")
    return READING_SHARE * min(left["tokens"], by_usd)


def pays_for_opening(settings: Settings, left: Mapping[Cap, float]) -> bool:
    """Tells whether `left` pays for a writer that opens passages and then writes: two calls.

    In the small profile it reads only what scores best, and is offered nothing more.
    """
    if settings.mode == "extractive" or settings.model_profile == "small":
        return False
    once = SYNTHESIZE.input + round(NUMBERED * EVIDENCE)
    read, wrote = 2 * once + OPENED_TOKENS, 2 * SYNTHESIZE.output
    names = names_at(settings.mode, model_names(settings, ASKING), first=True)
    price = price_of(names[TASKS["synthesize"].role], parse_prices(settings.model_prices))
    usd = (read * price.input_usd + wrote * price.output_usd) / 1_000_000 if price else 0.0
    return read + wrote <= left["tokens"] and usd <= left["usd"]


def reading_price(settings: Settings) -> float | None:
    """Returns the dollars of a million tokens that the model reads which reads documents whole.

    None where there is no model, or no price is known for it.
    """
    if settings.mode == "extractive":
        return None
    names = names_at(settings.mode, model_names(settings, ASKING), first=True)
    price = price_of(names[TASKS["read"].role], parse_prices(settings.model_prices))
    return price.input_usd if price else None
