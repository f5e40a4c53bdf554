"""The REST API: its routes. `service/` does the work."""

import json
from functools import cache
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver, Response
from aws_lambda_powertools.event_handler.router import APIGatewayRouter
from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.api import (
    batch_routes,
    chat_routes,
    document_routes,
    draw_routes,
    event_routes,
    feedback_routes,
    grid_routes,
    operating_routes,
    question_routes,
    reading_routes,
    retention_routes,
    search_routes,
    session_routes,
    who_routes,
)
from footnote.api.described import answers_unless_known, page_of
from footnote.api.docs_page import POLICY, docs_page
from footnote.api.openapi import openapi_text
from footnote.api.reply import tagged
from footnote.api.resolver import make_app, resolve

ROUTERS = (
    batch_routes.router,  # before the documents: /documents/batch is no document
    document_routes.router,
    reading_routes.router,
    search_routes.router,
    chat_routes.router,
    question_routes.router,
    event_routes.router,
    feedback_routes.router,
    session_routes.router,
    grid_routes.router,
    retention_routes.router,
    operating_routes.router,
    who_routes.router,
)

router = APIGatewayRouter()


@router.get("/openapi.json", responses=answers_unless_known(dict), summary="This document")
def openapi() -> Response[str]:
    return tagged(openapi_text(whole()), "application/json")


@router.get("/docs", responses=page_of("text/html"), summary="A page that shows this document")
def docs() -> Response[str]:
    page = docs_page(json.loads(openapi_text(whole())))
    return tagged(page, "text/html; charset=utf-8", {"Content-Security-Policy": POLICY})


app = make_app((*ROUTERS, router))


@cache
def whole() -> APIGatewayRestResolver:
    """Returns a resolver of all routes, those of other functions included, to describe them."""
    return make_app((*ROUTERS, router, draw_routes.router))


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers one API Gateway event."""
    return resolve(app, event, context, "api")
