"""Who asks API Gateway whose a key is, and how often: its quota is the whole account's."""

import io
import json
from datetime import UTC, datetime

import pytest
from botocore.exceptions import ClientError

from footnote.adapters.aws.apigateway_tenants import ApiGatewayTenants
from footnote.adapters.aws.lambda_tenants import LambdaTenants
from footnote.adapters.aws.remembered_tenants import RememberedTenants
from footnote.errors import ForbiddenError, UnavailableError
from footnote.model import Caller
from footnote.settings import Settings
from footnote.wiring import vouch
from footnote.wiring.services import Services
from tests.contract.suites.tenants import TenantsSuite


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
        return {"id": apiKey, "value": "the key's value", "tags": self.tags[apiKey]}


@pytest.fixture
def now():
    return [0.0]


@pytest.fixture
def gateway():
    return Gateway({"good": {"tenant": "acme"}, "bare": {}, "odd": {"tenant": "a/b"}})


@pytest.fixture
def tenants(gateway, now):
    return RememberedTenants(
        ApiGatewayTenants(gateway), seconds=300, refused=60, clock=lambda: now[0]
    )


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


class Lambda:
    """Runs `vouch` for whoever invokes it, as Lambda does: JSON in, JSON out, failures as such."""

    def __init__(self, services):
        self.services = services
        self.asked = []
        self.throttles = False

    def invoke(self, *, FunctionName, Payload):  # noqa: N803  # their names in boto3
        self.asked.append(FunctionName)
        if self.throttles:
            answer = {"Error": {"Code": "TooManyRequestsException"}}
            raise ClientError(answer, "Invoke")
        try:
            told = vouch.vouch(json.loads(Payload)["api_key_id"], self.services)
        except UnavailableError as error:
            failure = json.dumps({"errorType": "UnavailableError", "errorMessage": error.message})
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(failure.encode())}
        return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(told).encode())}


@pytest.fixture
def vouching(gateway):
    services = Services(Settings())
    services.key_tags = ApiGatewayTenants(gateway)
    return Lambda(services)


class TestLambdaTenants(TenantsSuite):
    """All that the port promises holds behind an invocation, too."""

    @pytest.fixture
    def key(self, gateway):
        def make(tenant, groups=(), expires=None):
            tags = {"tenant": tenant} if tenant else {}
            tags |= {"groups": " ".join(groups)} if groups else {}
            tags |= {"expires": str(datetime.fromtimestamp(expires, UTC))} if expires else {}
            made = f"key{len(gateway.tags)}"
            gateway.tags[made] = tags
            return made

        return make

    @pytest.fixture
    def tenants(self, vouching):
        return LambdaTenants(vouching, "vouch")

    def test_a_request_without_a_key_invokes_nothing(self, tenants, vouching):
        with pytest.raises(ForbiddenError):
            tenants.of("")
        assert vouching.asked == []

    def test_that_vouch_is_throttled_or_fails_may_be_tried_again(self, tenants, vouching, gateway):
        vouching.throttles = True
        with pytest.raises(UnavailableError):
            tenants.of("good")
        vouching.throttles, gateway.busy = False, True
        with pytest.raises(UnavailableError, match="could not be looked up"):
            tenants.of("good")
        gateway.busy = False
        assert tenants.of("good").tenant == "acme"

    def test_an_answer_never_holds_the_value_of_a_key(self, vouching):
        for key in ("good", "bare", "odd", "gone"):
            assert "value" not in json.dumps(vouch.vouch(key, vouching.services))


class TestRememberedTenants(TenantsSuite):
    """Nothing changes for who is remembered."""

    key = TestLambdaTenants.key

    @pytest.fixture
    def tenants(self, gateway):
        return RememberedTenants(ApiGatewayTenants(gateway), seconds=60, refused=30)


def test_a_changed_tag_counts_after_five_minutes_at_most(gateway, vouching, now, monkeypatch):
    """Both who asks and who is asked remember: their times add up."""
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-central-1")
    made = Services(Settings())
    of_vouch, of_api = made.key_tags._seconds, made.tenants._seconds  # what is wired
    assert of_vouch + of_api == 300

    def clock():
        return now[0]

    vouching.services.key_tags = RememberedTenants(
        ApiGatewayTenants(gateway), seconds=of_vouch, refused=30, clock=clock
    )
    api = RememberedTenants(LambdaTenants(vouching, "v"), seconds=of_api, refused=30, clock=clock)
    assert api.of("good").groups == ()
    gateway.tags["good"] = {"tenant": "acme", "groups": "board"}
    for now[0] in range(0, 300, 10):
        api.of("good")
    now[0] = 300.0
    assert api.of("good").groups == ("board",)


def test_processes_of_the_api_share_what_vouch_remembers(gateway, vouching, now):
    """Sixty processes with fifty keys ask API Gateway for fifty keys, not for three thousand."""
    gateway.tags = {f"k{n}": {"tenant": "acme"} for n in range(50)}

    def clock():
        return now[0]

    vouching.services.key_tags = RememberedTenants(
        ApiGatewayTenants(gateway), seconds=240, refused=30, clock=clock
    )
    for _ in range(60):
        api = RememberedTenants(LambdaTenants(vouching, "v"), 60, 30, clock)
        for key in gateway.tags:
            api.of(key)
    assert (len(vouching.asked), gateway.asked) == (3_000, 50)
