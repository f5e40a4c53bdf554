"""A page of the web is fetched from public addresses alone and within bounds, whoever serves it."""

import gzip
import socket
import threading
from http.server import BaseHTTPRequestHandler
from urllib.parse import urlsplit

import pytest

from footnote.addresses import is_public
from footnote.errors import BadRequestError, UnavailableError
from footnote.model import WebPage
from footnote.outside import pages as web_page
from footnote.outside.page_names import LONGEST, name_page
from footnote.outside.pages import MAX_REDIRECTS, WebFetcher
from tests.contract.suites.outside import PAGE, WebSuite
from tests.serving import LoopbackServer, serving
from tests.unit.faces import connect, small

HERE = "127.0.0.1"  # stands for a public address in these tests
NAMES = {
    "site.test": [HERE],
    "inside.test": ["10.0.0.5"],
    "metadata.test": ["169.254.169.254"],
    "2130706434": ["127.0.0.2"],  # as a system reads it
    "0x7f.2": ["127.0.0.2"],
    "half.test": [HERE, "192.168.1.1"],
    "mapped.test": ["::ffff:10.0.0.5"],
    "localhost": ["127.0.0.2"],
    "nowhere.test": [],
}


class Site(LoopbackServer):
    """Serves what a path stands for. Keeps what was asked of it, and lets slow replies end."""

    def __init__(self):
        super().__init__(Handler)
        self.asked = []
        self.robots = (404, b"")
        self.over = threading.Event()

    def address(self, path, host="site.test"):
        return f"http://{host}:{self.server_port}{path}"


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append((self.headers["host"], self.path))
        path = urlsplit(self.path).path
        if path == "/robots.txt" and self.server.robots == "never":
            self._trickle(b"#", pause=0.05)
        elif path == "/robots.txt":
            self._send(*self.server.robots, "text/plain")
        elif path == "/to":
            self._redirect(self.path.partition("?")[2])
        else:
            ANSWERS.get(path, lambda handler: handler._send(404, b"no", "text/html"))(self)

    def _send(self, status, body, kind, *, packed=False):
        self.send_response(status)
        if kind:
            self.send_header("content-type", kind)
        if packed:
            self.send_header("content-encoding", "gzip")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _redirect(self, where):
        self.send_response(302)
        self.send_header("location", where)
        self.send_header("content-length", "0")
        self.end_headers()

    def _trickle(self, block, pause):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self._drip(block, pause)

    def _drip(self, block, pause=0.05):
        while not self.server.over.is_set():
            self.wfile.write(block)
            self.wfile.flush()
            self.server.over.wait(pause)

    def slow_head(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nx-first: 1\r\n")
        self._drip(b"x")

    def many_heads(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\n")
        for n in range(100_000):
            self.wfile.write(b"x-%d: 1\r\n" % n)

    def long_head(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\nx-long: " + b"x" * 1_000_000 + b"\r\n\r\n")

    def lies_short(self):
        """Sends more than it announces."""
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", "4")
        self.end_headers()
        self.wfile.write(PAGE)

    def lies_about_length(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n")
        self.wfile.write(b"content-length: -5\r\n\r\n" + PAGE)

    def bad_chunks(self):
        self.wfile.write(b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n")
        self.wfile.write(b"transfer-encoding: chunked\r\n\r\nzzz\r\n" + PAGE)

    def no_http(self):
        self.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n")

    def hidden_length(self):
        """Says a gzipped body by its transfer encoding, which nobody asked for."""
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-encoding", "GZIP, identity")
        self.end_headers()
        self.wfile.write(BOMB)

    def cut(self):
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.send_header("content-length", "1000")
        self.end_headers()
        self.wfile.write(b"half")

    def log_message(self, *_):
        pass


BOMB = gzip.compress(b"0" * 10_000_000)
ANSWERS = {
    "/page": lambda handler: handler._send(200, PAGE, "text/html; charset=utf-8"),
    "/loop": lambda handler: handler._redirect("/loop"),
    "/program": lambda handler: handler._send(200, b"MZ", "application/x-msdownload"),
    "/untyped": lambda handler: handler._send(200, b"words", ""),
    "/bomb": lambda handler: handler._send(200, BOMB, "text/html", packed=True),
    "/endless": lambda handler: handler._trickle(b"x" * 10_000, pause=0),
    "/slow": lambda handler: handler._trickle(b"x", pause=0.05),
    "/slow-head": Handler.slow_head,
    "/cut": Handler.cut,
    "/many-heads": Handler.many_heads,
    "/long-head": Handler.long_head,
    "/lies-short": Handler.lies_short,
    "/lies-about-length": Handler.lies_about_length,
    "/bad-chunks": Handler.bad_chunks,
    "/no-http": Handler.no_http,
    "/bomb-twice": Handler.hidden_length,
    "/hop": lambda handler: handler._redirect("//inside.test/page"),
    "/nowhere": lambda handler: handler._redirect(""),
}


@pytest.fixture
def site():
    server = Site()
    with serving(server, server.over):
        yield server


def fetcher(**bounds):
    def resolve(host, _port):
        return NAMES.get(host) or [host]

    return WebFetcher(resolve, lambda address: address == HERE or is_public(address), **bounds)


def refusal(site, path, host="site.test", **bounds):
    with pytest.raises(BadRequestError) as refused:
        fetcher(**bounds).fetch(site.address(path, host))
    assert refused.value.code == "page_refused"
    return refused.value.message


def paths(site):
    return [path for _, path in site.asked if path != "/robots.txt"]


class TestWebFetcher(WebSuite):
    @pytest.fixture
    def address(self, site):
        return site.address

    @pytest.fixture
    def web(self):
        return fetcher()


# -- what comes ------------------------------------------------------------------------------------


def test_a_page_is_fetched_with_its_type_by_its_own_name(site):
    page = fetcher().fetch(site.address("/page"))
    assert page == WebPage(site.address("/page"), "text/html", PAGE)
    assert site.asked[-1] == (f"site.test:{site.server_port}", "/page")


def test_a_redirect_is_followed_and_the_last_address_is_the_pages(site):
    page = fetcher().fetch(site.address("/to?/to?/page"))
    assert (page.url, page.body) == (site.address("/page"), PAGE)


def test_what_is_not_there_is_told(site):
    with pytest.raises(UnavailableError, match="answered 404"):
        fetcher().fetch(site.address("/gone"))


# -- where it never goes ---------------------------------------------------------------------------

INSIDE = [
    "http://169.254.169.254/latest/meta-data/",
    "http://localhost/page",
    "http://127.0.0.2/page",
    "http://10.0.0.5/page",
    "http://[::1]/page",
    "http://[::ffff:10.0.0.5]/page",
    "http://[fd00:ec2::254]/page",
    "http://inside.test/page",
    "http://metadata.test/latest/meta-data/",
    "http://169.254.170.2/v2/credentials",
    "http://100.64.0.1/page",
    "http://2130706434/page",
    "http://0x7f.2/page",
    "http://[64:ff9b::a9fe:a9fe]/latest/meta-data/",
    "http://half.test/page",
    "http://mapped.test/page",
    "http://0.0.0.0/page",
]


@pytest.fixture
def connections(monkeypatch):
    """Keeps to where connections are made; only those to the site of the test go on."""
    made, connect_ = [], socket.create_connection

    def create(address, **more):
        made.append(address[0])
        assert address[0] == HERE
        return connect_(address, **more)

    monkeypatch.setattr(web_page.socket, "create_connection", create)
    return made


@pytest.mark.parametrize("url", INSIDE)
def test_an_address_inside_a_network_is_refused_and_no_connection_made(connections, url):
    with pytest.raises(BadRequestError, match="inside a network"):
        fetcher().fetch(url)
    assert connections == []


@pytest.mark.parametrize("url", INSIDE)
def test_a_redirect_to_an_address_inside_a_network_is_refused(site, connections, url):
    assert "inside a network" in refusal(site, f"/to?{url}")
    assert set(connections) == {HERE}


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "ftp://site.test/x", "gopher://site.test/x", "http://me:pw@site.test/x",
     "http:///x", "http://site.test:0/x", "http://site.test/a b", "http://site.test/\r\nx: y",
     "http://site.test/" + "x" * 2000, "http://[::1/x", "http://s\u0456te.test/"],
)  # fmt: skip
def test_what_is_no_plain_address_of_the_web_is_refused(connections, url):
    with pytest.raises(BadRequestError):
        fetcher().fetch(url)
    assert connections == []


def test_a_redirect_to_a_file_or_without_end_is_refused(site):
    assert "neither http nor https" in refusal(site, "/to?file:///etc/passwd")
    assert f"more than {MAX_REDIRECTS} times" in refusal(site, "/loop")
    assert paths(site).count("/loop") == MAX_REDIRECTS + 1


def test_a_redirect_to_a_name_that_lies_inside_is_refused(site, connections):
    assert "inside a network" in refusal(site, "/hop")
    assert set(connections) == {HERE}


def test_a_redirect_to_nowhere_ends(site):
    refusal(site, "/nowhere")


def test_only_hosts_that_are_named_are_asked_also_by_a_redirect(site, connections):
    named = {"is_named": lambda host: host == "site.test"}
    assert fetcher(**named).fetch(site.address("/page")).body == PAGE
    other = site.address("/page", "other.test")
    connections.clear()
    assert "may not be fetched" in refusal(site, f"/to?{other}", **named)
    assert {host for host, _ in site.asked} == {f"site.test:{site.server_port}"}
    connections.clear()
    with pytest.raises(BadRequestError, match="may not be fetched"):
        fetcher(**named).fetch(other)
    assert connections == []


def test_a_name_that_changes_its_address_meanwhile_leads_nowhere(site, connections):
    answers = iter([[HERE], [HERE], ["10.0.0.5"]])  # for the rules, the page, and any later look
    rebinding = WebFetcher(lambda *_: next(answers), lambda address: address == HERE)
    rebinding.fetch(site.address("/page"))
    assert connections == [HERE, HERE]
    with pytest.raises(BadRequestError, match="inside a network"):
        rebinding.fetch(site.address("/page"))


# -- what is too much ------------------------------------------------------------------------------


def test_a_body_without_end_is_refused_at_its_bound(site):
    assert "more than 100,000 bytes" in refusal(site, "/endless", max_bytes=100_000)


def test_a_packed_body_is_refused_unopened(site):
    assert "packed" in refusal(site, "/bomb")


def test_a_type_that_footnote_does_not_read_is_refused(site):
    assert "is application/x-msdownload" in refusal(site, "/program")
    assert "of no type" in refusal(site, "/untyped")


def test_a_body_that_is_packed_in_disguise_is_refused(site):
    assert "packed" in refusal(site, "/bomb-twice")


@pytest.mark.parametrize("path", ["/many-heads", "/long-head", "/bad-chunks", "/no-http"])
def test_what_is_no_reply_of_a_server_is_no_page(site, path):
    with pytest.raises(UnavailableError):
        fetcher().fetch(site.address(path))


def test_of_a_body_no_more_is_read_than_was_announced(site):
    assert fetcher().fetch(site.address("/lies-short")).body == PAGE[:4]


def test_an_announced_length_below_nothing_is_no_page_of_that_length(site):
    """Python's client takes it for no announcement, and reads to the end."""
    page = fetcher(max_bytes=10_000).fetch(site.address("/lies-about-length"))
    assert page.body == PAGE


def test_robots_that_never_answer_end_with_the_time(site):
    site.robots = "never"
    with pytest.raises(UnavailableError, match="took too long"):
        fetcher(seconds=0.5).fetch(site.address("/page"))
    assert paths(site) == []


@pytest.mark.parametrize("path", ["/slow", "/slow-head"])
def test_a_reply_that_trickles_is_ended_when_the_time_is_over(site, path):
    with pytest.raises(UnavailableError, match="took too long"):
        fetcher(seconds=0.5).fetch(site.address(path))


def test_a_body_that_breaks_off_is_no_page(site):
    with pytest.raises(UnavailableError, match="broke off"):
        fetcher().fetch(site.address("/cut"))


# -- robots ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("robots", "is_welcome"),
    [
        ((200, b"User-agent: *\nDisallow: /page\n"), False),
        ((200, b"User-agent: footnote\nDisallow: /\n"), False),
        ((200, b"User-agent: *\nDisallow: /private\n"), True),
        ((200, b"User-agent: other\nDisallow: /\n"), True),
        ((404, b""), True),
        ((503, b""), False),
        ((200, b"\xff\xfe\x00" * 9), True),
    ],
)
def test_the_rules_for_robots_are_heeded(site, robots, is_welcome):
    site.robots = robots
    if is_welcome:
        assert fetcher().fetch(site.address("/page")).body == PAGE
    else:
        refusal(site, "/page")
        assert paths(site) == []


def test_the_rules_are_those_of_the_site_that_a_redirect_leads_to(site):
    site.robots = (200, b"User-agent: *\nDisallow: /page\n")
    refusal(site, "/to?/page")
    assert paths(site) == ["/to?/page"]


# -- what becomes of it ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("url", "media_type", "name"),
    [
        ("https://example.org", "text/html", "example.org/index.html"),
        ("https://example.org/guides/fees", "text/html", "example.org/guides/fees.html"),
        ("https://example.org/fees.HTM", "text/html", "example.org/fees.HTM"),
        ("https://example.org/v1.2/notes", "text/plain", "example.org/v1.2/notes.txt"),
        ("https://example.org/fees.php", "application/pdf", "example.org/fees.php.pdf"),
        ("https://example.org/a/../../b%2Fc/.", "text/html", "example.org/a/bc.html"),
    ],
)
def test_a_page_is_named_by_its_host_and_path(url, media_type, name):
    assert name_page(url, media_type) == name


def test_pages_that_differ_in_their_query_or_are_long_have_names_of_their_own():
    one, other = (name_page(f"https://example.org/p?id={n}", "text/html") for n in (1, 2))
    assert one != other
    long = [name_page(f"https://example.org/{'x' * 1000}{n}", "text/html") for n in (1, 2)]
    assert len({*long}) == 2
    assert all(len(name) <= LONGEST for name in long)


def test_a_page_becomes_a_document_with_its_address_and_day_and_is_sent_once(site):
    pipeline = small()
    with connect(pipeline) as client:
        first = client.add_page(site.address("/page"), fetch=fetcher().fetch)
        [record] = client.wait([first], lambda _: None)
        again = client.add_page(site.address("/page"), fetch=fetcher().fetch)
    assert (record["document"], record["status"]) == ("site.test/page.html", "READY")
    assert record["metadata"]["url"] == site.address("/page")
    assert len(record["metadata"]["fetched"]) == len("2026-11-28")
    assert (first["same"], again["same"]) == (False, True)
