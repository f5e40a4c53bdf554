"""Renders bodies and headers of API Gateway's own answers from templates with `$context.…`."""

import json
import re
from collections.abc import Mapping
from typing import Any

VARIABLE = re.compile(r"\$(?:context\.([\w.]+)|\{context\.([\w.]+)\})")
HEADER = "gatewayresponse.header."

# API Gateway puts quotes around this variable, so that a template can use it as a JSON string.
QUOTED = "error.messageString"


def render(template: str, context: Mapping[str, Any]) -> str:
    """Replaces each `$context.name` by its value; an unknown one becomes empty."""

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
    """Returns the headers with a constant value (in single quotes); leaves out mapped ones."""
    return {
        name.removeprefix(HEADER): value[1:-1]
        for name, value in parameters.items()
        if name.startswith(HEADER) and value[:1] == value[-1:] == "'"
    }
