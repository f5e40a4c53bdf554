"""The rules of both adapters of the port Repeats."""

import gzip

from footnote.adapters.rules.limits import must_be_key
from footnote.errors import BadRequestError
from footnote.model import Kept

AT_WORK_SECONDS = 60
"""How long a key is held for a request that is worked on: twice the API function's time."""

MAX_PACKED = 300_000
"""Bytes of a reply, compressed. An item of DynamoDB may have 400 KB."""


def key_of(name: str) -> str:
    """Returns the key of a request. Raises ConfigurationError for a name that no key can have."""
    must_be_key("request", key := f"once#{name}")
    return key


def is_others(kept: Kept, holder: str) -> bool:
    """Tells whether a request has ended, or another one works on it.

    The SDK sends a claim again where its reply was lost: that one is the holder's own.
    """
    return kept.status != 0 or kept.holder != holder


def must_be_small(body: str) -> None:
    """Raises BadRequestError for a reply that is too large to be kept."""
    if len(body) > MAX_PACKED and len(gzip.compress(body.encode("utf-8", "replace"))) > MAX_PACKED:
        raise BadRequestError("the reply is too large to be kept", code="reply_too_large")
