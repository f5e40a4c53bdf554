"""Whoever goes outside for models that look does what the ports promise, also behind Lambda."""

import io
import json

import pytest
from botocore.exceptions import ClientError

from footnote.adapters.aws.lambda_errands import LambdaErrands
from footnote.adapters.memory.small import MemoryWeb
from footnote.errors import UnavailableError
from footnote.model import Errand
from footnote.wiring import errands as going
from footnote.wiring.errands import DirectErrands
from tests.contract.suites.outside import PAGE, ErrandsSuite, WebSuite
from tests.unit.faces import small


def at(path):
    return f"https://site.test{path}"


class TestMemoryWeb(WebSuite):
    @pytest.fixture
    def address(self):
        return at

    @pytest.fixture
    def web(self):
        return MemoryWeb({at("/page"): ("text/html", PAGE)})


@pytest.fixture
def deployment():
    made = small()
    made.web.pages[at("/page")] = ("text/html", PAGE)
    return made


class OfADeployment(ErrandsSuite):
    @pytest.fixture
    def address(self):
        return at

    @pytest.fixture
    def uploads(self, deployment):
        return deployment.uploads


class TestDirectErrands(OfADeployment):
    @pytest.fixture
    def errands(self, deployment):
        return DirectErrands(deployment)


class Lambda:
    """Does the function's work for whoever invokes it: JSON in, JSON out, failures as such."""

    def __init__(self, deployment):
        self._deployment = deployment
        self.fails = self.throttles = False

    def invoke(self, *, FunctionName, Payload):  # noqa: N803  # their names in boto3
        assert FunctionName == "fetch"
        if self.throttles:
            raise ClientError({"Error": {"Code": "TooManyRequestsException"}}, "Invoke")
        if self.fails:
            return {"FunctionError": "Unhandled", "Payload": io.BytesIO(b'{"errorType": "X"}')}
        errand = Errand.model_validate(json.loads(Payload))
        told = going.run_errand(errand, self._deployment).model_dump()
        return {"StatusCode": 200, "Payload": io.BytesIO(json.dumps(told).encode())}


class TestLambdaErrands(OfADeployment):
    """All that the port promises holds behind an invocation, too."""

    @pytest.fixture
    def function(self, deployment):
        return Lambda(deployment)

    @pytest.fixture
    def errands(self, function):
        return LambdaErrands(function, "fetch")

    @pytest.mark.parametrize("how", ["fails", "throttles"])
    def test_that_nobody_could_go_is_an_error(self, errands, function, how):
        setattr(function, how, True)
        with pytest.raises(UnavailableError):
            errands.run(Errand(kind="page", tenant="acme", readers=None, url=at("/page")))
