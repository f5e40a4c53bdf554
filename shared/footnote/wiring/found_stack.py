"""Finds a deployment for an operator: by its CloudFormation stack, with credentials of AWS."""

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from footnote.endpoint import local_stack
from footnote.errors import ConfigurationError

if TYPE_CHECKING:
    from collections.abc import Callable

    from footnote.adapters.aws.stack_look import StackLook


class FoundStack(NamedTuple):
    """What a deployment's resources are called, and a maker of clients for where they are."""

    look: "StackLook"
    client: "Callable[..., Any]"


def find_stack(stack: str) -> FoundStack:
    """Returns the CloudFormation stack with this name, else the local one.

    Raises ConfigurationError where boto3 is not installed, or there is none.
    """
    try:
        from footnote.adapters.aws.clients import client
        from footnote.adapters.aws.stack_look import StackLook
    except ImportError:
        raise ConfigurationError(
            "looking at a deployment needs boto3",
            code="no_aws_sdk",
            action="Install it: pip install 'footnote[aws]'.",
        ) from None
    url, region = None, ""
    if not stack:
        local = local_stack()
        if local is None:
            raise ConfigurationError(
                "no local stack is deployed, and --stack is not given",
                code="no_endpoint",
                action="Give --stack the CloudFormation stack's name, or run `make up deploy`.",
            )
        stack, url = f"footnote-{local['name']}", str(local["aws_url"])
        region = str(local["region"])
    of_any: Any = client  # its overloads name each service
    make = partial(of_any, url=url, region=region)
    look = StackLook(make("cloudformation"), make("sqs"), make("stepfunctions"), stack)
    return FoundStack(look, make)
