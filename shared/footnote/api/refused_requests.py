"""Turns requests that powertools' validation refuses into our errors."""

import json

from aws_lambda_powertools.event_handler.openapi.exceptions import RequestValidationError
from pydantic import BaseModel

from footnote.api.given import check_given, check_size, say_wrong, wrong_value
from footnote.errors import BadRequestError


def parse_json(text: str) -> dict[str, object]:
    """Parses a body. Raises BadRequestError for a body that is too large, or no JSON object."""
    check_size(text)
    if not text.strip():
        raise no_body()
    try:
        body = json.loads(text)
    except (ValueError, RecursionError) as error:  # nested too deeply to be read
        raise not_json(error) from None
    if isinstance(body, dict):
        check_given(body, "the body")
        return body
    raise BadRequestError("the body is not an object", code="invalid_body")


def no_body() -> BadRequestError:
    action = "Send JSON, with the header `content-type: application/json`."
    return BadRequestError("the request has no body", code="invalid_json", action=action)


def not_json(error: Exception) -> BadRequestError:
    return BadRequestError(f"the body is not JSON: {error}", code="invalid_json")


def refusal(error: RequestValidationError, body: type[BaseModel] | None) -> BadRequestError:
    """Returns the error that names the first problem.

    `body` is the route's body model. Its fields are named in the error.
    """
    first = error.errors()[0]
    (place, *inner), kind = first["loc"], str(first["type"])
    if place == "body" and body:
        if not inner and kind == "missing":
            return no_body()
        return wrong_value({**first, "loc": inner}, body, "the body", "fields", code="invalid_body")
    name = ".".join(map(str, inner))
    if kind.startswith("float"):
        return BadRequestError(f"{name} is not a number", code="bad_number")
    return BadRequestError(f"{name}: {say_wrong(first)}")
