"""Finds the API keys that an operator manages: of a deployment on AWS, or of the local stack."""

from typing import TYPE_CHECKING

from footnote.endpoint import local_stack
from footnote.errors import ConfigurationError

if TYPE_CHECKING:
    from footnote.adapters.aws.apigateway_keys import ApiGatewayKeys, IssuedKey

__all__ = ["ApiGatewayKeys", "IssuedKey", "key_ring"]


def key_ring(plan: str = "") -> "ApiGatewayKeys":
    """Returns the keys of the usage plan with this id on AWS, else of the local stack's plan.

    Raises ConfigurationError where boto3 is not installed, or there is no stack.
    """
    try:
        from footnote.adapters.aws.apigateway_keys import ApiGatewayKeys
        from footnote.adapters.aws.clients import client
    except ImportError:
        raise ConfigurationError(
            "managing keys needs boto3",
            code="no_aws_sdk",
            action="Install it: pip install 'footnote[aws]'.",
        ) from None
    if plan:
        return ApiGatewayKeys(client("apigateway", None), plan)
    stack = local_stack()
    if stack is None or "UsagePlanId" not in (stack.get("outputs") or {}):
        raise ConfigurationError(
            "no local stack is deployed, and --plan is not given",
            code="no_endpoint",
            action="Give --plan the output UsagePlanId of the deployment, or run `make up deploy`.",
        )
    gateway = client("apigateway", str(stack["aws_url"]), str(stack["region"]))
    return ApiGatewayKeys(gateway, str(stack["outputs"]["UsagePlanId"]))
