"""The page: its files as they lie in the layer of `web/`, with the headers that bind a browser.

It is served without a key, for it holds nothing but the way in: what it shows comes from the REST
API, with the reader's own credentials. So this module needs no adapter and starts at once.
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

PACKAGE = "footnote_web"
FOLDER = "page"
"""Where the files lie, beside the page: `page/<digest of all files>/style.css`."""
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
    """The files by their paths, and a name that changes when one of them does."""

    digest: str
    files: Mapping[str, str]


def handle(event: dict[str, Any], _: object) -> dict[str, Any]:
    """Answers one API Gateway event: the page, or one of its files."""
    path = str((event.get("pathParameters") or {}).get("file") or "")
    if path:
        return serve_file(path)
    whole = str((event.get("requestContext") or {}).get("path") or event.get("path") or "/")
    if not whole.endswith("/"):  # addresses in the page are relative to its folder
        return reply(302, "", {"Location": f"{whole.rsplit('/', 1)[-1]}/"})
    return serve_page()


def serve_page() -> dict[str, Any]:
    found = site()
    text = found.files["index.html"].replace("{files}", f"{FOLDER}/{found.digest}")
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

    One of another version is not found: the page that wanted it is an old one, to be loaded again.
    """
    found = site()
    digest, _, name = path.partition("/")
    if digest != found.digest or name not in found.files:
        told = '{"error":{"code":"unknown_file","message":"the page has no such file","action":"Load the page again."}}'  # noqa: E501
        return reply(404, told, {"Content-Type": "application/json", "Cache-Control": "no-store"})
    kind = TYPES[f".{name.rsplit('.', 1)[-1]}"]
    return reply(200, found.files[name], {"Content-Type": kind, "Cache-Control": FOR_EVER})


def reply(status: int, body: str, headers: Mapping[str, str]) -> dict[str, Any]:
    safe = {"X-Content-Type-Options": "nosniff", "Referrer-Policy": "no-referrer"}
    return {"statusCode": status, "headers": safe | dict(headers), "body": body}


def policy(environ: Mapping[str, str]) -> str:
    """Returns the Content-Security-Policy: our own files, and the two buckets, nothing else.

    No script runs that is not a file of ours, and with Trusted Types no text becomes markup.
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
    """Returns where presigned addresses of the buckets lead."""
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
    """Returns where the page may get tokens: the OpenID provider's origins, if one is set up."""
    issuer = environ.get("FOOTNOTE_OIDC_ISSUER", "")
    named = [one for one in environ.get("FOOTNOTE_OIDC_ORIGINS", "").split(",") if one]
    found = [urlsplit(one) for one in ([issuer] if issuer else []) + named]
    return list(dict.fromkeys(f"{one.scheme}://{one.netloc}" for one in found))


@cache
def site() -> Site:
    """Reads the files, once for the process."""
    found = dict(sorted(_walk(files(PACKAGE), "")))
    digest = hashlib.sha256()
    for path, text in found.items():
        digest.update(f"{path}\0{len(text)}\0{text}".encode())
    return Site(digest.hexdigest()[:16], found)


def _walk(folder: Traversable, path: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for one in folder.iterdir():
        if one.is_dir():
            found += _walk(one, f"{path}{one.name}/")
        elif f".{one.name.rsplit('.', 1)[-1]}" in TYPES:
            found.append((path + one.name, one.read_text(encoding="utf-8")))
    return found
