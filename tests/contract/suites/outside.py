"""The suites of the ports Web and Errands.

`address(path)` is the address of a page: `/page` is there, `/none` is not.
"""

from collections.abc import Callable

import pytest

from footnote.errors import BadRequestError, UnavailableError
from footnote.model import Errand, Revision
from footnote.ports import Errands, Uploads, Web

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
