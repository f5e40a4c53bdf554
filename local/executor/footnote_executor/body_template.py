"""Bodies and headers of API Gateway's own answers: `$context` variables put into a template."""

import json
import re
from collections.abc import Mapping
from typing import Any

VARIABLE = re.compile(r"\$(?:context\.([\w.]+)|\{context\.([\w.]+)\})")
HEADER = "gatewayresponse.header."

# API Gateway quotes this one itself, so that a template can use it as a JSON string.
QUOTED = "error.messageString"


def render(template: str, context: Mapping[str, Any]) -> str:
    """Replace each `$context.name`; one that does not exist becomes empty."""

    def value(match: re.Match[str]) -> str:
        path = match[1] or match[2]
        found: Any = context
        for name in path.split("."):
            found = found.get(name) if isinstance(found, Mapping) else None
        if path == QUOTED:
            return json.dumps(found)
        return "" if found is None else str(found)

    return VARIABLE.sub(value, template)


def literal_headers(parameters: Mapping[str, str]) -> dict[str, str]:
    """Headers with a constant value, written in single quotes; mapped ones are left out."""
    return {
        name.removeprefix(HEADER): value[1:-1]
        for name, value in parameters.items()
        if name.startswith(HEADER) and value[:1] == value[-1:] == "'"
    }
