"""`footnote keys` for operators: what is made, shown and revoked, and what a tag cannot hold."""

import json
from datetime import UTC, datetime

import pytest
from botocore.exceptions import ClientError
from typer.testing import CliRunner

from footnote.adapters.aws.apigateway_keys import ApiGatewayKeys
from footnote.adapters.aws.apigateway_tenants import ApiGatewayTenants
from footnote.cli import commands
from footnote.cli.key_commands import parse_end
from footnote.errors import BadRequestError, ConfigurationError, FootnoteError, NotFoundError
from footnote.model import Caller
from footnote.wiring import key_ring

NOON = 1_795_435_200.0  # 2026-11-23T12:00:00Z
DAY = 86_400


class Gateway:
    """The part of API Gateway that keys need, with the keys of two usage plans."""

    def __init__(self):
        self.keys = {}
        self.plans = {"ours": set(), "theirs": set()}
        self.broken = False

    def create_api_key(self, *, name, enabled, tags):
        key_id = f"id{len(self.keys)}"
        made = {"id": key_id, "name": name, "enabled": enabled, "tags": tags}
        made |= {"value": f"secret-{key_id}", "createdDate": datetime(2026, 11, 23, tzinfo=UTC)}
        self.keys[key_id] = made
        return made

    def create_usage_plan_key(self, *, usagePlanId, keyId, keyType):  # noqa: N803
        assert keyType == "API_KEY"
        if self.broken or usagePlanId not in self.plans:
            raise ClientError(answer("NotFoundException", 404), "CreateUsagePlanKey")
        self.plans[usagePlanId].add(keyId)

    def delete_usage_plan_key(self, *, usagePlanId, keyId):  # noqa: N803
        if keyId not in self.plans[usagePlanId]:
            raise ClientError(answer("NotFoundException", 404), "DeleteUsagePlanKey")
        self.plans[usagePlanId].remove(keyId)

    def delete_api_key(self, *, apiKey):  # noqa: N803
        del self.keys[apiKey]

    def get_api_key(self, *, apiKey):  # noqa: N803
        if apiKey not in self.keys:
            raise ClientError(answer("NotFoundException", 404), "GetApiKey")
        return self.keys[apiKey]

    def get_paginator(self, name):
        return Pages(self, name)


class Pages:
    """Lists one thing a page, as a paginator of boto3 may."""

    def __init__(self, gateway, name):
        self._gateway, self._name = gateway, name

    def paginate(self, **given):
        if self._name == "get_usage_plan_keys":
            items = [{"id": one} for one in sorted(self._gateway.plans[given["usagePlanId"]])]
        else:
            assert given == {"includeValues": False}
            items = list(self._gateway.keys.values())
        for item in items:
            yield {"items": [item]}


def answer(code, status):
    return {"Error": {"Code": code}, "ResponseMetadata": {"HTTPStatusCode": status}}


@pytest.fixture
def gateway():
    return Gateway()


@pytest.fixture
def keys(gateway):
    return ApiGatewayKeys(gateway, "ours")


@pytest.fixture
def run(monkeypatch, gateway):
    """Runs `footnote keys` on the gateway; returns what it prints."""
    monkeypatch.setattr(
        key_ring, "key_ring", lambda plan="": ApiGatewayKeys(gateway, plan or "ours")
    )

    def invoke(*words):
        result = CliRunner().invoke(commands.app, ["keys", *words])
        if isinstance(result.exception, Exception):
            raise result.exception
        assert result.exit_code == 0, result.output
        return result.stdout

    return invoke


def test_a_key_that_is_made_has_the_tenant_the_groups_and_the_end_that_were_given(gateway, keys):
    made, value = keys.create("acme", ["board", "legal"], "ana", NOON)
    assert value == "secret-id0"
    assert ApiGatewayTenants(gateway).of(made.id) == Caller(
        tenant="acme", groups=("board", "legal"), person=made.id, expires=NOON
    )
    assert keys.list() == [made]


def test_a_key_is_never_left_outside_of_its_plan(gateway, keys):
    gateway.broken = True
    with pytest.raises(FootnoteError):
        keys.create("acme", [], "ana", None)
    assert gateway.keys == {}


def test_only_keys_of_the_plan_that_have_a_tenant_are_listed(gateway, keys):
    ApiGatewayKeys(gateway, "theirs").create("oak", [], "", None)
    keys.create("oak", [], "b", None)
    keys.create("acme", [], "a", None)
    gateway.create_api_key(name="tokens", enabled=True, tags={})
    gateway.plans["ours"].add("id3")
    assert [(key.tenant, key.name) for key in keys.list()] == [("acme", "a"), ("oak", "b")]


def test_a_revoked_key_is_gone_and_those_of_others_stay(gateway, keys):
    theirs, _ = ApiGatewayKeys(gateway, "theirs").create("oak", [], "", None)
    mine, _ = keys.create("acme", [], "", None)
    with pytest.raises(NotFoundError, match="no API key"):
        keys.revoke(theirs.id)
    keys.revoke(mine.id)
    assert list(gateway.keys) == [theirs.id]
    assert (keys.list(), gateway.plans["ours"]) == ([], set())
    with pytest.raises(NotFoundError):
        keys.revoke(mine.id)


@pytest.mark.parametrize(
    ("tenant", "groups"),
    [
        ("", []),
        ("_", []),
        ("a/b", []),
        ("a b", []),
        ("ä", []),
        ("acme", ["a,b"]),
        ("acme", [""]),
        ("acme", ["x" * 100] * 3),
    ],
)
def test_what_a_tag_cannot_hold_is_refused_before_anything_is_made(gateway, keys, tenant, groups):
    with pytest.raises(BadRequestError) as refused:
        keys.create(tenant, groups, "", None)
    assert (refused.value.code, gateway.keys) == ("bad_name", {})


def test_a_key_whose_end_is_no_date_counts_as_expired(gateway, keys, run):
    made, _ = keys.create("acme", [], "", NOON)
    gateway.keys[made.id]["tags"]["expires"] = "soon"
    [shown] = json.loads(run("list", "--json"))["keys"]
    assert shown["expired"]


# -- the command line ------------------------------------------------------------------------------


def test_the_value_is_printed_once_and_listed_never(run):
    said = run(
        "create", "--tenant", "acme", "--groups", "board", "--groups", "legal", "--groups", "works"
    )
    assert said == "id id0\nkey secret-id0\n"
    listed = run("list")
    assert "secret" not in listed
    assert listed == "id0  acme  acme  board legal works  for ever\n"
    assert "secret" not in run("list", "--json")


@pytest.mark.parametrize("group", ["Fans of @all", "board,@all"])
def test_a_group_that_no_key_can_have_is_refused_and_not_split(run, gateway, group):
    with pytest.raises(BadRequestError, match="cannot be the name of a tenant or group"):
        run("create", "--tenant", "acme", "--groups", group)
    assert gateway.keys == {}


def test_a_script_gets_json(run):
    made = json.loads(run("create", "--tenant", "acme", "--expires", "90d", "--json"))
    assert (made["value"], made["tenant"], made["groups"]) == ("secret-id0", "acme", [])
    left = datetime.fromisoformat(made["expires"]).timestamp() - datetime.now(UTC).timestamp()
    assert 89.9 * DAY < left < 90.1 * DAY
    assert json.loads(run("revoke", "id0", "--json")) == {"id": "id0", "revoked": True}
    assert json.loads(run("list", "--json")) == {"keys": []}


@pytest.mark.parametrize(
    ("text", "end"),
    [
        ("", None),
        ("1d", NOON + DAY),
        ("90d", NOON + 90 * DAY),
        ("2026-11-24", NOON + DAY / 2),
        ("2026-11-23T12:00:01+00:00", NOON + 1),
        ("2026-11-23T14:00:01+02:00", NOON + 1),
    ],
)
def test_an_end_is_days_or_a_date(text, end):
    assert parse_end(text, NOON) == end


@pytest.mark.parametrize(
    "text", ["soon", "90", "0d", "-3d", "2026-11-23", "1999-01-01", "9999999d"]
)
def test_an_end_that_is_none_or_past_is_refused(text):
    with pytest.raises(BadRequestError) as refused:
        parse_end(text, NOON)
    assert refused.value.code == "bad_date"


def test_without_a_plan_and_a_stack_it_is_said_what_to_give(monkeypatch, tmp_path):
    monkeypatch.setenv("FOOTNOTE_STACK", "nowhere")
    with pytest.raises(ConfigurationError, match="--plan is not given"):
        key_ring.key_ring()
