"""Makes the services of this process by its environment: on AWS, or all in memory."""

from functools import cache

from footnote.ingest.costs import Prices
from footnote.settings import Settings
from footnote.wiring.services import Services


@cache
def services() -> Services:
    """Returns the services of this environment: one set for the whole process."""
    settings = Settings.from_env()
    if settings.backend == "aws":
        return Services(settings)
    from footnote.wiring.pipeline import Pipeline

    return Pipeline(settings)


def local_services() -> Services:
    """Returns services that need no deployment, for the command line's own work."""
    settings = Settings.from_env()
    if settings.backend == "memory":
        return services()
    from footnote.wiring.pipeline import Pipeline

    return Pipeline(settings)


def price_list(model: str) -> Prices:
    """Returns the prices of OCR by Textract and of contextual lines by `model`.

    The prices of an unknown model are None.
    """
    from footnote.adapters.aws.textract import USD_A_PAGE
    from footnote.adapters.llm.model_names import parse_names
    from footnote.adapters.llm.prices import parse_prices, price_of

    bare, named = parse_names(model)
    name = bare or next(iter(named.values()), model)
    price = price_of(name, parse_prices(Settings.from_env().model_prices))
    return Prices(
        page_usd=USD_A_PAGE,
        model=model,
        input_usd=price.input_usd if price else None,
        output_usd=price.output_usd if price else None,
    )
