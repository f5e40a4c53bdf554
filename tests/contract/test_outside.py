"""Whoever goes outside for models that look does what the ports promise, also behind Lambda."""

import io
import json
import threading
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qsl, urlsplit

import pytest
from botocore.exceptions import ClientError

from footnote.adapters.aws.lambda_errands import LambdaErrands
from footnote.adapters.memory.small import MemoryWeb, MemoryWebSearch
from footnote.adapters.searxng import ACTION, Searxng
from footnote.errors import ConfigurationError, UnavailableError
from footnote.model import Errand
from footnote.wiring import errands as going
from footnote.wiring.errands import DirectErrands
from tests.contract.suites.outside import PAGE, RESULTS, ErrandsSuite, WebSearchSuite, WebSuite
from tests.serving import LoopbackServer, serving
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


class TestMemoryWebSearch(WebSearchSuite):
    @pytest.fixture
    def search(self):
        return MemoryWebSearch([*RESULTS, *RESULTS])


class Searcher(LoopbackServer):
    """Answers as SearXNG does, or with what a test puts into `reply`."""

    def __init__(self):
        super().__init__(SearchHandler)
        self.asked = []
        self.reply = None
        self.over = threading.Event()


class SearchHandler(BaseHTTPRequestHandler):
    def do_GET(self):
        place = urlsplit(self.path)
        query = dict(parse_qsl(place.query))
        self.server.asked.append((place.path, query))
        found = RESULTS if query["q"] == "tides" else ()
        results = [{"url": one.url, "title": one.title, "content": one.snippet} for one in found]
        status, body = self.server.reply or (200, json.dumps({"results": [*results, *results]}))
        if body == "slowly":
            self.send_response(200)
            self.end_headers()
            while not self.server.over.wait(0.02):
                self.wfile.write(b" ")
            return
        self.send_response(status)
        self.send_header("location", "http://127.0.0.1:1/")
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, *_):
        pass


@pytest.fixture
def searcher():
    server = Searcher()
    with serving(server, server.over):
        yield server


class TestSearxng(WebSearchSuite):
    @pytest.fixture
    def search(self, searcher):
        return Searxng(f"{searcher.url}/")

    def test_it_is_asked_for_json(self, search, searcher):
        search.find("tides", 1)
        assert searcher.asked == [("/search", {"q": "tides", "format": "json"})]

    @pytest.mark.parametrize(
        ("reply", "kind"),
        [
            ((500, "no"), UnavailableError),
            ((429, "no"), UnavailableError),
            ((200, "<html>"), UnavailableError),
            ((200, "[" * 100_000), UnavailableError),
            ((200, " " * 2_000_000), UnavailableError),
            ((200, "slowly"), UnavailableError),
            ((403, "no"), ConfigurationError),
            ((302, "elsewhere"), ConfigurationError),
        ],
    )
    def test_a_searcher_that_is_of_no_use_is_an_error(self, searcher, reply, kind):
        searcher.reply = reply
        with pytest.raises(kind) as failed:
            Searxng(searcher.url, seconds=0.5).find("tides", 1)
        assert kind is UnavailableError or failed.value.action == ACTION

    @pytest.mark.parametrize("reply", ["[]", "{}", '{"results": 7}', '{"results": [7, {}]}'])
    def test_a_reply_without_results_has_none(self, search, searcher, reply):
        searcher.reply = (200, reply)
        assert search.find("tides", 9) == ()

    def test_what_is_no_page_is_left_out_and_texts_are_cut(self, search, searcher):
        odd = ["javascript:alert(1)", "https://a b", "ftp://a", "https://[", "x" * 2000, 7, None]
        results = [{"url": url, "title": "a", "content": "b"} for url in odd]
        results.append({"url": "https://port.test/a", "title": "a\n b", "content": "c" * 9000})
        searcher.reply = (200, json.dumps({"results": results}))
        [found] = search.find("tides", 9)
        assert (found.url, found.title, len(found.snippet)) == ("https://port.test/a", "a b", 500)


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
