"""Hands replies of functions on as they come, where an integration's address asks for that.

On AWS such a method has `responseTransferMode: STREAM`, and API Gateway calls
InvokeWithResponseStream. Stock LocalStack knows neither, and would call no function.
"""

import json
import logging
import threading
import uuid
from collections.abc import Iterator
from itertools import chain
from typing import Any

from localstack.runtime import hooks

from footnote_executor.functions.streams import STREAMS, Stream, StreamError, read_head
from footnote_executor.patching import original_of
from footnote_executor.throttling import CODE, is_throttle

LOG = logging.getLogger(__name__)
ENDING = "/response-streaming-invocations"
REFUSED = 500  # where Lambda refuses an invocation; stock says 502, as where a function fails
SERVICES: list[Any] = []  # LocalStack's own service of functions, once it is made


@hooks.on_infra_start()
def install_response_streams() -> None:
    from localstack.services.apigateway.next_gen.execute_api.gateway_response import (  # noqa: PLC0415
        BaseGatewayException,
    )
    from localstack.services.apigateway.next_gen.execute_api.integrations.aws import (  # noqa: PLC0415
        RestApiAwsProxyIntegration,
    )
    from localstack.services.lambda_.invocation.lambda_service import LambdaService  # noqa: PLC0415

    make = original_of(LambdaService, "__init__", "44c3f090387d")
    invoke = original_of(RestApiAwsProxyIntegration, "invoke", "6fcff821de55")

    def init(self: Any) -> None:
        make(self)
        SERVICES[:] = [self]

    def invoke_or_stream(self: Any, context: Any) -> Any:
        if context.integration_request["uri"].endswith(ENDING):
            return reply_as_it_comes(self, context)
        try:
            return invoke(self, context)
        except BaseGatewayException as error:
            if is_throttle(error.__cause__):
                error.status_code = REFUSED
            raise

    LambdaService.__init__ = init
    RestApiAwsProxyIntegration.invoke = invoke_or_stream


def reply_as_it_comes(integration: Any, context: Any) -> Any:
    """Returns the reply of a function once its status and headers have come; the rest follows."""
    from localstack.services.apigateway.next_gen.execute_api.context import (  # noqa: PLC0415
        EndpointResponse,
    )
    from localstack.services.apigateway.next_gen.execute_api.gateway_response import (  # noqa: PLC0415
        InternalServerError,
    )
    from werkzeug.datastructures import Headers  # noqa: PLC0415

    event = integration.create_lambda_input_event(context)
    pieces = begin(context.integration_request["uri"], json.dumps(event).encode())
    try:
        told, rest = read_head(pieces)
    except StreamError as error:
        LOG.warning("a function that streams has failed: %r", error)
        status = REFUSED if str(error).startswith(CODE) else 502
        raise InternalServerError("Internal server error", status_code=status) from error
    headers = Headers({"Content-Type": "application/json"})
    headers.update(told.get("headers") or {})
    headers.update(told.get("multiValueHeaders") or {})
    body = chain([rest] if rest else [], pieces)
    return EndpointResponse(headers=headers, body=body, status_code=int(told["statusCode"]))


def begin(uri: str, payload: bytes) -> Iterator[bytes]:
    """Starts an invocation in a thread of its own. Yields the pieces of its reply."""
    request_id = str(uuid.uuid4())
    with STREAMS.open(request_id) as stream:
        arguments = (arn_in(uri), request_id, payload, stream)
        threading.Thread(target=run, args=arguments, name=f"stream-{request_id}").start()
        yield from stream


def run(arn: str, request_id: str, payload: bytes, stream: Stream) -> None:
    """Runs a function to its end, and ends the stream of its reply."""
    _, _, _, region, account, _, name, qualifier = (*arn.split(":"), "")[:8]
    try:
        result = SERVICES[0].invoke(
            function_name=name,
            qualifier=qualifier or None,
            region=region,
            account_id=account,
            invocation_type=None,
            client_context=None,
            request_id=request_id,
            payload=payload,
        )
    except Exception as error:  # noqa: BLE001 - whoever waits for the reply is told, whatever it is
        stream.end(f"{type(error).__name__}: {error}")
    else:
        stream.end(result.payload.decode(errors="replace") if result.is_error else "")


def arn_in(uri: str) -> str:
    return uri.split("functions/")[1].removesuffix(ENDING)
