"""Verifies signatures of the version 4 by AWS's description, not by the SDK's code that makes them.

https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import NamedTuple
from urllib.parse import quote, unquote

from footnote_executor.iam.roles import Key

ALGORITHM = "AWS4-HMAC-SHA256"
MOST_SECONDS = 300  # between a signature's moment and now
DATE = "%Y%m%dT%H%M%SZ"
PLAIN = "-_.~"  # with letters and digits: what is not encoded
FORM = re.compile(
    rf"{ALGORITHM} +Credential=([^/,\s]+)/(\d{{8}})/([^/,\s]+)/([^/,\s]+)/aws4_request, *"
    r"SignedHeaders=([^,\s]+), *Signature=([0-9a-f]{64})"
)


class SignatureError(Exception):
    """Raised for a request that is not signed, or not rightly; says why, in AWS's words."""


class Request(NamedTuple):
    """A request as it came over the wire. Names of headers are in lower case."""

    method: str
    target: str
    headers: Mapping[str, str]
    body: bytes


def signer_of(
    request: Request, service: str, key_of: Callable[[str], Key | None], now: datetime
) -> str:
    """Returns the access key that has signed a request to a service.

    `key_of` gives the secret of an access key. Raises SignatureError.
    """
    if not (given := request.headers.get("authorization")):
        raise SignatureError("Missing Authentication Token")
    if not (parts := FORM.fullmatch(given)):
        raise SignatureError("Authorization header is malformed")
    access_key, day, region, named, signed, signature = parts.groups()
    names = signed.split(";")
    moment = request.headers.get("x-amz-date", "")
    check_scope(moment, day, named, service, now)
    if "host" not in names or names != sorted(names):
        raise SignatureError("'Host' must be a 'SignedHeader' in the AWS Authorization")
    if (key := key_of(access_key)) is None:
        raise SignatureError("The security token included in the request is invalid.")
    if key.token != request.headers.get("x-amz-security-token"):
        raise SignatureError("The security token included in the request is invalid.")
    scope = f"{day}/{region}/{named}/aws4_request"
    text = "\n".join((ALGORITHM, moment, scope, digest(canonical(request, names).encode())))
    secret = f"AWS4{key.secret}".encode()
    for part in scope.split("/"):
        secret = hmac.digest(secret, part.encode(), "sha256")
    if not hmac.compare_digest(hmac.digest(secret, text.encode(), "sha256").hex(), signature):
        raise SignatureError(
            "The request signature we calculated does not match the signature you provided. Check "
            "your AWS Secret Access Key and signing method."
        )
    return access_key


def check_scope(moment: str, day: str, named: str, service: str, now: datetime) -> None:
    """Raises SignatureError where a signature is for another moment or another service."""
    try:
        signed = datetime.strptime(moment, DATE).replace(tzinfo=UTC)
    except ValueError:
        raise SignatureError(f"'{moment}' is no valid X-Amz-Date") from None
    if abs((now - signed).total_seconds()) > MOST_SECONDS or not moment.startswith(day):
        raise SignatureError(f"Signature expired: {moment} is not now ({now.strftime(DATE)})")
    if named != service:
        raise SignatureError(f"Credential should be scoped to correct service: '{service}'.")


def canonical(request: Request, names: list[str]) -> str:
    """Returns the request in the one form that both sides hash."""
    path, _, query = request.target.partition("?")
    pairs = (one.partition("=") for one in query.split("&") if one)
    encoded = sorted((encode(unquote(name)), encode(unquote(value))) for name, _, value in pairs)
    return "\n".join(
        (
            request.method,
            quote(path, safe=f"{PLAIN}/"),  # once more: it came encoded
            "&".join(f"{name}={value}" for name, value in encoded),
            *(f"{name}:{' '.join(request.headers.get(name, '').split())}" for name in names),
            "",
            ";".join(names),
            digest(request.body),
        )
    )


def encode(text: str) -> str:
    return quote(text, safe=PLAIN)


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
