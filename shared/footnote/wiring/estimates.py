"""Works out, from the settings, what a question would cost by the models that they name."""

from collections.abc import Sequence

from footnote.adapters.llm.model_names import names_at
from footnote.adapters.llm.prices import parse_prices, price_of
from footnote.ask.question.expected_cost import estimate
from footnote.model import Caps, Estimate, Wishes
from footnote.prompts.tasks import Role
from footnote.settings import Settings
from footnote.text.tokens import estimate_tokens
from footnote.wiring.models import ASKING, told_names


def estimate_question(
    settings: Settings,
    question: str,
    history: Sequence[tuple[str, str]],
    wishes: Wishes,
    caps: Caps,
) -> Estimate:
    """Returns the expected cost by the provider that is asked first, within the request's caps.

    Raises ConfigurationError where it has no model for a task.
    """
    mode = settings.mode
    budget = settings.budget.lowered(caps)
    if mode == "extractive":
        return estimate(mode, {}, budget)
    prices = parse_prices(settings.model_prices)
    names = names_at(mode, told_names(settings, ASKING), first=True)
    known: dict[Role, tuple[str, tuple[float, float] | None]] = {}
    for role, name in names.items():
        price = price_of(name, prices)
        known[role] = (name, (price.input_usd, price.output_usd) if price else None)
    texts = (question, *(said for pair in history for said in pair), str(wishes.context or ""))
    return estimate(
        mode,
        known,
        budget,
        own=sum(map(estimate_tokens, texts)),
        schema=bool(wishes.data_schema),
    )
