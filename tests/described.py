"""Holds replies against what the OpenAPI document says of their route."""

from functools import cache
from types import MappingProxyType

from pydantic import TypeAdapter

from footnote.api.openapi import WITHOUT_BODY
from footnote.api.routes import whole


def must_be_described(method, path, answer):
    """Fails where a route's reply is not what the route declares: also for a field too many."""
    status = answer["statusCode"]
    replies = replies_of(method, path)
    if replies is None:
        assert status == 404
        return
    assert status in replies, f"{method} {path} gave {status}, which nothing describes"
    body = answer["body"].encode("utf-8", "replace")  # halves of surrogate pairs
    if str(status) in WITHOUT_BODY:
        assert not body
        return
    [media_type] = answer["multiValueHeaders"]["Content-Type"]
    told = replies[status]["content"]
    media_type = media_type.partition(";")[0]
    assert media_type in told, f"{method} {path} gave {media_type}, which nothing describes"
    if "model" in told[media_type]:
        adapter(told[media_type]["model"]).validate_json(body, strict=True)


def replies_of(method, path):
    """Returns what the route describes, by status; None where there is no such route."""
    app = whole()
    for route in app._static_routes + app._dynamic_routes:
        if route.method == method and route.rule.match(path):
            return MappingProxyType(route.responses)
    return None


@cache
def adapter(kind):
    return TypeAdapter(kind)
