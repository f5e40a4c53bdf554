"""The log of a function. Each line says which invocation and which work it is of, and of no other.

A process serves one invocation after another, and what is said once of one would stand in the lines
of the next.
"""

from collections.abc import Mapping

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.model import digest

logger = Logger(service="footnote")


def begin(step: str, context: LambdaContext, **keys: str) -> None:
    """Begins an invocation's lines: they say nothing of the one before."""
    logger.clear_state()
    logger.append_keys(step=step, request_id=context.aws_request_id, **keys)


def keys_of(event: Mapping[str, object]) -> dict[str, str]:
    """Returns what the lines of a state say of its input, also of one that cannot be used.

    A tenant is told by its digest: the log is for whoever operates, and not for a list of tenants.
    """
    keys = {name: str(event[name]) for name in ("question_id", "run") if event.get(name)}
    if tenant := event.get("tenant"):
        keys["tenant_digest"] = digest(str(tenant))
    return keys


def keys_of_request(event: Mapping[str, object]) -> dict[str, str]:
    """Returns what the lines of an API request say of it: API Gateway's id, and the question's."""
    context, path = event.get("requestContext"), event.get("pathParameters")
    keys = {}
    if isinstance(context, Mapping) and context.get("requestId"):
        keys["api_request_id"] = str(context["requestId"])
    if isinstance(path, Mapping) and path.get("question"):
        keys["question_id"] = str(path["question"])[:100]
    return keys


def log_question(question_id: str) -> None:
    """Logs which question a request has started: by its id the lines of its steps are found."""
    logger.append_keys(question_id=question_id)
    logger.info("question started")
