"""Asks the function `vouch` who holds an API key: it alone may read keys (wiring/vouch.py)."""

import json

from footnote.adapters.aws.clients import LambdaClient, translate_errors
from footnote.errors import ForbiddenError, UnavailableError
from footnote.model import Caller


class LambdaTenants:
    """Implements the port Tenants by one invocation a call."""

    def __init__(self, client: LambdaClient, function: str) -> None:
        self._client = client
        self._function = function

    def of(self, api_key_id: str) -> Caller:
        if not api_key_id:
            raise ForbiddenError("the request carries no API key")
        question = json.dumps({"api_key_id": api_key_id}).encode()
        with translate_errors("ask", f"{self._function} whose API key {api_key_id} is"):
            reply = self._client.invoke(FunctionName=self._function, Payload=question)
            payload = reply["Payload"].read()
        if "FunctionError" in reply:
            raise UnavailableError(
                f"whose API key {api_key_id} is could not be looked up",
                action="Try again in a moment; the log of `vouch` says why.",
            )
        return unpack(payload)


def pack(who: Caller) -> dict[str, object]:
    """Returns the answer of `vouch` for a key that has a holder."""
    return {
        "tenant": who.tenant,
        "groups": list(who.groups),
        "person": who.person,
        "expires": who.expires,
    }


def pack_refusal(refusal: ForbiddenError) -> dict[str, object]:
    """Returns the answer of `vouch` for a key that has none."""
    return {"refusal": refusal.message}


def unpack(payload: bytes) -> Caller:
    """Returns the holder that `vouch` names. Raises ForbiddenError where there is none."""
    answer = json.loads(payload)
    if "refusal" in answer:
        raise ForbiddenError(answer["refusal"])
    return Caller(
        tenant=answer["tenant"],
        groups=tuple(answer["groups"]),
        person=answer["person"],
        expires=answer["expires"],
    )
