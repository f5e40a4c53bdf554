"""Sign-in by OpenID in memory: the ports Issuer and Tokens."""

import json
import time
from collections.abc import Callable, Mapping, Sequence

from footnote.adapters.oidc.claims import ClaimNames, caller_of
from footnote.errors import NotFoundError, UnauthorizedError
from footnote.model import Caller, Discovery


class MemoryIssuer:
    def __init__(
        self, described: Discovery, keys: Mapping[str, Mapping[str, object]] | None = None
    ) -> None:
        self._described = described
        self.keys = dict(keys or {})

    def describe(self) -> Discovery:
        return self._described

    def key(self, name: str) -> Mapping[str, object]:
        if name not in self.keys:
            raise NotFoundError(f"{self._described.issuer} has no such key")
        return self.keys[name]


class MemoryTokens:
    """Knows the tokens that `issue` gave out."""

    def __init__(
        self,
        issuer: str,
        audiences: Sequence[str],
        names: ClaimNames,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._issuer = issuer
        self._audiences = set(audiences)
        self._names = names
        self._clock = clock
        self._claims: dict[str, str] = {}

    def issue(self, claims: Mapping[str, object]) -> str:
        token = f"memory.token.{len(self._claims)}"
        self._claims[token] = json.dumps(claims)
        return token

    def of(self, token: str) -> Caller:
        claims = json.loads(self._claims.get(token, "{}"))
        if claims.get("iss") != self._issuer or claims.get("aud") not in self._audiences:
            raise UnauthorizedError("the token is of another issuer, or for somebody else")
        if self._clock() >= claims["exp"]:
            raise UnauthorizedError("the token has expired")
        return caller_of(claims, self._names)
