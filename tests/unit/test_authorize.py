"""The authorizer: whom it lets in, by which credential, and what it tells the API's function."""

import json

import pytest

from footnote.adapters.memory.tokens import MemoryTokens
from footnote.adapters.oidc.claims import ClaimNames
from footnote.api import authorize
from footnote.errors import UnauthorizedError, UnavailableError
from footnote.settings import Settings
from footnote.wiring import bootstrap
from tests.contract.suites.tokens import AUDIENCE, ISSUER, claims_of
from tests.unit.faces import Context, Flaky

ARN = "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/dev/GET/documents/${x}*"
EVERYTHING = "arn:aws:execute-api:eu-central-1:123456789012:a1b2c3d4e5/dev/*"
OWN = "the-key-of-all-tokens"


@pytest.fixture
def known(monkeypatch):
    services = bootstrap.services()
    services.settings = Settings(backend="memory", token_key=OWN)
    services.tokens = MemoryTokens(ISSUER, [AUDIENCE], ClaimNames())
    return services


@pytest.fixture
def token(known):
    return lambda **changes: known.tokens.issue(claims_of(ISSUER, **changes))


def ask(**headers):
    """Asks the authorizer with these headers; a list has a header come more than once."""
    given = {name.replace("_", "-"): value for name, value in headers.items()}
    multi = {name: [value] if isinstance(value, str) else value for name, value in given.items()}
    return authorize.handle({"methodArn": ARN, "multiValueHeaders": multi}, Context())


def effect(answer):
    [statement] = answer["policyDocument"]["Statement"]
    assert statement["Action"] == "execute-api:Invoke"
    assert statement["Resource"] == EVERYTHING
    return statement["Effect"]


def test_a_key_is_handed_to_api_gateway_which_checks_it(known):
    answer = ask(x_api_key="a-key")
    assert effect(answer) == "Allow"
    assert (answer["usageIdentifierKey"], answer["context"]) == ("a-key", {"by": "key"})


def test_a_key_may_come_as_clients_of_openai_send_it(known):
    answer = ask(authorization="Bearer a-key")
    assert (answer["usageIdentifierKey"], answer["context"]) == ("a-key", {"by": "key"})
    with pytest.raises(UnauthorizedError):
        ask(authorization=f"Bearer {OWN}")


def test_a_token_is_told_as_texts_and_counted_by_the_key_of_tokens(token):
    answer = ask(Authorization=f"Bearer {token(exp=2_000_000_000)}")
    assert effect(answer) == "Allow"
    assert answer["usageIdentifierKey"] == OWN
    assert answer["context"] == {
        "by": "token",
        "tenant": "acme",
        "groups": '["board"]',
        "person": "ada",
        "expires": "2000000000.0",
    }


@pytest.mark.parametrize("name", ["authorization", "AUTHORIZATION", "Authorization"])
@pytest.mark.parametrize("scheme", ["Bearer", "bearer"])
def test_letters_of_header_and_scheme_may_be_large_or_small(token, name, scheme):
    assert effect(ask(**{name: f"{scheme}  {token()} "})) == "Allow"


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"x_api_key": " "},
        {"authorization": "Basic YWRhOmFkYQ=="},
        {"authorization": "Bearer"},
        {"authorization": "Bearer non.sen.se"},
        {"x_api_key": OWN},
        {"x_api_key": ["one", "two"]},
        {"x_api_key": "one", "X_Api_Key": "two"},
        {"authorization": ["Bearer a", "Bearer b"]},
    ],
    ids=lambda headers: ",".join(f"{name}={value}" for name, value in headers.items()) or "none",
)
def test_who_sends_nothing_that_counts_is_not_let_in(known, headers):
    with pytest.raises(UnauthorizedError) as refused:
        ask(**headers)
    assert str(refused.value) == "Unauthorized"  # API Gateway answers 401 to this text only


def test_a_key_beside_a_token_is_nobodys_even_where_both_count(token):
    with pytest.raises(UnauthorizedError):
        ask(x_api_key="a-key", authorization=f"Bearer {token()}")


def test_without_a_provider_no_token_counts(known, token):
    good = token()
    known.tokens = None
    with pytest.raises(UnauthorizedError):
        ask(authorization=f"Bearer {good}")


def test_a_token_without_a_tenant_is_denied_and_told_why(token):
    answer = ask(authorization=f"Bearer {token(tenant=None)}")
    assert effect(answer) == "Deny"
    assert answer["context"] == {"refusal": "the token's claim tenant names no tenant"}
    assert "usageIdentifierKey" not in answer


def test_more_groups_than_api_gateway_carries_are_denied_not_cut(token):
    many = [f"group-{n:032}" for n in range(190)]
    answer = ask(authorization=f"Bearer {token(groups=many)}")
    assert effect(answer) == "Deny"
    assert "190 groups" in answer["context"]["refusal"]
    few = ask(authorization=f"Bearer {token(groups=many[:120])}")
    assert effect(few) == "Allow"
    assert json.loads(few["context"]["groups"]) == many[:120]


def test_a_provider_that_is_down_lets_nobody_in_and_is_no_refusal(known, token):
    good = token()
    known.tokens = Flaky(known.tokens, of=[UnavailableError("down")])
    with pytest.raises(UnavailableError):
        ask(authorization=f"Bearer {good}")
    assert effect(ask(authorization=f"Bearer {good}")) == "Allow"


def test_the_log_has_why_and_nothing_of_the_token(known, token, capsys):
    good = token(tenant="_")
    ask(authorization=f"Bearer {good}")
    with pytest.raises(UnauthorizedError):
        ask(authorization="Bearer secret.te.xt")
    told = capsys.readouterr().out
    assert "names no tenant" in told or told == ""
    assert "secret.te.xt" not in told
    assert good not in told
