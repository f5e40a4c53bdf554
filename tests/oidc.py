"""A small OpenID provider on loopback: discovery, keys that change, and tokens signed with them.

It can be down, slow, or answer with anything. `SPOILT` has tokens that must not count, each made by
somebody who wants to get in.
"""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from tests.serving import LoopbackServer, serving

AUDIENCE = "footnote"
PATH = "/.well-known/openid-configuration"


class Key:
    """A private key of a provider, and how its public half is shown."""

    def __init__(self, name: str, algorithm: str = "RS256") -> None:
        self.name = name
        self.algorithm = algorithm
        self.private: Any
        if algorithm.startswith("ES"):
            self.private = ec.generate_private_key(ec.SECP256R1())
        else:
            self.private = rsa.generate_private_key(public_exponent=65537, key_size=2048)

    @property
    def shown(self) -> dict[str, Any]:
        made = jwt.get_algorithm_by_name(self.algorithm).to_jwk(
            self.private.public_key(), as_dict=True
        )
        return {**made, "kid": self.name, "use": "sig", "alg": self.algorithm}

    @property
    def pem(self) -> bytes:
        return self.private.public_key().public_bytes(
            Encoding.PEM, PublicFormat.SubjectPublicKeyInfo
        )

    def sign(self, claims: Mapping[str, object], **header: object) -> str:
        known = {"kid": self.name, **header}
        return jwt.encode(
            dict(claims),
            self.private,
            self.algorithm,
            {name: value for name, value in known.items() if value is not None},
        )


class Provider(LoopbackServer):
    """An OpenID provider. `answers` replaces what it answers at a path: status, headers, body."""

    def __init__(self, port: int = 0) -> None:
        super().__init__(Handler, port)
        self.issuer = self.url
        self.keys = {"first": Key("first")}
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.silent = False  # it takes requests and answers none
        self.ended = threading.Event()
        self.codes: dict[str, str] = {}  # code that was given out -> the challenge it came with

    @property
    def discovery(self) -> dict[str, object]:
        return {
            "issuer": self.issuer,
            "authorization_endpoint": f"{self.issuer}/authorize",
            "token_endpoint": f"{self.issuer}/token",
            "jwks_uri": f"{self.issuer}/jwks",
            "response_types_supported": ["code"],
            "code_challenge_methods_supported": ["S256"],
        }

    def show(self, name: str, algorithm: str = "RS256") -> Key:
        self.keys[name] = Key(name, algorithm)
        return self.keys[name]

    def claims(self, **changes: object) -> dict[str, object]:
        """Returns the claims of a good token with changes; a claim that is None is left out."""
        now = int(time.time())
        made: dict[str, object] = {"iss": self.issuer, "aud": AUDIENCE, "sub": "ada"}
        made |= {"iat": now, "exp": now + 3600, "tenant": "acme", "groups": ["board"]}
        return {name: value for name, value in (made | changes).items() if value is not None}

    def token(self, key: str = "first", **changes: object) -> str:
        return self.keys[key].sign(self.claims(**changes))


class Handler(BaseHTTPRequestHandler):
    server: Provider
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        provider = self.server
        provider.asked.append(self.path)
        if provider.silent:
            provider.ended.wait()
        if self.path.startswith("/authorize?"):
            status, headers, body = self._authorize()
        elif self.path in provider.answers:
            status, headers, body = provider.answers[self.path]
        elif self.path == PATH:
            status, headers, body = 200, {}, json.dumps(provider.discovery).encode()
        elif self.path == "/jwks":
            shown = [key.shown for key in provider.keys.values()]
            status, headers, body = 200, {}, json.dumps({"keys": shown}).encode()
        else:
            status, headers, body = 404, {}, b"{}"
        self._reply(status, headers, body)

    def do_POST(self) -> None:
        """Gives a token for a code, to who knows what its challenge was made of (RFC 7636)."""
        form = parse_qs(self.rfile.read(int(self.headers["content-length"])).decode())
        challenge = self.server.codes.pop(form["code"][0], None)
        digest = hashlib.sha256(form["code_verifier"][0].encode()).digest()
        given = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        anybody = {"access-control-allow-origin": "*", "content-type": "application/json"}
        if challenge == given:
            audience = form.get("resource", [AUDIENCE])[0]  # RFC 8707: for whom the token shall be
            access = self.server.token(sub="grace", aud=audience)
            body = {"id_token": self.server.token(sub="grace"), "access_token": access}
            body |= {"token_type": "Bearer"}
            self._reply(200, anybody, json.dumps(body).encode())
        else:
            self._reply(400, anybody, b'{"error": "invalid_grant"}')

    def _authorize(self) -> tuple[int, dict[str, str], bytes]:
        """Sends whoever comes back with a code: here everybody has signed in already."""
        asked = {name: one[0] for name, one in parse_qs(urlsplit(self.path).query).items()}
        if asked["code_challenge_method"] != "S256" or asked["response_type"] != "code":
            return 400, {}, b""
        code = f"code-{len(self.server.asked)}"
        self.server.codes[code] = asked["code_challenge"]
        back = f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"
        return 302, {"location": back}, b""

    def _reply(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        self.send_response(status)
        for name, value in {"content-length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name up there
        """Prints nothing."""


@contextmanager
def run_provider() -> Iterator[Provider]:
    provider = Provider()
    with serving(provider, provider.ended):
        yield provider


# -- tokens that must not count --------------------------------------------------------------------


def part(content: Mapping[str, object]) -> str:
    return base64.urlsafe_b64encode(json.dumps(content).encode()).rstrip(b"=").decode()


def unsigned(provider: Provider) -> str:
    return f"{part({'alg': 'none', 'typ': 'JWT', 'kid': 'first'})}.{part(provider.claims())}."


def signed_with_the_public_key(provider: Provider) -> str:
    """Returns a token whose secret is what everybody may read: the key as the provider shows it.

    It is put together by hand, as no library makes such a token any more.
    """
    text = f"{part({'alg': 'HS256', 'typ': 'JWT', 'kid': 'first'})}.{part(provider.claims())}"
    signature = hmac.new(provider.keys["first"].pem, text.encode(), hashlib.sha256).digest()
    return f"{text}.{base64.urlsafe_b64encode(signature).rstrip(b'=').decode()}"


def with_other_claims(provider: Provider) -> str:
    head, _, signature = provider.token().split(".")
    return f"{head}.{part(provider.claims(tenant='other'))}.{signature}"


def without_signature(provider: Provider) -> str:
    return provider.token().rpartition(".")[0] + "."


def with_its_own_key(provider: Provider) -> str:
    """Returns a token that brings the key by which it wants to be checked."""
    key = Key("first")
    return key.sign(provider.claims(), jwk=key.shown, jku=f"{provider.issuer}/jwks")


SPOILT: Mapping[str, Callable[[Provider], str]] = {
    "unsigned": unsigned,
    "HS256 with the public key": signed_with_the_public_key,
    "other claims": with_other_claims,
    "no signature": without_signature,
    "its own key": with_its_own_key,
    "a stranger's key of the same name": lambda p: Key("first").sign(p.claims()),
    "a key that nobody shows": lambda p: Key("unknown").sign(p.claims()),
    "no key named": lambda p: p.keys["first"].sign(p.claims(), kid=None),
    "another issuer": lambda p: p.token(iss="https://id.example"),
    "an issuer with a slash more": lambda p: p.token(iss=f"{p.issuer}/"),
    "another audience": lambda p: p.token(aud="another"),
    "no audience": lambda p: p.token(aud=None),
    "expired": lambda p: p.token(exp=int(time.time()) - 90),
    "no end": lambda p: p.token(exp=None),
    "not yet": lambda p: p.token(nbf=int(time.time()) + 90),
    "issued tomorrow": lambda p: p.token(iat=int(time.time()) + 86_400),
    "an end that is no number": lambda p: p.token(exp="never"),
    "a kind for something else": lambda p: p.keys["first"].sign(p.claims(), typ="logout+jwt"),
}
"""What is wrong with a token → the token. Clocks may differ by a minute, so times are 90 s off."""
