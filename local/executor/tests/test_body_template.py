"""Bodies and headers of API Gateway's own answers."""

import json

from footnote_executor.apigateway.body_template import literal_headers, render


def test_context_variables_are_put_into_a_template() -> None:
    context = {"error": {"message": 'a "b"', "messageString": 'a "b"'}, "requestId": "r-1"}
    template = '{"m":$context.error.messageString,"id":"${context.requestId}","no":"$context.x.y"}'
    assert json.loads(render(template, context)) == {"m": 'a "b"', "id": "r-1", "no": ""}


def test_only_constant_headers_are_taken() -> None:
    parameters = {
        "gatewayresponse.header.Access-Control-Allow-Origin": "'*'",
        "gatewayresponse.header.X-Mapped": "method.request.header.x",
        "other": "'*'",
    }
    assert literal_headers(parameters) == {"Access-Control-Allow-Origin": "*"}
