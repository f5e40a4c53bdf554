"""Reads a request's parameters: numbers within bounds, a status, the preferred wait."""

import math
from typing import Annotated, Any

from aws_lambda_powertools.event_handler.api_gateway import BaseRouter
from aws_lambda_powertools.event_handler.openapi.params import Header, Query
from aws_lambda_powertools.utilities.data_classes import APIGatewayProxyEvent

from footnote.api.waiting import Waiting
from footnote.errors import BadRequestError
from footnote.model import Status

After = Annotated[str, Query(description="The cursor of the last reply: what follows it is told")]
Heading = Annotated[str, Query(description="Only the section with this heading, or these words")]
Collection = Annotated[str, Query(description="Where a document that is named by path lies")]
Version = Annotated[
    str, Query(description="The version that a citation names; else the one that is live")
]
Prefer = Annotated[
    str, Header(description="`wait=20`: wait so many seconds for the answer, if allowed")
]


def event() -> APIGatewayProxyEvent:
    """Returns the API Gateway event of the current request."""
    current = BaseRouter.current_event
    assert isinstance(current, APIGatewayProxyEvent)  # noqa: S101  # the resolver is a REST API's
    return current


def bounded(name: str, value: float, low: float, high: float) -> float:
    """Returns the number, or the nearest bound. Raises BadRequestError for NaN."""
    if math.isnan(value):
        raise BadRequestError(f"{name} is not a number", code="bad_number")
    return min(max(value, low), high)


def parse_offset(name: str, text: str) -> int | None:
    """Parses an offset into a text; "" gives None."""
    return _whole(text, name) if text else None


def page_number(text: str) -> int:
    """Parses the number of a page in a path. Raises BadRequestError if it is none."""
    if not (number := _whole(text, "the page")):
        raise BadRequestError("pages count from 1", code="bad_number")
    return number


def _whole(text: str, what: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 10):
        raise BadRequestError(f"{what} is not a whole number", code="bad_number")
    return int(text)


def parse_status(kind: Any, text: str) -> Status | None:
    """Parses a status of the query string. Raises BadRequestError naming the known ones."""
    if not text:
        return None
    statuses: dict[str, Status] = {name: name for name in kind.__args__}
    if text.upper() not in statuses:
        raise BadRequestError(
            f"{text[:50]!r} is not a status", action=f"Known: {', '.join(statuses)}."
        )
    return statuses[text.upper()]


def preferred_wait(prefer: str, longest: float) -> float:
    """Returns the seconds of the header `Prefer: wait=20`, or 0 without it."""
    name, _, value = prefer.strip().partition("=")
    if name.strip().lower() != "wait" or not value.strip().isdecimal():
        return 0.0
    return min(float(value), longest)


def may_wait(seconds: float, *, often: float = math.inf) -> Waiting:
    return Waiting(seconds, event().request_context.get("requestTimeEpoch"), often=often)
