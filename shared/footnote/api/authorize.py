"""The authorizer that API Gateway asks before each request, except on the open routes.

It checks a bearer token. It only passes an API key on: API Gateway checks the key next, and counts
the request by its usage plan. The API's function trusts nothing but this answer.
"""

import json
from collections.abc import Mapping
from typing import Any, Literal

from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.errors import ForbiddenError, UnauthorizedError
from footnote.wiring.bootstrap import services
from footnote.wiring.logs import begin, keys_of_request, logger
from footnote.wiring.services import Services

MOST_BYTES = 7_500  # https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html: 8 KB


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers a REQUEST authorizer's event.

    The message "Unauthorized" makes API Gateway answer 401, a policy that denies 403, and any other
    error 503, as template.yaml says.
    """
    begin("authorize", context, **keys_of_request(event))
    where = everything_at(event["methodArn"])
    try:
        return answer_to(event.get("multiValueHeaders") or {}, where, services())
    except UnauthorizedError as error:
        logger.info("refused", reason=error.reason)
        raise UnauthorizedError("Unauthorized") from None
    except ForbiddenError as error:
        logger.info("denied", reason=error.reason)
        return answer("Deny", where, "nobody", {"refusal": error.message})


def answer_to(headers: Mapping[str, list[str]], where: str, deployment: Services) -> dict[str, Any]:
    """Returns the answer for a caller with these headers.

    Raises UnauthorizedError for no valid credential, ForbiddenError if the token's
    holder has no access here.
    """
    own = deployment.settings.token_key
    key, token = credentials(headers)
    if key:
        if key == own:  # it counts the requests with tokens
            raise UnauthorizedError("this API key is no one's")
        return answer("Allow", where, "key", {"by": "key"}, key)
    if deployment.tokens is None:
        raise UnauthorizedError("no OpenID provider is set up")
    who = deployment.tokens.of(token)
    context = {
        "by": "token",
        "tenant": who.tenant,
        "groups": json.dumps(who.groups),
        "person": who.person,
        "expires": str(who.expires or 0),
    }
    policy = answer("Allow", where, "person", context, own)
    if len(json.dumps(policy).encode()) > MOST_BYTES:
        raise ForbiddenError(f"the token names {len(who.groups)} groups: more than fit")
    return policy


def credentials(headers: Mapping[str, list[str]]) -> tuple[str, str]:
    """Returns the API key and the bearer token of a request; one of them is "".

    Raises UnauthorizedError unless exactly one is given: a request with two credentials
    could belong to two callers.
    """
    keys, tokens = values(headers, "x-api-key"), values(headers, "authorization")
    if len(keys) + len(tokens) != 1:
        raise UnauthorizedError(f"{len(keys)} API keys and {len(tokens)} tokens are given")
    if keys:
        return keys[0], ""
    scheme, _, token = tokens[0].partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise UnauthorizedError("the authorization header holds no bearer token")
    # clients of OpenAI's form of chat send an API key as a bearer token; real tokens have dots
    return ("", token.strip()) if "." in token else (token.strip(), "")


def values(headers: Mapping[str, list[str]], name: str) -> list[str]:
    """Returns all non-empty values of a header. The case of its name does not matter."""
    texts = [text for key, sent in headers.items() if key.lower() == name for text in sent]
    return [text for text in texts if text.strip()]


def answer(
    effect: Literal["Allow", "Deny"],
    where: str,
    who: str,
    context: Mapping[str, str],
    key: str = "",
) -> dict[str, Any]:
    """Returns what API Gateway takes: a policy, the context (texts only), the key to count by."""
    statement = {"Action": "execute-api:Invoke", "Effect": effect, "Resource": where}
    policy: dict[str, Any] = {
        "principalId": who,
        "policyDocument": {"Version": "2012-10-17", "Statement": [statement]},
        "context": dict(context),
    }
    return policy | ({"usageIdentifierKey": key} if key else {})


def everything_at(method_arn: str) -> str:
    """Returns the ARN of all methods of a stage.

    The answer is for one request only. Its path may hold characters that IAM replaces (`*`, `${}`).
    """
    return "/".join(method_arn.split("/")[:2]) + "/*"
