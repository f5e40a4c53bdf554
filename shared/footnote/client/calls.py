"""What all groups of the client's operations share: the connections, paths, pages of lists."""

from collections.abc import Iterator
from typing import IO
from urllib.parse import quote

import httpx

from footnote.client.bucket import Bucket
from footnote.client.connection import Connection, no_text
from footnote.wire import Json

AS_JSON = {"accept": "application/json"}  # a redirect would send the key on to the bucket


class Calls:
    """The connections of one client: to the API with its credential, to the buckets without."""

    def __init__(
        self,
        url: str,
        key: str,
        timeout: float = 35.0,
        transport: httpx.BaseTransport | None = None,
        *,
        token: str = "",
    ) -> None:
        """Makes a client for a bearer `token` or, without one, for an API key."""
        headers = {"authorization": f"Bearer {token}"} if token else {"x-api-key": key}
        self._api = Connection(url, headers, timeout, transport)
        self._bucket = Bucket(transport)

    def close(self) -> None:
        self._api.close()
        self._bucket.close()

    def fetch(self, link: Json) -> bytes:
        """Returns the file at a link of this API. The bucket gets no API key."""
        return self._bucket.fetch(link["url"])

    def save(self, link: Json, target: IO[bytes]) -> int:
        """Writes the file at a link of this API to a target, in bounded memory. Returns its size.

        Raises UnavailableError where it does not come.
        """
        return self._bucket.save(link["url"], target)

    def _pages(self, path: str, **params: object) -> Iterator[Json]:
        """Yields the pages of a list until its cursor is empty."""
        after = ""
        while True:
            page = self._api.call("GET", path, params={**params, "after": after})
            yield page
            if not (after := page["after"]):
                return


def path_of(*names: str) -> str:
    """Returns a path of these names. A slash in a name does not split the path."""
    try:
        return "/".join(quote(name, safe="") for name in names)
    except UnicodeEncodeError as error:
        raise no_text(error) from None
