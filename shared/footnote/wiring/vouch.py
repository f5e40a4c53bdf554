"""The function that tells whose an API key is.

Whoever may ask API Gateway for a key's tags may also ask for its value. So only this function has
that right. It handles no caller's request and no document. It returns tenant, groups and expiry,
never a value.
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


def vouch(api_key_id: str, deployment: Services) -> dict[str, object]:
    """Returns the holder of a key, or why it has none.

    Any other failure ends the invocation: the asking function then answers 503.
    """
    from footnote.adapters.aws.lambda_tenants import pack, pack_refusal

    try:
        return pack(deployment.key_tags.of(api_key_id))
    except ForbiddenError as refusal:
        logger.info("refused", api_key_id=api_key_id, reason=refusal.message)
        return pack_refusal(refusal)
