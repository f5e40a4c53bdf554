"""Tokens of an OpenID provider: the ports' suites, and tokens and providers that must not count."""

import json
import time

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa

from footnote.adapters.memory.tokens import MemoryIssuer, MemoryTokens
from footnote.adapters.oidc.claims import ClaimNames
from footnote.adapters.oidc.issuer import HttpIssuer
from footnote.adapters.oidc.tokens import ALGORITHMS, OidcTokens
from footnote.errors import (
    ConfigurationError,
    NotFoundError,
    UnauthorizedError,
    UnavailableError,
)
from footnote.model import Discovery
from tests.contract.suites.issuer import IssuerSuite
from tests.contract.suites.tokens import AUDIENCE, ISSUER, TokensSuite, claims_of
from tests.oidc import PATH, SPOILT, Key, run_provider


@pytest.fixture
def provider():
    with run_provider() as running:
        yield running


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def issuer(provider, now):
    return HttpIssuer(provider.issuer, clock=lambda: now[0])


@pytest.fixture
def tokens(issuer, provider):
    return OidcTokens(issuer, provider.issuer, (AUDIENCE,), ClaimNames())


class TestHttpIssuer(IssuerSuite):
    @pytest.fixture
    def issuer(self, issuer):
        assert isinstance(issuer, HttpIssuer)
        return issuer

    @pytest.fixture
    def described(self, provider):
        return Discovery.model_validate(provider.discovery)

    @pytest.fixture
    def show(self, provider):
        return provider.show


class TestMemoryIssuer(IssuerSuite):
    @pytest.fixture
    def described(self):
        fields = dict.fromkeys(Discovery.model_fields, "https://id.example/x")
        return Discovery(**{**fields, "issuer": ISSUER})

    @pytest.fixture
    def issuer(self, described):
        return MemoryIssuer(described)

    @pytest.fixture
    def show(self, issuer):
        return lambda name: issuer.keys.update({name: Key(name).shown})


class TestOidcTokens(TokensSuite):
    @pytest.fixture
    def tokens(self, tokens):
        assert isinstance(tokens, OidcTokens)
        return tokens

    @pytest.fixture
    def issue(self, provider):
        return lambda **changes: provider.keys["first"].sign(claims_of(provider.issuer, **changes))


class TestMemoryTokens(TokensSuite):
    @pytest.fixture
    def tokens(self):
        return MemoryTokens(ISSUER, [AUDIENCE], ClaimNames())

    @pytest.fixture
    def issue(self, tokens):
        return lambda **changes: tokens.issue(claims_of(ISSUER, **changes))


# -- tokens ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SPOILT)
def test_a_token_that_somebody_tampered_with_counts_for_nobody(provider, tokens, name):
    assert tokens.of(provider.token()).person == "ada"  # a good one does, so it is not for others
    with pytest.raises(UnauthorizedError):
        tokens.of(SPOILT[name](provider))


@pytest.mark.parametrize(
    ("kind", "counts"),
    [
        (None, True),
        ("JWT", True),
        ("at+jwt", True),
        ("application/at+JWT", True),
        ("Bearer", True),
        ("logout+jwt", False),
        ("Application/Logout+JWT", False),
        ("dpop+jwt", False),
        ("secevent+jwt", False),
        ("token-introspection+jwt", False),
        ("at+jwt+", False),
    ],
)
def test_a_token_that_was_signed_for_something_else_does_not_count(provider, tokens, kind, counts):
    token = provider.keys["first"].sign(provider.claims(), typ=kind)
    if counts:
        assert tokens.of(token).person == "ada"
        return
    with pytest.raises(UnauthorizedError):
        tokens.of(token)
    assert provider.asked == []


@pytest.mark.parametrize(
    ("changes", "counts"),
    [
        ({"exp": -50}, True),
        ({"exp": -70}, False),
        ({"nbf": 50}, True),
        ({"nbf": 70}, False),
        ({"iat": 50}, True),
        ({"iat": 70}, False),
    ],
)
def test_clocks_may_differ_by_a_minute(provider, tokens, changes, counts):
    moment = int(time.time())
    token = provider.token(**{name: moment + seconds for name, seconds in changes.items()})
    if counts:
        assert tokens.of(token).tenant == "acme"
        return
    with pytest.raises(UnauthorizedError):
        tokens.of(token)


def test_a_curves_key_signs_as_well(provider, tokens):
    provider.show("curve", "ES256")
    assert tokens.of(provider.token("curve")).person == "ada"


def test_a_key_signs_by_its_own_algorithm_only(provider, tokens):
    key = provider.keys["first"]
    key.algorithm = "RS512"
    token = key.sign(provider.claims())
    key.algorithm = "RS256"
    with pytest.raises(UnauthorizedError, match="not its key's"):
        tokens.of(token)


def test_no_algorithm_has_a_shared_secret_or_none():
    assert not [name for name in ALGORITHMS if name.startswith("HS") or name == "none"]


def test_a_weak_key_signs_nothing(provider, tokens):
    weak = rsa.generate_private_key(public_exponent=65537, key_size=1024)  # noqa: S505  # on purpose
    provider.keys["first"].private = weak
    with pytest.warns(UserWarning, match="2048"):
        token = provider.token()
    with pytest.raises(UnauthorizedError):
        tokens.of(token)


def test_a_claim_may_lie_inside_another_or_have_a_point_in_its_name(provider, issuer):
    names = ClaimNames("https://footnote.example/tenant", "realm_access.roles", "sub")
    tokens = OidcTokens(issuer, provider.issuer, (AUDIENCE,), names)
    token = provider.token(
        **{"https://footnote.example/tenant": "oak", "realm_access": {"roles": ["legal"]}}
    )
    assert (tokens.of(token).tenant, tokens.of(token).groups) == ("oak", ("legal",))


def test_a_token_whose_algorithm_does_not_count_has_nobody_asked(provider, tokens):
    with pytest.raises(UnauthorizedError):
        tokens.of(SPOILT["unsigned"](provider))
    assert provider.asked == []


# -- keys ------------------------------------------------------------------------------------------


def test_keys_are_fetched_once_for_many_tokens(provider, tokens):
    for _ in range(5):
        tokens.of(provider.token())
    assert provider.asked == [PATH, "/jwks"]


def test_a_new_key_counts_as_soon_as_a_token_names_it(provider, tokens, now):
    tokens.of(provider.token())
    provider.show("second")
    now[0] = 10.0
    assert tokens.of(provider.token("second")).person == "ada"


def test_made_up_keys_have_the_provider_asked_once_in_ten_seconds(provider, tokens, now):
    tokens.of(provider.token())
    before = len(provider.asked)
    for now[0] in (10.0, 11.0, 15.0, 19.9):
        with pytest.raises(UnauthorizedError):
            tokens.of(SPOILT["a key that nobody shows"](provider))
    assert len(provider.asked) - before == 1
    assert tokens.of(provider.token()).person == "ada"  # and nobody else notices


def test_a_key_that_is_taken_back_counts_for_ten_minutes_at_most(provider, tokens, now):
    token = provider.token()
    tokens.of(token)
    del provider.keys["first"]
    now[0] = 599.0
    assert tokens.of(token).person == "ada"
    now[0] = 600.0
    with pytest.raises(UnauthorizedError):
        tokens.of(token)


def test_a_shared_secret_and_a_key_to_encrypt_are_none_of_the_issuers_keys(provider, issuer):
    body = b"""{"keys": [{"kid": "a", "kty": "oct", "k": "c2VjcmV0"}, 7, {"kty": "RSA"},
               {"kid": "b", "kty": "RSA", "use": "enc", "n": "AQ", "e": "AQAB"}]}"""
    provider.answers["/jwks"] = (200, {}, body)
    for name in ("a", "b"):
        with pytest.raises(NotFoundError):
            issuer.key(name)


# -- a provider that is down, wrong or hostile -----------------------------------------------------


@pytest.mark.parametrize(
    "answer",
    [
        (500, {}, b"{}"),
        (200, {}, b"<html>"),
        (200, {}, b"[]"),
        (200, {}, b'{"keys": 7}'),
        (200, {}, b"[" * 100_000),
        (200, {}, b'{"keys": []}' + b" " * 300_000),
    ],
    ids=["broken", "html", "list", "no keys", "deep", "large"],
)
def test_keys_that_cannot_be_had_are_unavailable_and_nobody_gets_in(provider, tokens, answer):
    provider.answers["/jwks"] = answer
    with pytest.raises(UnavailableError):
        tokens.of(provider.token())


def test_keys_are_taken_from_the_place_that_the_provider_names_and_no_other(provider, tokens):
    shown = json.dumps({"keys": [provider.keys["first"].shown]}).encode()
    provider.answers["/elsewhere"] = (200, {}, shown)
    provider.answers["/jwks"] = (302, {"location": "/elsewhere"}, b"")
    with pytest.raises(UnavailableError, match="302"):
        tokens.of(provider.token())
    assert "/elsewhere" not in provider.asked


def test_a_provider_that_is_down_is_asked_again_after_three_seconds(provider, tokens, now):
    provider.answers["/jwks"] = (500, {}, b"")
    for now[0] in (0.0, 1.0, 2.9):
        with pytest.raises(UnavailableError):
            tokens.of(provider.token())
    assert provider.asked.count("/jwks") == 1
    provider.answers.clear()
    now[0] = 3.0
    assert tokens.of(provider.token()).person == "ada"


def test_a_provider_that_is_slow_is_given_up(provider, tokens):
    provider.silent = True
    with pytest.raises(UnavailableError):
        tokens.of(provider.token())


def test_keys_stay_good_while_the_provider_is_down_for_a_while(provider, tokens, now):
    tokens.of(provider.token())
    provider.answers["/jwks"] = (500, {}, b"")
    now[0] = 500.0
    assert tokens.of(provider.token()).person == "ada"


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("issuer", "https://other.example"),
        ("jwks_uri", "http://id.example/jwks"),
        ("jwks_uri", "file:///etc/passwd"),
        ("jwks_uri", None),
        ("token_endpoint", "http://id.example/token"),
        ("authorization_endpoint", "javascript:alert(1)"),
        ("authorization_endpoint", "http://[::1/x"),
    ],
)
def test_a_provider_that_says_what_is_not_safe_is_not_believed(provider, tokens, field, value):
    said = json.dumps({**provider.discovery, field: value}).encode()
    provider.answers[PATH] = (200, {}, said)
    with pytest.raises(ConfigurationError):
        tokens.of(provider.token())


def test_an_issuer_is_asked_over_https_or_on_this_machine(provider):
    with pytest.raises(ConfigurationError, match="no https URL"):
        HttpIssuer("http://id.example").describe()
    assert HttpIssuer(provider.issuer).describe().issuer == provider.issuer
