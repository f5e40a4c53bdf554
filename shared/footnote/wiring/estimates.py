"""Estimates a question's cost from the settings and the prices of their models."""

from footnote.adapters.llm.model_names import names_at
from footnote.adapters.llm.prices import parse_prices, price_of
from footnote.ask.question.expected_cost import estimate
from footnote.ask.question.history import exchange_tokens, is_long
from footnote.model import AnswerOptions, Caps, Estimate, History
from footnote.prompts.tasks import Role
from footnote.settings import Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.models import ASKING, model_names


def estimate_question(
    settings: Settings,
    question: str,
    history: History,
    options: AnswerOptions,
    caps: Caps,
) -> Estimate:
    """Returns the expected cost at the first provider, within the request's caps.

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
        schema=bool(options.data_schema),
        condenses=is_long(history),
        only_writes=settings.model_profile == "small",
    )
