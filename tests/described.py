"""Holds replies against what the OpenAPI document says of their route."""

from functools import cache

from pydantic import TypeAdapter

from footnote.api.routes import whole


def must_be_described(method, path, answer):
    """Fails where a route's reply is not what the route declares: also for a field too many."""
    app = whole()
    for route in app._static_routes + app._dynamic_routes:
        if route.method == method and route.rule.match(path):
            body = answer["body"].encode("utf-8", "replace")  # halves of surrogate pairs
            told = route.responses[answer["statusCode"]]["content"]["application/json"]
            adapter(told["model"]).validate_json(body, strict=True)
            return
    assert answer["statusCode"] == 404


@cache
def adapter(kind):
    return TypeAdapter(kind)
