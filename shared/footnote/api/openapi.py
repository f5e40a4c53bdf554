"""The OpenAPI document: powertools makes it of the routes; this makes it smaller and plainer.

`docs/openapi.json` is the stored version, which a test compares. Nothing is made at import: the
document takes a tenth of a second, and most processes never serve it.
"""

import json
import re
from functools import cache
from typing import Any

from aws_lambda_powertools.event_handler import APIGatewayRestResolver

from footnote import __version__
from footnote.api.described import ERRORS

ABOUT = (
    "Documents in, answers out, with a checked pointer to the page in every sentence. "
    "Errors are {error: {code, message, action}}; docs/errors.md lists the codes."
)
WITHOUT_BODY = frozenset({"204", "304"})
OPEN = ("/docs", "/openapi.json", "/signin")
"""Routes that need no key: they tell nothing that the source does not."""


@cache
def openapi_text(app: APIGatewayRestResolver) -> str:
    """Returns the document as JSON."""
    return json.dumps(describe(app), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def describe(app: APIGatewayRestResolver) -> dict[str, Any]:
    """Returns the document of this API."""
    document: dict[str, Any] = json.loads(
        app.get_openapi_json_schema(title="footnote", version=__version__, description=ABOUT)
    )
    schemas = document["components"]["schemas"]
    accepted = set(re.findall(r'schemas/(\w+)"', json.dumps(_bodies(document))))
    for name in ("HTTPValidationError", "ValidationError", "ResponseValidationError"):
        schemas.pop(name, None)  # powertools' own form of errors, which no route gives
    # the place of the evidence stays private: api/views.py
    schemas["SubQuestion"]["properties"].pop("evidence_keys")
    for name, schema in schemas.items():
        if name not in accepted:  # a client must not break when a reply gets a new field
            schema.pop("additionalProperties", None)
        for field in schema.get("properties", {}).values():
            field.pop("title", None)
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorReply"}}}
    document["components"] |= {
        "responses": {
            f"Error{status}": {"description": text, "content": error}
            for status, text in ERRORS.items()
        },
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
        },
    }
    document["security"] = [{"key": []}]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            _say_plainly(path, method, operation)
    return document


def _bodies(document: dict[str, Any]) -> list[Any]:
    bodies = [
        operation.get("requestBody")
        for methods in document["paths"].values()
        for operation in methods.values()
    ]
    text = json.dumps(bodies)
    inner = [
        schema
        for name, schema in document["components"]["schemas"].items()
        if f'schemas/{name}"' in text
    ]
    return [bodies, inner]


def _say_plainly(path: str, method: str, operation: dict[str, Any]) -> None:
    ending = re.sub(r"\W", "_", path) + f"_{method}"
    operation["operationId"] = operation["operationId"].removesuffix(ending)
    operation["tags"] = [path.split("/")[1]]
    operation["responses"].pop("422", None)
    for status in WITHOUT_BODY & operation["responses"].keys():
        del operation["responses"][status]["content"]  # powertools gives every reply one
    shared = set() if path.startswith("/v1/") else ERRORS.keys()  # OpenAI's form of errors
    for status in shared & {int(code) for code in operation["responses"]}:
        operation["responses"][str(status)] = {"$ref": f"#/components/responses/Error{status}"}
    if path in OPEN:
        operation["security"] = []
    for parameter in operation.get("parameters", []):
        parameter["schema"].pop("title", None)
        parameter["schema"].pop("description", None)
