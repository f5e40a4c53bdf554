"""Serves the page: the files in the layer of `web/`, with headers that bind the browser.

It needs no key, for the page holds no data: the page reads the REST API with the reader's own
credentials. So this module needs no adapter and starts at once. Beside the page it serves what
clients of MCP need before they have a token.
"""

import hashlib
import os
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from footnote.api import protected_resource

PACKAGE = "footnote_web"
FOLDER = "page"
"""The folder of the other files, beside the page: `page/<digest of all files>/style.css`."""
TYPES = MappingProxyType(
    {
        ".html": "text/html; charset=utf-8",
        ".css": "text/css; charset=utf-8",
        ".js": "text/javascript; charset=utf-8",
        ".svg": "image/svg+xml",
    }
)
FOR_EVER = "public, max-age=31536000, immutable"


class Site(NamedTuple):
    """The files by their paths, and a digest of them all."""

    digest: str
    files: Mapping[str, str]


def handle(event: dict[str, Any], _: object) -> dict[str, Any]:
    """Answers one API Gateway event: the page, one of its files, or the description of `/mcp`."""
    if str(event.get("resource") or "").startswith(protected_resource.PATH):
        return serve_description(event)
    path = str((event.get("pathParameters") or {}).get("file") or "")
    if path:
        return serve_file(path)
    whole = str((event.get("requestContext") or {}).get("path") or event.get("path") or "/")
    if not whole.endswith("/"):  # addresses in the page are relative to its folder
        return reply(302, "", {"Location": f"{whole.rsplit('/', 1)[-1]}/"})
    return serve_page()


def serve_page() -> dict[str, Any]:
    current = site()
    text = current.files["index.html"].replace("{files}", f"{FOLDER}/{current.digest}")
    headers = {
        "Content-Type": TYPES[".html"],
        "Cache-Control": "no-cache",
        "Content-Security-Policy": policy(os.environ),
        "Cross-Origin-Opener-Policy": "same-origin",
        "X-Frame-Options": "DENY",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    }
    return reply(200, text, headers)


def serve_file(path: str) -> dict[str, Any]:
    """Replies with a file of this version of the page.

    A file of another version is not found: the page that asks for it is old,
    and must be loaded again.
    """
    current = site()
    digest, _, name = path.partition("/")
    if digest != current.digest or name not in current.files:
        problem = '{"error":{"code":"unknown_file","message":"the page has no such file","action":"Load the page again."}}'  # noqa: E501
        return reply(
            404, problem, {"Content-Type": "application/json", "Cache-Control": "no-store"}
        )
    kind = TYPES[f".{name.rsplit('.', 1)[-1]}"]
    return reply(200, current.files[name], {"Content-Type": kind, "Cache-Control": FOR_EVER})


def serve_description(event: Mapping[str, Any]) -> dict[str, Any]:
    """Replies with what clients of MCP must know to sign a user in; pages may read it, too."""
    status, body = protected_resource.describe(event, os.environ)
    headers = {
        "Content-Type": "application/json",
        "Cache-Control": "no-store",
        "Access-Control-Allow-Origin": os.environ.get("FOOTNOTE_ALLOWED_ORIGIN", "*"),
    }
    return reply(status, body, headers)


def reply(status: int, body: str, headers: Mapping[str, str]) -> dict[str, Any]:
    safe = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
    return {"statusCode": status, "headers": safe | dict(headers), "body": body}


def policy(environ: Mapping[str, str]) -> str:
    """Returns the Content-Security-Policy: only our own files and the two buckets.

    Only scripts in our files run. With Trusted Types, no text becomes markup.
    """
    buckets = " ".join(origins(environ))
    rules = {
        "default-src": "'none'",
        "script-src": "'self'",
        "style-src": "'self'",
        "img-src": f"'self' {buckets}",
        "connect-src": f"'self' {buckets} {' '.join(providers(environ))}",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return "; ".join(f"{name} {value.strip()}" for name, value in rules.items())


def origins(environ: Mapping[str, str]) -> list[str]:
    """Returns the origins of the buckets' presigned addresses."""
    if local := environ.get("AWS_ENDPOINT_URL"):  # the local stack has one address for all of AWS
        parts = urlsplit(local)
        return [f"{parts.scheme}://{parts.netloc}"]
    region = environ.get("AWS_REGION", "us-east-1")
    buckets = [environ.get(f"FOOTNOTE_{name}_BUCKET", "") for name in ("UPLOADS", "ARTIFACTS")]
    return [
        f"https://{bucket}.{host}.amazonaws.com"
        for bucket in buckets
        if bucket
        for host in ("s3", f"s3.{region}")
    ]


def providers(environ: Mapping[str, str]) -> list[str]:
    """Returns the OpenID provider's origins, where the page may get tokens, if one is set up."""
    issuer = environ.get("FOOTNOTE_OIDC_ISSUER", "")
    named = [origin for origin in environ.get("FOOTNOTE_OIDC_ORIGINS", "").split(",") if origin]
    parsed = [urlsplit(address) for address in ([issuer] if issuer else []) + named]
    return list(dict.fromkeys(f"{parts.scheme}://{parts.netloc}" for parts in parsed))


@cache
def site() -> Site:
    """Reads the files, once for the process."""
    texts = dict(sorted(_walk(files(PACKAGE), "")))
    digest = hashlib.sha256()
    for path, text in texts.items():
        digest.update(f"{path}\0{len(text)}\0{text}".encode())
    return Site(digest.hexdigest()[:16], texts)


def _walk(folder: Traversable, path: str) -> list[tuple[str, str]]:
    texts: list[tuple[str, str]] = []
    for entry in folder.iterdir():
        if entry.is_dir():
            texts += _walk(entry, f"{path}{entry.name}/")
        elif f".{entry.name.rsplit('.', 1)[-1]}" in TYPES:
            texts.append((path + entry.name, entry.read_text(encoding="utf-8")))
    return texts
