"""The log of a function. Each line names its own invocation and work.

A process serves one invocation after another. So each invocation clears the keys of the one before.
"""

from collections.abc import Mapping

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.model import digest

logger = Logger(service="footnote")


def begin(step: str, context: LambdaContext, **keys: str) -> None:
    """Begins the lines of an invocation, without the keys of the one before."""
    logger.clear_state()
    logger.append_keys(step=step, request_id=context.aws_request_id, **keys)


def keys_of(event: Mapping[str, object]) -> dict[str, str]:
    """Returns the keys that log lines take from a state's input, even if the input is invalid.

    The tenant appears as a digest: the log should not list tenants.
    """
    keys = {name: str(event[name]) for name in ("question_id", "run") if event.get(name)}
    if tenant := event.get("tenant"):
        keys["tenant_digest"] = digest(str(tenant))
    return keys


def keys_of_request(event: Mapping[str, object]) -> dict[str, str]:
    """Returns the keys of an API request's log lines: API Gateway's id, and the question's."""
    context, path = event.get("requestContext"), event.get("pathParameters")
    keys = {}
    if isinstance(context, Mapping) and context.get("requestId"):
        keys["api_request_id"] = str(context["requestId"])
    if isinstance(path, Mapping) and path.get("question"):
        keys["question_id"] = str(path["question"])[:100]
    return keys


def log_question(question_id: str) -> None:
    """Logs the id of the question that a request started. The lines of
    its steps have the same id.
    """
    logger.append_keys(question_id=question_id)
    logger.info("question started")
