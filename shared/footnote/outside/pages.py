"""Fetches one page of the web, bounded, and never from inside a network.

Each host is resolved once, and the connection goes to an address that was checked. So a name that
changes its address in between leads nowhere. A redirect is a new fetch, checked like the first.
"""

import http.client
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import SplitResult, urljoin, urlsplit
from urllib.robotparser import RobotFileParser

from footnote.addresses import is_public
from footnote.errors import BadRequestError, UnavailableError
from footnote.model import WebPage

AGENT = "footnote"
MAX_BYTES = 50_000_000
SECONDS = 60.0  # for all of it: redirects, the rules for robots, the body
SILENCE = 10.0  # seconds without a byte
MAX_REDIRECTS = 5
LONGEST = 1_500  # characters of an address, which is kept as an attribute
ROBOTS_BYTES = 500_000  # of its rules; more is not read
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_BLOCK = 65_536
_TYPES = (
    "text/", "image/", "application/pdf", "application/json", "application/xml", "application/rtf",
    "application/xhtml+xml", "application/epub+zip",
    "application/vnd.openxmlformats-officedocument",
    "application/vnd.oasis.opendocument", "application/vnd.ms-excel",
)  # fmt: skip
"""How the media types begin that footnote may read."""

type Resolve = Callable[[str, int], list[str]]


class _Reply(NamedTuple):
    status: int
    location: str
    media_type: str
    body: bytes


def addresses_of(host: str, port: int) -> list[str]:
    """Returns the addresses of a host. Raises UnavailableError where it has none."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        raise UnavailableError(f"{host[:200]} has no address") from error
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class WebFetcher:
    """Implements the port Web.

    `resolve` gives a host's addresses, and `is_allowed` says which of them may be used. `is_named`
    says which hosts may be asked at all, those of redirects included; `types` are how media types
    begin that are taken.
    """

    def __init__(
        self,
        resolve: Resolve = addresses_of,
        is_allowed: Callable[[str], bool] = is_public,
        seconds: float = SECONDS,
        max_bytes: int = MAX_BYTES,
        *,
        is_named: Callable[[str], bool] = lambda _host: True,
        types: tuple[str, ...] = _TYPES,
    ) -> None:
        self._resolve = resolve
        self._is_allowed = is_allowed
        self._is_named = is_named
        self._types = types
        self._seconds = seconds
        self._max_bytes = max_bytes

    def fetch(self, address: str) -> WebPage:
        """Returns the page at an address of http or https.

        Raises BadRequestError for an address, a host or a page that is refused, and
        UnavailableError where nothing comes, or not in time.
        """
        url = address
        with _deadline(self._seconds) as watch:
            for _ in range(MAX_REDIRECTS + 1):
                place = _checked(url)
                if not self._is_named(place.hostname or ""):
                    raise _refused(f"pages of {place.hostname} may not be fetched here")
                self._must_be_welcome(place, watch)
                reply = self._get(place, self._max_bytes, watch)
                if reply.status not in _REDIRECTS:
                    return self._page(url, reply)
                url = urljoin(url, reply.location)
        raise _refused(f"{url[:200]} redirects more than {MAX_REDIRECTS} times")

    def _page(self, url: str, reply: _Reply) -> WebPage:
        if reply.status != 200:
            raise UnavailableError(
                f"{url[:200]} answered {reply.status}", code="page_unavailable",
                action="Look whether the address is right and open to everyone.",
            )  # fmt: skip
        if not reply.media_type.startswith(self._types):
            raise _refused(f"{url[:200]} is {reply.media_type[:100] or 'of no type'}")
        return WebPage(url, reply.media_type, reply.body)

    def _must_be_welcome(self, place: SplitResult, watch: "_Watch") -> None:
        """Heeds the site's rules for robots. Raises BadRequestError where they refuse."""
        rules = place._replace(path="/robots.txt", query="", fragment="")
        reply = self._get(rules, ROBOTS_BYTES, watch, is_whole=False)
        if reply.status >= 500:
            raise _refused(f"the rules for robots of {place.hostname} cannot be read")
        if reply.status != 200:
            return
        parser = RobotFileParser()
        parser.parse(reply.body.decode("utf-8", "replace").splitlines())
        if not parser.can_fetch(AGENT, place.geturl()):
            raise _refused(f"{place.hostname} asks robots not to fetch this page")

    def _get(
        self, place: SplitResult, most: int, watch: "_Watch", *, is_whole: bool = True
    ) -> _Reply:
        connection = self._connect(place, watch)
        path = (place.path or "/") + (f"?{place.query}" if place.query else "")
        headers = {"user-agent": AGENT, "accept": "*/*", "accept-encoding": "identity"}
        try:
            connection.request("GET", path, headers=headers)
            with connection.getresponse() as reply:
                coding = reply.headers.get("content-encoding", "identity").casefold()
                if coding != "identity" and is_whole and reply.status == 200:
                    raise _refused(f"{place.hostname} sends pages packed, though not asked to")
                body = _read(reply, most, place.hostname or "", is_whole=is_whole)
        except (OSError, http.client.HTTPException, ValueError) as error:
            raise watch.error(place.hostname or "", error) from error
        finally:
            connection.close()
        watch.check(place.hostname or "")
        media_type = reply.headers.get_content_type() if reply.headers["content-type"] else ""
        return _Reply(reply.status, reply.headers.get("location", ""), media_type, body)

    def _connect(self, place: SplitResult, watch: "_Watch") -> http.client.HTTPConnection:
        host = place.hostname or ""
        port = place.port or (443 if place.scheme == "https" else 80)
        addresses = self._resolve(host, port)
        if not addresses or not all(map(self._is_allowed, addresses)):
            raise _refused(f"{host[:200]} is inside a network")
        try:
            sock = socket.create_connection((addresses[0], port), timeout=SILENCE)
        except OSError as error:
            raise watch.error(host, error) from error
        connection = http.client.HTTPConnection(place.netloc)
        connection.sock = sock
        watch.guard(sock)
        if place.scheme == "https":
            try:
                connection.sock = ssl.create_default_context().wrap_socket(
                    sock, server_hostname=host
                )
            except OSError as error:
                connection.close()
                raise watch.error(host, error) from error
            watch.guard(connection.sock)
        return connection


class _Watch:
    """Shuts the connection when the time for a page is over, whatever still trickles in."""

    def __init__(self) -> None:
        self._sock: socket.socket | None = None
        self._is_over = False
        self._lock = threading.Lock()

    def guard(self, sock: socket.socket) -> None:
        with self._lock:
            self._sock = sock
            if self._is_over:
                _shut(sock)

    def end(self) -> None:
        with self._lock:
            self._is_over = True
            if self._sock:
                _shut(self._sock)

    def check(self, host: str) -> None:
        """Raises UnavailableError if the time is over."""
        if self._is_over:
            raise self.error(host, None)

    def error(self, host: str, cause: Exception | None) -> UnavailableError:
        why = "took too long" if self._is_over or isinstance(cause, TimeoutError) else "broke off"
        return UnavailableError(
            f"fetching from {host[:200]} {why}", code="page_unavailable",
            action="Try again later, or download the file and add it.",
        )  # fmt: skip


@contextmanager
def _deadline(seconds: float) -> Iterator[_Watch]:
    watch = _Watch()
    timer = threading.Timer(seconds, watch.end)
    timer.daemon = True
    timer.start()
    try:
        yield watch
    finally:
        timer.cancel()


def _shut(sock: socket.socket) -> None:
    try:
        sock.shutdown(socket.SHUT_RDWR)
    except OSError:  # it is closed, or not connected yet
        sock.close()


def _read(reply: http.client.HTTPResponse, most: int, host: str, *, is_whole: bool) -> bytes:
    """Returns the body. One that is longer is refused, or cut where not all of it is needed."""
    body = bytearray()
    while len(body) <= most and (block := reply.read(_BLOCK)):
        body += block
    if len(body) > most and is_whole:
        raise _refused(f"{host[:200]} sends more than {most:,} bytes")
    if is_whole and reply.length:  # what was announced has not come
        raise http.client.IncompleteRead(bytes(body), reply.length)
    return bytes(body[:most])


def _checked(url: str) -> SplitResult:
    """Returns the parts of an address that may be fetched. Raises BadRequestError."""
    try:
        place = urlsplit(url)
        host, port = place.hostname, place.port
    except ValueError:
        raise _refused("this is no address of a page") from None
    is_plain = url.isascii() and not any(sign.isspace() or ord(sign) < 32 for sign in url)
    if len(url) > LONGEST:
        raise _refused(f"the address has more than {LONGEST:,} characters")
    if place.scheme not in {"http", "https"}:
        raise _refused(f"{place.scheme[:20]} is neither http nor https")
    if not host or port == 0 or place.username is not None or not is_plain:
        raise _refused("the address has no host, a user's name, or signs that are not ASCII")
    return place


def _refused(why: str) -> BadRequestError:
    return BadRequestError(
        why, code="page_refused", action="Download the file yourself and add it, if you trust it."
    )
