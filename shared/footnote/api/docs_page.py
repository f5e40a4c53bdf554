"""The page that shows the OpenAPI document: plain HTML without scripts or outside resources."""

import base64
import hashlib
import html
import json
from collections.abc import Iterator
from typing import Any

STYLE = """
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
code,pre{font:14px/1.4 ui-monospace,monospace}
pre{overflow-x:auto;padding:.6rem;border:1px solid #8886;border-radius:4px}
details{border-top:1px solid #8886;padding:.5rem 0}
summary{cursor:pointer}
table{border-collapse:collapse;width:100%}
td,th{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0}
b.m{display:inline-block;min-width:4.5rem}
"""
_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
POLICY = (
    f"default-src 'none'; style-src 'sha256-{_HASH}'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'"
)
"""The page's Content-Security-Policy: only this style."""


def docs_page(document: dict[str, Any]) -> str:
    """Returns the page of a document that `openapi.py` made."""
    info = document["info"]
    head = (
        '<!doctype html><html lang="en"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>{_text(info['title'])} API</title><style>{STYLE}</style>"
        f"<h1>{_text(info['title'])} API {_text(info['version'])}</h1>"
        f"<p>{_text(info['description'])} Each request carries a key in <code>x-api-key</code>. "
        'The whole as JSON: <a href="openapi.json">openapi.json</a>.</p>'
    )
    return "".join([head, *_operations(document), "<h2>Values</h2>", *_schemas(document)])


def _operations(document: dict[str, Any]) -> Iterator[str]:
    group = ""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            if operation["tags"][0] != group:
                group = operation["tags"][0]
                yield f"<h2>{_text(group)}</h2>"
            yield (
                f'<details><summary><b class="m">{method.upper()}</b> <code>{_text(path)}</code> '
                f"{_text(operation['summary'])}</summary>"
            )
            yield from _parameters(operation.get("parameters", []))
            for kind, content in operation.get("requestBody", {}).get("content", {}).items():
                yield f"<p>Body, {_text(kind)}: {_type(content['schema'])}</p>"
            yield "<table><tr><th>reply<th>is</tr>"
            for status, response in sorted(operation["responses"].items()):
                yield f"<tr><td>{_text(status)}<td>{_reply(response)}</tr>"
            yield "</table></details>"


def _parameters(parameters: list[dict[str, Any]]) -> Iterator[str]:
    if parameters:
        yield "<table><tr><th>parameter<th>in<th>is</tr>"
        for parameter in parameters:
            yield (
                f"<tr><td><code>{_text(parameter['name'])}</code><td>{_text(parameter['in'])}"
                f"<td>{_type(parameter['schema'])} {_text(parameter.get('description', ''))}</tr>"
            )
        yield "</table>"


def _reply(response: dict[str, Any]) -> str:
    if "$ref" in response:
        return _link("ErrorReply")
    kinds = [
        f"{_type(content['schema'])}" if "schema" in content else ""
        for content in response.get("content", {}).values()
    ]
    return f"{', '.join(kinds)} {_text(response['description'])}"


def _schemas(document: dict[str, Any]) -> Iterator[str]:
    for name, schema in sorted(document["components"]["schemas"].items()):
        yield f'<h3 id="{_text(name)}">{_text(name)}</h3>'
        if description := schema.get("description"):
            yield f"<p>{_text(description)}</p>"
        if not (fields := schema.get("properties")):
            yield f"<p>{_type(schema)}</p>"
            continue
        yield "<table>"
        for field, kind in fields.items():
            may = "" if field in schema.get("required", []) else " (may be left out)"
            yield f"<tr><td><code>{_text(field)}</code><td>{_type(kind)}{may}</tr>"
        yield "</table>"


def _type(schema: dict[str, Any]) -> str:
    """Returns a schema in a few words, with links to the values it names."""
    if ref := schema.get("$ref"):
        return _link(ref.rsplit("/", 1)[1])
    if some := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(map(_type, some))
    if choices := schema.get("enum"):
        return " · ".join(f"<code>{_text(json.dumps(choice))}</code>" for choice in choices)
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return _text(str(schema.get("type", "any")))


def _link(name: str) -> str:
    return f'<a href="#{_text(name)}">{_text(name)}</a>'


def _text(text: str) -> str:
    return html.escape(text)
