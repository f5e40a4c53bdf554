"""Posts to the one URL that a deployment names, and to no place inside a network.

The host is resolved once, and the connection goes to the address that was checked. So a name that
changes its address in between leads nowhere. TLS still checks the certificate against the name.
"""

import ipaddress
import socket
from collections.abc import Callable, Mapping
from urllib.parse import SplitResult, urlsplit

import urllib3

from footnote.addresses import is_public
from footnote.errors import ConfigurationError, UnavailableError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
CONNECT_SECONDS, READ_SECONDS = 3.0, 7.0  # ten in all
AGAIN = frozenset({408, 429})  # and all from 500: the same delivery may be taken later
ACTION = "Correct WebhookUrl, or what it leads to, then redrive the dead letters of `deliver`."

type Resolve = Callable[[str, int], list[str]]


def addresses_of(host: str, port: int) -> list[str]:
    """Returns the addresses of a host. Raises UnavailableError where it has none now."""
    try:
        answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise UnavailableError(f"the webhook's host {host} has no address") from error
    return list(dict.fromkeys(str(answer[4][0]) for answer in answers))


class HttpWebhook:
    """Implements the port Webhook. `resolve` gives the addresses of a host and port."""

    def __init__(self, url: str, resolve: Resolve = addresses_of) -> None:
        self._url = url
        self._resolve = resolve

    def post(self, body: bytes, headers: Mapping[str, str]) -> None:
        place = checked(self._url)
        with self._pool(place) as pool:
            path = (place.path or "/") + (f"?{place.query}" if place.query else "")
            try:
                reply = pool.request(
                    "POST",
                    path,
                    body=body,
                    headers={"host": place.netloc, "content-type": "application/json", **headers},
                    redirect=False,
                    preload_content=False,  # nobody reads the body, however long it is
                )
            except urllib3.exceptions.HTTPError as error:
                raise UnavailableError("the webhook gave no answer", detail=repr(error)) from error
            status = reply.status
            reply.close()
        if status in AGAIN or status >= 500:
            raise UnavailableError(f"the webhook answered {status}")
        if not 200 <= status < 300:
            raise refused(f"the webhook answered {status}")

    def _pool(self, place: SplitResult) -> urllib3.HTTPConnectionPool:
        """Looks up and checks the addresses of a host. Returns connections to the first one."""
        host = place.hostname or ""
        port = place.port or (443 if place.scheme == "https" else 80)
        addresses = self._resolve(host, port)
        for address in addresses:
            if not is_public(address) and host not in LOOPBACK:
                raise refused(f"the webhook's host {host} is inside a network")
            if host in LOOPBACK and not ipaddress.ip_address(address).is_loopback:
                raise refused(f"the webhook's host {host} is not this machine")
        timeout = urllib3.Timeout(connect=CONNECT_SECONDS, read=READ_SECONDS)
        if place.scheme == "http":
            return urllib3.HTTPConnectionPool(addresses[0], port, timeout=timeout, retries=False)
        return urllib3.HTTPSConnectionPool(
            addresses[0],
            port,
            timeout=timeout,
            retries=False,
            server_hostname=host,
            assert_hostname=host,
        )


def checked(url: str) -> SplitResult:
    """Returns the parts of a URL that may be posted to. Raises ConfigurationError."""
    try:
        place = urlsplit(url)
        host, port = place.hostname, place.port
    except ValueError:
        raise refused("the webhook's URL is none") from None
    if not host or port == 0 or place.username is not None or place.fragment:
        raise refused("the webhook's URL has no host, or a name or fragment in it")
    if place.scheme != "https" and not (place.scheme == "http" and host in LOOPBACK):
        raise refused("the webhook's URL is not https")
    return place


def refused(why: str) -> ConfigurationError:
    return ConfigurationError(why, code="webhook_refused", action=ACTION)
