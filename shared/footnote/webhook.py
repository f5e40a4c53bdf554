"""The signature of footnote's webhook, for those who send it and those who receive it.

event = verify(secret, request.headers, request.body)

The signature is HMAC-SHA256 of `<timestamp>.<body>`, so neither can be changed. A timestamp that is
over five minutes off is refused, so a request that was listened to cannot be sent again later.
Deliveries may come twice: keep `event["id"]` and skip what is known.
"""

import hashlib
import hmac
import json
import time
from collections.abc import Mapping

from footnote.errors import UnauthorizedError
from footnote.wire import Json

EVENT, TIMESTAMP, SIGNATURE = "footnote-event", "footnote-timestamp", "footnote-signature"
WINDOW = 300  # seconds; clocks differ by less, and a retry is signed anew
SCHEME = "v1="
ACTION = "Drop the request: it is not from footnote, or the secret is another one."


def sign(secret: str, name: str, body: bytes, now: float) -> dict[str, str]:
    """Returns the headers of a delivery of `body`, which tells of `name`."""
    timestamp = str(int(now))
    return {EVENT: name, TIMESTAMP: timestamp, SIGNATURE: signature(secret, timestamp, body)}


def signature(secret: str, timestamp: str, body: bytes) -> str:
    signed = timestamp.encode() + b"." + body
    return SCHEME + hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()


def verify(secret: str, headers: Mapping[str, str], body: bytes, now: float | None = None) -> Json:
    """Returns the event in a delivery that footnote has signed with `secret`.

    `body` is what came, byte for byte; `now` is in seconds since 1970. Raises UnauthorizedError
    where the signature is missing, wrong or too old.
    """
    if not secret:  # whoever has none would take everybody's
        raise refusal("there is no secret to check the signature with")
    given = {name.lower(): value for name, value in headers.items()}
    timestamp, signed = given.get(TIMESTAMP, ""), given.get(SIGNATURE, "")
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= len("9" * 12)):
        raise refusal(f"the request has no {TIMESTAMP} of use")
    moment = time.time() if now is None else now
    if abs(moment - int(timestamp)) > WINDOW:
        raise refusal(f"the request was signed more than {WINDOW} s from now")
    wanted = signature(secret, timestamp, body)
    if not hmac.compare_digest(wanted.encode(), signed.encode("utf-8", "replace")):
        raise refusal(f"the request's {SIGNATURE} is not that of its body")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise refusal("the request's body is no JSON") from None
    if not isinstance(found, dict) or found.get("type") != given.get(EVENT):
        raise refusal(f"the request's {EVENT} is not that of its body")
    return found


def refusal(why: str) -> UnauthorizedError:
    return UnauthorizedError(why, code="bad_signature", action=ACTION)
