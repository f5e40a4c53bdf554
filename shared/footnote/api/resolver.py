"""The shared part of the REST API's functions: validation, errors in our form, CORS."""

import binascii
from collections.abc import Iterable, Iterator
from typing import Any, get_args
from urllib.parse import unquote

from aws_lambda_powertools.event_handler import (
    ApiGatewayResolver,
    APIGatewayRestResolver,
    Response,
)
from aws_lambda_powertools.event_handler.middlewares import NextMiddleware
from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.api.caller import allowed_origin, audited
from footnote.api.given import check_given
from footnote.api.refused_requests import not_json, parse_json, refusal
from footnote.api.reply import InPieces, reply
from footnote.api.request import event as current_event
from footnote.errors import FootnoteError, LimitedError, NotFoundError
from footnote.text.escaping import escape
from footnote.wiring.audit import act_now, note
from footnote.wiring.logs import begin, keys_of_request, logger

WORDS = ("path", "pathParameters", "multiValueQueryStringParameters", "queryStringParameters",
         "headers", "multiValueHeaders")  # fmt: skip
"""The parts of a request beside its body, by their names in API Gateway's event."""
KEPT = {
    name: name for name in ("question", "grid", "session", "batch", "run", "collection", "erasure")
} | {"number": "page"}
"""What a path may name → its name in the audit log. A document is kept by its id, not its name."""


def make_app(routers: Iterable[APIGatewayRouter]) -> APIGatewayRestResolver:
    """Returns a resolver of these routes. Its errors have our form."""
    app = APIGatewayRestResolver(enable_validation=True, json_body_deserializer=parse_json)
    app.use([check_request])
    for router in routers:
        app.include_router(router)

    def refuse(error: RequestValidationError) -> Response[str]:
        parameters = app.context["_route"].dependant.body_params
        kinds = [
            kind
            for parameter in parameters
            for kind in (get_args(parameter.type_) or (parameter.type_,))
        ]
        return error_reply(refusal(error, kinds[0] if kinds else None))

    app.not_found(unknown_route)
    app.exception_handler(FootnoteError)(error_reply)
    app.exception_handler(RequestValidationError)(refuse)
    app.exception_handler([UnicodeDecodeError, binascii.Error])(refuse_bytes)
    return app


def resolve(
    app: APIGatewayRestResolver, event: dict[str, Any], context: LambdaContext, step: str
) -> dict[str, Any]:
    """Answers one API Gateway event with a reply that is whole."""
    answer = resolve_in_pieces(app, event, context, step)
    if not isinstance(answer["body"], str):
        answer["body"] = "".join(answer["body"])
    return answer


def resolve_in_pieces(
    app: APIGatewayRestResolver, event: dict[str, Any], context: LambdaContext, step: str
) -> dict[str, Any]:
    """Answers one API Gateway event. The body is a text, or an iterator of its pieces."""
    begin(step, context, **keys_of_request(event))
    pieces: list[Iterator[str]] = []
    app.append_context(pieces=pieces)
    with audited():
        answer = app.resolve(event | {"headers": without_content_type(event)}, context)
    answer["multiValueHeaders"] |= cors(allowed_origin())
    return answer | {"body": pieces[0]} if pieces else answer


def check_request(app: ApiGatewayResolver, following: NextMiddleware) -> Response[Any]:
    """Names the act. Refuses a request whose path, parameters or headers are no valid text.

    Sets the pieces of a reply aside.
    """
    sent, route = current_event().raw_event, app.context["_route"]
    act_now().name = f"{sent['httpMethod']} {route.path}"
    named = app.context["_route_args"].items()
    note(
        **{KEPT[name]: unquote(str(value))[:100] for name, value in named if name in KEPT and value}
    )
    check_given({name: sent.get(name) for name in WORDS}, "the request")
    answer = following(app)
    if isinstance(answer, InPieces):  # powertools would read them all before it returns
        app.context["pieces"].append(answer.pieces)
    return answer


def cors(origin: str) -> dict[str, list[str]]:
    """Returns the headers that let a page of `origin` read a reply. No reply uses cookies."""
    headers = {
        "Access-Control-Allow-Origin": [origin],
        "Access-Control-Expose-Headers": ["ETag, Retry-After"],
    }
    return headers if origin == "*" else headers | {"Vary": ["Origin"]}


def without_content_type(event: dict[str, Any]) -> dict[str, str]:
    """Returns the headers without the content type. `curl -d` calls JSON bodies a form."""
    headers: dict[str, str] = event.get("headers") or {}
    return {name: value for name, value in headers.items() if name.lower() != "content-type"}


def unknown_route(_: Exception) -> Response[str]:
    routes = "POST|GET /documents, POST /search, POST /questions, GET /health, …"
    error = NotFoundError(
        f"no route {current_event().http_method} {current_event().path}",
        code="unknown_route",
        action=f"Known routes: {routes} docs/reference.md lists them all.",
    )
    return error_reply(error)


def error_reply(error: FootnoteError) -> Response[str]:
    act_now().outcome = error.code
    if error.http_status >= 500 or error.detail:
        logger.error("request failed", code=error.code, reason=error.reason)
    chat = current_event().path.startswith("/v1/")
    problem = in_openai_form(error) if chat else error.problem.model_dump()
    answer = reply(error.http_status, {"error": problem})
    if isinstance(error, LimitedError):
        answer.headers["Retry-After"] = str(error.seconds)
    return answer


def in_openai_form(error: FootnoteError) -> dict[str, object]:
    """Returns an error in the form of OpenAI's chat. The message says what to do.

    Chats draw errors as they draw answers, so the words are escaped.
    """
    kind = "server_error" if error.http_status >= 500 else "invalid_request_error"
    message = escape(f"{error.message}. {error.action}")
    return {"message": message, "type": kind, "param": None, "code": error.code}


def refuse_bytes(error: Exception) -> Response[str]:
    return error_reply(not_json(error))
