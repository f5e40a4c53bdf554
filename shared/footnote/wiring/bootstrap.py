"""Chooses the services of this process by its environment: AWS, or everything in memory."""

from functools import cache

from footnote.ingest.costs import Prices
from footnote.settings import Settings
from footnote.wiring.services import Services


@cache
def services() -> Services:
    """Returns the services that the environment asks for: one set for the whole process."""
    settings = Settings.from_env()
    if settings.backend == "aws":
        return Services(settings)
    from footnote.wiring.pipeline import Pipeline

    return Pipeline(settings)


def local_services() -> Services:
    """Returns services that need no deployment, for what the command line works out by itself."""
    settings = Settings.from_env()
    if settings.backend == "memory":
        return services()
    from footnote.wiring.pipeline import Pipeline

    return Pipeline(settings)


def price_list(model: str) -> Prices:
    """Returns what OCR by Textract and contextual lines by `model` cost.

    The prices of a model that is not known are None.
    """
    from footnote.adapters.aws.textract import USD_A_PAGE
    from footnote.adapters.llm.model_names import parse_names
    from footnote.adapters.llm.prices import parse_prices, price_of

    bare, named = parse_names(model)
    name = bare or next(iter(named.values()), model)
    known = price_of(name, parse_prices(Settings.from_env().model_prices))
    return Prices(
        page_usd=USD_A_PAGE,
        model=model,
        input_usd=known.input_usd if known else None,
        output_usd=known.output_usd if known else None,
    )
