"""In-memory adapters of sign-in by OpenID, and of the counters. They pass the ports' suites."""

import json
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from threading import Lock

from footnote.adapters.oidc.claims import ClaimNames, caller_of
from footnote.adapters.rules.limits import must_be_key
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


class MemoryCounters:
    def __init__(self) -> None:
        self._sums: dict[str, int] = defaultdict(int)
        self._one = Lock()

    def add(self, name: str, amount: int, until: float, most: int | None = None) -> bool:  # noqa: ARG002  # it forgets nothing
        must_be_key("counter", name)
        with self._one:
            if most is not None and self._sums[name] + amount > most:
                return False
            self._sums[name] += amount
            return True

    def read(self, name: str) -> int:
        must_be_key("counter", name)
        return self._sums.get(name, 0)
