"""JSON Web Tokens of an OpenID provider: PyJWT checks them with the keys that it publishes."""

from collections.abc import Mapping
from typing import Any

import jwt

from footnote.adapters.oidc.claims import ClaimNames, caller_of
from footnote.errors import NotFoundError, UnauthorizedError
from footnote.model import Caller
from footnote.ports import Issuer

# Signatures by a private key only. With `none` or a shared secret (HS…) anybody could sign: the
# public key would be the secret (RFC 8725, 2.1 and 3.1).
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512")
SKEW = 60  # seconds that the clocks of provider and function may differ
LONGEST = 8_000  # characters; API Gateway takes 10,240 bytes of headers in all
REQUIRED = ["exp", "iat", "iss", "aud"]
ACCESS = "at+jwt"  # the type of an access token that says its type (RFC 9068)


class OidcTokens:
    """Accepts tokens that one issuer has signed for any of these audiences."""

    def __init__(
        self, issuer: Issuer, name: str, audiences: tuple[str, ...], names: ClaimNames
    ) -> None:
        self._issuer = issuer
        self._name = name
        self._audiences = audiences
        self._names = names

    def of(self, token: str) -> Caller:
        return caller_of(self._claims(token), self._names)

    def _claims(self, token: str) -> dict[str, Any]:
        """Returns the claims of a valid token. Raises UnauthorizedError for any other.

        The error quotes nothing of the token, so it may be logged.
        """
        if len(token) > LONGEST:
            raise UnauthorizedError("the token is too long")
        try:
            header = jwt.get_unverified_header(token)
            must_be_for_access(header)
            key = self._key(header)
            return jwt.decode(
                token,
                key=key,
                algorithms=ALGORITHMS,
                issuer=self._name,
                audience=self._audiences,
                leeway=SKEW,
                options={"require": REQUIRED, "enforce_minimum_key_length": True},
            )
        except jwt.PyJWTError as error:
            detail = f"the token does not count: {type(error).__name__}"
            raise UnauthorizedError("the token does not count", detail=detail) from error

    def _key(self, header: dict[str, Any]) -> jwt.PyJWK:
        """Returns the key that a token names, for the algorithm that it names.

        Nothing is fetched for a token whose algorithm does not count.
        """
        algorithm, name = header.get("alg"), header.get("kid")
        if algorithm not in ALGORITHMS:
            raise UnauthorizedError("the token's algorithm does not count")
        if not isinstance(name, str):
            raise UnauthorizedError("the token names no key")
        try:
            key = self._issuer.key(name)
        except NotFoundError:
            raise UnauthorizedError("the token names a key that its issuer does not have") from None
        if key.get("alg", algorithm) != algorithm:
            raise UnauthorizedError("the token's algorithm is not its key's")
        return jwt.PyJWK(dict(key), algorithm)


def must_be_for_access(header: Mapping[str, Any]) -> None:
    """Raises UnauthorizedError for a token that its provider signed for something else.

    Such kinds name themselves with a plus: `logout+jwt`, `secevent+jwt`, `dpop+jwt` (RFC 8725,
    3.11). Many providers give access tokens no type, or the general one, `JWT`.
    """
    token_type = header.get("typ") or ""
    kind = str(token_type).casefold().removeprefix("application/")
    if "+" in kind and kind != ACCESS:
        raise UnauthorizedError("the token is of a kind that is not for access")
