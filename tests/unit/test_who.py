"""Who asks: what API Gateway says counts, and nothing that a request says of itself."""

import json

import pytest

from footnote.adapters.memory.small import MemoryTenants
from footnote.adapters.memory.tokens import MemoryIssuer
from footnote.api import routes
from footnote.api.who import identify
from footnote.ask.question.usage_limits import Most, UsageLimits
from footnote.errors import ForbiddenError, UnauthorizedError, UnavailableError
from footnote.model import Caller, Discovery
from footnote.settings import Settings
from tests.unit.faces import Context, Flaky, event, small

TENANTS = MemoryTenants({"k1": "acme", "k2": "other"}, {"k1": ("board",)}, {"k2": 1000.0})
TOKEN = {"by": "token", "tenant": "oak", "groups": '["legal", "a b"]', "person": "ada"}
TOKEN |= {"expires": "2000.0", "principalId": "person", "integrationLatency": 0}
DISCOVERY = Discovery(
    issuer="https://id.example",
    authorization_endpoint="https://id.example/authorize",
    token_endpoint="https://id.example/token",
    jwks_uri="https://id.example/keys",
)


@pytest.fixture
def pipeline():
    made = small()
    made.tenants = MemoryTenants({"k1": "acme"}, {"k1": ("board",)})
    made.issuer = None
    return made


def context(key_id="", **authorizer):
    return {"identity": {"apiKeyId": key_id}, "authorizer": authorizer or None}


def call(path, method="GET", body=None, authorizer=None, parameters=None, **headers):
    """Calls a route; the key is acme's, unless the authorizer says something else."""
    given = {"x-api-key": "acme-key", **headers}
    made = event(method, path, parameters, None if body is None else json.dumps(body), given)
    if authorizer:
        made["requestContext"]["authorizer"] = authorizer
    answer = routes.handle(made, Context())
    return answer["statusCode"], json.loads(answer["body"]), answer["multiValueHeaders"]


def test_a_keys_holder_is_who_its_tags_say():
    assert identify(context("k1", by="key"), TENANTS, 0) == Caller(
        tenant="acme", groups=("board",), person="k1", by="key"
    )


def test_a_tokens_holder_is_who_the_authorizer_says_whatever_key_counts_the_request():
    assert identify(context("k1", **TOKEN), TENANTS, 0) == Caller(
        tenant="oak", groups=("legal", "a b"), person="ada", by="token", expires=2000.0
    )


@pytest.mark.parametrize("said", [{}, {"by": "key"}, {"by": "Token", "tenant": "acme"}])
def test_without_a_key_that_api_gateway_checked_nobody_asks(said):
    with pytest.raises(ForbiddenError):
        identify(context("", **said), TENANTS, 0)
    with pytest.raises(ForbiddenError):
        identify(context("unknown", **said), TENANTS, 0)


def test_a_key_counts_until_it_expires_and_not_a_moment_longer():
    assert identify(context("k2", by="key"), TENANTS, 999.9).tenant == "other"
    with pytest.raises(UnauthorizedError) as refused:
        identify(context("k2", by="key"), TENANTS, 1000.0)
    assert refused.value.code == "key_expired"


@pytest.mark.parametrize(
    "headers",
    [
        {"x-tenant": "other"},
        {"tenant": "other", "groups": "@all", "x-groups": "@all"},
        {"x-amzn-requestcontext": '{"authorizer": {"tenant": "other"}}'},
        {"authorization": "Bearer not-looked-at"},
    ],
)
def test_no_header_changes_who_asks(pipeline, headers):
    status, me, _ = call("/me", **headers)
    assert (status, me["tenant"], me["groups"], me["by"]) == (200, "acme", ["board"], "key")


def test_no_query_changes_who_asks(pipeline):
    _, me, _ = call("/me", parameters={"tenant": "other", "groups": "@all", "person": "bob"})
    assert (me["tenant"], me["groups"], me["person"]) == ("acme", ["board"], "k1")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/search", {"query": "fee", "tenant": "other"}),
        ("/search", {"query": "fee", "groups": ["@all"]}),
        ("/questions", {"question": "fee?", "tenant": "other"}),
        ("/questions", {"question": "fee?", "person": "bob"}),
        ("/documents", {"document": "a.md", "tenant": "other"}),
    ],
)
def test_no_body_names_a_tenant_groups_or_a_person(pipeline, path, body):
    status, answer, _ = call(path, "POST", body)
    assert (status, answer["error"]["code"]) == (400, "invalid_body")


def test_me_says_who_asks_what_is_allowed_and_what_is_used(pipeline):
    pipeline.usage_limits = UsageLimits(pipeline.counters, Most(0, 5, 1.5), Most(), pipeline.clock)
    call("/questions", "POST", {"question": "What is the fee?"}, authorizer=TOKEN)
    status, me, _ = call("/me", authorizer=TOKEN)
    resets = me["used"].pop("resets")
    assert status == 200
    assert me == {
        "tenant": "oak",
        "groups": ["legal", "a b"],
        "person": "ada",
        "by": "token",
        "expires": "1970-01-01T00:33:20.000+00:00",
        "limits": {"requests_per_second": None, "questions_per_day": 5, "usd_per_day": 1.5},
        "used": {"questions": 1, "usd": 0.0},
    }
    assert resets.endswith("T00:00:00.000+00:00")
    others = [call("/me", authorizer=TOKEN | {"person": "bob"}), call("/me")]
    assert [me["used"]["questions"] for _, me, _ in others] == [0, 0]


def test_over_a_limit_the_answer_is_429_and_says_when_to_come_again(pipeline):
    pipeline.usage_limits = UsageLimits(pipeline.counters, Most(0, 1), Most(), lambda: 86_390.0)
    body = {"question": "What is the fee?"}
    assert call("/questions", "POST", body)[0] in {200, 202}
    status, answer, headers = call("/questions", "POST", body)
    assert (status, answer["error"]["code"]) == (429, "limited")
    assert int(headers["Retry-After"][0]) >= 1
    assert "may ask 1 questions a day" in answer["error"]["message"]


def test_a_token_that_asks_too_often_is_told_so(pipeline):
    pipeline.usage_limits = UsageLimits(pipeline.counters, Most(2), Most(), lambda: 5.0)
    found = [call("/me", authorizer=TOKEN)[0] for _ in range(3)]
    assert found == [200, 200, 429]
    assert call("/me")[0] == 200  # a key's requests are its usage plan's


def test_signing_in_shows_the_ways_and_nothing_of_a_tenant(pipeline):
    status, ways, _ = call("/signin")
    assert (status, ways["methods"], ways["client_id"], ways["degraded"]) == (200, ["key"], "", [])
    pipeline.settings = Settings(backend="memory", oidc_client_id="page")
    pipeline.issuer = MemoryIssuer(DISCOVERY)
    assert call("/signin")[1] == {
        "methods": ["key", "oidc"],
        "issuer": "https://id.example",
        "client_id": "page",
        "authorization_endpoint": "https://id.example/authorize",
        "token_endpoint": "https://id.example/token",
        "scope": "openid profile email",
        "degraded": [],
    }


def test_signing_in_asks_for_no_credential(pipeline):
    made = event("GET", "/signin", headers={"accept": "application/json"})
    assert routes.handle(made, Context())["statusCode"] == 200


def test_while_the_provider_is_down_keys_are_the_only_way_and_it_is_said(pipeline):
    pipeline.settings = Settings(backend="memory", oidc_client_id="page")
    down = [UnavailableError("https://inner.example does not answer")]
    pipeline.issuer = Flaky(MemoryIssuer(DISCOVERY), describe=down)
    _, ways, _ = call("/signin")
    assert (ways["methods"], len(ways["degraded"])) == (["key"], 1)
    assert "inner.example" not in json.dumps(ways)
