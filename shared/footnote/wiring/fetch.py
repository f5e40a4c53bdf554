"""The function that goes outside for models that look.

It alone has both the way to the internet and a right: to put files into two collections. It reads
no document, no question and no key, so a page that takes it over finds nothing to give away.
"""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.model import Errand
from footnote.wiring.bootstrap import services
from footnote.wiring.errands import run_errand
from footnote.wiring.logs import begin, keys_of


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, object]:
    """Does one errand of ours."""
    begin("fetch", context, **keys_of(event))
    return run_errand(Errand.model_validate(event), services()).model_dump()
