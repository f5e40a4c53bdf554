"""Makes refusals use an API's gateway responses: its own bodies, status codes and headers.

Stock LocalStack drops those in an OpenAPI definition, where SAM puts them. Of all others it
uses the status code only.
"""

from typing import Any

from localstack.runtime import hooks

from footnote_executor.apigateway.body_template import literal_headers, render
from footnote_executor.patching import original_of

EXTENSION = "x-amazon-apigateway-gateway-responses"
JSON = "application/json"


@hooks.on_infra_start()
def install_gateway_responses() -> None:
    from localstack.services.apigateway.legacy import provider  # noqa: PLC0415
    from localstack.services.apigateway.next_gen.execute_api.handlers.gateway_exception import (  # noqa: PLC0415
        GatewayExceptionHandler,
    )

    _import_from_definition(provider)
    _apply(GatewayExceptionHandler)


def _import_from_definition(provider: Any) -> None:
    from localstack.services.apigateway.models import apigateway_stores  # noqa: PLC0415
    from localstack.services.apigateway.next_gen.execute_api.gateway_response import (  # noqa: PLC0415
        build_gateway_response,
    )

    original = original_of(provider, "import_api_from_openapi_spec", "573043a942cd")

    def import_api(rest_api: Any, context: Any, open_api_spec: dict[str, Any], mode: Any) -> Any:
        result = original(rest_api, context, open_api_spec, mode)
        store = apigateway_stores[context.account_id][context.region]
        for kind, response in open_api_spec.get(EXTENSION, {}).items():
            code = response.get("statusCode")
            store.rest_apis[rest_api.id].gateway_responses[kind] = build_gateway_response(
                kind,
                status_code=None if code is None else str(code),
                response_parameters=response.get("responseParameters"),
                response_templates=response.get("responseTemplates"),
                default_response=False,
            )
        return result

    provider.import_api_from_openapi_spec = import_api


def _apply(handler: type) -> None:
    original = original_of(handler, "create_exception_response", "71c1d583fbb9")

    def create_exception_response(self: Any, exception: Any, context: Any) -> Any:
        reply = original(self, exception, context)
        known = context.deployment.rest_api.gateway_responses
        family = "DEFAULT_4XX" if 400 <= int(reply.status_code) < 500 else "DEFAULT_5XX"
        if response := known.get(exception.type) or known.get(family):
            template = response["responseTemplates"].get(JSON)
            if template is not None:
                reply.data = render(template, context.context_variables)
            reply.headers.update(literal_headers(response["responseParameters"]))
        return reply

    handler.create_exception_response = create_exception_response
