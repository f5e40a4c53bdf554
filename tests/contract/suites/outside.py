"""The suites of the ports Web, WebSearch, ToolServers and Errands.

`address(path)` is the address of a page: `/page` is there, `/none` is not.
"""

from collections.abc import Callable

import pytest

from footnote.errors import BadRequestError, UnavailableError
from footnote.model import Errand, Revision, WebResult
from footnote.ports import Errands, ToolServers, Uploads, Web, WebSearch

type Address = Callable[[str], str]
PAGE = b"<html><body><p>The harbour fee for a barge is 84 crowns.</p></body></html>"


class WebSuite:
    @pytest.fixture
    def address(self) -> Address:
        raise NotImplementedError

    @pytest.fixture
    def web(self, address: Address) -> Web:
        raise NotImplementedError

    def test_a_page_comes_with_its_address_and_type(self, web, address):
        page = web.fetch(address("/page"))
        assert (page.url, page.media_type, page.body) == (address("/page"), "text/html", PAGE)

    def test_a_page_that_is_not_there_is_unavailable(self, web, address):
        with pytest.raises(UnavailableError) as missing:
            web.fetch(address("/none"))
        assert missing.value.code == "page_unavailable"

    @pytest.mark.parametrize("wrong", ["file:///etc/passwd", "ftp://site.test/a", "nothing"])
    def test_what_is_no_page_of_the_web_is_refused(self, web, wrong):
        with pytest.raises(BadRequestError) as refused:
            web.fetch(wrong)
        assert refused.value.code == "page_refused"


RESULTS = tuple(
    WebResult(url=f"https://port.test/{n}", title=f"Tides {n}", snippet=f"The gate opens at {n}.")
    for n in range(5)
)


class WebSearchSuite:
    """`search` finds RESULTS for "tides"; it knows each twice. For "nothing" it finds nothing."""

    @pytest.fixture
    def search(self) -> WebSearch:
        raise NotImplementedError

    def test_pages_come_in_order_and_each_once(self, search):
        assert search.find("tides", 9) == RESULTS

    def test_no_more_come_than_are_wanted(self, search):
        assert search.find("tides", 2) == RESULTS[:2]

    def test_for_what_nobody_has_nothing_comes(self, search):
        assert search.find("nothing", 9) == ()


class ToolServersSuite:
    """`servers` has the server `tides` with the tools `forecast(port)` and `broken()`.

    The forecast is "At <port> the tide is high at 6:40."; the broken one refuses.
    """

    @pytest.fixture
    def servers(self) -> ToolServers:
        raise NotImplementedError

    def test_a_tool_is_described(self, servers):
        described = servers.describe("tides", "forecast")
        assert described.description == "Says when the tide is high."
        assert described.arguments["type"] == "object"

    def test_a_tool_answers_with_text(self, servers):
        told = servers.call("tides", "forecast", {"port": "Hull"})
        assert told == "At Hull the tide is high at 6:40."

    def test_a_tool_that_refuses_is_told_with_its_reason(self, servers):
        with pytest.raises(BadRequestError, match="no gauge") as refused:
            servers.call("tides", "broken", {})
        assert refused.value.code == "tool_refused"

    @pytest.mark.parametrize(
        ("server", "tool"), [("tides", "secret"), ("other", "forecast"), ("", "")]
    )
    def test_what_is_not_allowed_is_refused(self, servers, server, tool):
        for ask in (servers.describe, lambda *named: servers.call(*named, {})):
            with pytest.raises(BadRequestError):
                ask(server, tool)


class ErrandsSuite:
    """`uploads` is the bucket in which the errands leave what they have fetched."""

    @pytest.fixture
    def address(self) -> Address:
        raise NotImplementedError

    @pytest.fixture
    def errands(self, address: Address) -> Errands:
        raise NotImplementedError

    @pytest.fixture
    def uploads(self) -> Uploads:
        raise NotImplementedError

    def test_a_page_is_stored_as_an_upload_of_its_tenant(self, errands, uploads, address):
        errand = Errand(kind="page", tenant="acme", readers=None, url=address("/page"))
        result = errands.run(errand)
        assert uploads.read(result.key, result.version) == PAGE
        assert Revision(key=result.key, version=result.version, sequencer="").tenant == "acme"
        assert (result.url, result.size, result.error) == (address("/page"), len(PAGE), None)

    def test_a_page_for_some_readers_has_a_sidecar(self, errands, uploads, address):
        errand = Errand(kind="page", tenant="acme", readers=("a", "b"), url=address("/page"))
        result = errands.run(errand)
        sidecar = uploads.current(f"{result.key}.metadata.json")
        assert uploads.read(sidecar.key, sidecar.version) == b'{"acl": ["a", "b"]}'

    def test_other_readers_have_a_copy_of_their_own(self, errands, address):
        errand = Errand(kind="page", tenant="acme", readers=None, url=address("/page"))
        readers = (None, (), ("a",), ("b",), ("a", "b"))
        copies = {errands.run(errand.model_copy(update={"readers": one})).key for one in readers}
        assert len(copies) == len(readers)

    def test_what_keeps_an_errand_from_its_end_is_its_result(self, errands, address):
        errand = Errand(kind="page", tenant="acme", readers=None, url=address("/none"))
        result = errands.run(errand)
        assert (result.key, result.error.code) == ("", "page_unavailable")
