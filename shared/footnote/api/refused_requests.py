"""Makes our errors of requests that powertools' validation refuses."""

import json

from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from pydantic import BaseModel

from footnote.api.given import check_given, check_size
from footnote.errors import BadRequestError


def parse_json(text: str) -> dict[str, object]:
    """Parses a body. Raises BadRequestError for what is no JSON object, or too much of one."""
    check_size(text)
    if not text.strip():
        raise no_body()
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:  # nested so deep that it cannot be read
        raise not_json(error) from None
    if isinstance(found, dict):
        check_given(found, "the body")
        return found
    raise BadRequestError("the body is not an object", code="invalid_body")


def no_body() -> BadRequestError:
    action = "Send JSON, with the header `content-type: application/json`."
    return BadRequestError("the request has no body", code="invalid_json", action=action)


def not_json(error: Exception) -> BadRequestError:
    return BadRequestError(f"the body is not JSON: {error}", code="invalid_json")


def refusal(error: RequestValidationError, body: type[BaseModel] | None) -> BadRequestError:
    """Returns the error that names the first thing that is wrong.

    `body` is what the route takes as its body, so that its fields can be named.
    """
    first = error.errors()[0]
    (place, *inner), kind = first["loc"], str(first["type"])
    said = first["msg"]
    if kind == "literal_error":  # a name that we do not know: the message lists those we know
        said = f"{str(first['input'])[:100]!r} is not known. {said}"
    if place == "body" and body:
        if not inner and kind == "missing":
            return no_body()
        where = ".".join(map(str, inner))[:100] or "the body"
        known = ", ".join(field.alias or name for name, field in body.model_fields.items())
        action = f"Known fields: {known}."
        return BadRequestError(f"{where}: {said}", code="invalid_body", action=action)
    name = ".".join(map(str, inner))
    if kind.startswith("float"):
        return BadRequestError(f"{name} is not a number", code="bad_number")
    return BadRequestError(f"{name}: {said}")
