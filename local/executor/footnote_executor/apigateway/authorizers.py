"""Calls the Lambda authorizers of REST APIs, which stock LocalStack stores and lets everyone pass.

Only those of the type REQUEST: a method with any other kind of authorization is closed. A stock API
also loses its `ApiKeySourceType`, so that a key which an authorizer names would not count.
"""

import json
import time
from collections.abc import Callable
from typing import Any

from botocore.exceptions import ClientError
from localstack.runtime import hooks

from footnote_executor.apigateway.policies import MalformedAnswerError, read_answer
from footnote_executor.patching import original_of
from footnote_executor.remembered import Remembered

DEFAULT_TTL = 300  # seconds, where an authorizer names none
MOST = 10_000  # answers that are remembered at a time


@hooks.on_infra_start()
def install_api_authorizers() -> None:
    from localstack.services.apigateway.next_gen.execute_api import (  # noqa: PLC0415
        gateway,
        handlers,
    )

    # whoever stands behind the router is called before the handler that checks API keys
    original_of(gateway.RestApiGateway, "__init__", "a23bf1c410ac")
    handlers.preprocess_request.append(Authorizers())
    _keep_api_key_source()


class Authorizers:
    """Stands in the chain of handlers behind the router, and before API keys are checked."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._remembered: dict[int, Remembered] = {}  # by the seconds that answers are good for

    def __call__(self, _chain: Any, context: Any, _response: Any) -> None:
        """Lets a request pass, or raises what becomes the gateway response of its refusal."""
        from localstack.services.apigateway.next_gen.execute_api import (  # noqa: PLC0415
            gateway_response as errors,
        )

        kind = context.resource_method.get("authorizationType") or "NONE"
        if kind == "NONE":
            return
        authorizer = self._authorizer(context)
        if kind != "CUSTOM" or not authorizer or authorizer.get("type") != "REQUEST":
            raise errors.AuthorizerConfigurationError
        ttl = authorizer.get("authorizerResultTtlInSeconds")
        ttl = DEFAULT_TTL if ttl is None else int(ttl)
        values = identity(authorizer, context)
        if (ttl and not values) or not all(values):
            raise errors.UnauthorizedError("Unauthorized")
        arn = arn_of(context)
        answer = self._answer(authorizer, context, arn, ttl, values)
        try:
            effect, known = read_answer(answer, arn)
        except MalformedAnswerError as error:
            raise errors.AuthorizerConfigurationError from error
        # a refusal's body may name what is in it
        context.context_variables["authorizer"] = {**known, "integrationLatency": 0}
        if effect != "Allow":
            explicit = " with an explicit deny" if effect == "Deny" else ""
            raise errors.AccessDeniedError(
                f"User is not authorized to access this resource{explicit}"
            )
        if usage_key := answer.get("usageIdentifierKey"):
            context.context_variables["identity"]["apiKey"] = str(usage_key)

    @staticmethod
    def _authorizer(context: Any) -> Any:
        name = context.resource_method.get("authorizerId")
        return context.deployment.rest_api.authorizers.get(name)

    def _answer(
        self, authorizer: Any, context: Any, arn: str, ttl: int, values: tuple[str, ...]
    ) -> Any:
        if not ttl:
            return call(authorizer, context, arn)
        if ttl not in self._remembered:
            self._remembered[ttl] = Remembered(ttl, MOST, self._clock)
        key = (context.api_id, context.stage, context.deployment_id, authorizer["id"], *values)
        return self._remembered[ttl].get(key, lambda: call(authorizer, context, arn))


def identity(authorizer: Any, context: Any) -> tuple[str, ...]:
    """Returns the values of the identity sources, which tell one caller from another.

    A header that comes more than once counts with all its values: else what one of them is allowed
    would be remembered for the other. One that is missing is "".
    """
    request = context.invocation_request
    found = []
    for source in filter(None, (authorizer.get("identitySource") or "").split(",")):
        where, _, name = source.strip().rpartition(".")
        match where:
            case "method.request.header":
                values = request["headers"].getlist(name)
            case "method.request.querystring":
                values = request["multi_value_query_string_parameters"].get(name, [])
            case _:  # no other is read: it counts as missing, so nobody passes
                values = []
        found.append("\n".join(values))
    return tuple(found)


def arn_of(context: Any) -> str:
    request = context.invocation_request
    return (
        f"arn:aws:execute-api:{context.region}:{context.account_id}:{context.api_id}/"
        f"{context.stage}/{request['http_method']}/{request['path'].lstrip('/')}"
    )


def call(authorizer: Any, context: Any, arn: str) -> Any:
    """Calls the authorizer's function. Raises a gateway response's error where that fails."""
    from localstack.aws.connect import connect_to  # noqa: PLC0415
    from localstack.services.apigateway.next_gen.execute_api import (  # noqa: PLC0415
        gateway_response as errors,
    )
    from localstack.services.apigateway.next_gen.execute_api.helpers import (  # noqa: PLC0415
        get_lambda_function_arn_from_invocation_uri,
    )

    function = get_lambda_function_arn_from_invocation_uri(authorizer["authorizerUri"])
    client = connect_to(region_name=context.region, aws_access_key_id=context.account_id).lambda_
    payload = json.dumps(event_of(context, arn), default=str)
    try:
        reply = client.invoke(FunctionName=function, Payload=payload)
    except ClientError as error:  # it is throttled
        raise errors.AuthorizerFailureError from error
    try:
        answer = json.loads(reply["Payload"].read() or b"null")
    except ValueError as error:
        raise errors.AuthorizerConfigurationError from error
    if not reply.get("FunctionError"):
        return answer
    if isinstance(answer, dict) and answer.get("errorMessage") == "Unauthorized":
        raise errors.UnauthorizedError("Unauthorized")
    raise errors.AuthorizerConfigurationError


def event_of(context: Any, arn: str) -> dict[str, Any]:
    """Returns the event of a REQUEST authorizer. It has no body, as on AWS."""
    request = context.invocation_request
    headers = request["headers"]
    return {
        "type": "REQUEST",
        "methodArn": arn,
        "resource": context.resource["path"],
        "path": request["path"],
        "httpMethod": request["http_method"],
        "headers": dict(headers),
        "multiValueHeaders": {name: headers.getlist(name) for name in headers.keys()},  # noqa: SIM118  # its items repeat
        "queryStringParameters": request["query_string_parameters"] or {},
        "multiValueQueryStringParameters": request["multi_value_query_string_parameters"] or {},
        "pathParameters": request["path_parameters"] or {},
        "stageVariables": context.stage_variables or {},
        "requestContext": context.context_variables,
    }


def _keep_api_key_source() -> None:
    """Hands `ApiKeySourceType` on: LocalStack's CloudFormation looks for `ApiKeySource`."""
    from localstack.services.apigateway.resource_providers.aws_apigateway_restapi import (  # noqa: PLC0415
        ApiGatewayRestApiProvider,
    )

    original = original_of(ApiGatewayRestApiProvider, "create", "bbd05b25ed0f")

    def create(self: Any, request: Any) -> Any:
        if source := request.desired_state.get("ApiKeySourceType"):
            request.desired_state["ApiKeySource"] = source
        return original(self, request)

    ApiGatewayRestApiProvider.create = create
