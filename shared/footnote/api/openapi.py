"""The OpenAPI document: what powertools makes of the routes, made smaller and said plainly.

`docs/openapi.json` is the stored version, which a test compares. Nothing is made at import: the
document costs a tenth of a second, and most processes never give it.
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
OPEN = ("/docs", "/openapi.json", "/signin")
"""Who reads them needs no key: they say nothing that the source does not."""


@cache
def openapi_text(app: APIGatewayRestResolver) -> str:
    """Returns the document as JSON."""
    return json.dumps(describe(app), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def describe(app: APIGatewayRestResolver) -> dict[str, Any]:
    """Returns the document of this API."""
    made: dict[str, Any] = json.loads(
        app.get_openapi_json_schema(title="footnote", version=__version__, description=ABOUT)
    )
    schemas = made["components"]["schemas"]
    taken = set(re.findall(r'schemas/(\w+)"', json.dumps(_bodies(made))))
    for name in ("HTTPValidationError", "ValidationError", "ResponseValidationError"):
        schemas.pop(name, None)  # powertools' own form of errors, which no route gives
    # where the evidence lies is not told: api/views.py
    schemas["SubQuestion"]["properties"].pop("evidence_keys")
    for name, schema in schemas.items():
        if name not in taken:  # a client must not break when a reply has one more field
            schema.pop("additionalProperties", None)
        for one in schema.get("properties", {}).values():
            one.pop("title", None)
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorReply"}}}
    made["components"] |= {
        "responses": {
            f"Error{status}": {"description": text, "content": error}
            for status, text in ERRORS.items()
        },
        "securitySchemes": {
            "key": {"type": "apiKey", "in": "header", "name": "x-api-key"},
        },
    }
    made["security"] = [{"key": []}]
    for path, methods in made["paths"].items():
        for method, operation in methods.items():
            _say_plainly(path, method, operation)
    return made


def _bodies(made: dict[str, Any]) -> list[Any]:
    found = [
        operation.get("requestBody") for one in made["paths"].values() for operation in one.values()
    ]
    told = json.dumps(found)
    inner = [
        schema
        for name, schema in made["components"]["schemas"].items()
        if f'schemas/{name}"' in told
    ]
    return [found, inner]


def _say_plainly(path: str, method: str, operation: dict[str, Any]) -> None:
    ending = re.sub(r"\W", "_", path) + f"_{method}"
    operation["operationId"] = operation["operationId"].removesuffix(ending)
    operation["tags"] = [path.split("/")[1]]
    operation["responses"].pop("422", None)
    shared = set() if path.startswith("/v1/") else ERRORS.keys()  # OpenAI's form of errors
    for status in shared & {int(one) for one in operation["responses"]}:
        operation["responses"][str(status)] = {"$ref": f"#/components/responses/Error{status}"}
    if path in OPEN:
        operation["security"] = []
    for one in operation.get("parameters", []):
        one["schema"].pop("title", None)
        one["schema"].pop("description", None)
