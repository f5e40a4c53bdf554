"""The log of a function. Each line names its own invocation and work.

A process serves one invocation after another. So each invocation clears the keys of the one before.

Each line has a `correlation_id`, the same from the first step to the last: of a document the id of
the request that put or deleted it in the bucket, of a question or grid its own id, of a re-index
its run. A request of the API has API Gateway's id until it starts a question.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from aws_lambda_powertools import Logger
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.contracts import Message
from footnote.model import Revision, digest

logger = Logger(service="footnote")

OF_STATES = ("question_id", "grid_id", "run")
"""The keys of a state's input by which its lines are found. The first that is there correlates."""
QUESTION = re.compile(r"/questions/([0-9a-f]{32})(?:/|$)")


def begin(step: str, context: LambdaContext, **keys: str) -> None:
    """Begins the lines of an invocation, without the keys of the one before."""
    logger.clear_state()
    own = context.aws_request_id
    logger.append_keys(**{"step": step, "request_id": own, "correlation_id": own} | keys)


def keys_of(event: Mapping[str, object]) -> dict[str, str]:
    """Returns the keys that log lines take from a state's input, even if the input is invalid.

    The tenant appears as a digest: the log should not list tenants.
    """
    keys = {name: str(event[name]) for name in OF_STATES if event.get(name)}
    if keys:
        keys["correlation_id"] = next(iter(keys.values()))
    if tenant := event.get("tenant"):
        keys["tenant_digest"] = digest(str(tenant))
    return keys


def keys_of_request(event: Mapping[str, object]) -> dict[str, str]:
    """Returns the keys of an API request's log lines: API Gateway's id, and the question's."""
    context = event.get("requestContext")
    keys = {}
    if isinstance(context, Mapping) and context.get("requestId"):
        keys["api_request_id"] = keys["correlation_id"] = str(context["requestId"])
    if asked := QUESTION.search(str(event.get("path") or "")):
        keys["question_id"] = asked[1]
    return keys


def log_question(question_id: str) -> None:
    """Logs the id of the question that a request started. The lines of
    its steps have the same id.
    """
    logger.append_keys(question_id=question_id, correlation_id=question_id)
    logger.info("question started")


def correlation() -> str:
    """Returns the correlation id of what is worked on now."""
    return logger.get_correlation_id() or ""


def correlation_of(message: Message) -> str:
    """Returns a message's correlation id; this invocation's where nobody gave it one."""
    return message.correlation_id or correlation()


@contextmanager
def lines_of(message: Message) -> Iterator[None]:
    """Has the lines inside name a message's document. Those after it are as those before it."""
    outer, own, document_id = correlation(), correlation_of(message), message.document_id
    try:
        with logger.append_context_keys(
            correlation_id=own, document_id=document_id, version=message.version
        ):
            yield
    finally:
        if outer:
            logger.set_correlation_id(outer)


def hand_on(correlation_id: str, results: Sequence[Revision]) -> list[Revision]:
    """Returns messages with the correlation id of the one that they follow."""
    return [
        result.model_copy(update={"correlation_id": correlation_id})
        if isinstance(result, Message)
        else result
        for result in results
    ]
