"""The function that tells whose an API key is.

Whoever may ask API Gateway for a key's tags may ask for its value, too. So this function alone has
that right: it meets no caller and no document, and tells tenant, groups and end, never a value.
"""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.errors import ForbiddenError
from footnote.wiring.bootstrap import services
from footnote.wiring.logs import begin, logger
from footnote.wiring.services import Services


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, object]:
    """Answers one question of ours: `{"api_key_id": ...}`."""
    begin("vouch", context)
    return vouch(str(event["api_key_id"]), services())


def vouch(api_key_id: str, known: Services) -> dict[str, object]:
    """Says who holds a key, or why nobody does.

    Any other failure ends the invocation: whoever asked then answers 503.
    """
    from footnote.adapters.aws.lambda_tenants import pack, pack_refusal

    try:
        return pack(known.key_tags.of(api_key_id))
    except ForbiddenError as refusal:
        logger.info("refused", api_key_id=api_key_id, reason=refusal.message)
        return pack_refusal(refusal)
