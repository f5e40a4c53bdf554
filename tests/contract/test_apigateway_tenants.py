"""How often API Gateway is asked whose a key is: its quota is the whole account's."""

import pytest
from botocore.exceptions import ClientError

from footnote.adapters.apigateway_tenants import ApiGatewayTenants
from footnote.errors import ForbiddenError, UnavailableError
from footnote.model import Caller


class Gateway:
    """GetApiKey with these keys' tags. It throttles whoever asks when `busy`."""

    def __init__(self, tags):
        self.tags = tags
        self.asked = 0
        self.busy = False

    def get_api_key(self, *, apiKey):  # noqa: N803  # its name in boto3
        self.asked += 1
        if self.busy:
            raise ClientError({"Error": {"Code": "TooManyRequestsException"}}, "GetApiKey")
        if apiKey not in self.tags:
            raise ClientError({"Error": {"Code": "NotFoundException"}}, "GetApiKey")
        return {"id": apiKey, "tags": self.tags[apiKey]}


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def gateway():
    return Gateway({"good": {"tenant": "acme"}, "bare": {}, "odd": {"tenant": "a/b"}})


@pytest.fixture
def tenants(gateway, now):
    return ApiGatewayTenants(gateway, seconds=300, refused=60, clock=lambda: now[0])


def refusal(tenants, key):
    with pytest.raises(ForbiddenError) as refused:
        tenants.of(key)
    return refused.value.message


@pytest.mark.parametrize("key", ["bare", "odd", "gone"])
def test_a_key_of_nobody_is_asked_about_once_a_minute(tenants, gateway, now, key):
    said = {refusal(tenants, key) for now[0] in (0.0, 1.0, 30.0, 59.0)}
    assert (gateway.asked, len(said)) == (1, 1)
    now[0] = 60.0
    refusal(tenants, key)
    assert gateway.asked == 2


def test_a_tag_that_is_added_counts_a_minute_later(tenants, gateway, now):
    refusal(tenants, "bare")
    gateway.tags["bare"] = {"tenant": "acme", "groups": "board"}
    now[0] = 61.0
    assert tenants.of("bare") == Caller(tenant="acme", groups=("board",), person="bare")


def test_a_key_that_is_taken_away_is_refused_when_its_time_is_over(tenants, gateway, now):
    tenants.of("good")
    del gateway.tags["good"]
    now[0] = 299.0
    assert tenants.of("good").tenant == "acme"
    now[0] = 301.0
    assert "there is no API key good" in refusal(tenants, "good")


def test_that_nobody_could_be_asked_is_not_remembered(tenants, gateway):
    gateway.busy = True
    with pytest.raises(UnavailableError):
        tenants.of("good")
    gateway.busy = False
    assert tenants.of("good").tenant == "acme"
