"""Tells clients of MCP who signs people in for `/mcp`: the provider that the authorizer takes.

MCP's authorization makes the server a resource of OAuth 2.1, which describes itself (RFC 9728):
https://modelcontextprotocol.io/specification/2025-06-18/basic/authorization
"""

import json
from collections.abc import Mapping
from typing import Any

PATH = "/.well-known/oauth-protected-resource"
RESOURCE = "/mcp"


def describe(event: Mapping[str, Any], environ: Mapping[str, str]) -> tuple[int, str]:
    """Returns the status and the JSON of the description of `/mcp`: 404 where only keys count.

    `resource` must be what a client calls, letter by letter. API Gateway knows by which host and
    path it was asked, and routes by them, so no caller can choose them; `FOOTNOTE_PUBLIC_URL` goes
    before, for what stands in front of it.
    """
    issuer = environ.get("FOOTNOTE_OIDC_ISSUER", "")
    if not issuer:
        return 404, json.dumps(
            {
                "error": {
                    "code": "no_provider",
                    "message": "no OpenID provider is set up here",
                    "action": "Send an API key in x-api-key.",
                }
            }
        )
    context = event["requestContext"]
    base = context["path"].partition(PATH)[0]
    address = environ.get("FOOTNOTE_PUBLIC_URL") or f"https://{context['domainName']}{base}"
    return 200, json.dumps(
        {
            "resource": f"{address.rstrip('/')}{RESOURCE}",
            "authorization_servers": [issuer],
            "scopes_supported": environ.get("FOOTNOTE_OIDC_SCOPE", "").split(),
            "bearer_methods_supported": ["header"],
            "resource_name": "footnote",
        }
    )
