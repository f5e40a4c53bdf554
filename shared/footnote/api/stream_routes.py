"""The routes whose replies may last as long as a question is worked on."""

from typing import Any

from aws_lambda_powertools.utilities.typing import LambdaContext

from footnote.api import chat_routes, event_routes
from footnote.api.resolver import make_app, resolve_in_pieces

app = make_app((chat_routes.router, event_routes.router))


def handle(event: dict[str, Any], context: LambdaContext) -> dict[str, Any]:
    """Answers one API Gateway event. The body is a text, or an iterator of its pieces."""
    return resolve_in_pieces(app, event, context, "stream")
